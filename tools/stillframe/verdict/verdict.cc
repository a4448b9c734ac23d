// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::verdict {
bool Culprit::IsStandstill() const {
  const bool stands =
      state == trace::ThreadState::kWaiting || state == trace::ThreadState::kTimedWaiting ||
      state == trace::ThreadState::kSleeping || state == trace::ThreadState::kBlocked ||
      state == trace::ThreadState::kWaitingForClass ||
      state == trace::ThreadState::kWaitingForLibrary;
  return stands && state_us * 2 > held_us;
}

}  // namespace stillframe::verdict
