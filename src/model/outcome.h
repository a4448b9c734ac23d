// SPDX-License-Identifier: Apache-2.0
// How a call of the device side ended. One style of failure there:
//
// - what can fail for a reason that a person should read returns an Outcome; the caller decides by
//   the status and never by the text;
// - what wraps system calls returns 0 or errno; the dump's writer has a status of its own, with
//   numbers that belong to the format;
// - what may simply not be there is a null pointer, an empty optional, or false;
// - nothing throws.
// Context: any thread but a signal handler
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::model {

enum class Status : uint8_t {
  kOk = 0,
  kTooEarly = 1,     // not yet; ask again later
  kUnavailable = 2,  // this platform, build or process does not have it
  kRefused = 3,      // it was asked for and denied
  kBusy = 4,         // an earlier call has not ended
  kTimedOut = 5,
};

struct [[nodiscard]] Outcome {
  Status status = Status::kOk;
  std::string why;  // one line without its end; "" when it is kOk

  bool ok() const { return status == Status::kOk; }
};

}  // namespace stillframe::model
