// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/compare/subject.h"

#include "tools/stillframe/index/method_name.h"

namespace stillframe::compare {

std::string ClusterKey(const Subject& subject, const std::string& method) {
  const bool is_starved = subject.kind == "no-cpu" && !method.empty();
  return (is_starved ? "work" : subject.kind) + "\n" + index::StableName(method) + "\n" +
         index::StableName(subject.message);
}

bool IsInlinedInto(const Subject& callee, const Subject& caller) {
  if (callee.method == caller.method) return false;
  return callee.leaf == callee.method ? caller.leaf == caller.method : callee.leaf == caller.leaf;
}

}  // namespace stillframe::compare
