// SPDX-License-Identifier: Apache-2.0
// What ran outside messages.
#pragma once

#include <string>

#include "src/model/values.h"

namespace stillframe::model {

struct Segment {
  SegmentKind kind = SegmentKind::kNone;
  std::string method = {};  // around it, as CLASS.METHOD, "" when unknown

  explicit operator bool() const { return kind != SegmentKind::kNone; }
};

// Who ran: one field of the file. Of a message its callback, of a segment its method.
template <typename Message>
auto& CallbackOrMethod(Message& message) {
  return message.segment ? message.segment.method : message.callback;
}

}  // namespace stillframe::model
