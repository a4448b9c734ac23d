// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/subject.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tools/stillframe/index/method_name.h"

namespace stillframe::compare {

std::string ClusterKey(const Subject& subject, const std::string& method) {
  constexpr std::array<std::string_view, 3> kRunning = {"no-cpu", "input-output", "runtime"};
  const bool is_running =
      !method.empty() && std::ranges::find(kRunning, subject.kind) != kRunning.end();
  return (is_running ? "work" : subject.kind) + "\n" + index::StableName(method) + "\n" +
         index::StableName(subject.message);
}

bool IsInlinedInto(const Subject& callee, const Subject& caller) {
  if (callee.method == caller.method) return false;
  return callee.leaf == callee.method ? caller.leaf == caller.method : callee.leaf == caller.leaf;
}

}  // namespace stillframe::compare
