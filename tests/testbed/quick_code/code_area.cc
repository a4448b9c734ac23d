// SPDX-License-Identifier: Apache-2.0
#include "tests/testbed/quick_code/code_area.h"

#include <sys/mman.h>

#include <cstring>

namespace testbed::quick_code {
namespace {

constexpr size_t kCodeAlignment = 16;

// ART 14: the one word of the header is this bit and the distance from CodeInfo to the code.
constexpr uint32_t kIsCodeInfo = 0x40000000;

std::vector<uint32_t> EncodeHeader(int release, uint32_t code_info_distance, uint32_t code_bytes) {
  if (release >= 14) return {kIsCodeInfo | code_info_distance};
  return {code_info_distance, code_bytes};
}

}  // namespace

CodeArea::CodeArea(size_t bytes) : bytes_(bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) memory_ = static_cast<uint8_t*>(memory);
}

uintptr_t CodeArea::Place(int release, const CodeDescription& description,
                          const std::vector<uint8_t>& code) {
  const std::vector<uint8_t> info = EncodeCodeInfo(release, description);
  const size_t header_words = EncodeHeader(release, 0, 0).size();
  const size_t before_code = info.size() + header_words * sizeof(uint32_t);
  const size_t start = (used_ + before_code + kCodeAlignment - 1) & ~(kCodeAlignment - 1);
  if (memory_ == nullptr || start + code.size() > bytes_) return 0;
  uint8_t* const at = memory_ + start;
  const std::vector<uint32_t> header =
      EncodeHeader(release, static_cast<uint32_t>(before_code), static_cast<uint32_t>(code.size()));
  memcpy(at - before_code, info.data(), info.size());
  memcpy(at - header_words * sizeof(uint32_t), header.data(), header_words * sizeof(uint32_t));
  memcpy(at, code.data(), code.size());
  used_ = start + code.size();
  return reinterpret_cast<uintptr_t>(at);
}

bool CodeArea::Seal() {
  __builtin___clear_cache(reinterpret_cast<char*>(memory_),
                          reinterpret_cast<char*>(memory_ + bytes_));
  return mprotect(memory_, bytes_, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace testbed::quick_code
