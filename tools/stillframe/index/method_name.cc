// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/method_name.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "tools/stillframe/index/clean_text.h"

namespace stillframe::index {
namespace {

constexpr size_t kLongestSymbol = 4096;
constexpr size_t kLongestFile = 200;

struct Freed {
  void operator()(char* text) const { std::free(text); }
};

// "libshop.so" of "/data/app/base.apk!libshop.so".
std::string_view FileName(std::string_view path) {
  return path.substr(path.find_last_of("/!") + 1);  // from 0 without a separator
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
  const std::string library = index::Truncated(LibraryOf(modules, frame), kLongestFile);
  if (library.empty()) return fmt::format("code at {:#x}", frame.address);
  if (frame.symbol.empty() && frame.place.empty())
    return fmt::format("{}+{:#x}", library, frame.address);
  const std::string name = frame.symbol.empty()
                               ? "[no name]"
                               : index::Truncated(Demangled(frame.symbol), max_characters);
  if (frame.place.empty()) return fmt::format("{} ({})", name, library);
  return fmt::format("{} ({}) {}{}", name, index::Truncated(FileName(frame.place), kLongestFile),
                     frame.is_inlined ? "inlined, " : "", library);
}

std::span<const model::NativeFrame> WithoutInterpreter(std::span<const model::Module> modules,
                                                       std::span<const model::NativeFrame> frames) {
  while (!frames.empty() && IsInterpreters(LibraryOf(modules, frames.back()), frames.back().symbol))
    frames = frames.first(frames.size() - 1);
  return frames;
}

std::string_view AfterName(model::FrameKind kind) {
  return kind == model::FrameKind::kCompiledOrInlined ? " or inlined into it" : "";
}

std::string MethodName(std::string_view class_name, std::string_view method_name,
                       model::FrameKind kind, size_t max_characters) {
  if (kind == model::FrameKind::kTruncated)
    return fmt::format("[cut: {}]", index::Truncated(method_name, max_characters));
  if (kind == model::FrameKind::kNative)
    return index::Truncated(NativeName(class_name, method_name), max_characters);
  std::string name(class_name);
  name += class_name.empty() ? "" : ".";
  name += method_name;
  if (name.empty()) return "[no name]";
  return index::Truncated(name, max_characters).append(AfterName(kind));
}

std::string SourcePlace(std::string_view source_file, int32_t line) {
  if (line == model::kLineNative) return "native method";
  if (source_file.empty())
    return line >= 0 ? fmt::format("unknown source:{}", line) : "unknown source";
  std::string file = index::Truncated(source_file, 200);
  return line >= 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string FrameText(const model::FrameTable& frames, model::FrameId id, size_t max_characters) {
  const model::Frame& frame = frames.At(id);
  const bool is_truncation =
      frame.kind == model::FrameKind::kTruncated ||
      (frame.kind == model::FrameKind::kNative && frames.String(frame.source_file).empty());
  const std::string name = MethodName(frames.String(frame.class_name),
                                      frames.String(frame.method_name), frame.kind, max_characters);
  return is_truncation
             ? name
             : name + " (" + SourcePlace(frames.String(frame.source_file), frame.line) + ")";
}

// Names that javac, dx, D8 and R8 give to lambdas and to calls of private members.
bool IsGlue(std::string_view class_name, std::string_view method_name) {
  constexpr std::array<std::string_view, 4> kClasses = {"$$Lambda$", "$$ExternalSyntheticLambda",
                                                        "$$InternalSyntheticLambda", "-$$Lambda$"};
  return method_name.starts_with("access$") || method_name.starts_with("-$$Nest$") ||
         method_name.starts_with("$r8$lambda$") ||
         std::any_of(kClasses.begin(), kClasses.end(), [class_name](std::string_view part) {
           return class_name.find(part) != std::string_view::npos;
         });
}

std::string StableName(std::string name) {
  // R8: Foo$$ExternalSyntheticLambda3. desugar: Foo$$Lambda$5, -$$Lambda$Foo$AbC_9. javac, kotlinc:
  // lambda$onCreate$2, onCreate$lambda$2, onCreate$lambda-2. Compose: lambda$-190783,
  // lambda_190783.
  const auto drop_digits = [&name](std::string_view after) {
    for (size_t at = name.find(after); at != std::string::npos; at = name.find(after, at)) {
      at += after.size();
      size_t end = at;
      if (end + 1 < name.size() && name[end] == '-' &&
          isdigit(static_cast<unsigned char>(name[end + 1])) != 0)
        ++end;
      while (end < name.size() && isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
      name.erase(at, end - at);
    }
  };
  drop_digits("ExternalSyntheticLambda");
  drop_digits("$$Lambda$");
  constexpr std::string_view kOldKotlin = "$lambda-";
  for (size_t at = 0; (at = name.find(kOldKotlin, at)) != std::string::npos;)
    name[at + kOldKotlin.size() - 1] = '$';
  drop_digits("lambda$");
  drop_digits("lambda_");
  constexpr std::string_view kOld = "-$$Lambda$";
  if (const size_t old = name.find(kOld); old != std::string::npos) {
    const size_t end = name.find('$', old + kOld.size());
    if (end != std::string::npos) {
      size_t word = end + 1;
      while (word < name.size() && (isalnum(static_cast<unsigned char>(name[word])) != 0 ||
                                    name[word] == '_' || name[word] == '-'))
        ++word;
      name = name.substr(0, old) + name.substr(old + kOld.size(), end - old - kOld.size()) +
             "$$Lambda$" + name.substr(word);
    }
  }
  constexpr std::string_view kJavac = "lambda$";
  if (const size_t at = name.find(kJavac); at != std::string::npos) {
    // D8 adds the class: lambda$onCreate$2$com-shop-Cart.
    const size_t number = name.find('$', at + kJavac.size());
    size_t end = std::min(number, name.size() - 1) + 1;
    while (end < name.size() && isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    if (number != std::string::npos && end > number + 1 && (end == name.size() || name[end] == '$'))
      name.resize(number + 1);
  }
  constexpr std::string_view kR8 = "ExternalSyntheticLambda";
  if (const size_t at = name.find(kR8); at != std::string::npos)
    name.replace(at, kR8.size(), "Lambda$");
  // kotlinc: load$app_release, an internal function of the module.
  for (const std::string_view variant : {"_release", "_debug"})
    if (const size_t at = name.find_last_of("$.");
        name.ends_with(variant) && at != std::string::npos && name[at] == '$')
      name.resize(at);
  // javac: Foo$2, the second anonymous class.
  for (size_t at = name.find('$'); at != std::string::npos; at = name.find('$', at + 1)) {
    size_t end = at + 1;
    while (end < name.size() && isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    const bool is_whole =
        end == name.size() || name[end] == '.' || name[end] == '$' || name[end] == ' ';
    if (is_whole) name.erase(at + 1, end - at - 1);
  }
  return name;
}

std::string AlternativeMethods(std::span<const std::string> names) {
  constexpr size_t kMost = 4;
  const auto class_of = [](std::string_view name) { return name.substr(0, name.rfind('.')); };
  std::vector<std::string_view> shown;
  for (const std::string_view name : names) {
    const bool is_of_first = class_of(name) == class_of(names.front());
    const std::string_view its = is_of_first ? name.substr(name.rfind('.') + 1) : name;
    if (std::ranges::find(shown, its) == shown.end()) shown.push_back(its);
  }
  const bool has_more = shown.size() > kMost;
  if (has_more) shown.resize(kMost);
  return fmt::format("{}{}", fmt::join(shown, "|"), has_more ? "|..." : "");
}

}  // namespace stillframe::index
