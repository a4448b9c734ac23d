// SPDX-License-Identifier: Apache-2.0
// Views of the Loopers' history: groups, records, frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stillframe/token.h>

#include "src/model/segment.h"
#include "src/model/values.h"

namespace stillframe::model {

// Consecutive messages that together make a fixed amount of work.
struct HistoryGroup {
  uint32_t looper = 0;
  SpanKind kind = SpanKind::kUnknown;  // kQuick, kMixed, kSlow, kIdle, kFrozen, kOutside, kBlind
  uint64_t start_ns = 0;
  uint64_t span_ns = 0;           // from the first message's start to the last one's end
  uint64_t wall_ns = 0;           // sum of its messages
  int64_t cpu_ns = kTimeUnknown;  // sum of its messages
  uint64_t messages = 0;
  std::vector<Token> tokens;  // of its slow messages, which are in Dump::history
};

// One message, or several merged quick ones.
struct HistoryRecord {
  uint32_t looper = 0;
  SpanKind kind = SpanKind::kUnknown;
  uint64_t start_ns = 0;
  uint64_t span_ns = 0;
  uint64_t wall_ns = 0;
  int64_t cpu_ns = kTimeUnknown;
  uint64_t messages = 0;
  Token token = Token::kNone;  // of the last message
  int32_t what = 0;            // of the last message, like the names below
  std::string target;
  std::string callback;
  std::string system_name;
  Segment segment = {};  // for kOutside
};

struct FrozenFrame {
  Token token = Token::kNone;
  uint64_t start_ns = 0;
  uint64_t duration_ns = 0;
  FrameStage stage = FrameStage::kUnknown;
  std::string scene;
};

struct SceneShare {
  std::string scene;
  uint64_t shown_ns = 0;
  uint64_t frozen_ns = 0;
  uint64_t frames = 0;
  uint64_t missed = 0;
};

struct Jank {
  std::string absent;  // why frame statistics are missing; "": present
  uint64_t refresh_interval_ns = 0;
  uint64_t frames = 0;      // drawn
  uint64_t missed = 0;      // refresh intervals without a frame that was due
  uint64_t watched_ns = 0;  // the period of all these figures
  // Frames with unknown due time: missed refreshes before them are not counted.
  uint64_t due_unknown = 0;
  std::vector<FrozenFrame> frozen;
  std::vector<SceneShare> scenes;
};

}  // namespace stillframe::model
