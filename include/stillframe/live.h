// SPDX-License-Identifier: Apache-2.0
// The live protocol, version 3: a process reports its messages to `stillframe live` as they happen.
// Together with token.h this suffices to write a watcher.
//
// With STILLFRAME_LIVE=1 the process listens on a SOCK_STREAM socket with the abstract name
// kSocketPrefix and its pid in decimal (`adb forward tcp:0 localabstract:NAME` reaches it). It
// accepts one watcher at a time, of its own user or root; a debuggable process also accepts the
// user of adb's shell. Other connections are closed. The stream is packets without gaps: a Packet,
// its three names and its stack, whose sizes it has. Text is UTF-8 as the runtime had it, not
// checked. A stack lists frames, innermost first, one a line, as many as fit. Integers are in the
// machine's byte order. If the watcher is too slow, whole packets are dropped and counted. Fields
// that STILLFRAME_OMIT names are not sent.
#pragma once

#include <cstddef>
#include <cstdint>

#include <stillframe/token.h>

namespace stillframe::live {

constexpr char kSocketPrefix[] = "stillframe-live-";
constexpr uint32_t kMagic = 0x4C46'5333;  // changes with the version
constexpr size_t kMaxNameBytes = 160;
constexpr size_t kMaxStackBytes = 2'048;

enum class Kind : uint8_t {
  kProcess = 1,   // the first packet: token is the pid, start_ns now, work_ns from where a message
                  // is slow; its first name is the process's
  kMessage = 2,   // one message that ended and was not quick
  kQuickRun = 3,  // `messages` consecutive quick ones; identity is the last one's
  kIdle = 4,      // a pause of work_ns
  kRunning = 5,   // five times a second per Looper: the running message, token 0 for none;
                  // a slow one of the main Looper has the stack of its newest sample
  kOpenRun = 6,   // as often: quick messages that are not handed over yet
  kSegment = 7,   // code outside messages and outside the Looper's poll; callback: its method
};

struct alignas(8) Packet {
  uint32_t magic = kMagic;
  uint32_t dropped = 0;  // packets before this one
  Token token = Token::kNone;
  uint64_t start_ns = 0;  // CLOCK_MONOTONIC
  uint64_t work_ns = 0;   // wall time; in a run the sum over its messages
  int64_t cpu_ns = -1;    // -1 is unknown, here and below
  int64_t wait_ns = -1;   // start minus Message.when
  uint64_t messages = 0;
  int32_t what = 0;
  uint32_t flags = 0;  // dump::kMessage*
  uint32_t samples = 0;
  Kind kind = Kind::kProcess;
  uint8_t looper = 0;                 // 0 is the main one
  uint8_t name_bytes[3] = {0, 0, 0};  // thread (in kProcess: the process), target, callback
  uint8_t reserved = 0;
  uint16_t stack_bytes = 0;
};
static_assert(sizeof(Packet) == 80);

constexpr size_t kMaxPacketBytes = sizeof(Packet) + 3 * kMaxNameBytes + kMaxStackBytes;

}  // namespace stillframe::live
