// SPDX-License-Identifier: Apache-2.0
// The interner: identity, bounds, growth.
#include "src/trace/frame_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace stillframe::trace {
namespace {

TEST(FrameTable, StartsWithTheEmptyStringAndTheOverflowFrame) {
  FrameTable table;
  EXPECT_EQ(table.size(), 1U);
  EXPECT_EQ(table.Intern(""), kEmptyString);
  EXPECT_EQ(table.At(kOverflowFrame).kind, FrameKind::kTruncated);
  EXPECT_EQ(table.MethodName(kOverflowFrame), "frame table full");
  EXPECT_EQ(table.String(kEmptyString), "");
}

TEST(FrameTable, EqualContentHasOneId) {
  FrameTable table;
  const FrameId a = table.InternFrame("a.B", "run", "()V", "B.java", 12, FrameKind::kNterp);
  EXPECT_EQ(table.InternFrame("a.B", "run", "()V", "B.java", 12, FrameKind::kNterp), a);
  EXPECT_NE(table.InternFrame("a.B", "run", "()V", "B.java", 13, FrameKind::kNterp), a);
  EXPECT_NE(table.InternFrame("a.B", "run", "()V", "B.java", 12, FrameKind::kJni), a);
  EXPECT_NE(table.InternFrame("a.B", "run", "()I", "B.java", 12, FrameKind::kNterp), a);
  EXPECT_EQ(table.ClassName(a), "a.B");
  EXPECT_EQ(table.At(a).line, 12);
  EXPECT_EQ(table.size(), 5U);
}

TEST(FrameTable, KeepsAnyBytes) {
  FrameTable table;
  const std::string bytes("\0\xff\xc0;\n", 5);
  EXPECT_EQ(table.String(table.Intern(bytes)), bytes);
  EXPECT_NE(table.Intern(bytes), table.Intern(bytes.substr(0, 1)));
}

TEST(FrameTable, AgreesWithAMapOnRandomTexts) {
  FrameTable table;
  std::map<std::string, StringId> model;
  std::mt19937 random(7);
  for (int i = 0; i < 30'000; ++i) {
    const std::string text = "name" + std::to_string(random() % 9000);
    const StringId id = table.Intern(text);
    EXPECT_EQ(model.try_emplace(text, id).first->second, id);
  }
  for (const auto& [text, id] : model) EXPECT_EQ(table.String(id), text);
  EXPECT_EQ(table.string_count(), model.size() + 2);
  EXPECT_EQ(table.overflows(), 0U);
}

TEST(FrameTable, ViewsAndContentStayWhereTheyAre) {
  FrameTable table;
  const std::string_view first = table.String(table.Intern("first"));
  const Frame& frame = table.At(table.InternFrame("a", "b", "c", "d", 1, FrameKind::kCompiled));
  for (int i = 0; i < 10'000; ++i)
    table.InternFrame("class" + std::to_string(i), "m", "", "", i, FrameKind::kCompiled);
  const FrameTable moved = std::move(table);
  EXPECT_EQ(first, "first");
  EXPECT_EQ(frame.line, 1);
  EXPECT_EQ(moved.size(), 10'002U);
  EXPECT_EQ(moved.String(moved.At(1).class_name), "a");
}

TEST(FrameTable, AFullTableOfStringsKeepsWhatItHas) {
  FrameTable table({100, 100, 64});
  const StringId known = table.Intern("known");
  const FrameId frame = table.InternFrame("known", "", "", "", 1, FrameKind::kNterp);
  EXPECT_EQ(table.Intern(std::string(64, 'x')), kEmptyString);
  EXPECT_EQ(table.overflows(), 1U);
  EXPECT_EQ(table.InternFrame("known", std::string(64, 'x'), "", "", 1, FrameKind::kNterp),
            kOverflowFrame);
  EXPECT_EQ(table.overflows(), 2U);
  EXPECT_EQ(table.Intern("known"), known);
  EXPECT_EQ(table.InternFrame("known", "", "", "", 1, FrameKind::kNterp), frame);
  EXPECT_EQ(table.overflows(), 2U);
}

TEST(FrameTable, AFullTableOfFramesKeepsWhatItHas) {
  FrameTable table({4, 100, 1000});
  std::vector<FrameId> ids;
  for (int32_t line = 0; line < 6; ++line)
    ids.push_back(table.InternFrame("a", "b", "", "", line, FrameKind::kNterp));
  EXPECT_EQ(ids, (std::vector<FrameId>{1, 2, 3, kOverflowFrame, kOverflowFrame, kOverflowFrame}));
  EXPECT_EQ(table.overflows(), 3U);
  EXPECT_EQ(table.InternFrame("a", "b", "", "", 1, FrameKind::kNterp), 2U);
}

TEST(FrameTable, UnknownIdsAreHarmless) {
  FrameTable table;
  EXPECT_EQ(table.String(12345), "");
  EXPECT_EQ(table.At(12345).kind, FrameKind::kTruncated);
}

TEST(FrameTable, DefaultsFitTheDevice) {
  FrameTable table;
  for (int i = 0; i < 20'000; ++i) {
    table.InternFrame("com.example.SomeClass" + std::to_string(i % 3000), "method", "()V",
                      "Source.java", i, FrameKind::kNterp);
  }
  EXPECT_EQ(table.size(), 16'384U);
  EXPECT_LT(table.memory_bytes(), 1'100'000U);
}

}  // namespace
}  // namespace stillframe::trace
