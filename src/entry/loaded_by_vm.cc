// SPDX-License-Identifier: Apache-2.0
// Entry points that the VM calls. JNI_OnLoad (System.loadLibrary) starts nothing. The two entries
// of an agent start the profiler with options (docs/getting-started.md).
// Context: a Java thread; Agent_OnLoad: the thread that creates the VM, before it has started
#include <jni.h>

#include "src/collector/process.h"
#include "src/entry/java_facade.h"
#include "src/os/log.h"

namespace collector = stillframe::collector;

namespace {

// An agent that returns an error ends the process. So errors are logged, and the profiler stays off
// (AOSP 8 to 16, runtime/ti/agent.cc and runtime.cc).
jint StartAsAgent(const char* options) {
  if (options != nullptr) collector::ConfigureByOptions(options);
  collector::StartInProcess();
  return JNI_OK;
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const bool has_facade = stillframe::entry::BindFacade(static_cast<JNIEnv*>(env));
  if (!collector::IsStarted())
    stillframe::os::Log("loaded, not started: %s starts it",
                        has_facade ? "Stillframe.start()" : "stillframe_start()");
  return JNI_VERSION_1_6;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM*, char* options, void*) { return StartAsAgent(options); }

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM*, char* options, void*) {
  return StartAsAgent(options);
}

}  // extern "C"
