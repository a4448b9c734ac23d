// SPDX-License-Identifier: Apache-2.0
// Waits in native code for NativeWaits.java, and says what the functions on the stack return to.
// Context: threads of the test
#include <dlfcn.h>
#include <jni.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>

#include "tests/process/native_waits/chain.h"
#include "tests/testbed/native/register_natives.h"

namespace {

using native_waits::Truth;

constexpr int kChains = 4;
constexpr const char* kNames[kChains] = {"plain", "pointer", "room", "bare"};
constexpr long (*kOuters[kChains])(Truth*, int) = {sf_plain_outer, sf_pointer_outer, sf_room_outer,
                                                   sf_bare_outer};
int g_pipe[2];

// Waits in a chain until Release is called.
void Wait(JNIEnv*, jclass, jint chain) {
  Truth truth;
  const long tid = syscall(SYS_gettid);
  std::thread teller([&truth, tid, chain] {
    while (!truth.is_ready.load(std::memory_order_acquire)) std::this_thread::yield();
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(kOuters[chain]), &info) == 0) return;
    std::string line = "truth " + std::to_string(tid) + " " + kNames[chain];
    // The outermost function's caller is the runtime's.
    for (int i = Truth::kFunctions - 1; i > 0; --i) {
      char text[32];
      snprintf(text, sizeof text, " %llx",
               static_cast<unsigned long long>(truth.return_addresses[i] -
                                               reinterpret_cast<uintptr_t>(info.dli_fbase)));
      line += text;
    }
    puts(line.c_str());
    fflush(stdout);
  });
  // The thread that tells is not waited for before: its library would be on the stack.
  teller.detach();
  kOuters[chain](&truth, g_pipe[0]);
}

void Release(JNIEnv*, jclass, jint waits) {
  for (int i = 0; i < waits; ++i)
    if (write(g_pipe[1], "x", 1) != 1) return;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using testbed::Native;
  JNIEnv* env = nullptr;
  if (pipe(g_pipe) != 0 || vm->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_6) != JNI_OK)
    return JNI_ERR;
  const bool registered = testbed::RegisterNatives(
      env, "NativeWaits", {Native("wait", "(I)V", Wait), Native("release", "(I)V", Release)});
  return registered ? JNI_VERSION_1_6 : JNI_ERR;
}
