// SPDX-License-Identifier: Apache-2.0
// From raw frames to names, over a literal method, class, dex cache and dex file.
#include "src/names/method_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "src/walk/code_elsewhere.h"
#include "src/walk/method_check.h"
#include "src/walk/walk.h"
#include "tests/testbed/quick_code/code_info.h"
#include "tests/unit/names/small_dex.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::names {
namespace {

using core::RawFrame;
using core::RawFrameKind;

class MethodNamesTest : public testing::Test {
 protected:
  MethodNamesTest() {
    const uintptr_t dex_file = image_.Allocate(64);
    image_.PutPointer(dex_file + layout_.dex_file_begin, dex_.begin());
    image_.PutPointer(dex_file + layout_.dex_file_size, dex_.size());
    image_.PutPointer(dex_file + layout_.dex_file_data_begin, dex_.begin());
    const uintptr_t dex_cache = image_.Allocate(64);
    image_.Put64(dex_cache + layout_.dex_cache_dex_file, dex_file);
    image_.Put32(image_.class_address() + layout_.class_dex_cache,
                 static_cast<uint32_t>(dex_cache));
  }

  uintptr_t Draw(uint32_t flags) {
    const uintptr_t method = image_.Method(flags);
    image_.PutCodeItem(method, dex_.begin(), dex_.code_item());
    image_.Put32(method + layout_.method_dex_index, SmallDex::kDrawMethod);
    return method;
  }

  const model::Frame& Resolve(uint64_t method, uint32_t dex_pc,
                              RawFrameKind kind = RawFrameKind::kInterpreted) {
    model::FrameId ids[MethodNames::kMaxFrames];
    EXPECT_EQ(names_.Resolve(RawFrame{method, dex_pc, kind, {}}, ids), 1U);
    return table_.At(ids[0]);
  }

  const walk::Layout& layout_ = walk::KnownLayouts().rows[0];
  SmallDex dex_;
  walk::ArtImage image_{layout_};
  model::FrameTable table_;
  MethodNames names_{image_.facts(), &table_};
};

TEST_F(MethodNamesTest, AMethodHasItsNamesAndLines) {
  const uintptr_t method = Draw(1);
  for (const auto& [dex_pc, line] : {std::pair{0U, 10}, {4U, 11}, {0U, 10}, {5U, 111}}) {
    const model::Frame& frame = Resolve(method, dex_pc);
    EXPECT_EQ(table_.String(frame.class_name), "com.example.Row");
    EXPECT_EQ(table_.String(frame.method_name), "draw");
    EXPECT_EQ(table_.String(frame.signature), "(I[Ljava/lang/Object;)V");
    EXPECT_EQ(table_.String(frame.source_file), "Row.java");
    EXPECT_EQ(frame.line, line);
    EXPECT_EQ(frame.kind, model::FrameKind::kInterpreted);
  }
  EXPECT_EQ(names_.bad_methods(), 0U);
}

TEST_F(MethodNamesTest, AnotherMethodThatTookThePlaceIsNotNamed) {
  const uintptr_t method = Draw(1);
  core::RawFrame cell;
  core::FrameSink sink(&cell, 0, UINT64_MAX, 1);
  ASSERT_TRUE(
      sink.Push(method, 0, RawFrameKind::kInterpreted, walk::WalkMethodTag(layout_, method)));
  EXPECT_EQ(cell.tag, walk::WalkMethodTag(layout_, method));
  model::FrameId ids[MethodNames::kMaxFrames];
  ASSERT_EQ(names_.Resolve(cell, ids), 1U);
  EXPECT_EQ(table_.String(table_.At(ids[0]).method_name), "draw");
  // The class is unloaded and another class's method loaded there, before the collector reads the
  // sample.
  image_.Put32(method + layout_.method_dex_index, SmallDex::kDrawMethod + 1);
  ASSERT_EQ(names_.Resolve(cell, ids), 1U);
  EXPECT_EQ(table_.At(ids[0]).kind, model::FrameKind::kTruncated);
  EXPECT_EQ(names_.bad_methods(), 1U);
}

// A proxy method's index belongs to the interface's dex file, not to the proxy class's.
TEST_F(MethodNamesTest, AProxyIsNamedByTheMethodItStandsFor) {
  const uintptr_t of_interface = Draw(1);
  const uintptr_t proxy_class = image_.Allocate(128);
  const auto class_class =
      *reinterpret_cast<const uint32_t*>(image_.class_address() + layout_.object_class);
  image_.Put32(proxy_class + layout_.object_class, class_class);
  const uintptr_t proxy = image_.Method(1);
  image_.Put32(proxy + layout_.method_declaring_class, static_cast<uint32_t>(proxy_class));
  image_.Put32(proxy + layout_.method_dex_index, SmallDex::kDrawMethod);
  image_.PutPointer(proxy + layout_.method_entry_point - sizeof(uintptr_t), of_interface);
  const model::Frame& frame = Resolve(proxy, core::kNoDexPc);
  EXPECT_EQ(table_.String(frame.class_name), "com.example.Row");
  EXPECT_EQ(table_.String(frame.method_name), "draw");
  EXPECT_EQ(frame.line, model::kLineUnknown);
  // A pointer to a method with another index is not a proxy's, and the proxy class has no dex file.
  image_.Put32(proxy + layout_.method_dex_index, SmallDex::kDrawMethod + 1);
  EXPECT_EQ(Resolve(proxy, core::kNoDexPc).kind, model::FrameKind::kTruncated);
}

// Compiled code with one method inlined into `draw`, at its only safepoint.
TEST_F(MethodNamesTest, InlinedMethodsOfOtherDexFilesGetNoNameOfThisOne) {
  using testbed::quick_code::InlinedMethod;
  const InlinedMethod own = {0, SmallDex::kDrawMethod, true, 4, {}};
  InlinedMethod foreign = own;
  foreign.boot_dex_file = 1;
  InlinedMethod char_at = own;
  char_at.dex_pc = core::kNoDexPc;
  const std::pair<InlinedMethod, const char*> cases[] = {
      {own, "draw"},
      {foreign, core::TruncationName(core::Truncation::kBadMethod)},
      {char_at, "charAt"}};
  for (const auto& [inlined, name] : cases) {
    testbed::quick_code::CodeDescription description;
    description.code_bytes = 64;
    description.frame_bytes = 64;
    description.safepoints = {{32 / arch::kInstructionAlignment, 0, {inlined}}};
    const uintptr_t method = Draw(1);
    const uintptr_t code =
        image_.PutCode(method, image_.Allocate(walk::ArtImage::kCodeRoom), description);
    model::FrameId ids[MethodNames::kMaxFrames];
    ASSERT_EQ(
        names_.Resolve(RawFrame{method, walk::RawPc(code + 32), RawFrameKind::kCompiled, {}}, ids),
        2U);
    EXPECT_EQ(table_.String(table_.At(ids[0]).method_name), name);
    EXPECT_EQ(table_.String(table_.At(ids[1]).method_name), "draw");
  }
  EXPECT_EQ(names_.bad_methods(), 1U);
}

TEST_F(MethodNamesTest, BetweenSafepointsOfSeveralMethodsAFrameSaysThatItMayBeAnother) {
  testbed::quick_code::CodeDescription description;
  description.code_bytes = 64;
  description.frame_bytes = 64;
  description.safepoints = {
      {32 / arch::kInstructionAlignment, 0, {{0, SmallDex::kDrawMethod, true, 4, {}}}}};
  const uintptr_t method = Draw(1);
  image_.PutCode(method, image_.Allocate(walk::ArtImage::kCodeRoom), description);
  uintptr_t code = 0;
  ASSERT_TRUE(walk::LoadPointer(method + layout_.method_entry_point, &code));
  const RawFrame raw{method, walk::RawPc(code + 20), RawFrameKind::kCompiled, {}};
  for (const int use : {1, 2}) {
    model::FrameId ids[MethodNames::kMaxFrames];
    ASSERT_EQ(names_.Resolve(raw, ids), 1U) << use;
    EXPECT_EQ(table_.MethodName(ids[0]), "draw") << use;
    EXPECT_EQ(table_.At(ids[0]).kind, model::FrameKind::kCompiledOrInlined) << use;
  }
}

TEST_F(MethodNamesTest, NativeMethodsHaveNoLine) {
  const model::Frame& frame =
      Resolve(Draw(layout_.access_native), core::kNoDexPc, RawFrameKind::kJni);
  EXPECT_EQ(frame.kind, model::FrameKind::kJni);
  EXPECT_EQ(frame.line, model::kLineNative);
}

TEST_F(MethodNamesTest, WhatFoundNoPlaceInTheTableIsNamedOnceThereIsPlace) {
  model::FrameTable table({.max_frames = 8, .max_strings = 8, .max_string_bytes = 256});
  MethodNames names(image_.facts(), &table);
  for (int i = 0; i < 6; ++i) table.Intern("taken" + std::to_string(i));
  const RawFrame raw{Draw(1), 0, RawFrameKind::kInterpreted, {}};
  model::FrameId ids[MethodNames::kMaxFrames];
  ASSERT_EQ(names.Resolve(raw, ids), 1U);
  EXPECT_EQ(ids[0], model::kOverflowFrame) << "and not one that other methods share";
  table.Sweep(model::LiveNames(table));
  for (const int use : {1, 2}) {
    ASSERT_EQ(names.Resolve(raw, ids), 1U);
    EXPECT_EQ(table.MethodName(ids[0]), "draw") << use;
  }
  table.Sweep(model::LiveNames(table));
  names.ForgetIds();
  table.InternFrame("other", "method", "", "", 1, model::FrameKind::kJni);
  ASSERT_EQ(names.Resolve(raw, ids), 1U);
  EXPECT_EQ(table.MethodName(ids[0]), "draw");
  EXPECT_EQ(names_.bad_methods(), 0U);
}

TEST_F(MethodNamesTest, TruncationsKeepTheirReason) {
  const model::Frame& frame = Resolve(static_cast<uint64_t>(core::Truncation::kDepthLimit),
                                      core::kNoDexPc, RawFrameKind::kTruncated);
  EXPECT_EQ(frame.kind, model::FrameKind::kTruncated);
  EXPECT_EQ(table_.String(frame.method_name), core::TruncationName(core::Truncation::kDepthLimit));
}

TEST_F(MethodNamesTest, WhatIsNoMethodIsCountedAndSaidSo) {
  const uintptr_t other_index = Draw(1);
  image_.Put32(other_index + layout_.method_dex_index, 5);
  uint64_t bad = 0;
  for (const uint64_t method : {uint64_t{0}, uint64_t{0x10}, uint64_t{image_.stack()},
                                uint64_t{0xdead'beef'0000'0000}, uint64_t{other_index}}) {
    const model::Frame& frame = Resolve(method, 0);
    EXPECT_EQ(frame.kind, model::FrameKind::kTruncated);
    EXPECT_EQ(table_.String(frame.method_name), core::TruncationName(core::Truncation::kBadMethod));
    EXPECT_EQ(names_.bad_methods(), ++bad);
  }
}

TEST_F(MethodNamesTest, AReusedAddressIsNotTakenForTheOldMethod) {
  const uintptr_t method = Draw(1);
  EXPECT_EQ(table_.String(Resolve(method, 0).method_name), "draw");
  image_.Put32(method + layout_.method_dex_index, 99);
  EXPECT_EQ(Resolve(method, 0).kind, model::FrameKind::kTruncated);
  image_.Put32(method + layout_.method_dex_index, SmallDex::kDrawMethod);
  EXPECT_EQ(table_.String(Resolve(method, 0).method_name), "draw");
}

// A class loader is unloaded, and its dex file's mapping is reused.
TEST_F(MethodNamesTest, LinesOfAnUnloadedDexFileAreNotReadOutOfWhatTookItsPlace) {
  const uintptr_t method = Draw(1);
  EXPECT_EQ(Resolve(method, 0).line, 10);
  image_.Put32(image_.class_address() + layout_.class_dex_cache, 0);
  EXPECT_EQ(Resolve(method, 4).line, 11);  // unmapped is not known by the class
  ++dex_.bytes()[SmallDex::kChecksum];
  const model::Frame& frame = Resolve(method, 5);
  EXPECT_EQ(table_.String(frame.method_name), "draw");
  EXPECT_EQ(frame.line, model::kLineUnknown);
}

TEST_F(MethodNamesTest, AnotherDexFileAtTheSamePlaceGivesItsOwnNames) {
  const uintptr_t method = Draw(1);
  EXPECT_EQ(table_.String(Resolve(method, 0).method_name), "draw");
  const std::string name = "draw";
  *std::search(dex_.bytes().begin(), dex_.bytes().end(), name.begin(), name.end()) = 'D';
  ++dex_.bytes()[SmallDex::kChecksum];
  EXPECT_EQ(table_.String(Resolve(method, 0).method_name), "Draw");
  EXPECT_EQ(Resolve(method, 0).line, 10);
}

}  // namespace
}  // namespace stillframe::names
