// SPDX-License-Identifier: Apache-2.0
// Frames of native code, for trees: class is the library's file, method the function's symbol or
// the address, signature the build id and the address, by which a host names it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/native/library_list.h"
#include "src/native/native_part.h"
#include "src/trace/frame_table.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::native {

class NativeFrames {
 public:
  NativeFrames(const walk::RuntimeFacts& facts, trace::FrameTable* frames)
      : facts_(facts), frame_table_(*frames) {}

  // From here on parts are read; before, all are empty.
  void Enable() { is_enabled_ = true; }

  // What a thread that stands still has called outside managed code. `thread`: its art::Thread,
  // whose stack is that of the facts.
  NativePart Read(int32_t tid, uintptr_t thread) const;

  // Appends the frames of a part, innermost first.
  void Resolve(const NativePart& part, std::vector<trace::FrameId>* stack);

  // The table's ids may mean something else from now on.
  void ForgetIds() { known_.clear(); }

 private:
  static constexpr size_t kMaxKnown = 1024;

  // Code that was met, and the library that held it then.
  struct Known {
    uintptr_t pc = 0;
    unwind::CodeModule library = {};
    trace::FrameId frame = 0;
  };

  // Null when it was not met, or another library is there now.
  const Known* Find(uintptr_t pc) const;
  void Learn(const std::vector<uintptr_t>& pcs);
  trace::FrameId FrameOf(const model::NativeFrame& place);

  const walk::RuntimeFacts& facts_;
  trace::FrameTable& frame_table_;
  bool is_enabled_ = false;
  LibraryList libraries_;
  std::vector<Known> known_;
};

}  // namespace stillframe::native
