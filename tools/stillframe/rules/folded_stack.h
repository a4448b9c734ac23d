// SPDX-License-Identifier: Apache-2.0
// Stacks without their recursion, so that one method's time is in one place of a tree.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "src/trace/frame_table.h"
#include "tools/stillframe/index/own_code.h"

namespace stillframe::rules {

class StackFolder {
 public:
  StackFolder(const trace::FrameTable& frames, const index::OwnCode& own)
      : frames_(frames), own_(own), method_of_frame_(frames.size()) {}

  // An application's method that calls itself, over others or not, stands where it stood first,
  // with what its last call went on to. A library's does so where no method of the application's
  // stands between its calls, as its interceptors do; one of the platform only where it calls
  // itself directly: what applications override stands between its calls. The result holds until
  // the next call.
  std::span<const trace::FrameId> Fold(std::span<const trace::FrameId> stack);

 private:
  enum class Whose : uint8_t { kOwn, kLibrary, kPlatform };
  struct Method {
    Whose whose;
    uint32_t place;  // in the result, plus one; 0: not in it
  };

  uint32_t MethodOf(trace::FrameId id);
  // The method is called again, after what the result has behind `place`.
  bool IsFolded(const Method& method, uint32_t place) const;

  const trace::FrameTable& frames_;
  const index::OwnCode& own_;
  std::vector<uint32_t> method_of_frame_;  // plus one; 0: not looked at
  std::map<std::tuple<trace::StringId, trace::StringId, trace::StringId>, uint32_t> ids_;
  std::vector<Method> methods_;
  std::vector<trace::FrameId> folded_;
  std::vector<uint32_t> folded_methods_;
};

}  // namespace stillframe::rules
