// SPDX-License-Identifier: Apache-2.0
// Tells an ANR from a SIGQUIT that only asks for traces.
// Source: the limits are those of Tencent/matrix, SignalAnrTracer (2.0); what "foreground" is, AOSP 11,
// frameworks/base/services/core/java/com/android/server/am/ProcessList.java: VISIBLE_APP_ADJ 100.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/model/message.h"

namespace stillframe::anr {

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
