// SPDX-License-Identifier: Apache-2.0
// Every row of the layout table against memory laid out after the release's own declarations: each
// field for both pointer sizes, and a whole walk with names for the pointer size of this process.
#include "tests/unit/walk/literal_image.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "src/names/method_names.h"
#include "src/walk/compiled_code.h"
#include "tests/unit/walk/art_image.h"

namespace stillframe::walk {
namespace {

using core::RawFrameKind;
using core::Truncation;

const Layout* RowOf(const Release& release, uint32_t pointer_bytes) {
  const LayoutTable table = LayoutsOf(pointer_bytes);
  for (uint32_t i = 0; i < table.count; ++i)
    if (std::string(table.rows[i].release) == release.row) return &table.rows[i];
  return nullptr;
}

struct Case {
  size_t release;
  uint32_t pointer_bytes;
};

class LiteralImageTest : public testing::TestWithParam<Case> {
 protected:
  const Release& release_ = Releases()[GetParam().release];
  const Layout& row_ = *RowOf(release_, GetParam().pointer_bytes);
  LiteralMemory memory_{release_, GetParam().pointer_bytes};
  const LiteralImage& image_ = memory_.image();
  const uint32_t p_ = GetParam().pointer_bytes;

  // As the probe looks for it.
  uintptr_t ManagedStackByEnv() const {
    for (uint32_t at = row_.env_search_from; at < row_.env_search_to; at += p_)
      if (memory_.LoadPointer(image_.thread + at) == image_.env)
        return image_.thread + at - row_.managed_stack_before_env;
    return 0;
  }
  uint32_t Load32(uintptr_t at) const { return static_cast<uint32_t>(memory_.Load(at, 4)); }
};

TEST_P(LiteralImageTest, TheRowFindsThreadAndRuntime) {
  EXPECT_EQ(memory_.LoadPointer(image_.env + row_.env_self), image_.thread);
  EXPECT_EQ(memory_.LoadPointer(image_.vm + row_.vm_runtime), image_.runtime);
  EXPECT_EQ(ManagedStackByEnv(), image_.managed_stack);
  const auto state = static_cast<uint8_t>(memory_.Load(image_.thread + row_.thread_state, 1));
  EXPECT_EQ(row_.state_name(state), model::ThreadState::kNative);
  EXPECT_EQ(row_.state_name(release_.suspended), model::ThreadState::kSuspended);
  EXPECT_EQ(row_.state_name(release_.runnable), model::ThreadState::kRunnable);
  EXPECT_EQ(row_.state_runnable, release_.runnable);
  // These never moved.
  EXPECT_EQ(row_.state_name(68), model::ThreadState::kTimedWaiting);
  EXPECT_EQ(row_.state_name(69), model::ThreadState::kSleeping);
  EXPECT_EQ(row_.state_name(70), model::ThreadState::kBlocked);
  EXPECT_EQ(row_.state_name(71), model::ThreadState::kWaiting);
  // kWaitingForGcToComplete follows what 9 added; kWaitingForGcThreadFlip is before kStarting, and
  // before that what 10 added.
  const uint8_t gc_to_complete = release_.native == 89 ? 72 : 74;
  const uint8_t thread_flip = release_.native == 92 ? 89 : release_.native - 2;
  EXPECT_EQ(row_.state_name(gc_to_complete), model::ThreadState::kWaitingForGc);
  EXPECT_EQ(row_.state_name(gc_to_complete - 1),
            gc_to_complete == 72 ? model::ThreadState::kWaiting : model::ThreadState::kOther);
  EXPECT_EQ(row_.state_name(gc_to_complete + 2), model::ThreadState::kCollecting);
  EXPECT_EQ(row_.state_name(gc_to_complete + 3), model::ThreadState::kOther);
  EXPECT_EQ(row_.state_name(thread_flip), model::ThreadState::kWaitingForGc);
  EXPECT_EQ(row_.state_name(thread_flip + 1), model::ThreadState::kOther);
  EXPECT_EQ(row_.callee_save_count, release_.callee_saves);
  for (uint32_t i = 0; i < release_.callee_saves; ++i) {
    EXPECT_EQ(memory_.Load(image_.runtime + row_.callee_save_methods + 8 * i, 8),
              image_.callee_save[i]);
  }
}

TEST_P(LiteralImageTest, TheRowFindsFragmentsAndShadowFrames) {
  const uintptr_t tagged = memory_.LoadPointer(image_.managed_stack + row_.top_quick_frame);
  EXPECT_EQ(tagged & ~row_.quick_frame_tag_mask, image_.native_frame);
  EXPECT_EQ(memory_.LoadPointer(image_.managed_stack + row_.top_shadow_frame), 0U);
  const uintptr_t next = memory_.LoadPointer(image_.managed_stack + row_.link);
  EXPECT_EQ(memory_.LoadPointer(next + row_.top_shadow_frame), image_.inner_frame);
  EXPECT_EQ(memory_.LoadPointer(image_.inner_frame + row_.shadow_link), image_.outer_frame);
  EXPECT_EQ(memory_.LoadPointer(image_.inner_frame + row_.shadow_method), image_.inner_method);
  EXPECT_EQ(Load32(image_.outer_frame + row_.shadow_dex_pc), kOuterDexPc);
  if (release_.shadow == ShadowForm::kDexPcOnly) {
    EXPECT_EQ(row_.shadow_dex_pc_ptr, kNoField);
    return;
  }
  const uintptr_t pointer = memory_.LoadPointer(image_.inner_frame + row_.shadow_dex_pc_ptr);
  const uintptr_t instructions =
      memory_.LoadPointer(image_.inner_frame + row_.shadow_dex_instructions) +
      row_.shadow_instructions_bias;
  EXPECT_EQ(instructions, image_.code_item + 16);
  EXPECT_EQ(pointer - instructions, 2 * kInnerDexPc);
  EXPECT_EQ(memory_.LoadPointer(image_.outer_frame + row_.shadow_dex_pc_ptr), 0U);
}

TEST_P(LiteralImageTest, TheRowFindsMethodsAndTheirDexFile) {
  for (const uintptr_t method : {image_.native_method, image_.inner_method}) {
    EXPECT_EQ(method % row_.method_alignment, 0U);
    EXPECT_EQ(Load32(method + row_.method_declaring_class), image_.class_address);
    EXPECT_EQ((Load32(method + row_.method_access_flags) & row_.access_native) != 0,
              method == image_.native_method);
    EXPECT_EQ(Load32(method + row_.method_dex_index), 0U);
    EXPECT_EQ(memory_.LoadPointer(method + row_.method_entry_point), 0xc0de00U);
  }
  EXPECT_EQ(row_.code_item_place == CodeItemPlace::kPointer,
            release_.method == MethodForm::kDataIsCodeItem);
  const uintptr_t code_item = image_.inner_method + row_.method_code_item;
  EXPECT_EQ(row_.code_item_place == CodeItemPlace::kPointer ? memory_.LoadPointer(code_item)
                                                            : image_.dex_begin + Load32(code_item),
            image_.code_item);
  EXPECT_EQ(Load32(image_.class_address + row_.class_dex_cache), image_.dex_cache);
  EXPECT_EQ(memory_.Load(image_.dex_cache + row_.dex_cache_dex_file, 8), image_.dex_file);
  EXPECT_EQ(memory_.LoadPointer(image_.dex_file + row_.dex_file_begin), image_.dex_begin);
  EXPECT_EQ(memory_.LoadPointer(image_.dex_file + row_.dex_file_size), image_.dex_size);
  EXPECT_EQ(memory_.LoadPointer(image_.dex_file + row_.dex_file_data_begin), image_.dex_begin);
  EXPECT_EQ(row_.dex_file_unused != kNoField, release_.dex_file == DexFileForm::kUnusedSize);
  if (row_.dex_file_unused != kNoField)
    EXPECT_EQ(memory_.LoadPointer(image_.dex_file + row_.dex_file_unused), 0U);
}

TEST_P(LiteralImageTest, TheRowFindsWhatQuickFramesHold) {
  EXPECT_EQ(memory_.LoadPointer(image_.native_frame), image_.native_method);
  EXPECT_EQ(row_.jni_handle_count != 0, release_.jni_handle_scope);
  if (release_.jni_handle_scope) {
    EXPECT_EQ(Load32(image_.native_frame + row_.jni_handle_count), kNativeReferences);
    EXPECT_EQ(Load32(image_.native_frame + row_.jni_handles), 0x7000U);
  }
  EXPECT_EQ(row_.nterp_outs_alignment != 0, release_.nterp_outs_unit != 0);
  if (release_.nterp_outs_unit == 0) return;
  const uint32_t unit = row_.nterp_outs_alignment;
  const uintptr_t dex_pc_at = image_.nterp_frame + p_ + (12 + unit - 1) / unit * unit;
  EXPECT_EQ(memory_.LoadPointer(dex_pc_at + p_),
            image_.stack_high - 1024 - arch::kNterpCalleeSaveBytes);
}

// The walker has this process's pointer size.
class LiteralWalkTest : public LiteralImageTest {};

TEST_P(LiteralWalkTest, FindsEveryFrameAndItsName) {
  static unwind::CodeModules modules;  // large
  modules.Add({kInvokeStub, kInvokeStub + 0x100, 0, 0, 0, 0});
  RuntimeFacts facts;
  facts.modules = &modules;
  facts.layout = &row_;
  facts.managed_stack = static_cast<uint32_t>(ManagedStackByEnv() - image_.thread);
  facts.stack_low = image_.stack_low;
  facts.stack_high = image_.stack_high;
  for (uint32_t i = 0; i < row_.callee_save_count; ++i)
    facts.callee_save[i] = image_.callee_save[i];
  if (row_.nterp_outs_alignment != 0) {
    facts.nterp_begin = image_.nterp_code;
    facts.nterp_end = image_.nterp_code + 0x10000;
  }
  const WalkedStack walked = Walk(facts, image_.thread);
  EXPECT_EQ(walked.truncation, Truncation::kNone);
  EXPECT_EQ(row_.state_name(walked.state), model::ThreadState::kNative);
  ASSERT_EQ(walked.frames.size(), row_.nterp_outs_alignment != 0 ? 4U : 3U);
  EXPECT_EQ(walked.frames[0].method, image_.native_method);
  EXPECT_EQ(walked.frames[0].kind, RawFrameKind::kJni);
  EXPECT_EQ(walked.frames[1].method, image_.inner_method);
  EXPECT_EQ(walked.frames[1].dex_pc, kInnerDexPc);
  EXPECT_EQ(walked.frames[2].method, image_.outer_method);
  EXPECT_EQ(walked.frames[2].dex_pc, kOuterDexPc);
  if (walked.frames.size() == 4) {
    EXPECT_EQ(walked.frames[3].method, image_.nterp_method);
    EXPECT_EQ(walked.frames[3].dex_pc, kNterpDexPc);
    EXPECT_EQ(walked.frames[3].kind, RawFrameKind::kNterp);
  }
  model::FrameTable table;
  names::MethodNames names(facts, &table);
  for (const auto& [index, line] : {std::pair{1U, 11}, {2U, 111}}) {
    model::FrameId ids[names::MethodNames::kMaxFrames];
    ASSERT_EQ(names.Resolve(walked.frames[index], ids), 1U);
    const model::Frame& frame = table.At(ids[0]);
    EXPECT_EQ(table.String(frame.class_name), "com.example.Row");
    EXPECT_EQ(table.String(frame.method_name), "draw");
    EXPECT_EQ(table.String(frame.source_file), "Row.java");
    EXPECT_EQ(frame.line, line);
  }
  model::FrameId ids[names::MethodNames::kMaxFrames];
  ASSERT_EQ(names.Resolve(walked.frames[0], ids), 1U);
  EXPECT_EQ(table.At(ids[0]).kind, model::FrameKind::kJni);
}

// The header of 64 bytes of code with a frame of 48, written out in full. CodeInfo's numbers
// (runtime/stack_map.h, ForEachHeaderField) are a nibble each. The nibble 12 announces a byte.
TEST_P(LiteralWalkTest, ReadsTheHeaderOfCompiledCode) {
  std::vector<uint8_t> bytes;
  const auto put32 = [&bytes](uint32_t value) {
    for (uint32_t i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
  };
  switch (std::stoi(release_.row)) {
    case 8:
    case 9:  // vmap table, method info, QuickMethodFrameInfo {bytes, core, fp}, code size
      bytes.resize(8);
      for (const uint32_t value : {0U, 0U, 48U, 0U, 0U, 64U}) put32(value);
      break;
    case 10:  // packed frame size, core, fp, registers; vmap_table_offset_, code_size_
      bytes = {0x03, 0x00, 0, 0, 0, 0, 0, 0};
      put32(16);
      put32(64);
      break;
    case 11:  // flags before them, tables after them
      bytes = {0x30, 0x00, 0x00, 0, 0, 0, 0, 0};
      put32(16);
      put32(64);
      break;
    case 12:
    case 13:
    case 14:  // flags, code size, packed frame size, ...; kIsCodeInfoMask | offset
      bytes = {0xc0, 0x03, 0x00, 0x00, 0x04, 0, 0, 0};
      bytes.resize(20);
      put32(0x4000'0000 | 24);
      break;
    default:  // code_info_offset_
      bytes = {0xc0, 0x03, 0x00, 0x00, 0x04, 0, 0, 0};
      bytes.resize(20);
      put32(24);
  }
  const size_t header = bytes.size();
  bytes.resize(header + 64);
  // Code lies on 16 bytes.
  std::vector<uint8_t> room(bytes.size() + 64);
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(room.data()) + 63) / 16 * 16;
  memcpy(reinterpret_cast<void*>(begin - header), bytes.data(), bytes.size());
  CompiledCode code = {};
  ASSERT_TRUE(LoadCompiledCode(row_, begin, &code));
  EXPECT_EQ(code.begin, begin);
  EXPECT_EQ(code.bytes, 64U);
  EXPECT_EQ(code.frame_bytes, 48U);
}

std::vector<Case> Cases(const std::vector<uint32_t>& pointer_sizes) {
  std::vector<Case> cases;
  for (size_t release = 0; release < Releases().size(); ++release)
    for (const uint32_t pointer_bytes : pointer_sizes) cases.push_back({release, pointer_bytes});
  return cases;
}

std::string NameOf(const testing::TestParamInfo<Case>& one) {
  std::string name = "Art" + std::string(Releases()[one.param.release].name) + "Pointer" +
                     std::to_string(one.param.pointer_bytes);
  std::erase(name, '.');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Releases, LiteralImageTest, testing::ValuesIn(Cases({4, 8})), NameOf);
INSTANTIATE_TEST_SUITE_P(Releases, LiteralWalkTest, testing::ValuesIn(Cases({sizeof(void*)})),
                         NameOf);

}  // namespace
}  // namespace stillframe::walk
