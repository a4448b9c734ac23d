// SPDX-License-Identifier: Apache-2.0
// Fields are those of AOSP 8-14, libcore: java/lang/{Thread,Class,String}.java and
// java/util/concurrent/{FutureTask,locks/AbstractOwnableSynchronizer}.java. Thread.join and
// Thread.sleep both wait on the thread's lock. LockSupport.park stores its reason in
// Thread.parkBlocker. opeer is the third word after jni_env in art::Thread (8.0 to 16
// runtime/thread.h).
// runtime/thread.h).
#include "src/art/wait_reader.h"

#include <algorithm>

#include "arch/arch.h"
#include "src/art/field_offset.h"
#include "src/art/monitor_owner.h"
#include "src/art/runtime_probe.h"
#include "src/names/dex_file.h"
#include "src/walk/method_check.h"

namespace stillframe::art {
namespace {

using arch::GuardedLoad32;
using model::ThreadState;
using model::WaitKind;

constexpr uint32_t kPeerAfterEnv = 3 * sizeof(uintptr_t);
constexpr int kMaxSuperClasses = 16;
constexpr uint32_t kMaxNameBytes = 120;
// runtime/mirror/string.h: the count is shifted; if its bit 0 is clear, characters are bytes. The
// hash is between count and characters.
constexpr uint32_t kCharactersAfterCount = 8;

}  // namespace

WaitReader::Field WaitReader::FindField(JNIEnv* env, framework::Field row) const {
  Field found;
  env->PushLocalFrame(2);
  jclass type = env->FindClass(row.owner);
  const jfieldID id = env->ExceptionCheck() ? nullptr : IdOf(env, type, row);
  env->ExceptionClear();
  env->PopLocalFrame(nullptr);
  if (id == nullptr || !LoadFieldOffset(id, &found.offset) ||
      !GuardedLoad32(PointerOfId(id) + kFieldClass, &found.type) ||
      !walk::WalkIsClass(*facts_->layout, found.type))
    return {};
  return found;
}

void WaitReader::Find(const walk::RuntimeFacts& facts, const ThreadList& list, JNIEnv* env) {
  facts_ = &facts;
  list_ = &list;
  thread_lock_ = FindField(env, framework::kThreadLock);
  thread_name_ = FindField(env, framework::kThreadName);
  park_blocker_ = FindField(env, framework::kParkBlocker);
  native_peer_ = FindField(env, framework::kNativePeer);
  owner_ = FindField(env, framework::kExclusiveOwner);
  runner_ = FindField(env, framework::kFutureRunner);
  super_class_ = FindField(env, framework::kSuperClass);
  dex_type_index_ = FindField(env, framework::kDexTypeIndex);
  clinit_thread_ = FindField(env, framework::kClinitThread);
  string_count_ = FindField(env, framework::kStringCount);
  const uintptr_t self = RuntimeThreadOf(*facts.layout, env);
  is_known_ = native_peer_.offset != 0 && list.is_proved() && PeerOf(self) != 0;
}

// A peer counts only if it leads back to the thread.
uint32_t WaitReader::PeerOf(uintptr_t thread) const {
  uintptr_t peer = 0;
  uint64_t back = 0;
  const uint32_t env_at = facts_->managed_stack + facts_->layout->managed_stack_before_env;
  return walk::LoadPointer(thread + env_at + kPeerAfterEnv, &peer) && peer <= UINT32_MAX &&
                 peer != 0 && arch::GuardedLoad64(peer + native_peer_.offset, &back) &&
                 back == thread
             ? static_cast<uint32_t>(peer)
             : 0;
}

int32_t WaitReader::TidOf(uint32_t java_thread) const {
  uint64_t address = 0;
  RuntimeThread thread;
  if (java_thread == 0 || !arch::GuardedLoad64(java_thread + native_peer_.offset, &address))
    return 0;
  thread.address = static_cast<uintptr_t>(address);
  return list_->LoadTid(thread.address, &thread.tid) && list_->IsStill(thread) ? thread.tid : 0;
}

bool WaitReader::IsA(uint32_t object, const Field& of) const {
  uint32_t type = LoadReference(object, facts_->layout->object_class);
  for (int i = 0; i < kMaxSuperClasses && type != 0 && of.type != 0; ++i) {
    if (type == of.type) return true;
    type = LoadReference(type, super_class_.offset);
  }
  return false;
}

std::string WaitReader::ClassNameOf(uint32_t object) const {
  return NameOfClass(LoadReference(object, facts_->layout->object_class));
}

std::string WaitReader::NameOfClass(uint32_t type) const {
  const walk::Layout& layout = *facts_->layout;
  uint32_t index = 0;
  uint64_t dex_file = 0;
  names::DexPlace dex;
  std::string descriptor;
  if (dex_type_index_.offset == 0 || !walk::WalkIsClass(layout, type) ||
      !GuardedLoad32(type + dex_type_index_.offset, &index) ||
      !arch::GuardedLoad64(LoadReference(type, layout.class_dex_cache) + layout.dex_cache_dex_file,
                           &dex_file) ||
      !names::LoadDexPlace(layout, static_cast<uintptr_t>(dex_file), &dex))
    return {};
  const names::DexFileReader reader(dex.begin, dex.size, dex.data);
  return reader.IsDex() && reader.TypeDescriptor(index, &descriptor)
             ? names::ClassNameOf(descriptor)
             : std::string();
}

int32_t WaitReader::ThreadOfLock(uint32_t lock, const std::vector<RuntimeThread>& threads) {
  if (joined_by_.empty()) {
    for (const RuntimeThread& thread : threads)
      if (const uint32_t its = LoadReference(PeerOf(thread.address), thread_lock_.offset))
        joined_by_[its] = thread.tid;
  }
  const auto found = joined_by_.find(lock);
  return found == joined_by_.end() ? 0 : found->second;
}

// A thread that waits for another one to initialise a class waits on the class. Its state is that
// of Object.wait without a timeout (AOSP 8-16, runtime/class_linker.cc, WaitForInitializeClass).
bool WaitReader::DescribeClass(const RuntimeThread& thread,
                               const std::vector<RuntimeThread>& threads, Wait* wait) const {
  uint32_t tid = 0;
  if (clinit_thread_.offset == 0 || !walk::WalkIsClass(*facts_->layout, wait->object) ||
      !GuardedLoad32(wait->object + clinit_thread_.offset, &tid))
    return false;
  const auto initialises = static_cast<int32_t>(tid);
  if (initialises == 0 || initialises == thread.tid ||
      std::ranges::find(threads, initialises, &RuntimeThread::tid) == threads.end())
    return false;
  wait->kind = WaitKind::kClassInit;
  wait->tid = initialises;
  return true;
}

// Describes the object on which the thread waits or parks.
void WaitReader::DescribeObject(const RuntimeThread& thread,
                                const std::vector<RuntimeThread>& threads, Wait* wait) {
  const auto by_thread = [wait](WaitKind kind, int32_t tid) {
    if (tid != 0) wait->kind = kind;
    wait->tid = tid;
  };
  if (IsA(wait->object, owner_)) {
    by_thread(WaitKind::kSynchronizer, TidOf(LoadReference(wait->object, owner_.offset)));
  } else if (IsA(wait->object, runner_)) {
    wait->kind = WaitKind::kFuture;  // also a future without a running thread yet
    wait->tid = TidOf(LoadReference(wait->object, runner_.offset));
  } else if (wait->kind == WaitKind::kObject) {
    const int32_t tid = IsA(wait->object, native_peer_) ? TidOf(wait->object)
                        : thread_lock_.offset != 0      ? ThreadOfLock(wait->object, threads)
                                                        : 0;
    if (tid == thread.tid)
      *wait = {};  // sleeps on its own lock
    else
      by_thread(WaitKind::kJoin, tid);
  }
}

Wait WaitReader::Read(const RuntimeThread& thread, ThreadState state,
                      const std::vector<RuntimeThread>& threads) {
  Wait wait;
  if (state == ThreadState::kBlocked) {
    wait.kind = WaitKind::kMonitor;
    wait.object = static_cast<uint32_t>(MonitorEntered(*facts_, thread.address));
    wait.tid = MonitorOwner(*facts_, thread.address);
    if (wait.object == 0) return {};
  } else if (state == ThreadState::kWaiting || state == ThreadState::kTimedWaiting) {
    wait.object = static_cast<uint32_t>(
        MonitorWaitedOn(*facts_, thread.address, list_->thread_bytes(), &wait_monitor_));
    wait.kind = wait.object != 0 ? WaitKind::kObject : WaitKind::kPark;
    if (wait.object == 0 && is_known_ && park_blocker_.offset != 0)
      wait.object = LoadReference(PeerOf(thread.address), park_blocker_.offset);
    if (wait.object == 0) return {};
    const bool is_for_class = is_known_ && state == ThreadState::kWaiting &&
                              wait.kind == WaitKind::kObject &&
                              DescribeClass(thread, threads, &wait);
    if (is_known_ && !is_for_class) DescribeObject(thread, threads, &wait);
  }
  if (wait.object != 0)
    wait.class_name =
        wait.kind == WaitKind::kClassInit ? NameOfClass(wait.object) : ClassNameOf(wait.object);
  return wait;
}

std::string WaitReader::NameOf(const RuntimeThread& thread) const {
  std::string name;
  uint32_t count = 0;
  if (!is_known_ || thread_name_.offset == 0 || string_count_.offset == 0) return {};
  const uint32_t text = LoadReference(PeerOf(thread.address), thread_name_.offset);
  const uint32_t at = text + string_count_.offset;
  if (text == 0 || !GuardedLoad32(at, &count) || count % 2 != 0) return {};
  for (uint32_t i = 0; i < count / 2 && i < kMaxNameBytes; ++i) {
    uint8_t letter = 0;
    if (!arch::GuardedLoad8(at + kCharactersAfterCount + i, &letter) || letter < ' ' ||
        letter > '~')
      return {};
    name.push_back(static_cast<char>(letter));
  }
  return name;
}

}  // namespace stillframe::art
