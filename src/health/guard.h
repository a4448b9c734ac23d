// SPDX-License-Identifier: Apache-2.0
// Never twice: what this process may do, by how earlier ones with its configuration ended, and the
// file by which the next will know of this one.
//
// Problem: whatever is wrong with us on some device, an application must not die of it again and
// again. Rule: before anything is installed the guard file says so; a death by a fatal signal
// before a healthy period is over counts, one in our own code at any time and at once; being killed
// never does. After so many there is no sampling for a back-off, then it is tried again. Where a
// process dies with the sampler off, the tap stays away too. Where no file can be written the
// sampler stays off: a death would be forgotten. Files of other processes of the application are
// read as well: deaths count together, and what one has learned holds for all.
// Context: Open, Tick: collector; Rest, Resume: any thread
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
    std::string folder;   // "": there is no guard
    std::string process;  // its name
    std::string about;    // what the deaths are counted for
    Limits limits;        // `deaths` 0: there is no guard
    uint64_t healthy_ns = 0;
  };
  // Once, before anything that could go wrong.
  Level Open(const Setup& setup, uint64_t now_ns);

  Level level() const { return level_; }
  // Why it is less than all; "" when it is not.
  const std::string& why() const { return why_; }

  // Whenever the collector is awake: nobody is woken for it.
  void Tick(uint64_t now_ns);

  // The process ends, or sampling is stopped: what happens from here on is no sign.
  void Rest();
  void Resume(uint64_t now_ns);

 private:
  void OpenFile(const std::string& folder, const std::string& stem);
  void BeWithoutFile(const std::string& why);
  // A file of the folder.
  struct Seen {
    std::string path;
    Contents contents;
    uint64_t written_s;
    bool is_over;  // its process is dead, or dies
  };
  std::vector<Seen> SeeOthers(const std::string& folder, uint64_t now_s) const;
  void SettleTogether(uint64_t now_s, std::vector<Seen>* all);
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
  Row row_;                              // of sampling, as it was when this process began
  std::array<uint64_t, 3> deaths_ = {};  // by level, in all files

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  // All below: under mutex_.
  Phase phase_ = Phase::kNone;
  bool is_healthy_ = false;
  uint64_t healthy_at_ns_ = UINT64_MAX;
};

}  // namespace stillframe::health
