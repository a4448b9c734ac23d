// SPDX-License-Identifier: Apache-2.0
// The self-check's result for this build of ART, kept across processes.
//
// A good result selects the layout to try first. Each process still runs the check, which also
// finds the runtime's code. A failure in several consecutive processes keeps the sampler off for a
// week. The file is not trusted: it must be complete, ours, and for this very build of ART and of
// this library, and this kind of process.
// Context: start-up only
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::art {

struct SelfCheckResult {
  bool is_good = false;
  std::string text;       // good: the layout's release; bad: why
  uint32_t failures = 0;  // bad: consecutive processes that failed

  // A single failure may be bad luck.
  static constexpr uint32_t kEnough = 3;
  bool is_final() const { return failures >= kEnough; }
};

class SelfCheckCache {
 public:
  // `folder`: empty to keep nothing. `key`: identifies the build and the kind of process.
  SelfCheckCache(const std::string& folder, const std::string& key);

  // False: none, or not trustworthy.
  bool Load(SelfCheckResult* verdict) const;
  // A failed write is harmless: the next process checks again.
  void Store(const SelfCheckResult& verdict) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string key_;
};

}  // namespace stillframe::art
