// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {
bool Culprit::IsStandstill() const {
  const bool stands =
      state == model::ThreadState::kWaiting || state == model::ThreadState::kTimedWaiting ||
      state == model::ThreadState::kSleeping || state == model::ThreadState::kBlocked ||
      state == model::ThreadState::kWaitingForClass ||
      state == model::ThreadState::kWaitingForLibrary;
  return stands && state_us * 2 > held_us;
}

}  // namespace stillframe::judge
