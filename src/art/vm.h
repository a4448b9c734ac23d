// SPDX-License-Identifier: Apache-2.0
// The process's VM and an attached thread, as types for folders that may not name JNI types.
// Context: any thread
#pragma once

#include <jni.h>

#include <cstdint>

#include "src/art/jni_method.h"
#include "src/art/runtime_probe.h"

namespace stillframe::art {

// Access of one thread to the VM. Valid on that thread while HasVm().
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

  // exists() of the result is false without a VM, or before it has fully started.
  static Vm FindStarted() { return Vm(FindStartedVm()); }
  // Waits until the VM has started, at most `timeout_ms`.
  static Vm AwaitStarted(uint32_t timeout_ms);

  bool exists() const { return vm_ != nullptr; }
  JavaVM* get() const { return vm_; }

  // Attaches the calling thread as a daemon; the result is empty if the VM refuses.
  AttachedThread AttachThread(const char* name) const {
    JavaVMAttachArgs arguments = {JNI_VERSION_1_6, const_cast<char*>(name), nullptr};
    void* env = nullptr;
    return AttachedThread(AttachAsDaemon(vm_, &env, &arguments) ? static_cast<JNIEnv*>(env)
                                                                : nullptr);
  }

  // Detaches a thread that AttachThread attached.
  void DetachThread() const { vm_->DetachCurrentThread(); }

  // The calling thread; empty if it is not attached.
  AttachedThread CurrentThread() const {
    void* env = nullptr;
    return AttachedThread(vm_->GetEnv(&env, JNI_VERSION_1_6) == JNI_OK ? static_cast<JNIEnv*>(env)
                                                                       : nullptr);
  }

 private:
  JavaVM* vm_ = nullptr;
};

}  // namespace stillframe::art
