// SPDX-License-Identifier: Apache-2.0
// Follows art::DexFile to its OatDexFile, to the OatFile, to that file's vector of OatDexFiles.
// Their offsets depend on the size of the C++ library's strings, so each member is recognised by
// its target (ART 14 libdexfile/dex/dex_file.h, oat_dex_file_; runtime/oat_file.h, OatDexFile
// {oat_file_, .., dex_file_pointer_} and OatFile::oat_dex_files_storage_).
#include "src/names/oat_dex_files.h"

#include <algorithm>
#include <vector>

#include "src/names/pointer_vector.h"

namespace stillframe::names {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kDexFileWords = 40;
constexpr uintptr_t kOatDexFileWords = 16;
constexpr uintptr_t kOatFileWords = 48;
constexpr uintptr_t kMaxFiles = 512;

// Offsets in a dex file's header (source.android.com, "Dalvik executable format", header_item; the
// same in a compact one, libdexfile/dex/compact_dex_file.h).
constexpr uintptr_t kFileSizeAt = 32;
constexpr uintptr_t kDataOffsetAt = 108;

// Offset in an OatDexFile of the pointer to its dex file; 0: it belongs to another file.
uintptr_t PointerAt(uintptr_t oat_dex_file, uintptr_t dex_begin) {
  for (uintptr_t i = 1; i < kOatDexFileWords; ++i) {
    uintptr_t word = 0;
    if (!walk::LoadPointer(oat_dex_file + i * kWord, &word)) return 0;
    if (word == dex_begin) return i * kWord;
  }
  return 0;
}

// The file's place by its header. In a standard file all offsets are relative to its begin.
bool ReadPlace(uintptr_t begin, DexPlace* place) {
  uint32_t bytes = 0;
  uint32_t data = 0;
  if (!arch::GuardedLoad32(begin + kFileSizeAt, &bytes) ||
      !arch::GuardedLoad32(begin + kDataOffsetAt, &data))
    return false;
  *place = {begin, bytes, begin, DexId(begin)};
  if (!DexFileReader(begin, bytes, begin).IsStandard()) place->data = begin + data;
  return DexFileReader(begin, bytes, place->data).IsDex();
}

// Element `index` of the vector at `at`. 0: not the vector, i.e. an element is of another oat file,
// or `known` is missing.
uintptr_t ElementAt(uintptr_t at, uintptr_t oat_file, uintptr_t known, uint32_t index) {
  std::vector<uintptr_t> elements;
  if (!ReadPointerVector(at, kMaxFiles, &elements) || index >= elements.size()) return 0;
  const auto belongs = [oat_file](uintptr_t element) {
    uintptr_t owner = 0;
    return walk::LoadPointer(element, &owner) && owner == oat_file;
  };
  const bool is_it = std::ranges::all_of(elements, belongs) &&
                     std::ranges::find(elements, known) != elements.end();
  return is_it ? elements[index] : 0;
}

}  // namespace

bool FindOatDexFile(const walk::Layout& layout, uintptr_t dex_file, uint32_t index,
                    DexPlace* place) {
  DexPlace own;
  if (!LoadDexPlace(layout, dex_file, &own)) return false;
  for (uintptr_t i = 1; i < kDexFileWords; ++i) {
    uintptr_t known = 0;
    uintptr_t oat_file = 0;
    if (!walk::LoadPointer(dex_file + i * kWord, &known) || known % kWord != 0 ||
        !walk::LoadPointer(known, &oat_file) || oat_file == 0 || oat_file % kWord != 0)
      continue;
    const uintptr_t pointer_at = PointerAt(known, own.begin);
    for (uintptr_t word = 1; pointer_at != 0 && word < kOatFileWords; ++word) {
      const uintptr_t found = ElementAt(oat_file + word * kWord, oat_file, known, index);
      uintptr_t begin = 0;
      if (found != 0 && walk::LoadPointer(found + pointer_at, &begin))
        return ReadPlace(begin, place);
    }
  }
  return false;
}

}  // namespace stillframe::names
