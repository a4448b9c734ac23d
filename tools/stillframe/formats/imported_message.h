// SPDX-License-Identifier: Apache-2.0
// What all importers give a document: frames with room for the text, and messages with their trees.
#pragma once

#include <cstdint>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::formats {

// Room for all that a text of this size can name.
model::FrameTable FramesFor(std::string_view text);

// "com.example.Cart.load" and "Cart.java:12", "Native method" or "".
model::FrameId AddFrame(std::string_view method, std::string_view place, model::FrameTable* frames);

// A message with the tree's token, which began when the one before it had ended; its wall time is
// that of the tree until somebody knows better. The dump is taken at the end of the last one.
model::Message* AddMessage(model::TraceTree tree, model::Document* document);

// Sets when the message began, ended and the dump was taken, by its wall time.
void SetWall(int64_t wall_ns, model::Message* message, model::Document* document);

}  // namespace stillframe::formats
