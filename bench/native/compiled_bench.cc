// SPDX-License-Identifier: Apache-2.0
// Puts hand-assembled compiled methods under the sampled stack.
#include "bench/native/compiled_bench.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "bench/native/rows.h"
#include "bench/native/sampler_under_test.h"
#include "tests/testbed/quick_code/code_area.h"
#include "tests/testbed/quick_code/compiled_method.h"

namespace bench {
namespace {

using testbed::quick_code::CallSite;
using testbed::quick_code::CodeArea;
using testbed::quick_code::FrameShape;

// libdexfile/dex/modifiers.h of 10 and 11: the interpreter calls such a method without checking its
// entry point.
constexpr uint32_t kFastInterpreterInvoke = 0x40000000;

// A jmethodID is the ArtMethod* (ART 11 and 14 runtime/jni/jni_internal.h, JniIdType::kPointer).
uint64_t MethodOf(JNIEnv* env, jclass type, const char* name, const char* signature) {
  const jmethodID id = env->GetStaticMethodID(type, name, signature);
  if (id == nullptr) Fail(std::string("no method ") + name);
  return reinterpret_cast<uint64_t>(id);
}

template <typename T>
T& At(uint64_t address) {
  return *reinterpret_cast<T*>(address);
}

}  // namespace

void InstallCompiled(JNIEnv* env, jclass natives, jclass compiled) {
  const stillframe::walk::Layout& layout = *SamplerUnderTest::Get().facts().layout;
  const int release = atoi(layout.release);
  const uint64_t methods[] = {MethodOf(env, compiled, "even", "(II)V"),
                              MethodOf(env, compiled, "odd", "(II)V")};
  const CallSite end = {MethodOf(env, natives, "measureSamples", "(IZ)V"), 0, {}};
  static CodeArea area(4096);
  if (!area.IsOpen()) Fail("no memory for code");
  uintptr_t entries[2] = {};
  for (int i = 0; i < 2; ++i) {
    const FrameShape shape = {i == 0 ? 0U : 40U, i != 0};
    const auto method = testbed::quick_code::CompileDescent(shape, {methods[1 - i], 0, {}}, end,
                                                            layout.method_entry_point);
    entries[i] = area.Place(release, method.description, method.code);
    if (entries[i] == 0) Fail("no room for code");
  }
  if (!area.Seal()) Fail("code cannot be made executable");
  for (int i = 0; i < 2; ++i) {
    At<uint64_t>(methods[i] + layout.method_entry_point) = entries[i];
    if (release < 12)
      At<uint32_t>(methods[i] + layout.method_access_flags) &= ~kFastInterpreterInvoke;
  }
}

}  // namespace bench
