// SPDX-License-Identifier: Apache-2.0
// Two faults of Debian's ART 14 (14.0.0+r15-4+b1), both from building with other options and
// another library than Android does.
//
// 1. ClassLinker::LinkMethodsHelper::LinkVirtualMethods (runtime/class_linker.cc) puts two
// BitVectors over memory from
//    alloca and relies on -ftrivial-auto-var-init=zero, which GCC 12's build lacks: vtables get
//    random holes. Only these two places use the constructor that takes storage, so it is replaced
//    by one that clears the storage.
// 2. ArtMethod::InvokeStatic (runtime/art_method-inl.h) passes data() and sizeof of a
// std::array<uint32_t, 0>: with
//    libstdc++ null and 1, and the invoke stub copies one byte from null. The size becomes 0 at
//    each of these calls.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "repairs/machine_code.h"
#include "repairs/repairs.h"

namespace stillframe::testbed {
namespace {

constexpr char kBitVectorConstructor[] = "_ZN3art9BitVectorC1EbPNS_9AllocatorEjPj";
constexpr char kBitVectorTable[] = "_ZTVN3art9BitVectorE";
constexpr char kInvoke[] = "_ZN3art9ArtMethod6InvokeEPNS_6ThreadEPjjPNS_6JValueEPKc";
// InvokeStatic without arguments: Daemons.stop, Daemons.start and getSystemClassLoader in
// runtime/runtime.cc, lookup in runtime/mirror/method_handles_lookup.cc.
constexpr size_t kInvokeCalls = 4;

// libartbase/base/bit_vector.h
struct BitVector {
  const void* table;
  uint32_t* storage;
  uint32_t storage_words;
  void* allocator;
  bool expandable;
};

const void* bit_vector_methods = nullptr;

void ConstructBitVector(BitVector* self, bool expandable, void* allocator, uint32_t storage_words,
                        uint32_t* storage) {
  std::memset(storage, 0, sizeof(uint32_t) * storage_words);
  *self = {bit_vector_methods, storage, storage_words, allocator, expandable};
}

struct Code {
  unsigned char* begin = nullptr;
  unsigned char* end = nullptr;
};

struct CodeSearch {
  uintptr_t inside;
  Code found;
};

// The executable segment that contains an address.
Code CodeAround(const void* address) {
  CodeSearch search = {reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* object, size_t, void* data) {
        auto* wanted = static_cast<CodeSearch*>(data);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = object->dlpi_phdr[i];
          const uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 &&
              wanted->inside - begin < segment.p_memsz) {
            wanted->found = {reinterpret_cast<unsigned char*>(begin),
                             reinterpret_cast<unsigned char*>(begin + segment.p_memsz)};
            return 1;
          }
        }
        return 0;
      },
      &search);
  return search.found;
}

bool Protect(const Code& code, int protection) {
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(code.begin) & ~(page - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(code.end);
  return mprotect(reinterpret_cast<void*>(begin), end - begin, protection) == 0;
}

size_t RepairInvokeCalls(const Code& code, const void* invoke) {
  size_t count = 0;
  for (unsigned char* at = code.begin; at + kInvokeCallBytes <= code.end; at += kCodeAlignment) {
    if (IsInvokeOfOneByteAtNull(at, invoke)) {
      PassNoArguments(at);
      ++count;
    }
  }
  return count;
}

}  // namespace

bool RepairArt(std::string* problem) {
  auto* constructor = static_cast<unsigned char*>(dlsym(RTLD_DEFAULT, kBitVectorConstructor));
  const auto* table = static_cast<const void* const*>(dlsym(RTLD_DEFAULT, kBitVectorTable));
  const void* invoke = dlsym(RTLD_DEFAULT, kInvoke);
  if (constructor == nullptr || table == nullptr || invoke == nullptr) {
    *problem = "this ART 14 lacks the symbols that its repairs need";
    return false;
  }
  const Code code = CodeAround(invoke);
  if (code.begin == nullptr || !Protect(code, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    *problem = "the code of ART 14 cannot be changed";
    return false;
  }
  bit_vector_methods = table + 2;  // After the offset to the top and the type information.
  WriteJump(constructor, reinterpret_cast<const void*>(ConstructBitVector));
  const size_t calls = RepairInvokeCalls(code, invoke);
  __builtin___clear_cache(reinterpret_cast<char*>(code.begin), reinterpret_cast<char*>(code.end));
  Protect(code, PROT_READ | PROT_EXEC);
  if (calls != kInvokeCalls) {
    *problem = "this ART 14 has " + std::to_string(calls) +
               " calls of Invoke with one byte at null; " + std::to_string(kInvokeCalls) +
               " were expected";
    return false;
  }
  return true;
}

}  // namespace stillframe::testbed
