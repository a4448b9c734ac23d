// SPDX-License-Identifier: Apache-2.0
// Facts of the runtime that the walk needs, for natives of tests.
// Context: any thread that is attached to the runtime
#pragma once

#include <jni.h>

#include <cstdio>
#include <cstring>

#include "src/art/runtime_probe.h"
#include "src/os/proc.h"
#include "src/walk/walk.h"

namespace stillframe::process_test {

// The row of a release of ART, "11"; null: there is none.
inline const walk::Layout* LayoutOf(JNIEnv* env, jstring release) {
  const char* name = env->GetStringUTFChars(release, nullptr);
  const walk::LayoutTable table = walk::KnownLayouts();
  const walk::Layout* found = nullptr;
  for (uint32_t i = 0; i < table.count; ++i)
    if (strcmp(table.rows[i].release, name) == 0) found = &table.rows[i];
  env->ReleaseStringUTFChars(release, name);
  return found;
}

// By the class `probe`, which declares neverCalled(), and where the native method that asks returns
// to. False: standard error says why.
inline bool FindFacts(JNIEnv* env, const walk::Layout& layout, jclass probe,
                      const void* return_address, walk::RuntimeFacts* facts) {
  JavaVM* vm = nullptr;
  if (env->GetJavaVM(&vm) != JNI_OK) return false;
  const model::Outcome probed = art::ProbeRuntime(layout, vm, env, facts);
  if (!probed.ok()) {
    fprintf(stderr, "facts of the runtime: %s\n", probed.why.c_str());
    return false;
  }
  art::ProbeCode(art::MethodOf(env, probe, env->GetMethodID(probe, "<init>", "()V")),
                 art::MethodOf(env, probe, env->GetMethodID(probe, "neverCalled", "()V")), facts);
  art::ProbeGenericJni(reinterpret_cast<uintptr_t>(return_address) - 1, facts);
  const os::AddressRange stack = os::MainStack();
  facts->stack_low = stack.begin;
  facts->stack_high = stack.end;
  return true;
}

}  // namespace stillframe::process_test
