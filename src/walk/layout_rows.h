// SPDX-License-Identifier: Apache-2.0
// The rows of the layout table. `p` is the runtime's pointer size in bytes: 4 or 8.
//
// ART 11 is complete; the other rows list differences to a neighbouring release. Sources are files
// of AOSP's platform/art at
//   8: android-8.0.0 and 8.1.0 (oat 124, 131)    9: android-9.0.0 (oat 138)
//   10: android-10.0.0_r36 (oat 170)             11: android-11.0.0_r48 (oat 183)
//   12: sc-v2-release, 2021-10 (oat 199)         13: android-13.0.0, 2023-01 (oat 225)
//   14: android-14.0.0_r15 (oat 230)             15: 24Q3-release, 2024-06 (oat 244)
//   15 QPR2: android15-qpr2-release, 2024-12 (oat 254)
//   16: main at 2025-02 (oat 258) and 25Q4-release (oat 265), the same in both
// and the changes between them by platform/art's history: ART is updated apart from the platform,
// so that a row holds for a range of oat versions.
#pragma once

#include <cstdint>

#include "src/walk/layout.h"

namespace stillframe::walk {

constexpr uint32_t kAnyLaterOatVersion = 999;

// runtime/thread_state.h of 8 to 11: kTerminated is 66, the others follow. 9 puts two before
// kWaitingForGcToComplete, 10 one before kStarting, which is before kNative.
template <uint8_t kNative>
model::ThreadState StateBefore13(uint8_t state) {
  constexpr uint8_t kGcToComplete = kNative == 89 ? 72 : 74;
  switch (state) {
    case 67: return model::ThreadState::kRunnable;
    case 68: return model::ThreadState::kTimedWaiting;
    case 69: return model::ThreadState::kSleeping;
    case 70: return model::ThreadState::kBlocked;
    case 71: return model::ThreadState::kWaiting;
    case kNative: return model::ThreadState::kNative;
    case kNative + 1: return model::ThreadState::kSuspended;
    case kGcToComplete:
    case kGcToComplete + 14:  // kWaitingWeakGcRootRead
    case kGcToComplete + 15:  // kWaitingForGcThreadFlip
      return model::ThreadState::kWaitingForGc;
    case kGcToComplete + 1:  // kWaitingForCheckPointsToRun
    case kGcToComplete + 2:  // kWaitingPerformingGc
      return model::ThreadState::kCollecting;
    case kGcToComplete + 7: return model::ThreadState::kWaitingForLibrary;  // kWaitingForJniOnLoad
    default: return model::ThreadState::kOther;
  }
}

// runtime/thread_state.h of 13: as in 11, but kRunnable is 0 and 67 is obsolete.
inline model::ThreadState StateSince13(uint8_t state) {
  if (state == 67) return model::ThreadState::kOther;
  return state == 0 ? model::ThreadState::kRunnable : StateBefore13<92>(state);
}

// Words between Thread's jni_env and mterp_current_ibase: pointers, JNI entry points, quick entry
// points (runtime/thread.h; runtime/entrypoints/quick/quick_entrypoints_list.h).
constexpr uint32_t kMterpWords8 = 31 + 1 + 161;
constexpr uint32_t kMterpWords9 = 31 + 1 + 162;
constexpr uint32_t kMterpWords10 = 31 + 1 + 166;
constexpr uint32_t kMterpWords11 = 29 + 2 + 169;

constexpr Layout Art11(uint32_t p) {
  return {
      .release = "11",
      .oat_version_first = 178,
      .oat_version_last = 184,
      .env_self = p,                      // runtime/jni/jni_env_ext.h, self_
      .vm_runtime = p,                    // runtime/jni/java_vm_ext.h, runtime_
      .managed_stack_before_env = 4 * p,  // runtime/thread.h, tls_ptr_sized_values
      .thread_state = 2,                  // runtime/thread.h, StateAndFlags: flags u16, state u16
      .state_runnable = 67,               // runtime/thread_state.h
      .env_search_from = 64,
      .env_search_to = 512,
      .state_name = StateBefore13<92>,
      .mterp_base_after_env = kMterpWords11 * p,
      .mterp_code_bytes = 256 * 128,  // runtime/interpreter/mterp: 256 handlers of 128 bytes
      .instrumentation_map_after_env = 13 * p,  // runtime/thread.h, instrumentation_stack
      .instrumentation_deque_after_env = 0,
      .top_quick_frame = 0,  // runtime/managed_stack.h
      .link = p,
      .top_shadow_frame = 2 * p,
      .quick_frame_tag_mask = 1,
      .generic_jni_tag = 1,
      .jni_handle_count = 0,  // runtime/stack.cc, GetCurrentQuickFrameInfo
      .jni_handles = 0,
      .shadow_link = 0,  // runtime/interpreter/shadow_frame.h: a result pointer follows the method
      .shadow_method = p,
      .shadow_dex_pc_ptr = 3 * p,
      .shadow_dex_instructions = 4 * p,
      .shadow_instructions_bias = 0,
      .shadow_dex_pc = 6 * p + 4,   // behind the lock data (a pointer) and the number of registers
      .method_declaring_class = 0,  // runtime/art_method.h
      .method_access_flags = 4,
      .method_code_item = 8,
      .code_item_place = CodeItemPlace::kDexFileOffset,
      .method_dex_index = 12,
      .method_alignment = p,
      .method_entry_point = p == 8 ? 32U : 24U,           // two u16 from 16 on, data_, entry point
      .access_native = 0x0100,                            // libdexfile/dex/modifiers.h, kAccNative
      .method_header = MethodHeader::kVmapOffsetAndSize,  // runtime/oat_quick_method_header.h
      .code_info = CodeInfoForm::k11,                     // runtime/stack_map.h
      .nterp_outs_alignment = 4,                          // runtime/nterp_helpers.cc
      .callee_save_methods = 0,                           // runtime/runtime.h
      .callee_save_count = 6,
      .object_class = 0,      // runtime/mirror/object.h, klass_
      .class_dex_cache = 16,  // runtime/mirror/class.h: class_loader_, component_type_, dex_cache_
      .dex_cache_dex_file = 16,  // runtime/mirror/dex_cache.h: two references, dex_file_ u64
      .dex_file_begin = p,       // libdexfile/dex/dex_file.h, behind the vtable pointer
      .dex_file_size = 2 * p,
      .dex_file_data_begin = 3 * p,
      .dex_file_unused = kNoField,
  };
}

constexpr Layout Art10(uint32_t p) {
  Layout layout = Art11(p);
  layout.release = "10";
  layout.oat_version_first = 170;        // NativeForAbort joins the states
  layout.oat_version_last = 177;         // 178: "Rewrite GenericJNI frame setup"
  layout.code_info = CodeInfoForm::k10;  // runtime/stack_map.h
  layout.nterp_outs_alignment = 0;
  layout.mterp_base_after_env = kMterpWords10 * p;
  layout.instrumentation_map_after_env = 0;
  layout.instrumentation_deque_after_env = 13 * p;  // runtime/thread.h, instrumentation_stack
  // entrypoints/quick/quick_trampoline_entrypoints.cc, LayoutCalleeSaveFrame: {method,
  // HandleScope}, HandleScope: {link, number of references, references} (runtime/handle_scope.h)
  layout.jni_handle_count = 2 * p;
  layout.jni_handles = 2 * p + 4;
  return layout;
}

constexpr Layout Art9(uint32_t p) {
  Layout layout = Art10(p);
  layout.release = "9";
  layout.oat_version_first = 138;  // data_begin joins DexFile
  layout.oat_version_last = 155;   // 156: "Remove frame info from OatQuickMethodHeader"
  layout.state_name = StateBefore13<91>;
  layout.mterp_base_after_env = kMterpWords9 * p;
  layout.instrumentation_deque_after_env = 0;  // not compared with its sources
  layout.method_header = MethodHeader::kFrameInfo;
  layout.code_info = CodeInfoForm::kNone;
  return layout;
}

// The fields read here are equal in 8.0 and 8.1.
constexpr Layout Art8(uint32_t p) {
  Layout layout = Art9(p);
  layout.release = "8";
  layout.oat_version_first = 124;
  layout.oat_version_last = 131;  // 132: "Remove ArtMethod::dex_cache_resolved_methods_"
  layout.state_name = StateBefore13<89>;
  layout.mterp_base_after_env = kMterpWords8 * p;
  // runtime/stack.h (8.0), interpreter/shadow_frame.h (8.1): code_item_, whose insns_ are at 16
  // (runtime/dex_file.h)
  layout.shadow_instructions_bias = 16;
  layout.method_entry_point = p == 8 ? 40U : 28U;      // dex_cache_resolved_methods_ before data_
  layout.callee_save_count = 4;                        // runtime/runtime.h
  layout.dex_file_data_begin = layout.dex_file_begin;  // runtime/dex_file.h: no data of its own
  return layout;
}

constexpr Layout Art12(uint32_t p) {
  Layout layout = Art11(p);
  layout.release = "12";
  layout.oat_version_first = 192;  // the header's one word
  // State and flags become one word in 214. Custom builds of 12 have 218 and keep this layout.
  layout.oat_version_last = 218;
  layout.instrumentation_map_after_env = 0;
  layout.method_code_item = 16;  // runtime/art_method.h, data_
  layout.code_item_place = CodeItemPlace::kPointer;
  layout.method_dex_index = 8;
  layout.method_entry_point = 16 + p;
  layout.method_header = MethodHeader::kCodeInfoOffset;  // runtime/oat_quick_method_header.h
  layout.code_info = CodeInfoForm::k12;                  // runtime/stack_map.h
  layout.nterp_outs_alignment = p;                       // runtime/nterp_helpers.cc
  return layout;
}

constexpr Layout Art13(uint32_t p) {
  Layout layout = Art12(p);
  layout.release = "13";
  layout.oat_version_first = 214;
  layout.oat_version_last = 226;         // the second tag bit came within 226
  layout.thread_state = 3;               // runtime/thread.h, ThreadStateField
  layout.code_info = CodeInfoForm::k14;  // runtime/stack_map.h, MethodInfo has three columns
  layout.state_runnable = 0;
  layout.state_name = StateSince13;
  layout.mterp_base_after_env = 0;
  layout.mterp_code_bytes = 0;
  return layout;
}

constexpr Layout Art14(uint32_t p) {
  Layout layout = Art13(p);
  layout.release = "14";
  layout.oat_version_first = 226;
  layout.oat_version_last = 238;
  layout.quick_frame_tag_mask = 3;  // runtime/managed_stack.h, kTaggedJniSpMask
  return layout;
}

constexpr Layout Art15(uint32_t p) {
  Layout layout = Art14(p);
  layout.release = "15";
  layout.oat_version_first = 239;  // both of the changes below
  layout.oat_version_last = 251;   // of the last ART module with this row, aml_art_351410020
  layout.method_header =
      MethodHeader::kPlainCodeInfoOffset;  // runtime/oat/oat_quick_method_header.h
  // libdexfile/dex/dex_file.h: unused_size_, then data_ {pointer, size}. A dex container's tables
  // are counted from its data too.
  layout.dex_file_unused = 2 * p;
  layout.dex_file_size = 4 * p;
  return layout;
}

// Its shadow frames are neither those before nor those after.
constexpr Layout Art15Qpr2(uint32_t p) {
  Layout layout = Art15(p);
  layout.release = "15QPR2";
  layout.oat_version_first = 252;
  layout.oat_version_last = 254;  // "Remove unused fields in shadow frames" came last within 254
  // runtime/interpreter/shadow_frame.h: the result pointer is gone
  layout.shadow_dex_pc_ptr = 2 * p;
  layout.shadow_dex_instructions = 3 * p;
  layout.shadow_dex_pc = 5 * p + 4;
  return layout;
}

constexpr Layout Art16(uint32_t p) {
  Layout layout = Art15(p);
  layout.release = "16";
  layout.oat_version_first = 255;
  layout.oat_version_last = kAnyLaterOatVersion;
  // runtime/interpreter/shadow_frame.h: {link, method, lock data, u32 registers, u32 dex pc}
  layout.shadow_dex_pc_ptr = kNoField;
  layout.shadow_dex_instructions = kNoField;
  layout.shadow_dex_pc = 3 * p + 4;
  return layout;
}

}  // namespace stillframe::walk
