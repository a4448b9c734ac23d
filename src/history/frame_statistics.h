// SPDX-License-Identifier: Apache-2.0
// Jank by the Choreographer's frames: missed refreshes, frames that froze the screen, and the share
// of its time that each scene was frozen.
//
// A frame is due at a refresh of the screen. It may end within one refresh interval; each further
// one is a missed refresh. Refreshes without a requested frame do not count. If the due time is
// unknown, only the frame's own duration counts. Memory is bounded: kMaxFrozen frames, kMaxScenes
// scenes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/history.h"
#include "src/model/trace_tree.h"
#include "src/model/values.h"
#include "src/tap/ended_queue.h"

namespace stillframe::history {

// Whether a message with this callback is a frame of the Choreographer (AOSP 8-14,
// core/java/android/view/Choreographer.java, FrameDisplayEventReceiver).
bool IsFrameCallback(std::string_view callback);

// The stage with most of the tree's time; kNone if the tree has no frame of the Choreographer.
model::FrameStage StageOf(const model::TraceTree& tree, const model::FrameTable& frames);

class FrameStatistics {
 public:
  static constexpr size_t kMaxFrozen = 32;
  static constexpr size_t kMaxScenes = 32;

  explicit FrameStatistics(uint64_t frozen_ns) : frozen_ns_(frozen_ns) {}

  // 0: unknown; then no refresh counts as missed.
  void SetRefreshInterval(uint64_t interval_ns) { jank_.refresh_interval_ns = interval_ns; }

  // `scene` is now on the screen. The first call starts the statistics.
  void Show(const std::string& scene, uint64_t now_ns);

  // The frame with its due time not before the end of the previous one: no time counts twice.
  tap::EndedFrame Clip(tap::EndedFrame frame) const;
  // Whether this clipped frame froze the screen. Add then keeps it with `cause`, the message that
  // froze it, and `stage`.
  bool IsFrozen(const tap::EndedFrame& frame) const {
    return frame.end_ns - frame.due_ns >= frozen_ns_;
  }
  void Add(const tap::EndedFrame& frame, Token cause, model::FrameStage stage);

  uint64_t frames() const { return jank_.frames; }
  // The statistics up to now.
  model::Jank Describe(uint64_t now_ns) const;

  uint64_t missed() const { return jank_.missed; }

 private:
  model::SceneShare* SceneNamed(const std::string& name);

  uint64_t frozen_ns_;
  model::Jank jank_;
  uint64_t begun_ns_ = 0;
  uint64_t shown_since_ns_ = 0;
  uint64_t last_end_ns_ = 0;
  size_t scene_ = 0;
};

}  // namespace stillframe::history
