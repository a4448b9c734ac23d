// SPDX-License-Identifier: Apache-2.0
// Drives the readers of symbols, lines and .gnu_debugdata with any bytes as a library's file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>

#include "src/native/file_symbols.h"
#include "tools/stillframe/naming/symbol_file.h"

namespace {

// A file in memory that is gone with this.
class FuzzedFile {
 public:
  FuzzedFile(const uint8_t* data, size_t size) : descriptor_(memfd_create("fuzzed", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, data, size) != static_cast<ssize_t>(size))
      std::abort();
  }
  ~FuzzedFile() { close(descriptor_); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr uint64_t kAddresses[] = {0, 0x1000, 0x1110, 0x1119, 0x2000, UINT64_MAX};
  const FuzzedFile file(data, size);
  if (const auto symbols = stillframe::naming::SymbolFile::Open(file.path(), ""))
    for (const uint64_t address : kAddresses) static_cast<void>(symbols->PlacesOf(address));
  static stillframe::native::FileSymbols device;
  static const bool has_libelf = device.Open();
  if (!has_libelf) return 0;
  std::string names[std::size(kAddresses)];
  stillframe::native::FileSymbols::Place places[std::size(kAddresses)];
  for (size_t i = 0; i < std::size(kAddresses); ++i) places[i] = {kAddresses[i], &names[i]};
  device.Name(file.path(), "", places);
  return 0;
}
