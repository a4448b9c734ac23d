// SPDX-License-Identifier: Apache-2.0
// Messages: past, running and pending, and the Loopers that dispatch them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/token.h>

#include "src/model/segment.h"
#include "src/model/values.h"

namespace stillframe::model {

// The Handler that messages of the system itself go to (AOSP 8-14, android.app.ActivityThread.H).
constexpr std::string_view kSystemTarget = "android.app.ActivityThread$H";

// A stretch of a message in which it was blocked on monitors that one thread held.
struct LockWait {
  uint32_t from_us = 0;  // since the message's start
  uint32_t until_us = 0;
  uint32_t blocked_us = 0;  // so much of the stretch; what is left, others may have
  uint32_t owner_tid = 0;
  std::string owner;       // its name
  std::string lock_class;  // of the object, "" when unknown
};

struct Message {
  Token token = Token::kNone;      // no other message of the dump has it, of any Looper
  uint64_t start_ns = 0;           // CLOCK_MONOTONIC
  int64_t wait_ns = kTimeUnknown;  // start minus Message.when
  int64_t wall_ns = kTimeUnknown;  // so far, for the running message
  int64_t cpu_ns = kTimeUnknown;   // thread CPU time
  uint32_t samples = 0;
  uint32_t flags = 0;
  int32_t what = 0;
  std::string target;                       // class of the Handler, "" when unknown
  std::string callback;                     // class of the Runnable, "" when none
  uint32_t looper = 0;                      // index into Dump::loopers
  int64_t runqueue_wait_ns = kTimeUnknown;  // ready to run, without a CPU
  int64_t blocked_ns = kTimeUnknown;        // waiting for a monitor
  // "CREATE_SERVICE" when the target is ActivityThread$H; "" leaves it to the tools, which know
  // `what`.
  std::string system_name;
  FrameStage stage = FrameStage::kNone;
  uint32_t lock_owner_tid = 0;  // of the thread that held the monitor for the longest time
  std::string lock_owner;       // its name
  Segment segment = {};         // if it is one, which is no message
  std::vector<LockWait> lock_waits = {};  // since 1.4: in the order in which they began
};

// What a message carries, where STILLFRAME_MESSAGE_OBJECTS asks for it.
struct MessageObject {
  int32_t arg1 = 0;
  int32_t arg2 = 0;
  std::string type;  // class of Message.obj, "" when there is none
  std::string text;  // its toString(), "" when that did not answer in time
};

struct PendingMessage {
  int64_t delay_ms = 0;  // when minus now; negative is overdue
  int32_t what = 0;
  bool is_asynchronous = false;
  bool is_barrier = false;
  std::string target;
  std::string callback;
  int64_t age_ms = kTimeUnknown;  // since it was posted; known for barriers
  std::string system_name;        // as in Message
  // Of the system's: what it is about, "com.shop.SYNC to com.shop/.SyncReceiver"; "" is not known.
  std::string component = {};
  std::optional<MessageObject> object = {};
};

struct Looper {
  std::string thread;  // its name
  uint32_t tid = 0;
  std::string tap;        // "observer" or "printer"; of releases before also "poll"
  uint64_t messages = 0;  // begun so far
  // Of Loopers other than the main one, whose running message is Dump::running.
  std::optional<Message> running;
};

}  // namespace stillframe::model
