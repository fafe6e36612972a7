// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case_file.h"
#include "filters.h"
#include "process.h"

namespace headrace::tests {
namespace {

using testing::ElementsAre;

constexpr const char* kCase = R"(# What it shows.
needs shared
mask ("seconds": )[0-9.]+

file a/b.yaml
  x: 1

  y:
    z: 2

$ headrace plan a/b.yaml | json x
  one

  two
stderr
  note
exit 2

# A remark.
$ cat out.json
stderr any
)";

TEST(CaseFile, ReadsStepsWithTheirFilesAndExpectations) {
  const Case test = parse_case(kCase, "t");
  ASSERT_EQ(test.mistake, "");
  EXPECT_THAT(test.needs, ElementsAre("shared"));
  EXPECT_THAT(test.masks, ElementsAre("(\"seconds\": )[0-9.]+"));
  ASSERT_EQ(test.steps.size(), 2u);
  EXPECT_EQ(test.steps[0].files[0].name, "a/b.yaml");
  EXPECT_EQ(test.steps[0].files[0].text, "x: 1\n\ny:\n  z: 2\n");
  EXPECT_EQ(test.steps[0].command, "headrace plan a/b.yaml | json x");
  EXPECT_EQ(test.steps[0].expected.out, "one\n\ntwo\n");
  EXPECT_EQ(test.steps[0].expected.err, "note\n");
  EXPECT_EQ(test.steps[0].expected.exit, 2);
  EXPECT_TRUE(test.steps[1].expected.any_err);
}

TEST(CaseFile, PrintsAsItWasRead) { EXPECT_EQ(print_case(parse_case(kCase, "t")), kCase); }

TEST(CaseFile, SaysWhatIsWrongWithACase) {
  EXPECT_NE(parse_case("$ headrace\n", "t").mistake, "");
  EXPECT_NE(parse_case("# nothing\n", "t").mistake, "");
  EXPECT_NE(parse_case("# x\nfoo bar\n$ headrace\n", "t").mistake, "");
  EXPECT_NE(parse_case("# x\n$ headrace\nexit two\n", "t").mistake, "");
}

TEST(Filters, WordsKeepQuotedBlanksAndExpandShared) {
  EXPECT_THAT(words_of("headrace  --set 'a b=c' \"\" $SHARED/x | head 1", "/s"),
              ElementsAre("headrace", "--set", "a b=c", "", "/s/x", "|", "head", "1"));
}

TEST(Filters, JsonSelectsValues) {
  const std::string text = R"({"a": {"b": [1, "x", {"c": null}]}})";
  EXPECT_EQ(filter(text, {"json", "a.b.1", "a.b.2.c", "a.b.2", "a.b[]", "a.x"}),
            "x\nnull\n{c: null}\n3\nthere is no a.x\n");
  EXPECT_EQ(filter(text, {"keys", "a"}), "b\n");
  EXPECT_THAT(filter("no", {"json", "a"}), testing::StartsWith("stdout is no JSON"));
}

TEST(Filters, LinesAndNumbers) {
  EXPECT_EQ(filter("a\nb\nab\n", {"grep", "a"}), "a\nab\n");
  EXPECT_EQ(filter("a\nb\n", {"head", "1"}), "a\n");
  EXPECT_EQ(filter("a\nb\n", {"count"}), "2\n");
  EXPECT_EQ(filter("t=1.23456 n=12 e=1.5e-9", {"round", "3"}), "t=1.23 n=12 e=1.5e-09");
  EXPECT_EQ(mask("\"seconds\": 0.25, x", "(\"seconds\": )[0-9.]+"), "\"seconds\": ***, x");
  EXPECT_EQ(difference("a\nb\nc\n", "a\nx\nc\n"), "    a\n  - b\n  + x\n    c\n");
}

TEST(Process, KeepsStreamsApartAndHasNoLanguage) {
  const std::string folder = testing::TempDir();
  const Printed shell =
      run_process({"/bin/sh", "-c", "echo out; echo err >&2; echo $LANG$NO_COLOR; exit 3"}, folder, 9);
  EXPECT_EQ(shell, (Printed{"out\n1\n", "err\n", 3}));
  EXPECT_EQ(run_process({"/bin/sh", "-c", "sleep 9"}, folder, 0).exit, 124);
  EXPECT_EQ(run_process({"/no/such"}, folder, 9).exit, 127);
}

}  // namespace
}  // namespace headrace::tests
