// SPDX-License-Identifier: Apache-2.0
// A managed stack as ART leaves it, of random shape, whose truth is known.
// Context: tests only
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/unit/walk/art_image.h"

namespace stillframe::fault {

// Defect of a stack before injection. Its walk is truncated, or still finds the truth.
enum class Trouble : uint8_t {
  kNone,
  kNoMethod,     // the word of a managed frame is zero
  kLyingHeader,  // in front of code that is not at its method's entry point
  kDenseCode,    // what looks like headers lies close before such code, as of many small methods
  kCount,
};

class SyntheticStack {
 public:
  SyntheticStack(const walk::Layout& layout, std::mt19937_64* random);

  // False: there is nothing of that kind in the stack.
  bool Bring(Trouble trouble);
  Trouble trouble() const { return trouble_; }

  // The methods of the stack, innermost first.
  const std::vector<uintptr_t>& truth() const { return truth_; }
  bool HasMethod(uintptr_t address) const;
  // A compiled frame of a method that was compiled anew since.
  bool IsElsewhere(const core::RawFrame& frame) const;
  // Addresses of methods, frames and fragments, sorted.
  const std::vector<uint64_t>& structures() const { return structures_; }
  walk::ArtImage& image() { return *image_; }
  // Where compiled code and its descriptions lie.
  uintptr_t code_begin() const { return code_begin_; }
  uintptr_t code_end() const { return code_end_; }
  // Registers at the interruption, in managed or in native code.
  const arch::UnwindRegisters& registers() const { return registers_; }
  bool is_running() const { return is_running_; }
  // True when `address` is in what gives the size of the method's frames: the pointer to compiled
  // code and its description, the header of the bytecode that nterp runs.
  bool IsDescriptionOf(uintptr_t method, uintptr_t address) const;

 private:
  uint32_t Pick(uint32_t least, uint32_t most) {
    return least + static_cast<uint32_t>((*random_)() % (most - least + 1));
  }
  void FillWithStaleWords(size_t begin, size_t end);
  uintptr_t PutFragment(uint64_t tagged_quick_frame, uintptr_t link, uintptr_t shadow);
  uintptr_t AnyMethod(bool is_native);
  uintptr_t ShadowFragment(uintptr_t link);
  uintptr_t QuickFragment(uintptr_t link);

  // A method that nterp runs, or that is compiled, and its frames.
  struct Managed {
    uintptr_t method;
    uint32_t bytes;          // of a frame
    uintptr_t pc;            // where callees return to
    uint32_t nterp_at;       // where a frame of nterp keeps {dex pc, previous}; 0: compiled
    uintptr_t instructions;  // of nterp
    uintptr_t description;
    size_t description_bytes;
    bool is_elsewhere = false;  // compiled anew since: its entry point is another code
  };
  struct ManagedFrame {
    uintptr_t frame;
    Managed managed;
  };
  void MakeDexFile();
  void MakeNterpMethods();
  void MakeCompiledMethods();
  void CompileAgain(uintptr_t method, uintptr_t area,
                    const testbed::quick_code::CodeDescription& description);
  std::vector<Managed> PickCallers(uint32_t least);
  void Fill(uintptr_t frame, const Managed& managed);
  void FillAll(uintptr_t frame, const std::vector<Managed>& callers);
  void RunManagedCode(uintptr_t link);

  std::mt19937_64* random_;
  std::unique_ptr<walk::ArtImage> image_;
  std::vector<uintptr_t> methods_;
  std::vector<uintptr_t> natives_;
  std::vector<Managed> managed_;
  std::vector<uintptr_t> truth_;
  std::vector<uint64_t> structures_;
  uintptr_t dex_data_ = 0;
  uintptr_t code_begin_ = 0;
  uintptr_t code_end_ = 0;
  size_t stack_offset_;  // of the lowest quick frame so far
  arch::UnwindRegisters registers_ = {};
  bool is_running_ = false;
  std::vector<ManagedFrame> frames_;
  Trouble trouble_ = Trouble::kNone;
};

}  // namespace stillframe::fault
