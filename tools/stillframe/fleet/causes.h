// SPDX-License-Identifier: Apache-2.0
// Causes of hangs: signatures of one cause, joined over builds and by hand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tools/stillframe/fleet/cause_names.h"
#include "tools/stillframe/fleet/engine.h"
#include "tools/stillframe/fleet/hash.h"

namespace stillframe::fleet {

constexpr const char* kUnknown = "unknown";

// A version's name, else its number, else kUnknown: not every application names its version.
std::string VersionText(const std::string& name, int64_t code);

// Sixteen digits.
std::string PartId(Signature signature);

// Which cause each signature belongs to.
class Causes {
 public:
  // Joins rare kinds of a method to its largest kind, rare callees to their caller, and a caller to
  // the method that a build inlined into it: the versions that have the one lack the other. False
  // if the store failed.
  bool Read(Engine* engine);

  const std::map<Signature, CauseNames>& names() const { return names_; }
  // The id of the signature's cause.
  const std::string& Of(Signature signature) const {
    static const std::string none = "000000000000";
    const auto found = causes_.find(signature);
    return found == causes_.end() ? none : found->second;
  }
  // The cause that has this id now: its own, a former one's or a part's. "": none.
  std::string Find(const std::string& id) const {
    for (const auto& [signature, cause] : causes_)
      if (cause == id || PartId(signature) == id || Own(signature) == id) return cause;
    return "";
  }

 private:
  using Counts = std::map<std::string, uint64_t>;  // of hangs, by version
  using Occurrences = std::map<Signature, Counts>;

  // Without joining.
  std::string Own(Signature signature) const {
    const CauseNames& names = names_.at(signature);
    return ShortHash(CauseKey(names, names.method));
  }

  void Join(const Occurrences& occurrences);

  std::string Decided(std::string id) const {
    constexpr int kMostSteps = 16;  // a circle ends, too
    for (int i = 0; i < kMostSteps; ++i) {
      const auto decision = decisions_.find(id);
      if (decision == decisions_.end() || decision->second == id) break;
      id = decision->second;
    }
    return id;
  }

  void JoinKinds(const std::map<Signature, std::string>& own,
                 const std::map<std::string, Counts>& counts,
                 std::map<std::string, std::string>* joined) const;
  void JoinRareCallees(const std::map<Signature, std::string>& own, const Occurrences& occurrences,
                       const std::map<std::string, Counts>& counts,
                       std::map<std::string, std::string>* joined) const;
  static std::optional<double> ExpectedInlined(const Counts& callee, const Counts& caller,
                                               const Counts& all);

  std::map<Signature, CauseNames> names_;
  std::map<std::string, std::string> decisions_;
  std::map<Signature, std::string> causes_;
};

}  // namespace stillframe::fleet
