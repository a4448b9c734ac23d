// SPDX-License-Identifier: Apache-2.0
// The janks of this process and their files: stillframe-jank-SECONDS-PID-N.json in the dump folder,
// one for equal janks. The folder itself is the index, and a file is replaced as a whole, so that
// nothing is half there however the process ends; no two processes write one file.
//
// A new record is written when its message ends. What is counted later waits for two seconds to
// have passed since the file was written; it is lost when the process is killed meanwhile.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/context/annotations.h"
#include "src/history/history.h"
#include "src/jank/device_class.h"
#include "src/jank/jank_cluster.h"
#include "src/model/frame_table.h"
#include "src/model/process.h"
#include "src/settings/config.h"

namespace stillframe::jank {

class JankStore {
 public:
  // All must outlive this. `config` may change between two calls.
  struct Setup {
    const settings::Config* config;
    const model::FrameTable* names;
    context::AnnotationStore* annotations;
    // Hears of each record's file that was written, at first or anew; null: nobody does.
    void (*written)(void* argument, const std::string& path) = nullptr;
    void* argument = nullptr;
    // What keeps samples away at the moment; "": nothing does. Null: nobody knows.
    const std::string* trouble = nullptr;
  };
  void Start(const Setup& setup);

  // What records say of the samples: why there are none, or, after "on, ", why they are fewer.
  void SetSampling(const std::string& text) { sampling_ = text; }

  // A history::JankListener's; `store` is this.
  static void Heard(void* store, const history::EndedJank& jank);

  // Writes what is due. Returns how long until more is, in nanoseconds; UINT64_MAX: nothing waits.
  uint64_t Serve(uint64_t now_ns);

  // Everything is due from now on, at whatever cost: the process ends. Returns what HasCaughtUp
  // wants to know. Any thread.
  uint32_t HurryUp() {
    hurries_.store(true, std::memory_order_relaxed);
    return rounds_.load(std::memory_order_acquire);
  }
  // Whether files have all that had ended by then. Any thread.
  bool HasCaughtUp(uint32_t then) const {
    // The round that went on may have taken the messages that had ended before they were more.
    return rounds_.load(std::memory_order_acquire) - then >= 2 &&
           !is_behind_.load(std::memory_order_relaxed);
  }

 private:
  static void ShowCounters();
  static constexpr size_t kMaxClusters = 32;

  void Take(const history::EndedJank& jank);
  JankCluster* ClusterOf(const JankCluster::Key& key, const std::vector<model::EvilEntry>& stack,
                         uint32_t wall_ms);
  // Trims the stack.
  std::string Description(const history::EndedJank& jank, std::vector<model::EvilEntry>* stack,
                          uint64_t time_ms) const;
  uint64_t Write(uint64_t now_ns, JankCluster* cluster);
  bool Omits(settings::Part part) const { return setup_.config->omit.Has(part); }

  Setup setup_ = {};
  DeviceClass device_ = {};
  std::string sampling_;    // "": all is well
  uint64_t started_s_ = 0;  // since the epoch
  std::array<std::unique_ptr<JankCluster>, kMaxClusters> clusters_;
  uint32_t files_ = 0;  // named so far
  // HurryUp writes, Serve reads; nothing else hangs on it.
  std::atomic<bool> hurries_{false};
  // Serve writes both, first whether files lack anything, then that one more round has ended
  // (release); HurryUp and HasCaughtUp read them (acquire).
  std::atomic<bool> is_behind_{false};
  std::atomic<uint32_t> rounds_{0};
};

}  // namespace stillframe::jank
