// SPDX-License-Identifier: Apache-2.0
// Function, source and library put together.
#include "tools/stillframe/calltree/native_name.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "tools/stillframe/text/clean_text.h"

namespace stillframe::calltree {
namespace {

constexpr size_t kLongestSymbol = 4096;
constexpr size_t kLongestFile = 200;

struct Freed {
  void operator()(char* text) const { std::free(text); }
};

// "libshop.so" of "/data/app/base.apk!libshop.so".
std::string_view FileName(std::string_view path) {
  return path.substr(path.find_last_of("/!") + 1);  // from 0 where there is none
}

std::string_view LibraryOf(std::span<const model::Module> modules,
                           const model::NativeFrame& frame) {
  if (frame.module == 0 || frame.module > modules.size()) return {};
  return FileName(modules[frame.module - 1].path);
}

bool IsInterpreters(std::string_view library, std::string_view symbol) {
  constexpr std::array<std::string_view, 6> kParts = {"11interpreter", "Mterp",      "mterp",
                                                      "Nterp",         "art_quick_", "nterp_"};
  if (!library.starts_with("libart")) return false;
  for (const std::string_view part : kParts)
    if (symbol.find(part) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string Demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kLongestSymbol) return symbol;
  int status = 0;
  const std::unique_ptr<char, Freed> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status));
  return status == 0 && name != nullptr ? name.get() : symbol;
}

std::string NativeName(std::string_view library, std::string_view symbol) {
  if (library.empty()) return std::string(symbol);
  if (symbol.starts_with("0x")) return fmt::format("{}+{}", library, symbol);
  return fmt::format("{} [{}]", Demangled(std::string(symbol)), library);
}

std::string NativeFrameText(std::span<const model::Module> modules, const model::NativeFrame& frame,
                            size_t max_characters) {
  const std::string library = text::Truncated(LibraryOf(modules, frame), kLongestFile);
  if (library.empty()) return fmt::format("code at {:#x}", frame.address);
  if (frame.symbol.empty() && frame.place.empty())
    return fmt::format("{}+{:#x}", library, frame.address);
  const std::string name =
      frame.symbol.empty() ? "[no name]" : text::Truncated(Demangled(frame.symbol), max_characters);
  if (frame.place.empty()) return fmt::format("{} ({})", name, library);
  return fmt::format("{} ({}) {}{}", name, text::Truncated(FileName(frame.place), kLongestFile),
                     frame.is_inlined ? "inlined, " : "", library);
}

std::span<const model::NativeFrame> WithoutInterpreter(std::span<const model::Module> modules,
                                                       std::span<const model::NativeFrame> frames) {
  while (!frames.empty() && IsInterpreters(LibraryOf(modules, frames.back()), frames.back().symbol))
    frames = frames.first(frames.size() - 1);
  return frames;
}

}  // namespace stillframe::calltree
