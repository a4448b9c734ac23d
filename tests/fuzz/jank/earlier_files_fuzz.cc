// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file that a killed process left: closed once, or not at all.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/jank/earlier_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::jank;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"/f/stillframe-jank-a-1p2-3-r9.json", "/f/stillframe-session-a-1p2.json",
                           "/f/stillframe-jank-.json"}) {
    const Closed closed = CloseText(path, text);
    if (closed.text.empty() != closed.path.empty()) std::abort();
    if (closed.text.empty()) continue;
    if (closed.path.find("/f/stillframe-") != 0 || !closed.path.ends_with(".json")) std::abort();
    if (!CloseText(closed.path, closed.text).text.empty()) std::abort();
  }
  return 0;
}
