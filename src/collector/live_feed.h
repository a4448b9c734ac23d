// SPDX-License-Identifier: Apache-2.0
// Content of the live feed: all entries added to histories. Five times a second also what is still
// open, with the stack of the main thread's slow message.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/collector/live_socket.h"
#include "src/collector/looper_pipelines.h"
#include "src/sampling/tree_builder.h"
#include "src/settings/config.h"

namespace stillframe::collector {

class LiveFeed {
 public:
  struct Setup {  // all must outlive this
    LooperPipelines* pipelines;
    tap::WatchedLoopers* watched;
    const sampling::SlowMessageWatch* main_watch;
    const sampling::TreeBuilder* trees;
    const settings::Config* config;
    bool is_debuggable;
  };
  // Returns 0 or errno. Context: start-up only
  int Open(const Setup& setup);

  // Accepts new watchers, and sends what is open. Returns nanoseconds until the next call.
  uint64_t Serve(uint64_t now_ns);
  // A history::EndedListener; `feed` is this.
  static void OnEnded(void* feed, uint32_t looper, const tap::EndedMessage& ended,
                      uint32_t samples);

  void ForgetInChild() { socket_.Close(); }

 private:
  void SendEnded(live::Kind kind, uint32_t looper, const tap::EndedMessage& ended,
                 uint32_t samples);
  void SendOpen(uint64_t now_ns);
  void SendRunning(uint32_t looper, const core::RunningMessage& running, std::string_view name,
                   uint64_t now_ns);
  // Sends without the parts that STILLFRAME_OMIT names.
  void Send(const live::Packet& packet, live::LiveSocket::Texts texts);
  bool Omits(settings::Part part) const { return setup_.config->omit.Has(part); }

  live::LiveSocket socket_;
  Setup setup_ = {};
  uint64_t next_ns_ = 0;
};

}  // namespace stillframe::collector
