// SPDX-License-Identifier: Apache-2.0
// The end of an application by System.exit, which runs no exit handlers.
//
// Problem: in an application System.exit calls `_exit` (Android 8 to 16,
// frameworks/base/core/jni/AndroidRuntime.cpp, AndroidRuntime::exit: "cleanup skipped"), so that a
// dump at exit is never written. Rule: the slot of libandroid_runtime for `_exit` leads through a
// function here, in the process that asked for it only: not in the child of a fork or vfork.
// Surviving risk: whatever else ends the process (another library's `_exit`, a signal) leaves no
// dump.
#pragma once

namespace stillframe::collector {

// From here on `before` runs first, on the thread that ends the process, which is any. False where
// no such call is found, or its slot cannot be written to. Once per process.
// Context: start-up only; takes the dynamic linker's lock
bool RunBeforeImmediateExit(void (*before)());

}  // namespace stillframe::collector
