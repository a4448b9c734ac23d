// SPDX-License-Identifier: Apache-2.0
// Trees, encoded when their message ends, and the frames that they name.
// Context: any thread, one at a time; no JNI, no locks
#pragma once

#include "src/dump/section_writer.h"
#include "src/dump/writer.h"

namespace stillframe::dump {

// Encodes `tree` into `*out`, whose memory is used again. kOk or kNoMemory.
Status EncodeTree(const trace::TraceTree& tree, Deflater* deflater, EncodedTree* out);

// The section of the frames that the trees use, and of `others`; nothing without both.
void AddFrames(const EncodedTrees& trees, std::vector<trace::FrameId> others, SectionWriter* out);

void AddTrees(const EncodedTrees& trees, SectionWriter* out);

}  // namespace stillframe::dump
