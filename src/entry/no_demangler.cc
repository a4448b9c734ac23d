// SPDX-License-Identifier: Apache-2.0
// Replaces the C++ library's demangler, which costs 40 KB (GNU) or 100 KB (LLVM). The
// terminate handler calls it to print an uncaught exception's type; this library throws none. Only
// in the shared library (CMakeLists.txt).
// Context: any thread
#include <cxxabi.h>

namespace __cxxabiv1 {

extern "C" char* __cxa_demangle(const char*, char*, size_t*, int* status) {
  constexpr int kNoMemory = -1;  // Itanium C++ ABI, 3.4
  if (status != nullptr) *status = kNoMemory;
  return nullptr;
}

}  // namespace __cxxabiv1
