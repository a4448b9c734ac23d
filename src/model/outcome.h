// SPDX-License-Identifier: Apache-2.0
// Result of a call on the device side. Conventions there:
//
// - A failure with a reason for people returns an Outcome. Callers decide by the status, not the
// text.
// - Wrappers of system calls return 0 or errno. The dump's writer has a status with numbers of its
// own, which are part of the format.
// - Missing values are a null pointer, an empty optional, or false.
// - Nothing throws.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::model {

enum class Status : uint8_t {
  kOk = 0,
  kTooEarly = 1,     // not yet; ask again later
  kUnavailable = 2,  // this platform, build or process does not have it
  kRefused = 3,      // denied
  kBusy = 4,         // an earlier call has not ended
  kTimedOut = 5,
};

struct [[nodiscard]] Outcome {
  Status status = Status::kOk;
  std::string why;  // one line without its end; "": kOk

  bool ok() const { return status == Status::kOk; }
};

}  // namespace stillframe::model
