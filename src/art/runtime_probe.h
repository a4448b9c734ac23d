// SPDX-License-Identifier: Apache-2.0
// Finds the runtime of this process: its structures, its build, and the watched thread's stack.
// Context: start-up only
#pragma once

#include <jni.h>

#include <string>

#include "src/model/outcome.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::art {

// The VM of this process; null: none, or not fully started. ART starts its Signal Catcher once
// thread groups exist, and only then may a thread attach (ART 11 runtime/runtime.cc, Start).
JavaVM* FindStartedVm();

// Whether this process has a VM, started or not. After DestroyJavaVM neither JavaVM* nor JNIEnv*
// may be used. Remaining risk: a VM being destroyed at this moment is not noticed.
// Context: any thread
bool HasVm();

// Whether a runtime has started whose library is unreadable, such as one for another CPU.
// Context: any thread
bool HasForeignRuntime();

// art::Thread* of the thread that owns `env`; 0: unreadable.
uintptr_t RuntimeThreadOf(const walk::Layout& layout, JNIEnv* env);

// Fills all facts but the stack bounds for one layout, or reports the mismatch.
model::Outcome ProbeRuntime(const walk::Layout& layout, JavaVM* vm, JNIEnv* env,
                            walk::RuntimeFacts* facts);

// ArtMethod* of a non-static method of `type`; 0: not found.
uintptr_t MethodOf(JNIEnv* env, jclass type, jmethodID id);

// Finds the runtime's own code by two methods of a class outside all images. A method with dex code
// shows nterp; a non-static native one shows the stub of native methods. A static one may keep the
// resolution stub long after its class is initialised, on CPUs that reorder stores (ART 14
// runtime/class_linker.cc, MarkClassInitialized). Call after the class is initialised. Either may
// be 0.
void ProbeCode(uintptr_t interpreted, uintptr_t native, walk::RuntimeFacts* facts);

// Finds the stub of native methods by an address inside: the return address of a native method that
// Java called, minus one. While ART 8 to 13 traces methods, a native method's entry point is
// another stub. Changes nothing if that code is not the runtime's own.
void ProbeGenericJni(uintptr_t inside, walk::RuntimeFacts* facts);

// Whether the process is debuggable, by dalvik.system.VMRuntime (AOSP 8 to 16, libcore/libart);
// false if that is unavailable.
bool IsDebuggable(JNIEnv* env);

// One word for the properties of this process that can change the self-check's result on one build.
// These are: whether method ids are indices, the entry point of interpreted methods, and
// debuggability.
std::string RuntimeKind(JNIEnv* env, jclass self_check);

// Build id, in hex, of the library with the VM's functions; empty: none.
std::string RuntimeBuildId(JavaVM* vm);
// Build id, in hex, of the loaded library that contains `address`; "": none.
std::string BuildIdOfLibraryAt(uintptr_t address);
// The same for the library that contains this code.
std::string OwnBuildId();

}  // namespace stillframe::art
