// SPDX-License-Identifier: Apache-2.0
// Searches what the runtime points to for a vector of dex files that begins with Object's: the
// class linker's boot_class_path_ (ART 14 runtime/class_linker.h).
#include "src/art/boot_class_path.h"

#include <vector>

#include "src/art/dex_file.h"
#include "src/art/runtime_probe.h"
#include "src/walk/method_code.h"

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

// A std::vector at `at`, of both C++ libraries: {begin, end, end of the room}.
bool ReadFiles(const walk::Layout& layout, uintptr_t at, uintptr_t first,
               std::vector<uintptr_t>* files) {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t room = 0;
  uintptr_t file = 0;
  if (!walk::LoadPointer(at, &begin) || !walk::LoadPointer(at + kWord, &end) ||
      !walk::LoadPointer(at + 2 * kWord, &room) || begin >= end || end > room ||
      (end - begin) % kWord != 0 || (end - begin) / kWord > kMaxFiles ||
      !walk::LoadPointer(begin, &file) || file != first)
    return false;
  files->clear();
  for (; begin != end; begin += kWord) {
    if (!walk::LoadPointer(begin, &file) || !IsDexFile(layout, file)) return false;
    files->push_back(file);
  }
  return true;
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
