// Where ART keeps what the walker reads, as data: one row per release family and pointer size.
//
// Every offset names its source. A row is a claim until self_check.cc has compared walks with ART's
// own answer in this very process.
// Context: signal
#pragma once

#include <cstdint>

#include "src/trace/frame.h"

namespace stillframe::art {

struct Layout {
  const char* release;

  // JNIEnvExt: {functions, self}. JavaVMExt: {functions, runtime}.
  uint32_t env_self;
  uint32_t vm_runtime;

  // art::Thread. managed_stack lies this many bytes before the JNIEnv* in the same structure.
  uint32_t managed_stack_before_env;
  uint32_t thread_state;     // byte of the state within the first word
  uint32_t env_search_from;  // where in Thread the JNIEnv* is looked for
  uint32_t env_search_to;
  trace::ThreadState (*state_name)(uint8_t state);
  uint32_t
      mterp_base_after_env;   // where mterp's handlers begin, relative to the JNIEnv*; 0: no mterp
  uint32_t mterp_code_bytes;  // all handlers, one behind the other

  // art::ManagedStack {tagged top_quick_frame, link, top_shadow_frame}.
  uint32_t top_quick_frame;
  uint32_t link;
  uint32_t top_shadow_frame;
  uint64_t quick_frame_tag_mask;
  uint64_t generic_jni_tag;

  // art::ShadowFrame.
  uint32_t shadow_link;
  uint32_t shadow_method;
  uint32_t shadow_dex_pc_ptr;
  uint32_t shadow_dex_instructions;
  uint32_t shadow_dex_pc;

  // art::ArtMethod.
  uint32_t method_declaring_class;
  uint32_t method_access_flags;
  uint32_t method_code_item_offset;
  uint32_t method_dex_index;
  uint32_t method_alignment;
  uint32_t access_native;

  // art::Runtime: callee_save_methods_, 6 x u64.
  uint32_t callee_save_methods;

  // mirror::Object, Class, DexCache; art::DexFile.
  uint32_t object_class;
  uint32_t class_dex_cache;
  uint32_t dex_cache_dex_file;
  uint32_t dex_file_begin;
  uint32_t dex_file_size;
  uint32_t dex_file_data_begin;
};

constexpr uint32_t kCalleeSaveMethods = 6;

struct LayoutTable {
  const Layout* rows;
  uint32_t count;
};

// All rows for this pointer size, most recent first.
LayoutTable KnownLayouts();

}  // namespace stillframe::art
