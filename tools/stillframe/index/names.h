// SPDX-License-Identifier: Apache-2.0
// What the enumerations of a dump are called in every output that programs read.
#pragma once

#include <string_view>

#include "src/model/document.h"

namespace stillframe::index {

// "timed-waiting", "idle-handler", ...; "" for a message that is neither a segment nor a frame.
template <typename Enum>
std::string_view NameOf(Enum value) {
  return kTableOf<Enum>.Of(value).name;
}

// "idle handler", ..., for a person.
template <typename Enum>
std::string_view TextOf(Enum value) {
  return kTableOf<Enum>.Of(value).text;
}

// "waiting": equal for values that look alike; see EnumWords.
template <typename Enum>
std::string_view ColourOf(Enum value) {
  return kTableOf<Enum>.Of(value).colour;
}

}  // namespace stillframe::index
