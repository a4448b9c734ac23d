// SPDX-License-Identifier: Apache-2.0
// Shared by all importers: a frame table large enough for the text, and messages with their trees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/model/document.h"

namespace stillframe::input {

// A frame table large enough for all names in a text of this size.
model::FrameTable FramesFor(std::string_view text);

// The same for the names in so many bytes.
model::FrameTable FramesForBytes(size_t bytes);

// "com.example.Cart.load" and "Cart.java:12", "Native method" or "".
model::FrameId AddFrame(std::string_view method, std::string_view place, model::FrameTable* frames);
model::FrameId AddFrame(std::string_view class_name, std::string_view method,
                        std::string_view place, model::FrameTable* frames);

// Adds a message with the tree's token, which begins at the end of the message before. Its wall
// time is the tree's until SetWall. The dump's time is the end of the last message.
model::Message* AddMessage(model::TraceTree tree, model::Document* document);

// Adds a message without a tree.
model::Message* AddMessage(int64_t wall_ns, model::Document* document);

// A token that no message has yet.
Token NextToken(const model::Document& document);

// Adds "; " between notes.
void AddNote(std::string_view note, std::string* notes);

// Sets the message's start and end and the dump's time, from the wall time.
void SetWall(int64_t wall_ns, model::Message* message, model::Document* document);

}  // namespace stillframe::input
