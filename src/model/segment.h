// SPDX-License-Identifier: Apache-2.0
// Code that ran outside messages.
#pragma once

#include <string>

#include "src/model/values.h"

namespace stillframe::model {

struct Segment {
  SegmentKind kind = SegmentKind::kNone;
  std::string method = {};  // CLASS.METHOD around it; "": unknown

  explicit operator bool() const { return kind != SegmentKind::kNone; }
};

// The text that says what ran: the callback of a message, or the method of a segment.
template <typename Message>
auto& CallbackOrMethod(Message& message) {
  return message.segment ? message.segment.method : message.callback;
}

}  // namespace stillframe::model
