// SPDX-License-Identifier: Apache-2.0
// Native code of the process: its libraries, and frames of C and C++ in them.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::model {

// A library that was loaded when the dump was taken, or the program itself.
struct Module {
  std::string path;      // of its file, or "[vdso]"; "base.apk!libapp.so" for one inside an archive
  std::string build_id;  // hex of its note; "" when it has none
  uint64_t begin = 0;    // addresses in the process
  uint64_t end = 0;
  uint64_t bias = 0;  // address in the process minus address as the file counts
};

struct NativeFrame {
  uint32_t module = 0;   // index into Dump::modules plus one; 0: code of no library
  uint64_t address = 0;  // as the library's file counts, of the instruction that runs, or of the
                         // last byte of the call; without a library as the process counts
  std::string symbol;    // as the library's dynamic symbols have it; "" when none holds the address
  std::string place;     // "file:line", by symbol files of the host; "" when it is not known
  bool is_inlined = false;  // into the frame that follows, which has the same address
};

}  // namespace stillframe::model
