// SPDX-License-Identifier: Apache-2.0
// The interner: identity, bounds, growth.
#include "src/model/frame_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace stillframe::model {
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

TEST(FrameTable, ASweepKeepsWhatIsLiveWithItsId) {
  FrameTable table;
  const StringId text = table.Intern("of a history");
  const FrameId kept = table.InternFrame("a.B", "run", "()V", "B.java", 12, FrameKind::kNterp);
  const FrameId freed = table.InternFrame("a.Gone", "run", "()I", "G.java", 3, FrameKind::kNterp);
  LiveNames live(table);
  live.AddString(text);
  live.AddFrame(kept);
  EXPECT_EQ(table.Sweep(live), 4U);  // a frame, its class, its signature, its source file
  EXPECT_EQ(table.evictions(), 4U);
  EXPECT_EQ(table.Intern("of a history"), text);
  EXPECT_EQ(table.InternFrame("a.B", "run", "()V", "B.java", 12, FrameKind::kNterp), kept);
  EXPECT_EQ(table.ClassName(kept), "a.B");
  EXPECT_EQ(table.String(table.At(kept).source_file), "B.java");
  EXPECT_EQ(table.ClassName(freed), "");
  EXPECT_EQ(table.At(freed).kind, FrameKind::kTruncated);
  EXPECT_EQ(table.InternFrame("a.New", "run", "()V", "", 1, FrameKind::kJni), freed);
  EXPECT_EQ(table.ClassName(freed), "a.New");
  EXPECT_EQ(table.MethodName(kOverflowFrame), "frame table full");
}

TEST(FrameTable, ASweepGivesBackAllThreeKindsOfRoom) {
  for (const FrameTableLimits& limits :
       {FrameTableLimits{64, 10'000, 100'000}, {10'000, 64, 100'000}, {10'000, 10'000, 2'000}}) {
    FrameTable table(limits);
    const FrameId kept = table.InternFrame("a.B", "run", "", "", 12, FrameKind::kNterp);
    for (int32_t i = 0; i < 5'000; ++i) {
      const std::string name = "com.example.Class" + std::to_string(i);
      ASSERT_NE(table.InternFrame(name, "run", "", "", i, FrameKind::kNterp), kOverflowFrame);
      if (table.IsCrowded()) {
        LiveNames live(table);
        live.AddFrame(kept);
        EXPECT_LT(live.percent(), 10U);
        table.Sweep(live);
      }
    }
    EXPECT_EQ(table.overflows(), 0U);
    EXPECT_EQ(table.ClassName(kept), "a.B");
  }
}

TEST(FrameTable, AgreesWithAMapOverSweeps) {
  FrameTable table({4'000, 4'000, 100'000});
  std::map<std::string, FrameId> model;
  std::mt19937 random(11);
  for (int i = 0; i < 50'000; ++i) {
    const std::string name = std::string(random() % 30, 'n') + std::to_string(random() % 9000);
    const FrameId id = table.InternFrame(name, "m", name + "()V", "", 1, FrameKind::kNterp);
    ASSERT_NE(id, kOverflowFrame);
    EXPECT_EQ(model.try_emplace(name, id).first->second, id);
    if (!table.IsCrowded()) continue;
    LiveNames live(table);
    std::erase_if(model, [&random](const auto&) { return random() % 3 != 0; });
    for (const auto& [kept, kept_id] : model) live.AddFrame(kept_id);
    table.Sweep(live);
    for (const auto& [kept, kept_id] : model) {
      EXPECT_EQ(table.ClassName(kept_id), kept);
      EXPECT_EQ(table.String(table.At(kept_id).signature), kept + "()V");
    }
  }
  EXPECT_GT(table.sweeps(), 10U);
}

TEST(FrameTable, AskedForMoreThanItCanHoldItIsNotSweptForEachName) {
  FrameTable table({160, 1'000, 100'000});
  uint64_t sweeps = 0;
  for (int32_t line = 0; line < 1'000; ++line) {
    table.InternFrame("a", "b", "", "", line, FrameKind::kNterp);
    if (!table.IsCrowded()) continue;
    LiveNames live(table);
    for (FrameId id = 0; id < table.size(); ++id) live.AddFrame(id);
    EXPECT_EQ(table.Sweep(live), 0U);
    ++sweeps;
  }
  EXPECT_EQ(table.overflows(), 1'000U - 159U);
  EXPECT_GT(sweeps, 10U);
  EXPECT_LT(sweeps, 1'000U / 8);
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
}  // namespace stillframe::model
