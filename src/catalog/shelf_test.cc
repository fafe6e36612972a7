// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "catalog/catalog.h"

namespace headrace::catalog {
namespace {

TEST(FoldName, IsIdempotentAndBlindToCaseAndSeparators) {
  EXPECT_TRUE(rc::check([](const std::string& name) {
    const std::string folded = fold_name(name);
    RC_ASSERT(fold_name(folded) == folded);
    RC_ASSERT(fold_name("-" + name + "_ ") == folded);
  }));
}

// Entries named after numbers, each with one alias: every spelling finds its own, a second holder of a name is refused.
TEST(Shelf, FindsEachEntryByEachSpellingAndNoOther) {
  EXPECT_TRUE(rc::check([](const std::set<std::uint16_t>& numbers) {
    Shelf<Network> shelf;
    for (const std::uint16_t n : numbers) {
      Network network;
      network.id = "net-" + std::to_string(n);
      network.name = "Net " + std::to_string(n);
      network.aliases = {"Wire_" + std::to_string(n)};
      RC_ASSERT(shelf.add(network, {}).has_value());
      RC_ASSERT(!shelf.add(network, {}).has_value());
    }
    for (const std::uint16_t n : numbers) {
      const std::string id = "net-" + std::to_string(n);
      RC_ASSERT(shelf.find("NET" + std::to_string(n))->id == id);
      RC_ASSERT(shelf.find("wire " + std::to_string(n))->id == id);
    }
    RC_ASSERT(shelf.entries().size() == numbers.size());
    RC_ASSERT(shelf.find("net-65536") == nullptr);
  }));
}

TEST(Shelf, AnUnknownNameOffersTheNearest) {
  Shelf<Platform> shelf;
  Platform box;
  box.id = "dgx-h100";
  box.name = "DGX H100";
  ASSERT_TRUE(shelf.add(box, {}));
  const auto missing = shelf.get("dgx-h10", {"my.yaml", 7, 13});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().where.line, 7);
  EXPECT_EQ(missing.error().hint->arguments[0], "dgx-h100");
}

}  // namespace
}  // namespace headrace::catalog
