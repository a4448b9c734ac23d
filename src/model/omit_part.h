// SPDX-License-Identifier: Apache-2.0
// Parts that a dump can omit: the words of STILLFRAME_OMIT (docs/production.md).
#pragma once

#include <cstdint>

namespace stillframe::model {

enum class OmitPart : uint8_t {
  kStacks,
  kMessages,
  kQueue,
  kThreads,
  kContext,
  kAnnotations,
  kReason,
  kProcess,
  kInstall,
  kCount
};

constexpr uint16_t BitOf(OmitPart part) {
  return static_cast<uint16_t>(1U << static_cast<unsigned>(part));
}

}  // namespace stillframe::model
