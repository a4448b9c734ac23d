// SPDX-License-Identifier: Apache-2.0
// Where ART keeps what the walker reads, as data: one row per release family and pointer size.
//
// Every offset names its source. A row is a claim until self_check.cc has compared walks with ART's
// own answer in this very process.
#pragma once

#include <cstdint>

#include <stillframe/thread_state.h>

#include "arch/arch.h"

namespace stillframe::walk {

// Where a method keeps its code item.
enum class CodeItemPlace : uint8_t {
  kDexFileOffset,  // method_code_item holds its u32 offset into the dex file's data
  kPointer,        // method_code_item holds a pointer; bit 0 set: a compact code item
};

// What stands before the code of a compiled method, last word next to the code.
enum class MethodHeader : uint8_t {
  // u32 each: offset back to the vmap table, offset of the method info, frame bytes, core and float
  // spill masks, code size (top bit: a deoptimize flag). The vmap table is no CodeInfo of later
  // kind.
  kFrameInfo,
  kVmapOffsetAndSize,    // u32 offset back to CodeInfo, u32 code size; top bit: a deoptimize flag
  kCodeInfoOffset,       // u32: bit 30 set: offset back to CodeInfo; clear: code size
  kPlainCodeInfoOffset,  // u32 offset back to CodeInfo; code without CodeInfo has other words here
};

// How CodeInfo, the description of compiled code, is written.
enum class CodeInfoForm : uint8_t {
  kNone,  // not as CodeInfo: nothing is read but what the method header says
  k10,    // four numbers; every table is there, behind a bit that says where
  k11,    // six numbers, the last one says which tables follow
  k12,    // as 11, with the code's size behind the first number
  k14,    // as 12; method rows name a dex file
};

// An offset that this release has no field for.
constexpr uint32_t kNoField = UINT32_MAX;

struct Layout {
  const char* release;
  // Versions of oat files (runtime/oat.h, kOatVersion) between which all of this holds.
  uint32_t oat_version_first;
  uint32_t oat_version_last;

  // JNIEnvExt: {functions, self}. JavaVMExt: {functions, runtime}.
  uint32_t env_self;
  uint32_t vm_runtime;

  // art::Thread. managed_stack lies this many bytes before the JNIEnv* in the same structure.
  uint32_t managed_stack_before_env;
  uint32_t thread_state;     // byte of the state within the first word
  uint8_t state_runnable;    // number of the state in which managed code runs
  uint32_t env_search_from;  // where in Thread the JNIEnv* is looked for
  uint32_t env_search_to;
  model::ThreadState (*state_name)(uint8_t state);
  uint32_t
      mterp_base_after_env;   // where mterp's handlers begin, relative to the JNIEnv*; 0: no mterp
  uint32_t mterp_code_bytes;  // all handlers, one behind the other
  // Where a thread that is traced keeps its return addresses, as a std::map or a std::deque,
  // relative to the JNIEnv*; 0: not so.
  uint32_t instrumentation_map_after_env;
  uint32_t instrumentation_deque_after_env;

  // art::ManagedStack {tagged top_quick_frame, link, top_shadow_frame}.
  uint32_t top_quick_frame;
  uint32_t link;
  uint32_t top_shadow_frame;
  uintptr_t quick_frame_tag_mask;
  uintptr_t generic_jni_tag;

  // A generic JNI frame up to 10 holds a handle scope above its method: where the u32 count of its
  // references is within the frame, and where the references begin; 0: no handle scope.
  uint32_t jni_handle_count;
  uint32_t jni_handles;

  // art::ShadowFrame.
  uint32_t shadow_link;
  uint32_t shadow_method;
  uint32_t shadow_dex_pc_ptr;        // kNoField: shadow_dex_pc is always right
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

  // What is in front of the code that an entry point names.
  MethodHeader method_header;
  CodeInfoForm code_info;

  // nterp's frame: {method, outs, dex pc pointer, previous stack pointer, ...}. The outs take a
  // multiple of this many bytes; 0: this release does not run nterp.
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
  uint32_t dex_file_unused;  // a word that is always 0, or kNoField
};

constexpr uint32_t kCalleeSaveMethods = 6;  // at most

struct LayoutTable {
  const Layout* rows;
  uint32_t count;
};

// All rows for runtimes with pointers of 4 or 8 bytes, most recent first.
LayoutTable LayoutsOf(uint32_t pointer_bytes);

// Those for this process's runtime.
inline LayoutTable KnownLayouts() { return LayoutsOf(sizeof(void*)); }

// A pointer of the runtime: it has the size of our own. Context: signal
[[nodiscard, gnu::always_inline]] inline bool LoadPointer(uintptr_t address, uintptr_t* value) {
  return arch::GuardedLoadWord(address, value);
}

// One that is compared with the bounds of a stack, or with others into it. Context: signal
[[nodiscard, gnu::always_inline]] inline bool LoadStackPointer(uintptr_t address,
                                                               uintptr_t* value) {
  const bool is_loaded = arch::GuardedLoadWord(address, value);
  *value = arch::Untagged(*value);
  return is_loaded;
}

}  // namespace stillframe::walk
