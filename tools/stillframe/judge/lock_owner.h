// SPDX-License-Identifier: Apache-2.0
// The main thread in the Signal Catcher's report: the owner of the monitor that it waits for, and
// its own frame.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/model/message.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/judge/culprit.h"
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

struct LockOwner {
  judge::Thread thread;
  // Clean text. The owner's frame that entered the monitor; if unknown, its innermost frame of the
  // application, which is a guess. Helpers are replaced by their caller. "": none.
  std::string frame;
  bool is_guess = true;
};

// `text` is what ART writes on SIGQUIT. Its form is not trusted.
LockOwner FindLockOwner(const index::DumpIndex& index, const Helpers& helpers,
                        std::string_view text);

// The main thread's innermost frame of the application, else its innermost frame. "" if it waited
// for messages or is not in the report.
std::string MainFrame(std::string_view text);

// Attributes a message's time blocked on monitors to the threads that held them.
// `name` is clean text.
judge::Thread OwnerOf(const std::string& name, uint32_t tid);

class LockShares {
 public:
  // `message` must outlive this.
  explicit LockShares(const model::Message& message) : message_(message) {}

  // Divides `us`, time blocked in [from_us, until_us) of the message, among the owners. The parts
  // sum to `us`. The owner is unknown where none was recorded. In dumps before 1.4, the longest
  // owner gets all of it.
  std::vector<std::pair<judge::Thread, uint64_t>> Of(uint64_t from_us, uint64_t until_us,
                                                     uint64_t us) const;

 private:
  std::vector<std::pair<double, const model::LockWait*>> DensestIn(uint64_t from_us,
                                                                   uint64_t until_us) const;
  const model::LockWait* Nearest(uint64_t from_us, uint64_t until_us) const;

  const model::Message& message_;
};

// Adds the names of the monitors' owners, each once. The evidence says how long each held which
// lock, longest first.
void AddHolders(const model::Message& message, judge::Verdict* verdict);

}  // namespace stillframe::judge
