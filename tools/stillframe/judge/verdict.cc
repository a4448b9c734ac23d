// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/verdict.h"

namespace stillframe::judge {

bool Culprit::IsStandstill() const {
  const model::Activity activity = model::ActivityOf(state);
  const bool stands = activity == model::Activity::kWaiting ||
                      activity == model::Activity::kSleeping ||
                      activity == model::Activity::kBlocked;
  return stands && state_us * 2 > held_us;
}

}  // namespace stillframe::judge
