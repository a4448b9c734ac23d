// SPDX-License-Identifier: Apache-2.0
// Searches what the runtime points to for a vector of dex files that begins with Object's: the
// class linker's boot_class_path_ (ART 14 runtime/class_linker.h).
#include "src/art/boot_class_path.h"

#include <algorithm>
#include <vector>

#include "src/art/dex_file.h"
#include "src/art/pointer_vector.h"
#include "src/art/runtime_probe.h"

namespace stillframe::art {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
// Of art::Runtime, and of what it points to; the vector is the class linker's first member.
constexpr uintptr_t kRuntimeWords = 512;
constexpr uintptr_t kLinkerWords = 4;
constexpr uintptr_t kMaxFiles = 512;

// Never destroyed: what names are made of reads it until the process ends.
std::vector<uintptr_t>& BootDexFiles() {
  static auto& files = *new std::vector<uintptr_t>;
  return files;
}

bool IsDexFile(const walk::Layout& layout, uintptr_t file) {
  DexPlace place;
  return LoadDexPlace(layout, file, &place) &&
         DexFileReader(place.begin, place.size, place.data).IsDex();
}

// The vector at `at`, if all of it are dex files and `first` is the first.
bool ReadFiles(const walk::Layout& layout, uintptr_t at, uintptr_t first,
               std::vector<uintptr_t>* files) {
  return ReadPointerVector(at, kMaxFiles, files) && files->front() == first &&
         std::ranges::all_of(
             *files, [&](uintptr_t file) { return IsDexFile(layout, file); });
}

uintptr_t DexFileOfObject(JNIEnv* env, const walk::Layout& layout) {
  jclass object = env->FindClass("java/lang/Object");
  if (object == nullptr) return 0;
  const uintptr_t method = MethodOf(env, object, env->GetMethodID(object, "<init>", "()V"));
  env->DeleteLocalRef(object);
  uintptr_t file = 0;
  return walk::LoadDexFilePointer(layout, method, &file) ? file : 0;
}

}  // namespace

void ProbeBootClassPath(JNIEnv* env, uintptr_t runtime, walk::RuntimeFacts* facts) {
  const walk::Layout& layout = *facts->layout;
  if (layout.code_info != walk::CodeInfoForm::k14) return;
  const uintptr_t first = DexFileOfObject(env, layout);
  std::vector<uintptr_t>& files = BootDexFiles();
  for (uintptr_t i = 0; first != 0 && files.empty() && i < kRuntimeWords; ++i) {
    uintptr_t linker = 0;
    std::vector<uintptr_t> found;
    if (!walk::LoadPointer(runtime + i * kWord, &linker) || linker % kWord != 0) continue;
    for (uintptr_t word = 0; linker != 0 && word < kLinkerWords; ++word) {
      if (!ReadFiles(layout, linker + word * kWord, first, &found)) continue;
      files = found;
      break;
    }
  }
  facts->boot_dex_files = files.data();
  facts->boot_dex_file_count = static_cast<uint32_t>(files.size());
}

}  // namespace stillframe::art
