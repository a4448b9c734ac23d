// SPDX-License-Identifier: Apache-2.0
// The preorder text of a trace tree: each node in preorder as `frame;count;offset;children;`.
// Context: any thread; allocates
//
// A frame reads like a StackTraceElement: `com.foo.Bar.baz(Bar.java:12)`, `(Bar.java)`, `(Native
// Method)`, `(Unknown Source)` or, as Android prints it, `(Unknown Source:12)`. A frame of
// FrameKind::kTruncated is its bare method name. Frames write `%`, `;`, CR and LF as %25, %3B, %0D
// and %0A; any other `%` is literal.
//
// If all samples share the outermost frame, it is the first entry. Otherwise the first entry is the
// virtual root with an empty frame: `;3;0;2;a(A.java:1);1;0;0;b(B.java:2);2;1;0;`. The text is
// empty without samples. It omits signatures, frame kinds and sample times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <stillframe/token.h>

#include "src/model/frame_table.h"
#include "src/model/trace_tree.h"

namespace stillframe::index {

// Appends the frame's text without escapes. For any text t: PreorderFrameText(table,
// ParseFrameText(t, &table)) == t.
void AppendFrameText(const model::FrameTable& frames, model::FrameId id, std::string* out);
std::string PreorderFrameText(const model::FrameTable& frames, model::FrameId id);

// Interns the frame that the text describes. Text in another style becomes a frame of
// FrameKind::kTruncated with the text as method name.
model::FrameId ParseFrameText(std::string_view text, model::FrameTable* frames);

std::string WritePreorderText(const model::TraceTree& tree, const model::FrameTable& frames);

// Limits for untrusted text.
struct PreorderLimits {
  uint32_t max_nodes = 1U << 20;
  uint32_t max_samples = 1U << 20;
  uint32_t max_depth = 4096;
};

struct PreorderResult {
  model::TraceTree tree;
  std::string error;        // empty: success; else one line, with the offset
  size_t error_offset = 0;  // bytes from the start of the text

  bool ok() const { return error.empty(); }
};

// Reads `text`; trailing white space is allowed. Each sample gets the weight `interval_us`, because
// the text has no times. Writing the tree again gives the same text if its escapes are the
// writer's.
PreorderResult ReadPreorderText(std::string_view text, Token token, model::FrameTable* frames,
                                uint32_t interval_us = 10'000, const PreorderLimits& limits = {});

}  // namespace stillframe::index
