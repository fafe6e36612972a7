// SPDX-License-Identifier: Apache-2.0
#include "include_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace headrace::tests {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(IncludeGraph, NoRoomLooksUpOrSideways) {
  const fs::path top = HEADRACE_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(top / "src")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cc") continue;
    files.push_back(parse_source(fs::relative(path, top / "src").string(), contents(path)));
  }
  EXPECT_GT(files.size(), 20u);
  EXPECT_THAT(violations(files, parse_floors(contents(top / "tests/floors.txt"))), IsEmpty());
}

// Two floors: attic above, hall and yard beside each other below.
TEST(IncludeGraph, FindsEachKindOfViolation) {
  const Floors floors = parse_floors("# a remark\nfloor attic\nfloor hall yard\nheavy big/\n");
  const auto check = [&](const std::string& path, const std::string& text) {
    return violations({parse_source(path, text)}, floors);
  };
  EXPECT_THAT(check("attic/a.cc", "#include \"hall/b.h\"\n#include \"attic/a.h\"\n#include <vector>\n"), IsEmpty());
  EXPECT_THAT(check("hall/a.cc", "#include \"attic/b.h\"\n"), SizeIs(1));
  EXPECT_THAT(check("hall/a.cc", "#include \"yard/b.h\"\n"), SizeIs(1));
  EXPECT_THAT(check("cellar/a.cc", ""), SizeIs(1));
  EXPECT_THAT(check("hall/a.h", "#include <big/x.h>\n"), SizeIs(1));
  EXPECT_THAT(check("hall/a.cc", "#include <big/x.h>\n#include <big/y.h>\n"), IsEmpty());
  const auto once = parse_source("hall/a.cc", "#include <big/x.h>\n");
  const auto again = parse_source("hall/b.cc", "#include <big/x.h>\n");
  EXPECT_THAT(violations({once, again}, floors),
              ElementsAre("hall/b.cc: includes the heavy big/x.h, as does hall/a.cc"));
  EXPECT_THAT(violations({once, parse_source("hall/b_test.cc", "#include <big/x.h>\n")}, floors), IsEmpty());
}

}  // namespace
}  // namespace headrace::tests
