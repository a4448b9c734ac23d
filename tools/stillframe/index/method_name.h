// SPDX-License-Identifier: Apache-2.0
// How frames, methods and source lines are written for people.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/frame_table.h"
#include "src/model/thread_stacks.h"

namespace stillframe::index {

// "com.foo.Bar.baz"; "com.foo.Bar.baz or inlined into it" if the frame is ambiguous; "[cut:
// reason]" for a truncation. Clean text. A name beyond `max_characters` is cut in the middle; the
// words after it are added afterwards.
std::string MethodName(std::string_view class_name, std::string_view method_name,
                       model::FrameKind kind, size_t max_characters = 1000);

// The outermost enclosing class.
inline std::string_view TopClass(std::string_view name) { return name.substr(0, name.find('$')); }

// The words after a method's name; "" for most frames.
std::string_view AfterName(model::FrameKind kind);

// "Bar.java:12", "native method", "unknown source".
std::string SourcePlace(std::string_view source_file, int32_t line);

// "com.foo.Bar.baz (Bar.java:12)": one frame of a stack, its name shortened as above.
std::string FrameText(const model::FrameTable& frames, model::FrameId id,
                      size_t max_characters = 1000);

// Compiler-generated code that calls written code: the object of a lambda or method reference, or
// the accessor of another class's private method.
bool IsGlue(std::string_view class_name, std::string_view method_name);

// How native frames are written for people.
// Returns a C++ function's name as in its source, other symbols unchanged.
std::string Demangled(const std::string& symbol);

// "shop::Cart::Add(int) [libshop.so]", or "libshop.so+0x1a2b". For a tree's frame, where the class
// is the library and the method is the symbol or address. Cleans nothing.
std::string NativeName(std::string_view library, std::string_view symbol);

// "shop::Cart::Add(int) (cart.cc:12) libshop.so"; without a line "read (libc.so.6)"; without a name
// "libshop.so+0x1a2b"; outside libraries "code at 0x7f12". Clean text; a name beyond
// `max_characters` is cut in the middle.
std::string NativeFrameText(std::span<const model::Module> modules, const model::NativeFrame& frame,
                            size_t max_characters = 1000);

// Drops the runtime's own frames at the outer end, its interpreter and the stubs that lead into
// code, as far as they have names.
std::span<const model::NativeFrame> WithoutInterpreter(std::span<const model::Module> modules,
                                                       std::span<const model::NativeFrame> frames);

// The method of a frame that may be any of these, "a.B.c": "c|d|e.F.g". A method of another class
// than the first keeps its class.
std::string AlternativeMethods(std::span<const std::string> names);

// The name without what changes between builds: numbers of lambdas, anonymous
// classes and R8's synthetic classes.
std::string StableName(std::string name);

}  // namespace stillframe::index
