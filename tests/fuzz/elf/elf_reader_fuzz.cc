// SPDX-License-Identifier: Apache-2.0
// Drives the ELF reader with any bytes, as a file and as a mapped image. Answers must be numbers,
// reads must stay inside, and the work must be bounded.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "src/elf/elf_reader.h"

namespace stillframe::elf {
namespace {

class FuzzedBytes final : public ByteSource {
 public:
  FuzzedBytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  bool Read(uint64_t at, void* to, size_t bytes) const override {
    if (++reads_ > kMaxReads) std::abort();
    if (at > size_ || bytes > size_ - at) return false;
    memcpy(to, data_ + at, bytes);
    return true;
  }

 private:
  // The bounds of the reader: .symtab's symbols with their names in each of 4096 sections would be
  // more, but not within the largest input.
  static constexpr uint64_t kMaxReads = 50'000'000;

  const uint8_t* data_;
  size_t size_;
  mutable uint64_t reads_ = 0;
};

}  // namespace
}  // namespace stillframe::elf

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::elf;
  const FuzzedBytes bytes(data, size);
  for (const uintptr_t mapped_at : {uintptr_t{0}, uintptr_t{0x7000'0000}}) {
    ElfReader reader(bytes, mapped_at);
    if (!reader.Open()) continue;
    std::string names[4];
    const ElfReader::NamedPlace places[] = {
        {0, &names[0]}, {0x1000, &names[1]}, {0x1110, &names[2]}, {UINT64_MAX, &names[3]}};
    reader.NameByDynamic(places);
    static_cast<void>(reader.BuildId());
    static_cast<void>(reader.Soname());
    for (const char* name : {"SfFixtureAnswer", "SfFixtureHidden", "none"}) {
      static_cast<void>(reader.FindDynamic(name));
      static_cast<void>(reader.FindInSymtab(name));
    }
  }
  return 0;
}
