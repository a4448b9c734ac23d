// SPDX-License-Identifier: Apache-2.0
// How frames, methods and source lines are written for a person.
#pragma once

#include <string>
#include <string_view>

#include "src/trace/frame_table.h"

namespace stillframe::calltree {

// "com.foo.Bar.baz"; "com.foo.Bar.baz or inlined into it" where that is all that is known; or
// "[cut: reason]" for a frame that is not a method. Clean text, shortened in the middle beyond
// `max_characters`, and what follows the name then.
std::string MethodName(std::string_view class_name, std::string_view method_name,
                       trace::FrameKind kind, size_t max_characters = 1000);

// What follows the name of a method; "" in most frames.
std::string_view AfterName(trace::FrameKind kind);

// "Bar.java:12", "native method", "unknown source".
std::string SourcePlace(std::string_view source_file, int32_t line);

// "com.foo.Bar.baz (Bar.java:12)": one frame of a stack, its name shortened as above.
std::string FrameText(const trace::FrameTable& frames, trace::FrameId id,
                      size_t max_characters = 1000);

// A class of Java, Kotlin or Android, which is seldom the one to blame.
bool IsPlatformClass(std::string_view class_name);

// Made by a compiler to call what somebody wrote: the object of a lambda or method reference, or
// the way into another class's private method.
bool IsGlue(std::string_view class_name, std::string_view method_name);

// "waiting", "blocked on a monitor": what the main thread was doing, as in "the main thread was
// ...".
std::string_view StateText(trace::ThreadState state);

// "interpreted", "jni", ...
std::string_view KindText(trace::FrameKind kind);

}  // namespace stillframe::calltree
