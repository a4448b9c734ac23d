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

// What a thread does in a state, by the name of its colour: "app" (it computes), "native",
// "waiting", "sleeping", "blocked", "runtime" or "other" (not known). A new state needs no more
// than its row.
inline std::string_view ActOf(model::ThreadState state) {
  return kTableOf<model::ThreadState>.Of(state).colour;
}

}  // namespace stillframe::index
