// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/judge/verdict.h"

#include <string_view>

#include "tools/stillframe/index/names.h"

namespace stillframe::judge {

bool Culprit::IsStandstill() const {
  const std::string_view act = index::ActOf(state);
  const bool stands = act == "waiting" || act == "sleeping" || act == "blocked";
  return stands && state_us * 2 > held_us;
}

}  // namespace stillframe::judge
