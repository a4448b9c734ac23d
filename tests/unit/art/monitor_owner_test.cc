// SPDX-License-Identifier: Apache-2.0
// Owners of monitors, over memory laid out as ART 8.0 to 16 lay it out; see monitor_owner.cc for
// the declarations.
#include "src/art/monitor_owner.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/walk/art_image.h"

namespace stillframe::art {
namespace {

constexpr uint32_t kWord = sizeof(uintptr_t);
constexpr uint32_t kEnvAt = 256;
constexpr uint32_t kTidAt = 20;
constexpr uint32_t kPoolAt = 712;
constexpr uint32_t kOwnerAt = 64;
constexpr uint32_t kMarkBit = 1U << 29;
constexpr int32_t kSelfTid = 4711;
constexpr int32_t kOwnerTid = 4712;

class MonitorOwnerTest : public testing::Test {
 protected:
  MonitorOwnerTest() {
    image_.facts().managed_stack = kEnvAt - layout_.managed_stack_before_env;
    self_ = Thread(kSelfTid);
    holder_ = Thread(kOwnerTid);
    waiter_ = Thread(4713);
    pool_ = image_.Allocate(128);
    list_ = image_.Allocate(64 * kWord);
    chunk_ = image_.Allocate(8192);
    chunk_ = (chunk_ + 4095) / 4096 * 4096;
    image_.PutPointer(pool_, list_);
    image_.PutPointer(list_ + 3 * kWord, chunk_);  // three chunks that are not used before it
    runtime_ = image_.Allocate(8192);
    image_.PutPointer(runtime_ + 64, waiter_);  // leads to no monitor
    image_.PutPointer(runtime_ + kPoolAt, pool_);
    known_ = Object(5, self_);
    object_ = Object(9, holder_);
    Wait(object_);
  }

  uintptr_t Thread(int32_t tid) {
    const uintptr_t thread = image_.Allocate(1024);
    const uintptr_t env = image_.Allocate(64);
    image_.Put32(thread + kTidAt, static_cast<uint32_t>(tid));
    image_.PutPointer(thread + kEnvAt, env);
    image_.PutPointer(env + layout_.env_self, thread);
    return thread;
  }
  uintptr_t MonitorAt(uint32_t number) const { return chunk_ + number * 160; }
  // An object with the monitor of that number, which `owner` holds.
  uintptr_t Object(uint32_t number, uintptr_t owner) {
    const uintptr_t object = image_.Allocate(16);
    const uint32_t id =
        kWord == 4 ? static_cast<uint32_t>(MonitorAt(number) >> 4) : (3 * 4096 + number * 160) / 8;
    SetLockWord(object, 1U << 30 | kMarkBit | id);
    image_.PutPointer(MonitorAt(number) + kOwnerAt, owner);
    image_.Put32(MonitorAt(number) + kOwnerAt + kWord, 2);  // lock_count_
    image_.Put32(MonitorAt(number) + kOwnerAt + kWord + 4, static_cast<uint32_t>(object));
    return object;
  }
  void SetLockWord(uintptr_t object, uint32_t word) { image_.Put32(object + 4, word); }
  void Wait(uintptr_t object) { image_.PutPointer(waiter_ + kEnvAt + 9 * kWord, object); }
  bool Probe() { return ProbeMonitors(runtime_, self_, kSelfTid, known_, &image_.facts()); }
  int32_t Owner() const { return MonitorOwner(image_.facts(), waiter_); }

  const walk::Layout& layout_ = walk::KnownLayouts().rows[0];
  mutable walk::ArtImage image_{layout_};
  uintptr_t self_ = 0;
  uintptr_t holder_ = 0;
  uintptr_t waiter_ = 0;
  uintptr_t pool_ = 0;
  uintptr_t list_ = 0;
  uintptr_t chunk_ = 0;
  uintptr_t runtime_ = 0;
  uintptr_t known_ = 0;
  uintptr_t object_ = 0;
};

TEST_F(MonitorOwnerTest, TheOwnerIsInTheObjectsMonitor) {
  ASSERT_TRUE(Probe());
  EXPECT_EQ(image_.facts().monitors.owner, kOwnerAt);
  EXPECT_EQ(image_.facts().monitors.tid, kTidAt);
  EXPECT_EQ(image_.facts().monitors.chunks, kWord == 8 ? pool_ : 0);
  EXPECT_EQ(Owner(), kOwnerTid);
}

TEST_F(MonitorOwnerTest, NobodyIsTheOwnerBeforeTheProbe) { EXPECT_EQ(Owner(), 0); }

TEST_F(MonitorOwnerTest, TheProbeRefusesWhatIsNotAsExpected) {
  image_.PutPointer(MonitorAt(5) + kOwnerAt, holder_);
  EXPECT_FALSE(Probe()) << "held by another thread";
  image_.PutPointer(MonitorAt(5) + kOwnerAt, self_);
  image_.Put32(MonitorAt(5) + kOwnerAt + kWord + 4, static_cast<uint32_t>(object_));
  EXPECT_FALSE(Probe()) << "the monitor of another object";
  image_.Put32(MonitorAt(5) + kOwnerAt + kWord + 4, static_cast<uint32_t>(known_));
  SetLockWord(known_, kSelfTid);
  EXPECT_FALSE(Probe()) << "a thin lock";
  EXPECT_FALSE(ProbeMonitors(runtime_, self_, kSelfTid + 7, known_, &image_.facts()));
  EXPECT_FALSE(ProbeMonitors(0x10, 0x10, kSelfTid, 0x10, &image_.facts()));
  EXPECT_FALSE(image_.facts().monitors.are_known);
}

TEST_F(MonitorOwnerTest, ALockWordWithoutAMonitorHasNoOwner) {
  ASSERT_TRUE(Probe());
  for (const uint32_t word : {0U, 7U | 1U << 16, 2U << 30 | 0x1234, 3U << 30 | 0x1234, kMarkBit}) {
    SetLockWord(object_, word);
    EXPECT_EQ(Owner(), 0) << word;
  }
}

TEST_F(MonitorOwnerTest, WhatDoesNotPointBackIsNotBelieved) {
  ASSERT_TRUE(Probe());
  for (const uintptr_t object : {uintptr_t{0}, uintptr_t{0x10}, object_ + 4, image_.stack()}) {
    Wait(object);
    EXPECT_EQ(Owner(), 0);
  }
  Wait(object_);
  for (const uintptr_t owner : {uintptr_t{0}, uintptr_t{0x10}, object_, chunk_}) {
    image_.PutPointer(MonitorAt(9) + kOwnerAt, owner);
    EXPECT_EQ(Owner(), 0) << "no thread, or one that has ended";
  }
  image_.PutPointer(MonitorAt(9) + kOwnerAt, holder_);
  EXPECT_EQ(Owner(), kOwnerTid);
  image_.Put32(MonitorAt(9) + kOwnerAt + kWord + 4, static_cast<uint32_t>(known_));
  EXPECT_EQ(Owner(), 0) << "used for another object since";
}

TEST_F(MonitorOwnerTest, AnyLockWordIsReadWithoutAFault) {
  ASSERT_TRUE(Probe());
  uint32_t word = 1;
  for (int i = 0; i < 100'000; ++i) {
    word = word * 1664525U + 1013904223U;
    SetLockWord(object_, word);
    const int32_t owner = Owner();
    EXPECT_TRUE(owner == 0 || owner == kOwnerTid) << word;
  }
}

}  // namespace
}  // namespace stillframe::art
