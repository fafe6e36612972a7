// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "base/staged_files.h"

namespace headrace::base {
namespace {

// A folder of this test's own, removed at its end.
class Files : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::string folder_ =
      testing::TempDir() + "headrace_files_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  DiskFileSystem disk_;
};

TEST_F(Files, WritesWholeFilesAndReadsThemBack) {
  const std::string path = folder_ + "/a.json";
  ASSERT_TRUE(disk_.write(path, "one"));
  ASSERT_TRUE(disk_.write(path, std::string("two\0x", 5)));
  EXPECT_EQ(disk_.read(path).value(), std::string("two\0x", 5));
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, TakeTheirPlacesTogetherOrNotAtAll) {
  ASSERT_TRUE(disk_.write(folder_ + "/old", "old"));
  {
    StagedFiles staged;
    ASSERT_TRUE(staged.add(folder_ + "/old", "new"));
    ASSERT_TRUE(staged.add(folder_ + "/more", "more"));
    EXPECT_EQ(staged.add(folder_ + "/./old", "again").error().what.id, "base.written_twice");
    EXPECT_EQ(staged.add(folder_ + "/none/a", "x").error().what.id, "base.unwritable");
  }
  EXPECT_EQ(disk_.read(folder_ + "/old").value(), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, ALinkStaysAndItsTargetIsReplaced) {
  ASSERT_TRUE(disk_.write(folder_ + "/target", "old"));
  std::filesystem::create_symlink("target", folder_ + "/link");
  ASSERT_TRUE(disk_.write(folder_ + "/link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "/link"));
  EXPECT_EQ(disk_.read(folder_ + "/target").value(), "new");
  std::filesystem::create_symlink("loop", folder_ + "/loop");
  EXPECT_EQ(disk_.write(folder_ + "/loop", "x").error().what.id, "base.unwritable");
}

TEST_F(Files, DevicesAreWrittenTo) {
  EXPECT_TRUE(disk_.write("/dev/null", "x"));
  EXPECT_EQ(disk_.write("/dev/full", "x").error().what.id, "base.unwritable");
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST_F(Files, MissingFilesAndFoldersAreErrors) {
  EXPECT_EQ(disk_.read(folder_ + "/none").error().what.id, "base.no_file");
  EXPECT_EQ(disk_.read(folder_).error().what.id, "base.is_folder");
  EXPECT_EQ(disk_.read("").error().what.id, "base.no_file");
  EXPECT_EQ(disk_.write(folder_, "x").error().what.id, "base.is_folder");
  EXPECT_EQ(disk_.write(folder_ + "/none/a", "x").error().what.id, "base.unwritable");
}

}  // namespace
}  // namespace headrace::base
