// SPDX-License-Identifier: Apache-2.0
// What the Signal Catcher's own report says of the main thread: who holds the monitor that it waits
// for, and where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/model/message.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

struct LockOwner {
  judge::Thread thread;
  // Clean text: its frame that entered the monitor; or where that is not told the innermost one of
  // the application, which is a guess. "" when there is none.
  std::string frame;
  bool is_guess = true;
};

// `text` is what ART writes on SIGQUIT; nothing in it is believed before it is found.
LockOwner FindLockOwner(std::string_view text);

// What the main thread was in: its first frame of the application, or else its innermost one. ""
// when it waited for messages, or is not in the report.
std::string MainFrame(std::string_view text);

// Whose time it was that a message was blocked on monitors, where several threads held them.
// With a clean name.
judge::Thread OwnerOf(const std::string& name, uint32_t tid);

class LockShares {
 public:
  // `message` must outlive this.
  explicit LockShares(const model::Message& message) : message_(message) {}

  // Each owner's part of `us`, which is time blocked in [from_us, until_us) of the message;
  // together it is `us`. Where nobody is known to have held the monitors, the owner is not known.
  // Of dumps before 1.4 the one that held for the longest time has all of it.
  std::vector<std::pair<judge::Thread, uint64_t>> Of(uint64_t from_us, uint64_t until_us,
                                                     uint64_t us) const;

 private:
  std::vector<std::pair<double, const model::LockWait*>> DensestIn(uint64_t from_us,
                                                                   uint64_t until_us) const;
  const model::LockWait* Nearest(uint64_t from_us, uint64_t until_us) const;

  const model::Message& message_;
};

// The names of those that held the monitors, each once, and evidence: for how long each held what,
// the longest first.
void AddHolders(const model::Message& message, judge::Verdict* verdict);

}  // namespace stillframe::judge
