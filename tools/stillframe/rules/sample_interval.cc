// SPDX-License-Identifier: Apache-2.0
// Looks a setting up.
#include "tools/stillframe/rules/sample_interval.h"

#include <charconv>

namespace stillframe::rules {

uint64_t SampleIntervalUs(const model::Document& document) {
  constexpr uint64_t kDefaultUs = 10'000;
  for (const model::NamedText& setting : document.configuration) {
    uint32_t us = 0;
    const char* const end = setting.value.data() + setting.value.size();
    if (setting.name == "interval_us" &&
        std::from_chars(setting.value.data(), end, us).ptr == end && us > 0)
      return us;
  }
  return kDefaultUs;
}

}  // namespace stillframe::rules
