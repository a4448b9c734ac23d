// SPDX-License-Identifier: Apache-2.0
// What the self-check said about this build of ART, kept from one process to the next.
//
// A good verdict says which layout to try first: it is checked in every process all the same, since
// the check also finds where the runtime's code is. A bad one that several processes in a row came
// to keeps the sampler off at once, for a week. The file is not trusted: it counts only if it is
// whole, ours, and about this very build and kind of process.
// Context: start-up only
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::art {

struct SelfCheckResult {
  bool is_good = false;
  std::string text;       // good: the layout's release; bad: why
  uint32_t failures = 0;  // bad: of so many processes in a row

  // One process may have been unlucky; so many are not.
  static constexpr uint32_t kEnough = 3;
  bool is_final() const { return failures >= kEnough; }
};

class SelfCheckCache {
 public:
  // `folder` may be empty: nothing is kept then. `key` says what the verdict is about.
  SelfCheckCache(const std::string& folder, const std::string& key);

  // False when there is none, or none to be believed.
  bool Load(SelfCheckResult* verdict) const;
  // A failure is no harm: the next process checks again.
  void Store(const SelfCheckResult& verdict) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string key_;
};

}  // namespace stillframe::art
