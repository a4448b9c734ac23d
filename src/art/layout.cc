#include "src/art/layout.h"

namespace stillframe::art {
namespace {

// ART 11 runtime/thread_state.h: kTerminated is 66, the others follow; the same in 10.
trace::ThreadState StateName11(uint8_t state) {
  switch (state) {
    case 67: return trace::ThreadState::kRunnable;
    case 68: return trace::ThreadState::kTimedWaiting;
    case 69: return trace::ThreadState::kSleeping;
    case 70: return trace::ThreadState::kBlocked;
    case 71: return trace::ThreadState::kWaiting;
    case 92: return trace::ThreadState::kNative;
    case 93: return trace::ThreadState::kSuspended;
    default: return trace::ThreadState::kOther;
  }
}

// ART 14 runtime/thread_state.h: as before, but kRunnable is 0.
trace::ThreadState StateName14(uint8_t state) {
  return state == 0 ? trace::ThreadState::kRunnable : StateName11(state);
}

// Sources are files of ART 11.0.0_r48 unless said otherwise.
constexpr Layout kArt11 = {
    .release = "11",
    .env_self = 8,                   // runtime/jni/jni_env_ext.h, self_
    .vm_runtime = 8,                 // runtime/jni/java_vm_ext.h, runtime_
    .managed_stack_before_env = 32,  // runtime/thread.h, tls_ptr_sized_values
    .thread_state = 2,               // runtime/thread.h, StateAndFlags: flags u16, state u16
    .state_runnable = 67,            // runtime/thread_state.h
    .env_search_from = 64,
    .env_search_to = 512,
    .state_name = StateName11,
    // runtime/thread.h: mterp_current_ibase, behind 24 pointers, 2 JNI and 169 quick entry
    // points; runtime/interpreter/mterp: 256 handlers of 128 bytes
    .mterp_base_after_env = 1600,
    .mterp_code_bytes = 256 * 128,
    .top_quick_frame = 0,  // runtime/managed_stack.h
    .link = 8,
    .top_shadow_frame = 16,
    .quick_frame_tag_mask = 1,
    .generic_jni_tag = 1,
    .jni_handle_count = 0,
    .jni_handles = 0,
    .shadow_link = 0,  // runtime/interpreter/shadow_frame.h
    .shadow_method = 8,
    .shadow_dex_pc_ptr = 24,
    .shadow_dex_instructions = 32,
    .shadow_dex_pc = 52,
    .method_declaring_class = 0,  // runtime/art_method.h
    .method_access_flags = 4,
    .method_code_item = 8,
    .code_item_place = CodeItemPlace::kDexFileOffset,
    .method_dex_index = 12,
    .method_alignment = 8,
    .method_entry_point = 32,
    .access_native = 0x0100,                            // libdexfile/dex/modifiers.h, kAccNative
    .method_header = MethodHeader::kVmapOffsetAndSize,  // runtime/oat_quick_method_header.h
    .code_info = CodeInfoForm::k11,                     // runtime/stack_map.h
    .nterp_outs_alignment = 4,                          // runtime/nterp_helpers.cc
    .callee_save_methods = 0,                           // runtime/runtime.h
    .object_class = 0,                                  // runtime/mirror/object.h, klass_
    .class_dex_cache = 16,                              // runtime/mirror/class.h, dex_cache_
    .dex_cache_dex_file = 16,                           // runtime/mirror/dex_cache.h, dex_file_
    .dex_file_begin = 8,                                // libdexfile/dex/dex_file.h
    .dex_file_size = 16,
    .dex_file_data_begin = 24,
};

// Sources are files of ART 10.0.0_r36; what is not named here is as in 11.
constexpr Layout Art10() {
  Layout layout = kArt11;
  layout.release = "10";
  layout.jni_handle_count = 8 + 8;  // runtime/handle_scope.h, behind the method and link_
  layout.jni_handles = 8 + 12;
  layout.code_info = CodeInfoForm::k10;  // runtime/stack_map.h
  layout.nterp_outs_alignment = 0;
  layout.mterp_base_after_env = 0;
  return layout;
}

// Sources are files of ART 14.0.0_r15; what is not named here is as in 11.
constexpr Layout Art14() {
  Layout layout = kArt11;
  layout.release = "14";
  layout.thread_state = 3;  // runtime/thread.h, ThreadStateField
  layout.state_runnable = 0;
  layout.state_name = StateName14;
  layout.mterp_base_after_env = 0;
  layout.mterp_code_bytes = 0;
  layout.quick_frame_tag_mask = 3;  // runtime/managed_stack.h, TaggedTopQuickFrame
  layout.method_dex_index = 8;      // runtime/art_method.h
  layout.method_code_item = 16;
  layout.code_item_place = CodeItemPlace::kPointer;
  layout.method_entry_point = 24;
  layout.method_header = MethodHeader::kCodeInfoOffset;  // runtime/oat_quick_method_header.h
  layout.code_info = CodeInfoForm::k14;                  // runtime/stack_map.h
  layout.nterp_outs_alignment = 8;                       // runtime/nterp_helpers.cc
  return layout;
}

constexpr Layout kLayouts64[] = {Art14(), kArt11, Art10()};

}  // namespace

LayoutTable KnownLayouts() {
  static_assert(sizeof(void*) == 8, "32-bit layouts are not in the table yet");
  return {kLayouts64, sizeof kLayouts64 / sizeof kLayouts64[0]};
}

}  // namespace stillframe::art
