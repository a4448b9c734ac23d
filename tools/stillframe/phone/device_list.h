// SPDX-License-Identifier: Apache-2.0
// Which phone is meant.
#pragma once

#include <string>

namespace stillframe::phone {

// Either a phone that answers, or a problem and what to do about it.
struct ChosenDevice {
  std::string serial;
  std::string problem;
  std::string remedy;
};

// The one with this serial, or with none given (nor in ANDROID_SERIAL) the only one there is.
ChosenDevice ChooseDevice(const std::string& serial);

}  // namespace stillframe::phone
