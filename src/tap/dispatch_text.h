// The line that Looper gives its Printer before a message.
// Context: any thread
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::tap {

struct DispatchText {
  std::string target;    // class of the Handler
  std::string callback;  // class of the Runnable, "" when none; its toString() when that is its own
  int32_t what = 0;
};

// Takes ">>>>> Dispatching to Handler (CLASS) {HASH} CALLBACK: WHAT" apart (AOSP 10-14,
// core/java/android/os/Looper.java and Handler.java, toString). False when the text is not of that
// form.
bool ParseDispatchText(std::string_view line, DispatchText* text);

}  // namespace stillframe::tap
