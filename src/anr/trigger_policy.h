// SPDX-License-Identifier: Apache-2.0
// Decides when a dump is due, so that each hang leaves one file and a storm of signals a bounded
// number. Time comes in as an argument; nothing is read.
//
// A SIGQUIT is dumped, but for those within `gap_ns` of the dump before: some devices announce one
// ANR twice. A message that stands beyond `long_message_ns` is dumped once, unless a SIGQUIT came
// first; a SIGQUIT that comes later replaces that dump, since it knows more. A message may have
// others of its own loop in it that are not published: only the time since a message last began or
// ended counts. Where no message runs, yet messages wait beyond the limit, the loop has missed its
// heartbeat: it does not return from what it does between messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/model/message.h"

namespace stillframe::anr {

class TriggerPolicy {
 public:
  struct Limits {
    uint64_t long_message_ns = 0;  // 0: no dump for a long message or a missed heartbeat
    uint64_t gap_ns = 0;
  };

  enum class Decision {
    kNothing,
    kDump,
    kReplace,  // dump, then remove the file long_message_path()
    kMerge,    // belongs to the dump before
  };

  enum class Reason { kQuit, kLongMessage, kOther };

  // An idle loop is looked at ever less often, down to once in this time.
  static constexpr uint64_t kMaxHeartbeatNs = 60'000'000'000;
  // A queue that is late when a frozen process thaws is not late any more after this.
  static constexpr uint64_t kConfirmHeartbeatNs = 500'000'000;

  TriggerPolicy() = default;
  explicit TriggerPolicy(const Limits& limits) : limits_(limits) {}

  // From the next message on.
  void SetLimits(const Limits& limits) { limits_ = limits; }

  // What the watched thread does: the running message (0: none), when it began, and how many were
  // begun so far. Call it before asking anything else.
  void Observe(Token token, uint64_t start_ns, uint64_t begun, uint64_t now_ns);

  // Nobody in this process ran for so long: that is not the watched thread's fault.
  void WasFrozen(uint64_t for_ns);

  Decision OnQuit(uint64_t now_ns) const;
  Decision OnLongMessage(uint64_t now_ns) const;

  // Whether to look how late the queue's first message is, for OnHeartbeat.
  bool HeartbeatIsDue(uint64_t now_ns);
  Decision OnHeartbeat(uint64_t late_ns, uint64_t now_ns);

  // A dump was written to `path`.
  void Dumped(Reason reason, const std::string& path, uint64_t now_ns);

  // When to ask again, from now; UINT64_MAX: not before something happens.
  uint64_t SleepNs(uint64_t now_ns) const;

  const std::string& long_message_path() const { return long_path_; }
  // How long no message has begun or ended.
  uint64_t StandingNs(uint64_t now_ns) const { return Since(now_ns, changed_ns_); }

 private:
  static uint64_t Since(uint64_t now_ns, uint64_t then_ns) {
    return now_ns > then_ns ? now_ns - then_ns : 0;
  }
  uint64_t GapLeftNs(uint64_t now_ns) const {
    const uint64_t since_ns = Since(now_ns, dumped_ns_);
    return dumped_ns_ != 0 && since_ns < limits_.gap_ns ? limits_.gap_ns - since_ns : 0;
  }
  bool RunningIsDumped() const { return token_ == long_token_ || token_ == quit_token_; }

  Limits limits_;
  Token token_ = Token::kNone;
  uint64_t begun_ = 0;
  uint64_t changed_ns_ = 0;    // a message began or ended last
  uint64_t heartbeat_ns_ = 0;  // from heartbeat_asked_ns_ to the next look
  uint64_t heartbeat_asked_ns_ = 0;
  bool heartbeat_suspect_ = false;  // the queue was late at the last look
  bool heartbeat_told_ = false;     // since changed_ns_
  uint64_t dumped_ns_ = 0;
  Token quit_token_ = Token::kNone;  // message of the last dump for a SIGQUIT
  Token long_token_ = Token::kNone;  // and for a long message
  std::string long_path_;
};

// Tells an ANR from a SIGQUIT that only asks for traces.
// Source: the limits are those of Tencent/matrix, SignalAnrTracer (2.0); what "foreground" is, AOSP 11,
// frameworks/base/services/core/java/com/android/server/am/ProcessList.java: VISIBLE_APP_ADJ 100.
// When to ask the system whether it holds the process for not responding: it makes up its mind only
// after it has collected traces, up to some 20 s after the signal.
class ErrorStatePoll {
 public:
  static constexpr uint64_t kEveryNs = 500'000'000;
  static constexpr uint64_t kMaxNs = 20'000'000'000;

  void Start(uint64_t now_ns) {
    begun_ns_ = now_ns;
    next_ns_ = now_ns + kEveryNs;
    is_on_ = true;
  }
  void Stop() { is_on_ = false; }

  // Once for each time to ask.
  bool IsDue(uint64_t now_ns) {
    if (!is_on_ || now_ns < next_ns_) return false;
    next_ns_ = now_ns + kEveryNs;
    return true;
  }
  bool IsOver(uint64_t now_ns) const { return is_on_ && now_ns >= begun_ns_ + kMaxNs; }

  // UINT64_MAX: nothing to ask.
  uint64_t SleepNs(uint64_t now_ns) const {
    if (!is_on_) return UINT64_MAX;
    return next_ns_ > now_ns ? next_ns_ - now_ns : 0;
  }

 private:
  uint64_t begun_ns_ = 0;
  uint64_t next_ns_ = 0;
  bool is_on_ = false;
};

struct AnrSigns {
  bool has_queue = false;    // whether head_late_ms says anything
  int64_t head_late_ms = 0;  // of the first message that is not a barrier; 0 when none is late
  int64_t running_ms = 0;    // the running message, 0: none
  // /proc/self/oom_score_adj; "" when it cannot be read, which counts as in the background.
  std::string oom_score_adj;
};

// How late the first message is that is not a barrier; 0 when none is.
int64_t HeadLateMs(const std::vector<model::PendingMessage>& pending);

// By what this is an ANR, as a sentence; "" when nothing of this process says so.
std::string ConfirmAnr(const AnrSigns& signs);

}  // namespace stillframe::anr
