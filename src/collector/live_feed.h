// SPDX-License-Identifier: Apache-2.0
// What a watcher is told: all that reaches a history, and what is still open five times a second.
#pragma once

#include <cstdint>

#include "src/collector/looper_pipelines.h"
#include "src/live/live_socket.h"

namespace stillframe::collector {

class LiveFeed {
 public:
  // `pipelines` must outlive this. Returns 0 or errno. Context: start-up only
  int Open(LooperPipelines* pipelines, uint64_t slow_ns);
  int listener() const { return socket_.listener(); }

  // Takes new watchers and says what is open. Returns how long the collector may sleep.
  uint64_t Serve(uint64_t now_ns);
  // A history::EndedListener; `feed` is this.
  static void Heard(void* feed, uint32_t looper, const tap::EndedMessage& ended, uint32_t samples);

  uint64_t dropped() const { return socket_.dropped(); }
  void ForgetInChild() { socket_.Close(); }

 private:
  void SendEnded(live::Kind kind, uint32_t looper, const tap::EndedMessage& ended,
                 uint32_t samples);
  void SendOpen(uint64_t now_ns);

  live::LiveSocket socket_;
  LooperPipelines* pipelines_ = nullptr;
  uint64_t slow_ns_ = 0;
  uint64_t next_ns_ = 0;
};

}  // namespace stillframe::collector
