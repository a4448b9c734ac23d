// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/fleet/cause_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tools/stillframe/index/method_name.h"

namespace stillframe::fleet {

std::string CauseKey(const CauseNames& names, const std::string& method) {
  constexpr std::array<std::string_view, 3> kRunning = {"no-cpu", "input-output", "runtime"};
  const bool is_running =
      !method.empty() && std::ranges::find(kRunning, names.kind) != kRunning.end();
  return (is_running ? "work" : names.kind) + "\n" + index::StableName(method) + "\n" +
         index::StableName(names.message);
}

bool IsInlinedInto(const CauseNames& callee, const CauseNames& caller) {
  if (callee.method == caller.method) return false;
  return callee.leaf == callee.method ? caller.leaf == caller.method : callee.leaf == caller.leaf;
}

}  // namespace stillframe::fleet
