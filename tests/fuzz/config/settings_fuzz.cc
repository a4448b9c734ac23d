// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of settings and as options: nothing is out of bounds, and each refusal is one
// line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "src/config/config.h"
#include "src/config/flat_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::config;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string why;
  std::vector<std::string> complaints;
  const auto items = ReadFlatJson(text, &why);
  if (!why.empty() && !items.empty()) std::abort();
  const Config config = Assemble(items, ItemsOfOptions(text), &complaints);
  if (config.slow_ms < 1 || config.slow_ms > 60'000 || config.trees < 1) std::abort();
  for (const std::string& line : complaints)
    if (line.find('\n') != std::string::npos || line.size() > 300) std::abort();
  return 0;
}
