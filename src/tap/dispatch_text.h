// SPDX-License-Identifier: Apache-2.0
// The line that Looper gives its Printer before a message. Allocates nothing.
// Context: any thread
#pragma once

#include <cstdint>
#include <string_view>

namespace stillframe::tap {

struct DispatchText {
  std::string_view target;    // class of the Handler
  std::string_view callback;  // class of the Runnable, "" when none; or its own toString()
  int32_t what = 0;
};

// Takes ">>>>> Dispatching to Handler (CLASS) {HASH} CALLBACK: WHAT" apart (AOSP 10-14,
// core/java/android/os/Looper.java and Handler.java, toString); the parts are the line's own bytes.
// False when the text is not of that form.
bool ParseDispatchText(std::string_view line, DispatchText* text);

}  // namespace stillframe::tap
