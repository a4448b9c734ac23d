// SPDX-License-Identifier: Apache-2.0
// Crash-loop guard: limits this process by how earlier processes with the same configuration ended.
// Its file informs later processes.
//
// Problem: if something in us crashes on some device, it must not crash the application repeatedly.
// Rule: the guard file is armed before anything is installed. A death by a fatal signal counts
// before the process is healthy; a death in our own code counts at any time and disables at once.
// Kills never count. After Limits::deaths deaths sampling is off for a back-off, then tried again.
// If a process dies with the sampler off, the tap stays away too. Without a writable file sampling
// is off, since a death would be forgotten. Files of all processes of the application count
// together.
// Context: Open, Tick: collector; Suspend, Resume: any thread
#pragma once

#include <pthread.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/health/guard_record.h"
#include "src/model/process.h"

namespace stillframe::health {

class Guard {
 public:
  struct Setup {
    std::string folder;   // "": no guard
    std::string process;  // its name
    std::string about;    // configuration that the deaths are counted for
    Limits limits;        // `deaths` 0: no guard
    uint64_t healthy_ns = 0;
  };
  // Call once, before anything that could crash.
  Level Open(const Setup& setup, uint64_t now_ns);

  Level level() const { return level_; }
  // Why the level is reduced; "": it is not.
  const std::string& why() const { return why_; }

  // Called when the collector is awake; the guard causes no wake-up.
  void Tick(uint64_t now_ns);

  // The process ends, or sampling stops: later deaths do not count.
  void Suspend();
  void Resume(uint64_t now_ns);

 private:
  void OpenFile(const std::string& folder, const std::string& stem);
  void ContinueWithoutFile(const std::string& why);
  // One file of the folder.
  struct Seen {
    std::string path;
    Contents contents;
    uint64_t written_s;
    bool is_over;  // its process is dead or dying
  };
  std::vector<Seen> ReadOthers(const std::string& folder, uint64_t now_s) const;
  void SettleAll(uint64_t now_s, std::vector<Seen>* all);
  void Judge(const Record& record, const std::string& path, uint64_t now_s);
  void Learn(Level level, const Row& row, const std::string& path);
  void Arm(Contents contents, uint64_t now_ns);
  void PublishCounters();
  void SetPhase(Phase phase);
  void SetHealthyAt(uint64_t at_ns);
  uint64_t KeyAt(Level level) const;

  Setup setup_;
  std::string path_;
  GuardFile file_;
  Level level_ = Level::kSampling;
  std::string why_;
  uint64_t off_until_s_ = 0;
  Row row_;                              // row for sampling when this process began
  std::array<uint64_t, 3> deaths_ = {};  // by level, in all files

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // All below: under mutex_.
  Phase phase_ = Phase::kNone;
  bool is_healthy_ = false;
  uint64_t healthy_at_ns_ = UINT64_MAX;
};

}  // namespace stillframe::health
