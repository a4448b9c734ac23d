// SPDX-License-Identifier: Apache-2.0
// The preorder text of a trace tree: each node in preorder as `frame;count;offset;children;`.
// Context: any thread; allocates
//
// A frame reads like a StackTraceElement: `com.foo.Bar.baz(Bar.java:12)`, `(Bar.java)`, `(Native
// Method)`, `(Unknown Source)` or, as Android prints it, `(Unknown Source:12)`; a frame of
// FrameKind::kTruncated is its bare method name. In a frame `%`, `;`, CR and LF are written as %25,
// %3B, %0D and %0A; any other `%` is read as itself.
//
// The first entry is the outermost frame, if all samples share it. Otherwise it is the virtual
// root, whose frame is empty: `;3;0;2;a(A.java:1);1;0;0;b(B.java:2);2;1;0;`. No
// samples at all is the empty text. Signatures, frame kinds and the times of samples are not in the
// text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <stillframe/token.h>

#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::index {

// Appends the frame's text, without escapes. For any text t: FrameText(table, ParseFrameText(t,
// &table)) == t.
void AppendFrameText(const model::FrameTable& frames, model::FrameId id, std::string* out);
std::string FrameText(const model::FrameTable& frames, model::FrameId id);

// Interns what the text says. A text in another style becomes a frame of FrameKind::kTruncated with
// the text as method name.
model::FrameId ParseFrameText(std::string_view text, model::FrameTable* frames);

std::string WritePreorderText(const model::TraceTree& tree, const model::FrameTable& frames);

// Bounds for text that nobody vouches for.
struct PreorderLimits {
  uint32_t max_nodes = 1U << 20;
  uint32_t max_samples = 1U << 20;
  uint32_t max_depth = 4096;
};

struct PreorderResult {
  model::TraceTree tree;
  std::string error;        // empty when the text was read; else one line, with the offset
  size_t error_offset = 0;  // bytes from the start of the text

  bool ok() const { return error.empty(); }
};

// Reads `text`; white space at its end is allowed. The samples get `interval_us` as weight, since
// the text has no times. Writing the tree again gives the same text, if the text's escapes are
// those that the writer makes.
PreorderResult ReadPreorderText(std::string_view text, Token token, model::FrameTable* frames,
                                uint32_t interval_us = 10'000, const PreorderLimits& limits = {});

}  // namespace stillframe::index
