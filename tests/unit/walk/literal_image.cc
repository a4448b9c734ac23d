// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/walk/literal_image.h"

#include <sys/mman.h>

#include "arch/arch.h"
#include "tests/unit/names/small_dex.h"

namespace stillframe::walk {
namespace {

constexpr uint32_t kPublic = 0x1;
constexpr uint32_t kNative = 0x100;
constexpr size_t kStackBytes = 16 * 1024;

// The standard code item of the nterp method.
constexpr uint16_t kNterpRegisters = 5;
constexpr uint16_t kNterpOuts = 3;

// Memory below 2 GiB, on every CPU.
uintptr_t MapLow(size_t bytes) {
  for (uintptr_t hint = 0x1000'0000; hint < 0x7000'0000; hint += 0x100'0000) {
    void* const at = mmap(reinterpret_cast<void*>(hint), bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == reinterpret_cast<void*>(hint)) return hint;
    if (at != MAP_FAILED) munmap(at, bytes);
  }
  return 0;
}

uint32_t RoundUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

// Read in: android-8.0.0, 8.1.0, 9.0.0, 10.0.0_r36, 11.0.0_r48, sc-v2-release (12), 13.0.0,
// 14.0.0_r15, 24Q3-release (15), android15-qpr2-release (15QPR2), 25Q4-release (16) of
// platform/art: runtime/interpreter/shadow_frame.h (8.0: runtime/stack.h), runtime/art_method.h,
// libdexfile/dex/dex_file.h (8: runtime/dex_file.h), runtime/mirror/dex_cache.h,
// runtime/thread.h (StateAndFlags), runtime/thread_state.h, runtime/runtime.h (kCalleeSaveSize),
// runtime/stack.cc (GetCurrentQuickFrameInfo), runtime/nterp_helpers.cc.
const std::vector<Release>& Releases() {
  using enum ShadowForm;
  using enum MethodForm;
  using enum DexFileForm;
  static const std::vector<Release> releases = {
      {"8.0", "8", kCodeItem, kResolvedMethods, kNoData, true, false, 67, 89, 90, 4, true, 0},
      {"8.1", "8", kCodeItem, kResolvedMethods, kNoData, true, false, 67, 89, 90, 4, true, 0},
      {"9", "9", kInstructions, kCodeItemOffset, kDataBegin, true, false, 67, 91, 92, 6, true, 0},
      {"10", "10", kInstructions, kCodeItemOffset, kDataBegin, true, false, 67, 92, 93, 6, true, 0},
      {"11", "11", kInstructions, kCodeItemOffset, kDataBegin, false, false, 67, 92, 93, 6, false,
       4},
      {"12", "12", kInstructions, kDataIsCodeItem, kDataBegin, false, false, 67, 92, 93, 6, false,
       1},
      {"13", "13", kInstructions, kDataIsCodeItem, kDataBegin, false, true, 0, 92, 93, 6, false, 1},
      {"14", "14", kInstructions, kDataIsCodeItem, kDataBegin, false, true, 0, 92, 93, 6, false, 1},
      {"15", "15", kInstructions, kDataIsCodeItem, kUnusedSize, false, true, 0, 92, 93, 6, false,
       1},
      {"15QPR2", "15QPR2", kNoResult, kDataIsCodeItem, kUnusedSize, false, true, 0, 92, 93, 6,
       false, 1},
      {"16", "16", kDexPcOnly, kDataIsCodeItem, kUnusedSize, false, true, 0, 92, 93, 6, false, 1},
  };
  return releases;
}

LiteralMemory::LiteralMemory(const Release& release, uint32_t pointer_bytes) : release_(release) {
  base_ = MapLow(kBytes);
  next_ = base_;
  image_.pointer_bytes = pointer_bytes;
  image_.stack_low = base_ + kBytes - kStackBytes;
  image_.stack_high = base_ + kBytes;
  PlaceDexFile();
  PlaceClasses();
  PlaceRuntime();
  image_.native_method = PlaceMethod(kPublic | kNative, 0);
  image_.inner_method = PlaceMethod(kPublic, image_.code_item);
  image_.outer_method = PlaceMethod(kPublic, image_.code_item);
  // struct ManagedStack {tagged_top_quick_frame_, link_, top_shadow_frame_},
  // runtime/managed_stack.h (8.0: runtime/stack.h, top_quick_frame_)
  // Fragments and shadow frames lie on the stack, outer ones above inner ones.
  const uintptr_t nterp_fragment = image_.stack_low + 12 * 1024;
  image_.outer_frame = PlaceShadowFrame(0, image_.outer_method, kOuterDexPc, false);
  image_.inner_frame = PlaceShadowFrame(image_.outer_frame, image_.inner_method, kInnerDexPc, true);
  const uintptr_t shadow_fragment = image_.stack_low + 8 * 1024;
  PlaceAt(shadow_fragment, New().Pointer(0).Pointer(nterp_fragment).Pointer(image_.inner_frame));
  if (release.nterp_outs_unit != 0) PlaceNterpStack(nterp_fragment);
  PlaceNativeFrame();
  PlaceThread(shadow_fragment);
}

LiteralMemory::~LiteralMemory() { munmap(reinterpret_cast<void*>(base_), kBytes); }

uintptr_t LiteralMemory::Place(const Record& record) {
  const uintptr_t at = next_;
  PlaceAt(at, record);
  next_ += RoundUp(record.size(), 16);
  return at;
}

void LiteralMemory::PlaceAt(uintptr_t address, const Record& record) {
  memcpy(reinterpret_cast<void*>(address), record.bytes().data(), record.size());
}

// class DexFile: {vtable, begin_, size_, data_begin_, data_size_, location_...}; 8: no data;
// 14: data_ is {pointer, size}; 15: size_ became unused_size_, always 0.
void LiteralMemory::PlaceDexFile() {
  names::SmallDex dex;
  image_.dex_begin = next_;
  image_.dex_size = dex.size();
  image_.code_item = next_ + dex.code_item();
  memcpy(reinterpret_cast<void*>(next_), dex.bytes().data(), dex.size());
  next_ += RoundUp(dex.size(), 16);
  Record record = New();
  record.Pointer(0x7ab1e0).Pointer(image_.dex_begin);
  switch (release_.dex_file) {
    case DexFileForm::kNoData: record.Pointer(dex.size()); break;
    case DexFileForm::kDataBegin:
      record.Pointer(dex.size()).Pointer(image_.dex_begin).Pointer(dex.size());
      break;
    case DexFileForm::kUnusedSize:
      record.Pointer(0).Pointer(image_.dex_begin).Pointer(dex.size());
      break;
  }
  record.Fill32(6);
  image_.dex_file = Place(record);
}

// class Object {klass_, monitor_}; class Class {..., class_loader_, component_type_, dex_cache_};
// class DexCache {..., class_loader_ (from 11), location_, u32 (up to 10), u64 dex_file_}.
void LiteralMemory::PlaceClasses() {
  Record dex_cache = New();
  dex_cache.U32(0x1000).U32(0);
  if (release_.dex_cache_has_count)
    dex_cache.U32(0x2000).U32(7);
  else
    dex_cache.U32(0x3000).U32(0x2000);
  image_.dex_cache = Place(dex_cache.U64(image_.dex_file).U64(0));
  const uintptr_t class_class = next_;
  Place(New().U32(class_class).U32(0).U32(0).U32(0).U32(0).Fill32(10));
  image_.class_address =
      Place(New().U32(class_class).U32(0).U32(0x3000).U32(0).U32(image_.dex_cache).Fill32(10));
}

// class Runtime {u64 callee_save_methods_[], ...}; class JavaVMExt {functions, runtime_};
// class JNIEnvExt {functions, self_, vm_}.
void LiteralMemory::PlaceRuntime() {
  Record runtime = New();
  for (uint32_t i = 0; i < release_.callee_saves; ++i) {
    // A runtime method has no class.
    image_.callee_save[i] = Place(New().U32(0).U32(0).Fill32(8));
    runtime.U64(image_.callee_save[i]);
  }
  image_.runtime = Place(runtime.Fill32(4));
  image_.vm = Place(New().Pointer(0xf00).Pointer(image_.runtime));
}

// class ArtMethod {declaring_class_, access_flags_, dex_code_item_offset_ (up to 11),
// dex_method_index_, u16 method_index_, u16 hotness_count_, dex_cache_resolved_methods_ (8), data_,
// entry_point_from_quick_compiled_code_}.
uintptr_t LiteralMemory::PlaceMethod(uint32_t access_flags, uintptr_t code_item) {
  Record method = New();
  method.U32(image_.class_address).U32(access_flags);
  const bool by_offset = release_.method != MethodForm::kDataIsCodeItem;
  if (by_offset) method.U32(code_item == 0 ? 0 : code_item - image_.dex_begin);
  method.U32(names::SmallDex::kDrawMethod).U16(0x1111).U16(0x2222);
  if (release_.method == MethodForm::kResolvedMethods) method.Pointer(0xcafe00);
  method.Pointer(by_offset ? 0 : code_item).Pointer(0xc0de00);
  return Place(method);
}

// class ShadowFrame {link_, method_, result_register_, dex_pc_ptr_, code_item_ (8) or
// dex_instructions_, lock_count_data_, u32 number_of_vregs_, u32 dex_pc_, ...}; 16: without the
// result register and the two pointers.
uintptr_t LiteralMemory::PlaceShadowFrame(uintptr_t link, uintptr_t method, uint32_t dex_pc,
                                          bool has_pointer) {
  const uintptr_t instructions = image_.code_item + 16;
  Record frame = New();
  frame.Pointer(link).Pointer(method);
  const bool can_point = release_.shadow != ShadowForm::kDexPcOnly;
  if (can_point) {
    if (release_.shadow != ShadowForm::kNoResult) frame.Pointer(0xbad0);
    frame.Pointer(has_pointer ? instructions + 2 * uintptr_t{dex_pc} : 0);
    frame.Pointer(release_.shadow == ShadowForm::kCodeItem ? image_.code_item : instructions);
  }
  frame.Pointer(0).U32(4).U32(can_point && has_pointer ? 0xdead : dex_pc);
  const uintptr_t at = image_.stack_low + (link == 0 ? 10 : 9) * 1024;
  PlaceAt(at, frame.Fill32(10));
  return at;
}

// nterp's frame: {method, outs, dex pc pointer, previous stack pointer, references, registers}
// below the callee saves, the last of which is the return address; built downwards from the
// previous stack pointer to a multiple of 16. Above it a callee-save frame whose return address is
// in nterp.
void LiteralMemory::PlaceNterpStack(uintptr_t fragment) {
  const uint32_t p = image_.pointer_bytes;
  image_.nterp_code = base_ + 128 * 1024;
  const uintptr_t code_item =
      Place(New().U16(kNterpRegisters).U16(1).U16(kNterpOuts).U16(0).U32(0).U32(8).Fill32(4));
  image_.nterp_method = PlaceMethod(kPublic, code_item);
  const uintptr_t end = image_.stack_high - 1024;
  const uintptr_t previous = end - arch::kNterpCalleeSaveBytes;
  const uint32_t body = 4 * (2 * uint32_t{kNterpRegisters} + kNterpOuts);
  image_.nterp_frame = (previous - 3 * uintptr_t{p} - body) & ~uintptr_t{15};
  Record frame = New();
  frame.Pointer(image_.nterp_method);
  const uint32_t unit = release_.nterp_outs_unit == 1 ? p : release_.nterp_outs_unit;
  const uint32_t outs = RoundUp(4 * kNterpOuts, unit) / 4;
  for (uint32_t i = 0; i < outs; ++i) frame.U32(0x0a0a0a0a);
  // The pointers that follow are aligned or not as the release rounds the outs.
  std::vector<uint8_t> bytes = frame.bytes();
  const auto append = [&bytes](const Record& record) {
    bytes.insert(bytes.end(), record.bytes().begin(), record.bytes().end());
  };
  append(New().Pointer(code_item + 16 + 2 * uintptr_t{kNterpDexPc}));
  append(New().Pointer(previous));
  memcpy(reinterpret_cast<void*>(image_.nterp_frame), bytes.data(), bytes.size());
  PlaceAt(end - p, New().Pointer(kInvokeStub + 0x17));
  PlaceAt(end, New().Pointer(0));  // the end that the invoke stub leaves
  const uintptr_t callee = image_.nterp_frame - arch::kCalleeSaveFrameBytes[2];
  PlaceAt(callee, New().Pointer(image_.callee_save[2]));
  PlaceAt(image_.nterp_frame - p, New().Pointer(image_.nterp_code + 0x100));
  // The fragment that a thread begins with stays empty.
  const uintptr_t first_fragment = end + 256;
  PlaceAt(fragment, New().Pointer(callee).Pointer(first_fragment).Pointer(0));
}

// A SaveRefsAndArgs frame; up to 10 its method moves down, below a HandleScope {link_, u32
// number_of_references_, references}, to a multiple of 16 (LayoutCalleeSaveFrame).
void LiteralMemory::PlaceNativeFrame() {
  const uint32_t p = image_.pointer_bytes;
  const uintptr_t saves = image_.stack_low + 4096;
  image_.native_frame = saves;
  Record frame = New();
  frame.Pointer(image_.native_method);
  if (release_.jni_handle_scope) {
    const uint32_t scope = p + 4 + 4 * kNativeReferences;
    image_.native_frame = (saves + p - scope - p) & ~uintptr_t{15};
    frame.Pointer(0).U32(kNativeReferences).U32(0x7000).U32(0x7100).U32(0x7200);
  }
  PlaceAt(image_.native_frame, frame);
  PlaceAt(saves + arch::kGenericJniFrameBytes - p, New().Pointer(kInvokeStub + 0x17));
  PlaceAt(saves + arch::kGenericJniFrameBytes, New().Pointer(0));
}

// class Thread {u16 flags, u16 state (up to 12) or u32 flags and state (13), u32..., u64..., then
// card_table, exception, stack_end, managed_stack, suspend_trigger, jni_env, tmp_jni_env, self}.
void LiteralMemory::PlaceThread(uintptr_t next_fragment) {
  image_.thread = next_;
  image_.env = image_.thread + 1024;
  Record thread = New();
  if (release_.state_is_top_byte)
    thread.U32(uint32_t{release_.native} << 24 | 0x10);
  else
    thread.U16(0x10).U16(release_.native);
  thread.Fill32(27).U64(0x5a5a5a5a).U64(0x5a5a5a5a).Pointer(0xca4d).Pointer(0).Pointer(0x57ac);
  image_.managed_stack = image_.thread + thread.size();
  const uintptr_t tag = release_.jni_handle_scope && release_.callee_saves == 4 ? 0 : 1;
  thread.Pointer(image_.native_frame | tag).Pointer(next_fragment).Pointer(0);
  thread.Pointer(0x7166e4).Pointer(image_.env).Pointer(0).Pointer(image_.thread).Fill32(40);
  Place(thread);
  next_ = image_.env;
  Place(New().Pointer(0xf01).Pointer(image_.thread).Pointer(image_.vm));
}

}  // namespace stillframe::walk
