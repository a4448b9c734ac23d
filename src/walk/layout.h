// SPDX-License-Identifier: Apache-2.0
// Locations of the data that the walker reads in ART: one row per release family and pointer size.
//
// Every offset names its source. A row is a claim until self_check.cc has compared walks with ART's
// own answers in this process.
#pragma once

#include <cstdint>

#include <stillframe/thread_state.h>

#include "arch/arch.h"

namespace stillframe::walk {

// Location of a method's code item.
enum class CodeItemPlace : uint8_t {
  kDexFileOffset,  // method_code_item holds its u32 offset into the dex file's data
  kPointer,        // method_code_item holds a pointer; bit 0 set: a compact code item
};

// The words before the code of a compiled method, the last one next to the code.
enum class MethodHeader : uint8_t {
  // u32 each: offset back to the vmap table, offset of the method info, frame bytes, core and float
  // spill masks, code size (top bit: a deoptimize flag). The vmap table is not CodeInfo as in later
  // releases.
  kFrameInfo,
  kVmapOffsetAndSize,    // u32 offset back to CodeInfo, u32 code size; top bit: a deoptimize flag
  kCodeInfoOffset,       // u32: bit 30 set: offset back to CodeInfo; clear: code size
  kPlainCodeInfoOffset,  // u32 offset back to CodeInfo; code without CodeInfo has other words here
};

// Encoding of CodeInfo, the description of compiled code.
enum class CodeInfoForm : uint8_t {
  kNone,  // no CodeInfo: only the method header is read
  k10,    // four numbers; all tables are present, each after a bit that says whether it is shared
  k11,    // six numbers; the last one lists the tables that follow
  k12,    // as k11, with the code's size after the first number
  k14,    // as k12; method rows name a dex file
};

// This release lacks the field.
constexpr uint32_t kNoField = UINT32_MAX;

struct Layout {
  const char* release;
  // Range of oat versions (runtime/oat.h, kOatVersion) for which the row holds.
  uint32_t oat_version_first;
  uint32_t oat_version_last;

  // JNIEnvExt: {functions, self}. JavaVMExt: {functions, runtime}.
  uint32_t env_self;
  uint32_t vm_runtime;

  // art::Thread. managed_stack is this many bytes before the JNIEnv* in the same structure.
  uint32_t managed_stack_before_env;
  uint32_t thread_state;     // byte offset of the state in the first word
  uint8_t state_runnable;    // number of the state in which managed code runs
  uint32_t env_search_from;  // range in Thread to search for the JNIEnv*
  uint32_t env_search_to;
  model::ThreadState (*state_name)(uint8_t state);
  uint32_t
      mterp_base_after_env;   // address of mterp's handlers, relative to the JNIEnv*; 0: no mterp
  uint32_t mterp_code_bytes;  // size of all handlers
  // Return addresses of a traced thread, a std::map or a std::deque, relative to the JNIEnv*; 0:
  // the release does not have this one.
  uint32_t instrumentation_map_after_env;
  uint32_t instrumentation_deque_after_env;

  // art::ManagedStack {tagged top_quick_frame, link, top_shadow_frame}.
  uint32_t top_quick_frame;
  uint32_t link;
  uint32_t top_shadow_frame;
  uintptr_t quick_frame_tag_mask;
  uintptr_t generic_jni_tag;

  // Up to ART 10 a generic JNI frame has a handle scope above its method. Offsets in the frame: u32
  // count of references, first reference; 0: no handle scope.
  uint32_t jni_handle_count;
  uint32_t jni_handles;

  // art::ShadowFrame.
  uint32_t shadow_link;
  uint32_t shadow_method;
  uint32_t shadow_dex_pc_ptr;        // kNoField: shadow_dex_pc is always valid
  uint32_t shadow_dex_instructions;  // a pointer, this many bytes before the instructions:
  uint32_t shadow_instructions_bias;
  uint32_t shadow_dex_pc;

  // art::ArtMethod.
  uint32_t method_declaring_class;
  uint32_t method_access_flags;
  uint32_t method_code_item;
  CodeItemPlace code_item_place;
  uint32_t method_dex_index;
  uint32_t method_alignment;
  uint32_t method_entry_point;  // entry_point_from_quick_compiled_code_
  uint32_t access_native;

  // The words before the code at an entry point.
  MethodHeader method_header;
  CodeInfoForm code_info;

  // nterp's frame: {method, outs, dex pc pointer, previous stack pointer, ...}. The outs are
  // aligned to this many bytes; 0: this release has no nterp.
  uint32_t nterp_outs_alignment;

  // art::Runtime: callee_save_methods_, u64 each at every pointer size.
  uint32_t callee_save_methods;
  uint32_t callee_save_count;

  // mirror::Object, Class, DexCache; art::DexFile.
  uint32_t object_class;
  uint32_t class_dex_cache;
  uint32_t dex_cache_dex_file;
  uint32_t dex_file_begin;
  uint32_t dex_file_size;
  uint32_t dex_file_data_begin;
  uint32_t dex_file_unused;  // a word that is always 0; kNoField: none
};

constexpr uint32_t kCalleeSaveMethods = 6;  // at most

struct LayoutTable {
  const Layout* rows;
  uint32_t count;
};

// All rows for pointers of 4 or 8 bytes, most recent first.
LayoutTable LayoutsOf(uint32_t pointer_bytes);

// The rows for this process.
inline LayoutTable KnownLayouts() { return LayoutsOf(sizeof(void*)); }

// Loads a pointer of the runtime, which has our own pointer size. Context: signal
[[nodiscard, gnu::always_inline]] inline bool LoadPointer(uintptr_t address, uintptr_t* value) {
  return arch::GuardedLoadWord(address, value);
}

// Loads a pointer that is compared with stack addresses: without its tag. Context: signal
[[nodiscard, gnu::always_inline]] inline bool LoadStackPointer(uintptr_t address,
                                                               uintptr_t* value) {
  const bool is_loaded = arch::GuardedLoadWord(address, value);
  *value = arch::Untagged(*value);
  return is_loaded;
}

}  // namespace stillframe::walk
