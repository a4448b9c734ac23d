// SPDX-License-Identifier: Apache-2.0
// The runtime's list of threads, in memory laid out as thread_list.cc says; the threads are tasks
// of this process, the first of them the caller.
#pragma once

#include <jni.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "src/art/thread_list.h"
#include "src/walk/layout.h"

namespace stillframe::art {

// A task that does something, which may be nothing, and then waits until it is let go.
class Task {
 public:
  explicit Task(std::function<void()> work = [] {})
      : work_(std::move(work)), thread_([this] { Run(); }) {
    while (tid_ == 0) std::this_thread::yield();
  }
  ~Task() {
    go_ = true;
    go_.notify_one();
    thread_.join();
  }
  int32_t tid() const { return tid_; }
  uintptr_t stack_low() const { return low_; }
  uintptr_t stack_bytes() const { return bytes_; }

  // The calling thread's stack.
  static void LoadOwnStack(uintptr_t* low, size_t* bytes) {
    pthread_attr_t attributes;
    void* begin = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &begin, bytes);
    pthread_attr_destroy(&attributes);
    *low = reinterpret_cast<uintptr_t>(begin);
  }

 private:
  void Run() {
    LoadOwnStack(&low_, &bytes_);
    tid_ = gettid();
    work_();
    go_.wait(false);
  }

  std::function<void()> work_;
  uintptr_t low_ = 0;
  size_t bytes_ = 0;
  std::atomic<bool> go_{false};
  std::atomic<int32_t> tid_{0};
  std::thread thread_;
};

// For fixtures to derive from.
class ThreadImage {
 protected:
  using Block = std::unique_ptr<uintptr_t[]>;
  static constexpr size_t kWords = 512;
  static constexpr size_t kTidAt = 16;         // of art::Thread
  static constexpr size_t kEnvAt = 1024;       // of art::Thread
  static constexpr size_t kThreadListAt = 77;  // in words, of the runtime
  static constexpr size_t kHeadAt = 33;        // in words, of the thread list

  ThreadImage() {
    facts_.layout = &layout_;
    facts_.managed_stack = kEnvAt - layout_.managed_stack_before_env;
    size_t bytes = 0;
    Task::LoadOwnStack(&low_, &bytes);
    high_ = low_ + bytes;
    self_ = AddThread(gettid());
    // stack_begin is moved up by a page that stack_size still counts.
    PutStack(self_, low_ + 4096, bytes);
    Put(AddressOf(vm_.get()) + layout_.vm_runtime, AddressOf(runtime_.get()));
    runtime_[kThreadListAt] = AddressOf(thread_list_.get());
    runtime_[kThreadListAt - 1] = AddressOf(vm_.get());  // no list is in there
  }

  static uintptr_t AddressOf(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }
  static void Put(uintptr_t address, uintptr_t word) {
    *reinterpret_cast<uintptr_t*>(address) = word;
  }
  static Block NewBlock() { return std::make_unique<uintptr_t[]>(kWords); }

  uintptr_t AddThread(int32_t tid) {
    blocks_.push_back(NewBlock());
    const uintptr_t thread = AddressOf(blocks_.back().get());
    blocks_.push_back(NewBlock());
    const uintptr_t env = AddressOf(blocks_.back().get());
    *reinterpret_cast<int32_t*>(thread + kTidAt) = tid;
    Put(thread + kEnvAt, env);
    Put(env + layout_.env_self, thread);
    threads_.push_back(thread);
    return thread;
  }
  uintptr_t AddThread(const Task& task) {
    const uintptr_t thread = AddThread(task.tid());
    PutStack(thread, task.stack_low() + 4096, task.stack_bytes());
    return thread;
  }
  static void PutStack(uintptr_t thread, uintptr_t begin, uintptr_t bytes) {
    Put(thread + kEnvAt + 5 * sizeof(uintptr_t), begin);
    Put(thread + kEnvAt + 6 * sizeof(uintptr_t), bytes);
  }

  // All threads into the circle, as libstdc++ links it.
  void Link() {
    const uintptr_t head = AddressOf(&thread_list_[kHeadAt]);
    std::vector<uintptr_t> nodes = {head};
    for (const uintptr_t thread : threads_) {
      blocks_.push_back(NewBlock());
      blocks_.back()[2] = thread;
      nodes.push_back(AddressOf(blocks_.back().get()));
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      const uintptr_t next = nodes[(i + 1) % nodes.size()];
      Put(nodes[i], next);
      Put(next + sizeof(uintptr_t), nodes[i]);
    }
    thread_list_[kHeadAt + 2] = threads_.size();
  }

  JNIEnv* env() const {
    return reinterpret_cast<JNIEnv*>(*reinterpret_cast<uintptr_t*>(self_ + kEnvAt));
  }
  bool Prove() {
    Link();
    return list_.Prove(facts_, reinterpret_cast<JavaVM*>(vm_.get()), env()).ok();
  }

  const walk::Layout& layout_ = walk::KnownLayouts().rows[0];
  walk::RuntimeFacts facts_;
  std::vector<Block> blocks_;
  std::vector<uintptr_t> threads_;
  Block vm_ = NewBlock();
  Block runtime_ = NewBlock();
  Block thread_list_ = NewBlock();
  uintptr_t low_ = 0;
  uintptr_t high_ = 0;
  uintptr_t self_ = 0;
  ThreadList list_;
};

}  // namespace stillframe::art
