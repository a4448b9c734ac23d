// SPDX-License-Identifier: Apache-2.0
// A thread, its stack and its methods as ART lays them out, field by field in the order of ART's
// own declarations: what a row of the layout table says is not used to build this. The declarations
// are those that literal_image.cc names for each release.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace stillframe::walk {

// Where the code is said to be that calls into managed code; nothing is there.
constexpr uint32_t kInvokeStub = 0xca11000;

// Fields one after the other, each at its natural alignment.
class Record {
 public:
  explicit Record(uint32_t pointer_bytes) : pointer_bytes_(pointer_bytes) {}

  Record& U16(uint64_t value) { return Put(value, 2); }
  Record& U32(uint64_t value) { return Put(value, 4); }
  Record& U64(uint64_t value) { return Put(value, 8); }
  Record& Pointer(uint64_t value) { return Put(value, pointer_bytes_); }
  // Fields that are never read: not zero, so that a wrong offset shows.
  Record& Fill32(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) U32(0x5a5a5a5a);
    return *this;
  }

  const std::vector<uint8_t>& bytes() const { return bytes_; }
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }

 private:
  Record& Put(uint64_t value, uint32_t bytes) {
    bytes_.resize((bytes_.size() + bytes - 1) / bytes * bytes);
    for (uint32_t i = 0; i < bytes; ++i) bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    return *this;
  }

  uint32_t pointer_bytes_;
  std::vector<uint8_t> bytes_;
};

// How ART declares what is read, release by release.
enum class ShadowForm { kCodeItem, kInstructions, kNoResult, kDexPcOnly };
enum class MethodForm { kResolvedMethods, kCodeItemOffset, kDataIsCodeItem };
enum class DexFileForm { kNoData, kDataBegin, kUnusedSize };

struct Release {
  const char* name;
  const char* row;  // Layout::release
  ShadowForm shadow;
  MethodForm method;
  DexFileForm dex_file;
  bool dex_cache_has_count;  // a u32 and not a second reference before DexCache::dex_file_
  bool state_is_top_byte;
  uint8_t runnable;
  uint8_t native;
  uint8_t suspended;
  uint32_t callee_saves;
  bool jni_handle_scope;
  uint32_t nterp_outs_unit;  // 0: no nterp; 1: the pointer size, else bytes
};

// 8.0 to 16, oldest first.
const std::vector<Release>& Releases();

// The stack, innermost first: a native method; the interpreted method that called it; its
// interpreted caller, which was called from nterp where the release has that.
struct LiteralImage {
  uint32_t pointer_bytes;
  uintptr_t thread;
  uintptr_t env;
  uintptr_t vm;
  uintptr_t runtime;
  uintptr_t managed_stack;
  uintptr_t callee_save[6];
  uintptr_t stack_low;
  uintptr_t stack_high;
  uintptr_t native_method;
  uintptr_t native_frame;
  uintptr_t inner_method;
  uintptr_t inner_frame;
  uintptr_t outer_method;
  uintptr_t outer_frame;
  uintptr_t class_address;
  uintptr_t dex_cache;
  uintptr_t dex_file;
  uintptr_t dex_begin;
  uint32_t dex_size;
  uintptr_t code_item;
  uintptr_t nterp_code;  // 64 KiB that hold nterp's return addresses
  uintptr_t nterp_method;
  uintptr_t nterp_frame;
};

constexpr uint32_t kInnerDexPc = 4;
constexpr uint32_t kOuterDexPc = 5;
constexpr uint32_t kNterpDexPc = 3;
constexpr uint32_t kNativeReferences = 3;

// Owns the memory, which lies below 4 GiB for both pointer sizes.
class LiteralMemory {
 public:
  LiteralMemory(const Release& release, uint32_t pointer_bytes);
  ~LiteralMemory();
  LiteralMemory(const LiteralMemory&) = delete;
  LiteralMemory& operator=(const LiteralMemory&) = delete;

  const LiteralImage& image() const { return image_; }

  // A value in the image; LoadPointer() reads the image's pointer size.
  uint64_t Load(uintptr_t address, uint32_t bytes) const {
    uint64_t value = 0;
    memcpy(&value, reinterpret_cast<const void*>(address), bytes);
    return value;
  }
  uintptr_t LoadPointer(uintptr_t address) const {
    return static_cast<uintptr_t>(Load(address, image_.pointer_bytes));
  }

 private:
  uintptr_t Place(const Record& record);
  void PlaceAt(uintptr_t address, const Record& record);
  Record New() const { return Record(image_.pointer_bytes); }

  uintptr_t PlaceMethod(uint32_t access_flags, uintptr_t code_item);
  uintptr_t PlaceShadowFrame(uintptr_t link, uintptr_t method, uint32_t dex_pc, bool has_pointer);
  void PlaceDexFile();
  void PlaceClasses();
  void PlaceRuntime();
  void PlaceNterpStack(uintptr_t fragment);
  void PlaceNativeFrame();
  void PlaceThread(uintptr_t next_fragment);

  static constexpr size_t kBytes = 256 * 1024;
  const Release& release_;
  LiteralImage image_ = {};
  uintptr_t base_ = 0;
  uintptr_t next_ = 0;
};

}  // namespace stillframe::walk
