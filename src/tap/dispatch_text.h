// SPDX-License-Identifier: Apache-2.0
// Parses the line that Looper gives its Printer before a message. Allocates nothing.
// Context: any thread; on the watched one for messages that are kept
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::tap {

struct DispatchText {
  std::string_view target;    // class of the Handler
  std::string_view callback;  // class of the Runnable, or its own toString(); "": none
  int32_t what = 0;
};

// Parses ">>>>> Dispatching to Handler (CLASS) {HASH} CALLBACK: WHAT" (AOSP 10-14,
// core/java/android/os/Looper.java and Handler.java, toString). The parts are views of `line`.
// False for other text.
bool ParseDispatchText(std::string_view line, DispatchText* text);

}  // namespace stillframe::tap
