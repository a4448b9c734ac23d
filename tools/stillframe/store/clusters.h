// SPDX-License-Identifier: Apache-2.0
// Clusters of hangs: signatures of one cause, joined over builds and by hand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tools/stillframe/compare/subject.h"
#include "tools/stillframe/store/engine.h"
#include "tools/stillframe/store/hash.h"

namespace stillframe::store {

// Sixteen digits.
std::string PartId(int64_t signature);

// How often each version of the application had each signature.
using Occurrences = std::map<int64_t, std::map<std::string, uint64_t>>;

// Which cluster each signature belongs to.
class Clusters {
 public:
  // False if the store failed.
  bool Read(Engine* engine);

  // Joins rare kinds of a method to its largest kind, rare callees to their caller, and a caller to
  // the method that a build inlined into it: the versions that have the one lack the other.
  void Join(const Occurrences& occurrences);

  const std::map<int64_t, compare::Subject>& subjects() const { return subjects_; }
  // The signature's cluster.
  const std::string& Of(int64_t signature) const {
    static const std::string none = "000000000000";
    const auto found = clusters_.find(signature);
    return found == clusters_.end() ? none : found->second;
  }
  std::string Find(const std::string& id) const {
    for (const auto& [signature, cluster] : clusters_)
      if (cluster == id || PartId(signature) == id || Own(signature) == id) return cluster;
    return "";
  }

 private:
  using Counts = std::map<std::string, uint64_t>;  // of hangs, by version

  // Without joining.
  std::string Own(int64_t signature) const {
    const compare::Subject& subject = subjects_.at(signature);
    return ShortHash(ClusterKey(subject, subject.method));
  }

  std::string Decided(std::string id) const {
    constexpr int kMostSteps = 16;  // a circle ends, too
    for (int i = 0; i < kMostSteps; ++i) {
      const auto decision = decisions_.find(id);
      if (decision == decisions_.end() || decision->second == id) break;
      id = decision->second;
    }
    return id;
  }

  void JoinKinds(const std::map<int64_t, std::string>& own,
                 const std::map<std::string, Counts>& counts,
                 std::map<std::string, std::string>* joined) const;
  void JoinRareCallees(const std::map<int64_t, std::string>& own, const Occurrences& occurrences,
                       const std::map<std::string, Counts>& counts,
                       std::map<std::string, std::string>* joined) const;
  static std::optional<double> ExpectedInlined(const Counts& callee, const Counts& caller,
                                               const Counts& all);

  std::map<int64_t, compare::Subject> subjects_;
  std::map<std::string, std::string> decisions_;
  std::map<int64_t, std::string> clusters_;
};

}  // namespace stillframe::store
