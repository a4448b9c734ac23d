// A managed stack as ART leaves it, of random shape, whose truth is known.
// Context: tests only
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "tests/unit/art/art_image.h"

namespace stillframe::fault {

class SyntheticStack {
 public:
  SyntheticStack(const art::Layout& layout, std::mt19937_64* random);

  // The methods of the stack, innermost first.
  const std::vector<uintptr_t>& truth() const { return truth_; }
  bool HasMethod(uintptr_t address) const;
  // Addresses of methods, frames and fragments, sorted.
  const std::vector<uint64_t>& structures() const { return structures_; }
  art::ArtImage& image() { return *image_; }
  const arch::Registers& registers() const { return registers_; }

 private:
  uint32_t Pick(uint32_t least, uint32_t most) {
    return least + static_cast<uint32_t>((*random_)() % (most - least + 1));
  }
  void FillWithStaleWords(size_t begin, size_t end);
  uintptr_t PutFragment(uint64_t tagged_quick_frame, uintptr_t link, uintptr_t shadow);
  uintptr_t AnyMethod(bool is_native);
  uintptr_t ShadowFragment(uintptr_t link);
  uintptr_t QuickFragment(uintptr_t link);

  std::mt19937_64* random_;
  std::unique_ptr<art::ArtImage> image_;
  std::vector<uintptr_t> methods_;
  std::vector<uintptr_t> natives_;
  std::vector<uintptr_t> truth_;
  std::vector<uint64_t> structures_;
  size_t stack_offset_;  // of the lowest quick frame so far
  arch::Registers registers_ = {};
};

}  // namespace stillframe::fault
