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

// Handler of the system's own messages (AOSP 8-14, android.app.ActivityThread.H).
constexpr std::string_view kSystemTarget = "android.app.ActivityThread$H";
// Handler of a beat, see stillframe_heartbeat_begin.
constexpr std::string_view kBeatTarget = "heartbeat";

// A time in which a message was blocked on monitors held by one thread.
struct LockWait {
  uint32_t from_us = 0;  // since the message's start
  uint32_t until_us = 0;
  uint32_t blocked_us = 0;  // blocked part of it; others may hold the remainder
  uint32_t owner_tid = 0;
  std::string owner;       // its name
  std::string lock_class;  // of the object; "": unknown
};

struct Message {
  Token token = Token::kNone;      // unique in the dump, over all Loopers
  uint64_t start_ns = 0;           // CLOCK_MONOTONIC
  int64_t wait_ns = kTimeUnknown;  // start minus Message.when
  int64_t wall_ns = kTimeUnknown;  // so far, for the running message
  int64_t cpu_ns = kTimeUnknown;   // thread CPU time
  uint32_t samples = 0;
  uint32_t flags = 0;
  int32_t what = 0;
  std::string target;                       // class of the Handler; "": unknown
  std::string callback;                     // class of the Runnable; "": none
  uint32_t looper = 0;                      // index into Dump::loopers
  int64_t runqueue_wait_ns = kTimeUnknown;  // ready to run without a CPU
  int64_t blocked_ns = kTimeUnknown;        // waiting for a monitor
  // "CREATE_SERVICE" if the target is ActivityThread$H. "": derived from `what` by the tools.
  std::string system_name;
  FrameStage stage = FrameStage::kNone;
  uint32_t lock_owner_tid = 0;            // thread that held the monitor longest
  std::string lock_owner;                 // its name
  Segment segment = {};                   // set for a segment, which is not a message
  std::vector<LockWait> lock_waits = {};  // by start time
};

// Object of a message, if STILLFRAME_MESSAGE_OBJECTS is set.
struct MessageObject {
  int32_t arg1 = 0;
  int32_t arg2 = 0;
  std::string type;  // class of Message.obj; "": none
  std::string text;  // its toString(); "": no answer in time
};

struct PendingMessage {
  int64_t delay_ms = 0;  // when minus now; negative: overdue
  int32_t what = 0;
  bool is_asynchronous = false;
  bool is_barrier = false;
  std::string target;
  std::string callback;
  int64_t age_ms = kTimeUnknown;  // since posted; known for barriers only
  std::string system_name;        // as in Message
  // System messages: "com.shop.SYNC to com.shop/.SyncReceiver"; "": unknown.
  std::string component = {};
  std::optional<MessageObject> object = {};
};

struct Looper {
  std::string thread;  // its name
  uint32_t tid = 0;
  std::string tap;        // "observer", "printer" or "probe"
  uint64_t messages = 0;  // begun so far
  // Not set for the main Looper, whose running message is Dump::running.
  std::optional<Message> running;
};

}  // namespace stillframe::model
