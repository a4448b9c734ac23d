// SPDX-License-Identifier: Apache-2.0
// Decides when a dump is due: one file for each hang, and a bounded number in a storm of signals.
// Time is an argument; the class reads no clock.
//
// SIGQUIT: a dump, except within `gap_ns` of the previous one, since some devices report an ANR
// twice.
// Long message: one dump when no message has begun or ended for `long_message_ns`. Messages of a
// nested loop are not published, but they count as activity. A later SIGQUIT replaces this dump,
// because its own knows more.
// Missed heartbeat: no message runs, but the first waiting one is late by the limit. The loop is
// stuck between messages.
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
    uint64_t long_message_ns = 0;  // 0: no dump for a long message or missed heartbeat
    uint64_t gap_ns = 0;
  };

  enum class Decision {
    kNothing,
    kDump,
    kReplace,  // dump, then remove the file long_message_path()
    kMerge,    // belongs to the previous dump
  };

  enum class Reason { kQuit, kLongMessage, kOther };

  // The interval between checks of an idle loop doubles up to this.
  static constexpr uint64_t kMaxHeartbeatNs = 60'000'000'000;
  // A missed heartbeat must last this long: when a frozen process thaws, its queue is late briefly.
  static constexpr uint64_t kConfirmHeartbeatNs = 500'000'000;

  TriggerPolicy() = default;
  explicit TriggerPolicy(const Limits& limits) : limits_(limits) {}

  // Holds from the next message on.
  void SetLimits(const Limits& limits) { limits_ = limits; }

  // Reports the running message (kNone: none), its start, and the number of messages begun so far.
  // Call it before the functions below.
  void Observe(Token token, uint64_t start_ns, uint64_t begun, uint64_t now_ns);

  // The whole process was frozen for `for_ns`: excludes that time.
  void WasFrozen(uint64_t for_ns);

  Decision OnQuit(uint64_t now_ns) const;
  Decision OnLongMessage(uint64_t now_ns) const;

  // Whether OnHeartbeat needs the lateness of the queue's first message.
  bool HeartbeatIsDue(uint64_t now_ns);
  Decision OnHeartbeat(uint64_t late_ns, uint64_t now_ns);

  // A dump was written to `path`.
  void Dumped(Reason reason, const std::string& path, uint64_t now_ns);

  // Nanoseconds until the next check; UINT64_MAX: none before an event.
  uint64_t SleepNs(uint64_t now_ns) const;

  const std::string& long_message_path() const { return long_path_; }
  // Nanoseconds since a message last began or ended.
  uint64_t UnchangedNs(uint64_t now_ns) const { return Since(now_ns, changed_ns_); }

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
  uint64_t changed_ns_ = 0;    // when a message last began or ended
  uint64_t heartbeat_ns_ = 0;  // from heartbeat_asked_ns_ to the next check
  uint64_t heartbeat_asked_ns_ = 0;
  bool heartbeat_suspect_ = false;   // the queue was late at the last check
  bool heartbeat_reported_ = false;  // a dump was due since changed_ns_
  uint64_t dumped_ns_ = 0;
  Token quit_token_ = Token::kNone;  // message of the last dump for a SIGQUIT
  Token long_token_ = Token::kNone;  // message of the last dump for its length
  std::string long_path_;
};

// Distinguishes an ANR from a SIGQUIT that only requests traces.
// Source: limits of Tencent/matrix, SignalAnrTracer (2.0); "foreground" as VISIBLE_APP_ADJ 100 in
// AOSP 11, frameworks/base/services/core/java/com/android/server/am/ProcessList.java.
// Times to ask the system whether the process is not responding. It decides only after it has
// collected traces, up to some 20 s after the signal.
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

  // True once for each of these times.
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
  bool has_queue = false;    // whether head_late_ms is known
  int64_t head_late_ms = 0;  // of the first message that is not a barrier; 0: not late
  int64_t running_ms = 0;    // of the running message; 0: none
  // /proc/self/oom_score_adj; "": not readable, treated as background.
  std::string oom_score_adj;
};

// Lateness of the first message that is not a barrier; 0: not late.
int64_t HeadLateMs(const std::vector<model::PendingMessage>& pending);

// The sign that confirms an ANR, as a sentence; "": this process shows none.
std::string ConfirmAnr(const AnrSigns& signs);

}  // namespace stillframe::anr
