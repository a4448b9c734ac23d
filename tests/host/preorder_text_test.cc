// SPDX-License-Identifier: Apache-2.0
// Preorder text: round trips, a second reader as a model, hostile input.
#include "tools/stillframe/index/preorder_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/unit/model/random_stacks.h"

namespace stillframe::index {
namespace {

using namespace model;

TEST(FrameText, IsThatOfStackTraceElement) {
  FrameTable t;
  const auto text = [&](std::string_view source, int32_t line, FrameKind kind) {
    return PreorderFrameText(t, t.InternFrame("a.B$C", "<init>", "()V", source, line, kind));
  };
  EXPECT_EQ(text("B.java", 12, FrameKind::kNterp), "a.B$C.<init>(B.java:12)");
  EXPECT_EQ(text("B.java", kLineUnknown, FrameKind::kNterp), "a.B$C.<init>(B.java)");
  EXPECT_EQ(text("", kLineUnknown, FrameKind::kNterp), "a.B$C.<init>(Unknown Source)");
  EXPECT_EQ(text("", 7, FrameKind::kNterp), "a.B$C.<init>(Unknown Source:7)");
  EXPECT_EQ(text("B.java", kLineNative, FrameKind::kJni), "a.B$C.<init>(Native Method)");
  EXPECT_EQ(text("B.java", 12, FrameKind::kTruncated), "<init>");
}

TEST(FrameText, IsWhatItWasParsedFrom) {
  for (std::string_view text : {"a.B.c(B.java:12)",
                                "a.B.c(B.java)",
                                "a.B.c(Native Method)",
                                "a.B.c(Unknown Source)",
                                "a.B.c(Unknown Source:4)",
                                "c(B.java:1)",
                                "",
                                "plain",
                                "void a.B.c(int)",
                                "a.b()",
                                "a.b(:1)",
                                "a.b(X:01)",
                                "a.b(X:-1)",
                                "a.b(X:99999999999)",
                                "a.b(X:2147483647)",
                                "a.b(X:12a)",
                                ".(x)",
                                "a.b(c)d",
                                "a.b(c)d)",
                                "(",
                                ")",
                                ".)",
                                "a.b((x)",
                                "\xff\xfe.m(\x80:3)",
                                "a.b(Unknown Source:)"}) {
    FrameTable table;
    EXPECT_EQ(PreorderFrameText(table, ParseFrameText(text, &table)), text);
  }
}

TEST(FrameText, ParsesIntoParts) {
  FrameTable table;
  const Frame& frame = table.At(ParseFrameText("com.foo.Bar.baz(Bar.java:12)", &table));
  EXPECT_EQ(table.String(frame.class_name), "com.foo.Bar");
  EXPECT_EQ(table.String(frame.method_name), "baz");
  EXPECT_EQ(table.String(frame.source_file), "Bar.java");
  EXPECT_EQ(frame.line, 12);
}

TEST(PreorderText, WritesTheSharedOutermostFrameFirst) {
  FrameTable frames;
  const FrameId main = ParseFrameText("a.Main.main(Main.java:3)", &frames);
  const FrameId work = ParseFrameText("a.Main.work(Main.java:9)", &frames);
  TraceTree tree;
  tree.Add(Stack{main}, {});
  tree.Add(Stack{main, work}, {});
  tree.Add(Stack{main, work}, {});
  EXPECT_EQ(WritePreorderText(tree, frames),
            "a.Main.main(Main.java:3);3;0;1;a.Main.work(Main.java:9);2;1;0;");
  tree.Add(Stack{work}, {});
  EXPECT_EQ(WritePreorderText(tree, frames),
            ";4;0;2;a.Main.main(Main.java:3);3;0;1;a.Main.work(Main.java:9);2;1;0;"
            "a.Main.work(Main.java:9);1;3;0;");
}

TEST(PreorderText, EscapesSeparators) {
  FrameTable frames;
  TraceTree tree;
  const std::string name = "a;b%3Bc\r\n%";
  tree.Add(Stack{frames.InternFrame("K", name, "", "", 1, FrameKind::kNterp)}, {});
  const std::string text = WritePreorderText(tree, frames);
  EXPECT_EQ(text, "K.a%3Bb%253Bc%0D%0A%25(Unknown Source:1);1;0;0;");
  FrameTable read_frames;
  const PreorderResult read = ReadPreorderText(text, Token{1}, &read_frames);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(read_frames.MethodName(read.tree.At(1).frame), name);
}

TEST(PreorderText, OtherPercentSignsAreThemselves) {
  FrameTable frames;
  const PreorderResult read = ReadPreorderText("100%;1;0;1;%d%;1;0;0;\n", Token{1}, &frames);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(PreorderFrameText(frames, read.tree.At(2).frame), "%d%");
}

TEST(PreorderText, ReadsNothingAsNothing) {
  FrameTable frames;
  EXPECT_EQ(WritePreorderText(TraceTree(), frames), "");
  const PreorderResult read = ReadPreorderText(" \n", Token{5}, &frames);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_TRUE(read.tree.empty());
  EXPECT_EQ(read.tree.token(), Token{5});
}

class RandomText : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomText, testing::Range(0U, 30U));

TEST_P(RandomText, RoundTripsExactly) {
  RandomStacks random(GetParam(), {.frames = 1 + GetParam() % 8, .max_depth = 10});
  FrameTable frames;
  const std::string odd = "%;.()\n";
  for (uint32_t i = 1; i < 10; ++i) {
    frames.InternFrame("c.K" + std::to_string(i) + odd.substr(0, i % 6), "m", "", "K.java",
                       static_cast<int32_t>(i), FrameKind::kInterpreted);
  }
  TraceTree tree;
  for (int i = 0; i < 400; ++i) tree.Add(random.Next(), random.NextSample());
  const std::string text = WritePreorderText(tree, frames);
  FrameTable read_frames;
  const PreorderResult read = ReadPreorderText(text, Token{1}, &read_frames);
  ASSERT_TRUE(read.ok()) << read.error;
  EXPECT_EQ(WritePreorderText(read.tree, read_frames), text);
  ASSERT_EQ(read.tree.sample_count(), tree.sample_count());
  const std::vector<Stack> before = AllStacks(tree);
  const std::vector<Stack> after = AllStacks(read.tree);
  for (size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(before[i].size(), after[i].size());
    for (size_t d = 0; d < before[i].size(); ++d)
      ASSERT_EQ(PreorderFrameText(frames, before[i][d]),
                PreorderFrameText(read_frames, after[i][d]));
  }
  // Every prefix of it is refused or is a smaller tree, never a crash.
  for (size_t length = 0; length < std::min<size_t>(text.size(), 1500); ++length) {
    FrameTable scratch({2000, 2000, 100'000});
    const PreorderResult prefix = ReadPreorderText(text.substr(0, length), Token{1}, &scratch);
    EXPECT_TRUE(length == 0 || !prefix.ok()) << length;
  }
}

TEST(PreorderText, SaysWhereItIsWrong) {
  struct Case {
    std::string text;
    std::string error;
  };
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "a;1;0;1;";
  deep += "a;1;0;0;";
  const Case cases[] = {
      {"a", "offset 1: the text ends in the middle of a node"},
      {"a;x;0;0;", "offset 2: a node's count is not a number"},
      {"a;-1;0;0;", "offset 2: a node's count is not a number"},
      {"a;1;99999999999;0;", "offset 4: a node's offset is not a number"},
      {"a;1;0;;", "offset 6: a node's number of children is not a number"},
      {"a;1;0;4000000000;", "offset 0: a node claims more children than the text has room for"},
      {"a;1;0;1;", "offset 0: a node claims more children than the text has room for"},
      {"a;1;1;0;", "offset 0: the first node must have offset 0 and a count within the limit"},
      {"a;4000000000;0;0;",
       "offset 0: the first node must have offset 0 and a count within the limit"},
      {"a;1;0;0;b;1;0;0;", "offset 8: text after the last node"},
      {";1;0;0;b;1;0;0;", "offset 7: text after the last node"},
      {"a;2;0;1;b;3;0;0;",
       "offset 8: a node's samples are not its parent's, or are another node's"},
      {"a;2;0;2;b;1;0;0;c;1;0;0;",
       "offset 16: a node's samples are not its parent's, or are another node's"},
      {"a;0;0;0;", "offset 0: a node counts no sample"},
      {deep, "offset 32768: the tree is deeper or larger than the limit"},
  };
  for (const Case& c : cases) {
    FrameTable frames;
    EXPECT_EQ(ReadPreorderText(c.text, Token{1}, &frames).error, c.error) << c.text.substr(0, 40);
  }
}

TEST(PreorderText, TooManyFramesAreAnError) {
  FrameTable frames({2, 100, 1000});
  EXPECT_EQ(ReadPreorderText("a;1;0;1;b;1;0;0;", Token{1}, &frames).error,
            "offset 8: more frames than there is room for");
}

}  // namespace
}  // namespace stillframe::index
