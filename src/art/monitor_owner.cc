// SPDX-License-Identifier: Apache-2.0
// These structures are the same in ART 8.0 to 16, except for offsets in Monitor and Runtime, which
// are searched:
//   runtime/thread.h          tls_ptr_sized_values: monitor_enter_object is the ninth word after
//                             jni_env; tls_32bit_sized_values: tid within the first words
//   runtime/mirror/object.h   klass_, then the lock word
//   runtime/lock_word.h       two bits of state on top, 1 is a fat lock; 28 bits of the monitor's
//   id runtime/monitor_pool.h    64 bit: monitor_chunks_ comes first, eight lists of up to 256 << 7
//                             chunks of 4096 bytes; an id counts 8 bytes. 32 bit: an id counts 16
//                             bytes of the address itself
//   runtime/monitor.h         owner_, lock_count_ (32 bits) and obj_ (32 bits) lie together
#include "src/art/monitor_owner.h"

#include "arch/arch.h"

namespace stillframe::art {
namespace {

using arch::GuardedLoad32;

constexpr uint32_t kWord = sizeof(uintptr_t);
constexpr uint32_t kEnteredAfterEnv = 9 * kWord;
constexpr uint32_t kLockWord = 4;
constexpr uint32_t kFatState = 1;
constexpr uint32_t kMonitorIdMask = 0x0fffffff;
constexpr uint32_t kChunkBytes = 4096;
constexpr uint32_t kChunksPerList = 256 << 7;

// Bytes to search.
constexpr uint32_t kMonitorBytes = 256;
constexpr uint32_t kRuntimeBytes = 4096;
constexpr uint32_t kThreadFirstBytes = 64;

uint32_t EnvInThread(const walk::RuntimeFacts& facts) {
  return facts.managed_stack + facts.layout->managed_stack_before_env;
}

// The id of the monitor of `object`; false: it has none.
bool LoadMonitorId(uintptr_t object, uint32_t* id) {
  uint32_t lock_word = 0;
  if (object == 0 || object % 8 != 0 || !GuardedLoad32(object + kLockWord, &lock_word) ||
      lock_word >> 30 != kFatState)
    return false;
  *id = lock_word & kMonitorIdMask;
  return true;
}

// `chunks`: MonitorPool's lists of chunks; unused with 4-byte pointers.
bool LoadMonitor(uintptr_t chunks, uint32_t id, uintptr_t* monitor) {
  if constexpr (kWord == 4) {
    *monitor = static_cast<uintptr_t>(id) << 4;
    return true;
  }
  const uint32_t offset = id * 8;
  const uint32_t chunk = offset / kChunkBytes;
  uintptr_t list = 0;
  uintptr_t base = 0;
  if (!walk::LoadPointer(chunks + chunk / kChunksPerList * kWord, &list) ||
      !walk::LoadPointer(list + chunk % kChunksPerList * kWord, &base) || base == 0)
    return false;
  *monitor = base + offset % kChunkBytes;
  return true;
}

// The monitor's owner, if the monitor belongs to `object`.
bool LoadOwner(uintptr_t monitor, uint32_t owner_at, uintptr_t object, uintptr_t* owner) {
  uint32_t locked = 0;
  return GuardedLoad32(monitor + owner_at + kWord + 4, &locked) && locked == object &&
         walk::LoadPointer(monitor + owner_at, owner) && *owner != 0;
}

bool FindOwnerField(uintptr_t monitor, uintptr_t object, uintptr_t self, uint32_t* owner_at) {
  for (uint32_t at = 0; at < kMonitorBytes; at += kWord) {
    uintptr_t owner = 0;
    if (LoadOwner(monitor, at, object, &owner) && owner == self) {
      *owner_at = at;
      return true;
    }
  }
  return false;
}

// With 8-byte pointers, a monitor's id is resolved through Runtime::monitor_pool_, a pointer at an
// unknown offset in Runtime.
bool FindMonitors(uintptr_t runtime, uint32_t id, uintptr_t object, uintptr_t self,
                  walk::MonitorFacts* found) {
  uintptr_t monitor = 0;
  if constexpr (kWord == 4)
    return LoadMonitor(0, id, &monitor) && FindOwnerField(monitor, object, self, &found->owner);
  for (uint32_t at = 0; at < kRuntimeBytes; at += kWord) {
    uintptr_t pool = 0;
    if (!walk::LoadPointer(runtime + at, &pool)) return false;
    if (pool != 0 && pool % kWord == 0 && LoadMonitor(pool, id, &monitor) &&
        FindOwnerField(monitor, object, self, &found->owner)) {
      found->chunks = pool;
      return true;
    }
  }
  return false;
}

// The monitor's object. Succeeds only if the object leads back, which proves that this is a
// monitor.
bool LoadObject(const walk::MonitorFacts& monitors, uintptr_t monitor, uintptr_t* object) {
  uint32_t address = 0;
  uint32_t id = 0;
  uintptr_t back = 0;
  if (!GuardedLoad32(monitor + monitors.owner + kWord + 4, &address) ||
      !LoadMonitorId(address, &id) || !LoadMonitor(monitors.chunks, id, &back) || back != monitor)
    return false;
  *object = address;
  return true;
}

bool FindTid(uintptr_t thread, uint32_t tid, uint32_t* tid_at) {
  for (uint32_t at = 4; at < kThreadFirstBytes; at += 4) {
    uint32_t word = 0;
    if (GuardedLoad32(thread + at, &word) && word == tid) {
      *tid_at = at;
      return true;
    }
  }
  return false;
}

}  // namespace

bool ProbeMonitors(uintptr_t runtime, uintptr_t self, int32_t tid, uintptr_t object,
                   walk::RuntimeFacts* facts) {
  walk::MonitorFacts found;
  uint32_t id = 0;
  if (!FindTid(self, static_cast<uint32_t>(tid), &found.tid) || !LoadMonitorId(object, &id) ||
      !FindMonitors(runtime, id, object, self, &found))
    return false;
  found.are_known = true;
  facts->monitors = found;
  return true;
}

uintptr_t MonitorEntered(const walk::RuntimeFacts& facts, uintptr_t thread) {
  uintptr_t object = 0;
  return walk::LoadPointer(thread + EnvInThread(facts) + kEnteredAfterEnv, &object) ? object : 0;
}

// wait_monitor_ is the only field of a thread that points to a monitor (runtime/thread.h).
uintptr_t MonitorWaitedOn(const walk::RuntimeFacts& facts, uintptr_t thread, uint32_t thread_bytes,
                          uint32_t* wait_at) {
  const walk::MonitorFacts& monitors = facts.monitors;
  if (!monitors.are_known) return 0;
  const bool is_found = *wait_at != 0;
  const uint32_t begin = is_found ? *wait_at : EnvInThread(facts) + kEnteredAfterEnv + kWord;
  const uint32_t end = is_found ? begin + kWord : thread_bytes;
  for (uint32_t at = begin; at + kWord <= end; at += kWord) {
    uintptr_t monitor = 0;
    uintptr_t object = 0;
    if (!walk::LoadPointer(thread + at, &monitor)) return 0;
    if (monitor != 0 && monitor % kWord == 0 && LoadObject(monitors, monitor, &object)) {
      *wait_at = at;
      return object;
    }
  }
  return 0;
}

int32_t MonitorOwner(const walk::RuntimeFacts& facts, uintptr_t thread) {
  const walk::MonitorFacts& monitors = facts.monitors;
  const uint32_t env_at = EnvInThread(facts);
  uintptr_t object = 0;
  uint32_t id = 0;
  uintptr_t monitor = 0;
  uintptr_t owner = 0;
  if (!monitors.are_known || !walk::LoadPointer(thread + env_at + kEnteredAfterEnv, &object) ||
      !LoadMonitorId(object, &id) || !LoadMonitor(monitors.chunks, id, &monitor) ||
      !LoadOwner(monitor, monitors.owner, object, &owner))
    return 0;
  // The owner may have ended since.
  uintptr_t env = 0;
  uintptr_t self = 0;
  uint32_t tid = 0;
  if (!walk::LoadPointer(owner + env_at, &env) ||
      !walk::LoadPointer(env + facts.layout->env_self, &self) || self != owner ||
      !GuardedLoad32(owner + monitors.tid, &tid))
    return 0;
  return static_cast<int32_t>(tid);
}

}  // namespace stillframe::art
