// SPDX-License-Identifier: Apache-2.0
// The janks of this process and their files: stillframe-jank-ID-rREVISION.json in the dump folder,
// one for equal janks of a watched thread. The folder is the index. A new revision is written
// before the old one is removed, so a record is complete however the process ends. No two processes
// write the same file.
//
// A new record is written when its message ends. Later counts are written after two seconds, then
// four, up to a minute; they are lost if the process is killed first. A jank of two seconds is
// written while it runs, and has a record of its own: after 2 s, 5 s, 10 s, 20 s, and so on.
// Those of other threads than the main one are written when they end, and not counted in sessions.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/context/annotations.h"
#include "src/context/device_class.h"
#include "src/context/identity.h"
#include "src/history/history.h"
#include "src/jank/hang_facts.h"
#include "src/jank/jank_cluster.h"
#include "src/jank/session_file.h"
#include "src/model/frame_table.h"
#include "src/model/process.h"
#include "src/settings/config.h"

namespace stillframe::jank {

class JankStore {
 public:
  // All must outlive this. `config` may change between calls.
  struct Setup {
    const settings::Config* config;
    const model::FrameTable* names;
    context::AnnotationStore* annotations;
    // Called after each write of a record's file; may be null.
    void (*written)(void* argument, const std::string& path) = nullptr;
    void* argument = nullptr;
    // Why samples are missing at the moment; "": no trouble. Null: not known.
    const std::string* trouble = nullptr;
    const context::Identity* identity = nullptr;  // null: records without identity
    SessionFile* session = nullptr;
    dump::Writer* writer = nullptr;            // null: records without facts
    context::ProcessFacts* process = nullptr;  // null: facts without those of the process
    // Sets the token of the running hang, and describes it if it is `least_ns` old. Returns its age
    // without frozen time; 0: none runs.
    uint64_t (*running)(void* source, uint64_t now_ns, uint64_t least_ns, Hang* hang) = nullptr;
    // `may_ask`: the runtime may be asked, since no hang runs.
    bool (*is_debugged)(void* source, bool may_ask) = nullptr;
    void* source = nullptr;
  };
  void Start(const Setup& setup);

  // For records: why samples are off or, after "on, ", why there are fewer. "": all is well.
  void SetSampling(const std::string& text) { sampling_ = text; }

  // A history::JankListener; `store` is this.
  static void OnJank(void* store, const history::EndedJank& jank);

  // Writes what is due. Returns nanoseconds until the next write; UINT64_MAX: none waits.
  uint64_t Serve(uint64_t now_ns);

  // The process ends: writes no longer wait for their due time. Returns the argument of
  // HasCaughtUp. Any thread.
  uint32_t RequestFlush() {
    hurries_.store(true, std::memory_order_relaxed);
    return rounds_.load(std::memory_order_acquire);
  }
  // RequestFlush was called. Any thread.
  bool hurries() const { return hurries_.load(std::memory_order_relaxed); }
  // Whether the files have everything that had ended at RequestFlush. Any thread.
  bool HasCaughtUp(uint32_t then) const {
    // The round under way at RequestFlush may miss messages that ended during it. The next one
    // cannot, and closes the session after Serve. The third begins when that is done.
    return rounds_.load(std::memory_order_acquire) - then >= 3 &&
           !is_behind_.load(std::memory_order_relaxed);
  }

 private:
  void ShowCounters() const;
  static constexpr size_t kMaxClusters = 32;

  bool IsDebugged(bool may_ask) const;
  void Hear(const history::EndedJank& jank);
  void Take(const history::EndedJank& jank, bool is_debugged);
  std::vector<model::EvilEntry> StackOf(const history::EndedJank& jank) const;
  JankCluster* ClusterOf(const JankCluster::Key& key, const std::vector<model::EvilEntry>& stack,
                         uint32_t wall_ms, Token token);
  JankCluster* NewCluster(const JankCluster::Key& key, Token token);
  std::vector<model::HistoryRecord> Before(const history::EndedJank& jank) const;
  // Trims the stack.
  std::string Description(const history::EndedJank& jank, const Hang& hang,
                          std::vector<model::EvilEntry>* stack, uint64_t time_ms) const;
  bool IsEndDue(uint64_t now_ns);
  uint64_t FollowRunning(uint64_t now_ns);
  // Takes frozen time off `*hang`.
  void WriteRunning(Hang* hang);
  uint64_t Write(uint64_t now_ns, JankCluster* cluster);
  bool Omits(settings::Part part) const { return setup_.config->omit.Has(part); }

  Setup setup_ = {};
  context::DeviceClass device_ = {};
  std::string sampling_;  // "": all is well
  std::array<std::unique_ptr<JankCluster>, kMaxClusters> clusters_;
  // The hang that runs, once it is on disk, one of clusters_; null: none.
  JankCluster* running_ = nullptr;
  Token running_token_ = Token::kNone;
  Token debugged_token_ = Token::kNone;  // of the last hang that a debugger was seen in
  uint64_t next_running_ns_ = 0;         // age at which it is written
  uint64_t gone_since_ns_ = 0;           // its end is awaited since then; 0: it runs
  // RequestFlush writes, Serve reads; it orders nothing else.
  std::atomic<bool> hurries_{false};
  // Written by Serve: is_behind_, then rounds_ (release). HasCaughtUp acquires rounds_ before it
  // reads is_behind_; RequestFlush acquires rounds_.
  std::atomic<bool> is_behind_{false};
  std::atomic<uint32_t> rounds_{0};
};

}  // namespace stillframe::jank
