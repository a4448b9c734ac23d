// SPDX-License-Identifier: Apache-2.0
// The process's VM, and a thread that is attached to it, for folders that name no JNI type and only
// pass both on.
// Context: any thread
#pragma once

#include <jni.h>

#include <cstdint>

#include "src/art/jni_method.h"
#include "src/art/runtime_probe.h"

namespace stillframe::art {

// A thread's right to enter the VM. Valid on that thread, as long as HasVm().
class AttachedThread {
 public:
  AttachedThread() = default;
  explicit AttachedThread(JNIEnv* env) : env_(env) {}

  bool is_attached() const { return env_ != nullptr; }
  JNIEnv* env() const { return env_; }

 private:
  JNIEnv* env_ = nullptr;
};

class Vm {
 public:
  Vm() = default;
  explicit Vm(JavaVM* vm) : vm_(vm) {}

  // Does not exist while there is none, or while it has not finished starting.
  static Vm FindStarted() { return Vm(FindStartedVm()); }
  // As soon as it exists; at most this long.
  static Vm AwaitStarted(uint32_t timeout_ms);

  bool exists() const { return vm_ != nullptr; }
  JavaVM* get() const { return vm_; }

  // Attaches the calling thread as a daemon; not attached when the VM refuses.
  AttachedThread AttachThread(const char* name) const {
    JavaVMAttachArgs arguments = {JNI_VERSION_1_6, const_cast<char*>(name), nullptr};
    void* env = nullptr;
    return AttachedThread(AttachAsDaemon(vm_, &env, &arguments) ? static_cast<JNIEnv*>(env)
                                                                : nullptr);
  }

  // A thread that AttachThread attached leaves the VM.
  void DetachThread() const { vm_->DetachCurrentThread(); }

  // The calling thread, if it is attached already.
  AttachedThread CurrentThread() const {
    void* env = nullptr;
    return AttachedThread(vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK ? static_cast<JNIEnv*>(env)
                                                                       : nullptr);
  }

 private:
  JavaVM* vm_ = nullptr;
};

}  // namespace stillframe::art
