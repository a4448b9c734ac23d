// SPDX-License-Identifier: Apache-2.0
// What a process tells `stillframe live` of its messages while they happen, version 3: enough, with
// token.h, to write a watcher for it without the rest of the sources.
//
// With STILLFRAME_LIVE=1 the process listens on a SOCK_STREAM socket of the abstract name
// kSocketPrefix and its pid in decimal (`adb forward tcp:0 localabstract:NAME` reaches it). It
// takes one watcher at a time, of its own user or root, where the process is debuggable also of the
// user of adb's shell; others find the connection closed. The stream is packets without anything
// between them: a Packet, its three names and its stack, whose sizes it has; UTF-8 as the runtime
// had it, not checked. A stack has its innermost frame first, each with its line feed, as many as
// fit. Integers are those of the machine. What the watcher does not take in time is dropped by
// whole packets, and counted; what STILLFRAME_OMIT names is not sent.
#pragma once

#include <cstddef>
#include <cstdint>

#include <stillframe/token.h>

namespace stillframe::live {

constexpr char kSocketPrefix[] = "stillframe-live-";
constexpr uint32_t kMagic = 0x4C46'5333;  // another number: another version
constexpr size_t kMaxNameBytes = 160;
constexpr size_t kMaxStackBytes = 2'048;

enum class Kind : uint8_t {
  kProcess = 1,   // the first packet: token is the pid, start_ns now, work_ns from where a message
                  // is slow; its first name is the process's
  kMessage = 2,   // one message that ended and was not quick
  kQuickRun = 3,  // `messages` consecutive quick ones; identity is the last one's
  kIdle = 4,      // a pause of work_ns
  kRunning = 5,   // of each Looper five times a second: the message that runs, token 0 for none;
                  // of the main one, if it is slow, with the stack of its newest sample
  kOpenRun = 6,   // likewise: quick messages that are not handed over yet
  kSegment = 7,   // the thread was in no message, nor in its poll; the callback is its method
};

struct alignas(8) Packet {
  uint32_t magic = kMagic;
  uint32_t dropped = 0;  // packets before this one
  Token token = Token::kNone;
  uint64_t start_ns = 0;  // CLOCK_MONOTONIC
  uint64_t work_ns = 0;   // wall time; of a run the sum of its messages
  int64_t cpu_ns = -1;    // -1 is unknown, here and below
  int64_t wait_ns = -1;   // start minus Message.when
  uint64_t messages = 0;
  int32_t what = 0;
  uint32_t flags = 0;  // dump::kMessage*
  uint32_t samples = 0;
  Kind kind = Kind::kProcess;
  uint8_t looper = 0;                 // 0 is the main one
  uint8_t name_bytes[3] = {0, 0, 0};  // thread (of kProcess: the process), target, callback
  uint8_t reserved = 0;
  uint16_t stack_bytes = 0;
};
static_assert(sizeof(Packet) == 80);

constexpr size_t kMaxPacketBytes = sizeof(Packet) + 3 * kMaxNameBytes + kMaxStackBytes;

}  // namespace stillframe::live
