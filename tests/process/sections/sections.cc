// SPDX-License-Identifier: Apache-2.0
// Natives of Sections.java, and the path from the runtime's own sections to libcutils. On a device
// libartpalette has that path; in Debian's libart it is built in and empty. x86-64 only.
// Context: any thread
#include <dlfcn.h>
#include <jni.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include <stillframe/profiler.h>

#include "tests/process/sections/trace.h"

namespace {

constexpr uint64_t kDalvik = 1U << 14;
constexpr uint64_t kApp = 1U << 12;

bool IsOn(uint64_t tag) {
  return (__atomic_load_n(&atrace_enabled_tags, __ATOMIC_RELAXED) & tag) != 0;
}

// As in AOSP's palette_android.cc.
int32_t Begin(const char* name) {
  if (IsOn(kDalvik)) atrace_begin_body(name);
  return 0;
}

int32_t End() {
  if (IsOn(kDalvik)) atrace_end_body();
  return 0;
}

int32_t Value(const char* name, int32_t value) {
  if (IsOn(kDalvik)) atrace_int64_body(name, value);
  return 0;
}

int32_t EnabledInWord(int32_t* enabled) {  // ART 10 and 11
  *enabled = IsOn(kDalvik) ? 1 : 0;
  return 0;
}

int32_t EnabledInByte(bool* enabled) {
  *enabled = IsOn(kDalvik);
  return 0;
}

// mov $target, %rax; jmp *%rax
struct [[gnu::packed]] Jump {
  uint8_t mov[2] = {0x48, 0xB8};
  uint64_t target = 0;
  uint8_t jmp[2] = {0xFF, 0xE0};
};

void Lead(void* from, uintptr_t target) {
  constexpr uintptr_t kPageBytes = 4096;
  const uintptr_t page = reinterpret_cast<uintptr_t>(from) & ~(kPageBytes - 1);
  if (mprotect(reinterpret_cast<void*>(page), 2 * kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC) !=
      0)
    abort();
  Jump jump;
  jump.target = target;
  memcpy(from, &jump, sizeof jump);
  mprotect(reinterpret_cast<void*>(page), 2 * kPageBytes, PROT_READ | PROT_EXEC);
}

[[gnu::constructor]] void LeadHere() {
  const auto at = [](const char* name) { return dlsym(RTLD_NEXT, name); };
  void* enabled = at("PaletteTraceEnabled");
  if (enabled == nullptr) return;
  // movb $0, (%rdi) where it is a bool, among the first instructions
  constexpr uint8_t kStoreByte[] = {0xC6, 0x07, 0x00};
  const bool is_byte = memmem(enabled, 16, kStoreByte, sizeof kStoreByte) != nullptr;
  Lead(enabled, is_byte ? reinterpret_cast<uintptr_t>(&EnabledInByte)
                        : reinterpret_cast<uintptr_t>(&EnabledInWord));
  Lead(at("PaletteTraceBegin"), reinterpret_cast<uintptr_t>(&Begin));
  Lead(at("PaletteTraceEnd"), reinterpret_cast<uintptr_t>(&End));
  Lead(at("PaletteTraceIntegerValue"), reinterpret_cast<uintptr_t>(&Value));
}

class Text {
 public:
  Text(JNIEnv* env, jstring text)
      : env_(env), text_(text), chars_(env->GetStringUTFChars(text, nullptr)) {}
  ~Text() { env_->ReleaseStringUTFChars(text_, chars_); }
  const char* get() const { return chars_; }

 private:
  JNIEnv* env_;
  jstring text_;
  const char* chars_;
};

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_Sections_awaitProfiler(JNIEnv*, jclass) { stillframe_wait(60'000); }
JNIEXPORT void JNICALL Java_Sections_begin(JNIEnv* env, jclass, jstring name) {
  if (IsOn(kApp)) atrace_begin_body(Text(env, name).get());
}
JNIEXPORT void JNICALL Java_Sections_end(JNIEnv*, jclass) {
  if (IsOn(kApp)) atrace_end_body();
}
JNIEXPORT void JNICALL Java_Sections_asyncBegin(JNIEnv* env, jclass, jstring name, jint cookie) {
  if (!IsOn(kApp)) return;
  atrace_async_begin_body(Text(env, name).get(), cookie);
  atrace_async_for_track_begin_body("a track", Text(env, name).get(), cookie + 1);
}
JNIEXPORT void JNICALL Java_Sections_asyncEnd(JNIEnv* env, jclass, jstring name, jint cookie) {
  if (!IsOn(kApp)) return;
  atrace_async_end_body(Text(env, name).get(), cookie);
  atrace_async_for_track_end_body("a track", cookie + 1);
}
JNIEXPORT void JNICALL Java_Sections_counter(JNIEnv* env, jclass, jstring name, jlong value) {
  if (!IsOn(kApp)) return;
  atrace_int64_body(Text(env, name).get(), value);
  atrace_instant_body(Text(env, name).get());
}
JNIEXPORT jlong JNICALL Java_Sections_tags(JNIEnv*, jclass) {
  return static_cast<jlong>(__atomic_load_n(&atrace_enabled_tags, __ATOMIC_RELAXED));
}
JNIEXPORT void JNICALL Java_Sections_setTags(JNIEnv*, jclass, jlong tags) {
  __atomic_store_n(&atrace_enabled_tags, static_cast<uint64_t>(tags), __ATOMIC_RELAXED);
}
JNIEXPORT jint JNICALL Java_Sections_stop(JNIEnv*, jclass) { return stillframe_stop(); }
JNIEXPORT jint JNICALL Java_Sections_start(JNIEnv*, jclass) { return stillframe_start(); }

}  // extern "C"
