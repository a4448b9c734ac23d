// SPDX-License-Identifier: Apache-2.0
// Names of a dump's enumerations in all machine-readable outputs.
#pragma once

#include <string_view>

#include "src/model/document.h"

namespace stillframe::index {

// The annotation of imported stacks that were taken long after their ANR: "4 minutes".
constexpr std::string_view kTakenAfterAnr = "stacks taken after the ANR";

// Name of a thread whose stack was given without its head.
constexpr std::string_view kUnnamedThread = "a thread";

// Identity::sampler_state of a system's log of an ANR, which has figures and no stacks.
constexpr std::string_view kImportedLog = "imported from the system's log";

// "timed-waiting", "idle-handler", ...; "" for a message that is neither a segment nor a frame.
template <typename Enum>
std::string_view NameOf(Enum value) {
  return kTableOf<Enum>.Of(value).name;
}

// "idle handler", ..., for people.
template <typename Enum>
std::string_view TextOf(Enum value) {
  return kTableOf<Enum>.Of(value).text;
}

}  // namespace stillframe::index
