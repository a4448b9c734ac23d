// SPDX-License-Identifier: Apache-2.0
// Finds the runtime of this process: its structures, its build, the stack of the thread to watch.
// Context: start-up only
#pragma once

#include <jni.h>

#include <string>

#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// The VM of this process; null while there is none or it has not finished starting: ART starts its
// Signal Catcher when thread groups exist, and only then may a thread attach (ART 11
// runtime/runtime.cc, Start).
JavaVM* FindStartedVm();

// Whether this process has a VM, started or not. After DestroyJavaVM it has none, and neither
// JavaVM* nor JNIEnv* may be used; a VM that is destroyed at this very moment is not noticed.
// Context: any thread
bool HasVm();

// Whether a runtime has started whose library cannot be read, such as one of another CPU.
// Context: any thread
bool HasForeignRuntime();

// art::Thread* of the thread that owns `env`; 0 when it cannot be read.
uintptr_t RuntimeThreadOf(const walk::Layout& layout, JNIEnv* env);

// Fills everything but the stack bounds for one layout, or says what did not fit.
model::Outcome ProbeRuntime(const walk::Layout& layout, JavaVM* vm, JNIEnv* env,
                            walk::RuntimeFacts* facts);

// ArtMethod* of a method of `type` that is not static; 0 when it cannot be found.
uintptr_t MethodOf(JNIEnv* env, jclass type, jmethodID id);

// Adds where the runtime's own code lies, as far as two methods of a class that no image holds
// show it: nterp from a method with dex code, the stub of native methods from a native one that is
// not static. A static one may have the resolution stub long after its class is initialised, on
// CPUs that reorder stores (ART 14 runtime/class_linker.cc, MarkClassInitialized).
// Call when the class is initialised. Either may be 0.
void ProbeCode(uintptr_t interpreted, uintptr_t native, walk::RuntimeFacts* facts);

// The stub of native methods, by an address in it: what a native method that Java called returns
// to, less one. While ART 8 to 13 traces methods, the entry point of a native one is another stub.
// Nothing changes where the code there is not the runtime's own.
void ProbeGenericJni(uintptr_t inside, walk::RuntimeFacts* facts);

// Whether the process is debuggable, by dalvik.system.VMRuntime (AOSP 8 to 16, libcore/libart); no
// where it does not say so.
bool IsDebuggable(JNIEnv* env);

// In one word, what of this process can make the self-check come out otherwise on the same build:
// whether method ids are indices, where interpreted methods enter, whether it is debuggable.
std::string RuntimeKind(JNIEnv* env, jclass self_check);

// Hex build id of the library that holds the VM's functions; empty when it has none.
std::string RuntimeBuildId(JavaVM* vm);

}  // namespace stillframe::art
