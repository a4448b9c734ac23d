// SPDX-License-Identifier: Apache-2.0
// Texts on what Android and known libraries do: waits, limits, the Looper.
#pragma once

#include <string>

#include "tools/stillframe/judge/verdict.h"

namespace stillframe::words {

struct AwaitedText {
  judge::Awaited value;
  const char* purpose;  // "a database connection"
  const char* step;     // what to do about it
};

// Null: the wait is not known.
const AwaitedText* TextOf(judge::Awaited awaited);

// "10 s in the foreground, 60 s in the background"; "": unknown.
std::string TextOf(judge::AnrLimit limit);

// "app.Main.onIdle", or that it waited in its Looper.
std::string PlaceText(const judge::evidence::MainAt& fact);
std::string PlaceText(const judge::evidence::NativeAt& fact);

}  // namespace stillframe::words
