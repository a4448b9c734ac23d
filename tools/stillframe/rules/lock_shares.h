// SPDX-License-Identifier: Apache-2.0
// Whose time it was that a message was blocked on monitors, where several threads held them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/model/message.h"

namespace stillframe::rules {

// "thread db-writer (tid 4720)", "" when nobody is known.
std::string OwnerText(const std::string& name, uint32_t tid);

class LockShares {
 public:
  // `message` must outlive this.
  explicit LockShares(const model::Message& message) : message_(message) {}

  // Each owner's part of `us`, which is time blocked in [from_us, until_us) of the message;
  // together it is `us`. Where nobody is known to have held the monitors, the owner is "". Of dumps
  // before 1.4 the one that held for the longest time has all of it.
  std::vector<std::pair<std::string, uint64_t>> Of(uint64_t from_us, uint64_t until_us,
                                                   uint64_t us) const;

 private:
  std::vector<std::pair<double, const model::LockWait*>> DensestIn(uint64_t from_us,
                                                                   uint64_t until_us) const;
  const model::LockWait* Nearest(uint64_t from_us, uint64_t until_us) const;

  const model::Message& message_;
};

// "Thread db-writer (tid 4720) held the monitor of app.Store for 1,200 ms.", one sentence for each
// owner and class of what it held, the longest first.
std::vector<std::string> LockEvidence(const model::Message& message);

}  // namespace stillframe::rules
