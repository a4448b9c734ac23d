// SPDX-License-Identifier: Apache-2.0
// How native frames are written for a person.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/native_code.h"

namespace stillframe::calltree {

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

}  // namespace stillframe::calltree
