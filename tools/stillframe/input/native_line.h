// SPDX-License-Identifier: Apache-2.0
// One line of a list of native frames, as ART, debuggerd, Crashlytics and perf write it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/model/frame.h"

namespace stillframe::input {

// "native: #00 pc 0000000000012345  /system/lib64/libc.so (syscall+28) (BuildId: 0123)",
// "#05 pc 0x208ff58 memfd:jit-cache (a.B.c + 348)", "7b1c0410c0 read+0x4 (/system/lib64/libc.so)".
struct NativeLine {
  uint64_t address = 0;
  std::string_view path;  // as written; "": not known
  std::string_view build_id;
  std::string_view symbol;  // with its offset; "": none
};
bool IsNativeLine(std::string_view line);
std::optional<NativeLine> ParseNativeLine(std::string_view line);

// The Java method of a frame in a file that holds managed code: "a.B.c" of "void a.B.c(int)
// [DEDUPED]+8". Libraries, and stubs within such files, have none.
struct ManagedMethod {
  std::string name;
  model::FrameKind kind = model::FrameKind::kCompiled;
};
std::optional<ManagedMethod> ManagedMethodOf(std::string_view path, std::string_view symbol);

// "a.B$C.<init>": identifiers of Java with dots between them.
bool IsMethodName(std::string_view name);

// The runtime's stubs and interpreters, which lead from one managed frame to the next.
bool IsBridge(std::string_view symbol);

}  // namespace stillframe::input
