// SPDX-License-Identifier: Apache-2.0
// How frames, methods and source lines are written for a person.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/thread_stacks.h"

namespace stillframe::index {

// "com.foo.Bar.baz"; "com.foo.Bar.baz or inlined into it" where that is all that is known; or
// "[cut: reason]" for a frame that is not a method. Clean text, shortened in the middle beyond
// `max_characters`, and what follows the name then.
std::string MethodName(std::string_view class_name, std::string_view method_name,
                       model::FrameKind kind, size_t max_characters = 1000);

// What follows the name of a method; "" in most frames.
std::string_view AfterName(model::FrameKind kind);

// "Bar.java:12", "native method", "unknown source".
std::string SourcePlace(std::string_view source_file, int32_t line);

// "com.foo.Bar.baz (Bar.java:12)": one frame of a stack, its name shortened as above.
std::string FrameText(const model::FrameTable& frames, model::FrameId id,
                      size_t max_characters = 1000);

// A class of Java, Kotlin or Android, which is seldom the one to blame.
bool IsPlatformClass(std::string_view class_name);

// Made by a compiler to call what somebody wrote: the object of a lambda or method reference, or
// the way into another class's private method.
bool IsGlue(std::string_view class_name, std::string_view method_name);

// How native frames are written for a person.
// Of a C++ function's name in a table of symbols the one in its source; others as they are.
std::string Demangled(const std::string& symbol);

// "shop::Cart::Add(int) [libshop.so]", or "libshop.so+0x1a2b": of a frame of a tree, whose class is
// its library and whose method its symbol or address. Not cleaned, as they are.
std::string NativeName(std::string_view library, std::string_view symbol);

// "shop::Cart::Add(int) (cart.cc:12) libshop.so"; without a line "read (libc.so.6)", without a name
// "libshop.so+0x1a2b", in no library "code at 0x7f12". Clean, the name shortened in the middle
// beyond `max_characters`.
std::string NativeFrameText(std::span<const model::Module> modules, const model::NativeFrame& frame,
                            size_t max_characters = 1000);

// Those of a thread that are worth a look: without the runtime's own at their outer end, its
// interpreter and the stubs that lead into code, where they have names.
std::span<const model::NativeFrame> WithoutInterpreter(std::span<const model::Module> modules,
                                                       std::span<const model::NativeFrame> frames);

}  // namespace stillframe::index
