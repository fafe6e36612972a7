// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace headrace::base {
namespace {

// A folder of this test's own, removed at its end.
class Files : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ =
      testing::TempDir() + "headrace_files_" + testing::UnitTest::GetInstance()->current_test_info()->name();
  DiskFileSystem disk_;
};

TEST_F(Files, WritesWholeFilesAndReadsThemBack) {
  const std::string path = folder_ + "/a.json";
  ASSERT_TRUE(disk_.write(path, "one"));
  ASSERT_TRUE(disk_.write(path, std::string("two\0x", 5)));
  EXPECT_EQ(disk_.read(path).value(), std::string("two\0x", 5));
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
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
