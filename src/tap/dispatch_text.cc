// SPDX-License-Identifier: Apache-2.0
#include "src/tap/dispatch_text.h"

#include <charconv>

namespace stillframe::tap {

bool ParseDispatchText(std::string_view line, DispatchText* text) {
  constexpr std::string_view kPrefix = ">>>>> Dispatching to ";
  if (!line.starts_with(kPrefix)) return false;
  line.remove_prefix(kPrefix.size());

  const size_t colon = line.rfind(": ");
  if (colon == std::string_view::npos) return false;
  const std::string_view number = line.substr(colon + 2);
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), text->what);
  if (parsed.ec != std::errc() || parsed.ptr != number.data() + number.size()) return false;

  const size_t open = line.find('(');
  const size_t close = line.find(')', open);
  const size_t brace = line.find("} ", close);
  if (open == std::string_view::npos || close == std::string_view::npos ||
      brace == std::string_view::npos || brace + 2 > colon)
    return false;
  text->target = line.substr(open + 1, close - open - 1);
  std::string_view callback = line.substr(brace + 2, colon - brace - 2);
  if (callback == "null") callback = {};
  text->callback = callback.substr(0, callback.find('@'));
  return true;
}

}  // namespace stillframe::tap
