// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/retrace.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "src/model/frame.h"
#include "tools/stillframe/index/method_name.h"

namespace stillframe::naming {
namespace {

// An inlined method with its callers, innermost first. The last is the method that the runtime
// knows.
using Stack = std::span<const Member>;

std::vector<Stack> StacksOf(const std::vector<Member>& members) {
  std::vector<Stack> stacks;
  for (size_t begin = 0; begin < members.size();) {
    size_t end = begin + 1;
    while (end < members.size() && members[end].Continues(members[end - 1])) ++end;
    stacks.push_back(Stack(members).subspan(begin, end - begin));
    begin = end;
  }
  return stacks;
}

// "kt" or "java"; "" for other files, such as "SourceFile" or "r8-map-id-1234567".
std::string_view SourceExtension(std::string_view file) {
  const size_t dot = file.rfind('.');
  const std::string_view extension =
      dot == std::string_view::npos ? std::string_view() : file.substr(dot + 1);
  return extension == "kt" || extension == "java" ? extension : std::string_view();
}

// The file that a compiler would have used, for a class that the mapping does not describe. `own`
// is the extension of the obfuscated frame's file, `around` that of the caller's.
std::string InferredFile(std::string_view class_name, std::string_view own,
                         std::string_view around) {
  constexpr std::string_view kFacade = "Kt";
  const size_t dot = class_name.rfind('.');
  std::string_view simple = dot == std::string_view::npos ? class_name : class_name.substr(dot + 1);
  simple = simple.substr(0, simple.find('$', 1));
  if (simple.size() > kFacade.size() && simple.ends_with(kFacade) && own != "java")
    return std::string(simple.substr(0, simple.size() - kFacade.size())) + ".kt";
  const std::string_view extension = !own.empty() ? own : !around.empty() ? around : "java";
  return std::string(simple) + "." + std::string(extension);
}

// Whether a frame with the line is at the member. Range 0 is for frames without a line.
bool Holds(const Member& member, int32_t line) {
  return !member.has_minified || member.minified.Contains(line == model::kLineUnknown ? 0 : line);
}

// The line of a member that holds `line`. One line may represent several: then the first. Unknown
// if it may be another. Original line 0 means no line.
int32_t OriginalLine(const Member& member, int32_t line) {
  int64_t original = line;
  if (member.has_original) {
    const bool is_one = line > 0 && member.has_minified && member.minified.length() == 0;
    const bool is_known =
        member.original.length() == 0 || is_one ||
        (line >= 0 && member.has_minified && member.original.length() == member.minified.length());
    original = is_known ? member.original.from : model::kLineUnknown;
    if (is_known && !is_one && member.original.length() != 0)
      original += line - member.minified.from;
  }
  return original > 0 && original <= INT32_MAX ? static_cast<int32_t>(original)
                                               : model::kLineUnknown;
}

bool IsSameMethod(const Member& a, const Member& b) {
  return a.class_name == b.class_name && a.method_name == b.method_name &&
         a.signature == b.signature && a.residual == b.residual;
}

template <typename Predicate>
std::vector<Stack> Where(const std::vector<Stack>& stacks, const Predicate& is_taken) {
  std::vector<Stack> taken;
  std::copy_if(stacks.begin(), stacks.end(), std::back_inserter(taken), is_taken);
  return taken;
}

// The stacks that hold the line; else those without lines. Empty if there are none.
std::vector<Stack> At(const std::vector<Stack>& stacks, int32_t line) {
  const bool is_one_method = std::all_of(stacks.begin(), stacks.end(), [&](const Stack& stack) {
    return IsSameMethod(stack.back(), stacks.front().back());
  });
  if (line < 0 && !is_one_method) return {};
  std::vector<Stack> at = Where(stacks, [line](const Stack& stack) {
    return stack.front().has_minified && Holds(stack.front(), line);
  });
  if (!at.empty() || line < 0) return at;
  return Where(stacks, [](const Stack& stack) { return !stack.front().has_minified; });
}

std::optional<int32_t> LineAtCallsite(const std::vector<Stack>& stacks, int32_t outline_line) {
  for (const Stack& stack : stacks) {
    for (const Member& member : stack) {
      const auto position = member.outline_positions.find(outline_line);
      if (position != member.outline_positions.end()) return position->second;
    }
  }
  return std::nullopt;
}

class Tracer {
 public:
  Tracer(const Mapping& mapping, const Class& entry, const ObfuscatedFrame& frame)
      : mapping_(mapping), class_(entry), frame_(frame) {}

  Retraced Trace(std::optional<int32_t> outline_line) {
    const auto found = class_.members.find(std::string(frame_.method_name));
    if (found == class_.members.end()) return Renamed();
    const std::vector<Stack> all = StacksOf(found->second);
    std::vector<Stack> stacks = Candidates(all, frame_.line);
    int32_t line = frame_.line;
    if (outline_line) {
      if (const std::optional<int32_t> own = LineAtCallsite(stacks, *outline_line)) {
        line = *own;
        stacks = Candidates(all, line);
      }
    }
    return stacks.size() == 1 || AreTheSame(stacks, line) ? Single(stacks.front(), line)
                                                          : Alternatives(stacks);
  }

 private:
  // A method that kept its name and lines.
  Retraced Renamed() const {
    Retraced result;
    result.frames = {{class_.original_name, std::string(frame_.method_name),
                      FileOf(class_.original_name, {}), frame_.line}};
    return result;
  }

  // The stacks that the frame may be at. A residual signature is exact, so it decides before the
  // line does. R8 may have changed an original one: the line of another method then wins.
  std::vector<Stack> Candidates(const std::vector<Stack>& all, int32_t line) const {
    std::vector<Stack> exact = Where(all, [this](const Stack& stack) {
      return !frame_.descriptor.empty() && stack.back().residual == frame_.descriptor;
    });
    const bool is_exact = !exact.empty();
    std::vector<Stack> likely = is_exact ? std::move(exact) : OfSignature(all);
    std::vector<Stack> at = At(likely, line);
    if (at.empty() && !is_exact) at = At(all, line);
    return at.empty() ? likely : at;
  }

  // All stacks if the signature is unknown, or no method's.
  std::vector<Stack> OfSignature(const std::vector<Stack>& all) const {
    if (all.size() < 2 || frame_.descriptor.empty()) return all;
    const std::string signature = OriginalSignature(mapping_, frame_.descriptor);
    std::vector<Stack> matching = Where(all, [&signature](const Stack& stack) {
      return stack.back().residual.empty() && stack.back().signature == signature;
    });
    return matching.empty() ? all : matching;
  }

  std::string ClassOf(const Member& member) const {
    return member.class_name.empty() ? class_.original_name : member.class_name;
  }

  std::string FileOf(const std::string& class_name, std::string_view around) const {
    const auto known = mapping_.source_files.find(class_name);
    return known != mapping_.source_files.end()
               ? known->second
               : InferredFile(class_name, SourceExtension(frame_.source_file), around);
  }

  Retraced Single(const Stack& stack, int32_t line) const {
    const Member& method = stack.back();
    // Inlining is unknown without a line, or outside the mapping's lines.
    const bool is_held = Holds(method, line);
    Retraced result;
    result.is_outline = method.is_outline;
    result.outline_line = line;
    const Stack known = is_held ? stack : stack.last(1);
    result.drops_outermost =
        method.is_outline || (method.is_synthesized && known.size() == stack.size());
    result.frames = Frames(known, line, is_held);
    if (result.drops_outermost) result.frames.pop_back();
    return result;
  }

  std::vector<NamedFrame> Frames(const Stack& stack, int32_t line, bool is_held) const {
    std::vector<NamedFrame> frames;
    std::string_view around;  // extension of the next caller's file that has one
    for (size_t i = stack.size(); i-- > 0;) {
      const std::string class_name = ClassOf(stack[i]);
      const std::string file = FileOf(class_name, around);
      if (const std::string_view extension = SourceExtension(file); !extension.empty())
        around = extension == "kt" ? "kt" : "java";
      int32_t original = is_held ? OriginalLine(stack[i], line) : model::kLineUnknown;
      if (line == model::kLineNative) original = line;
      frames.push_back({class_name, stack[i].method_name, file, original});
    }
    std::reverse(frames.begin(), frames.end());
    return frames;
  }

  bool AreTheSame(const std::vector<Stack>& stacks, int32_t line) const {
    const Retraced first = Single(stacks.front(), line);
    return std::all_of(stacks.begin() + 1, stacks.end(), [&](const Stack& stack) {
      const Retraced other = Single(stack, line);
      return std::equal(first.frames.begin(), first.frames.end(), other.frames.begin(),
                        other.frames.end(), [](const NamedFrame& a, const NamedFrame& b) {
                          return a.class_name == b.class_name && a.method_name == b.method_name &&
                                 a.line == b.line;
                        });
    });
  }

  // One frame for several possibilities.
  Retraced Alternatives(const std::vector<Stack>& stacks) const {
    const std::string class_name = ClassOf(stacks.front().back());
    std::vector<std::string> names;
    for (const Stack& stack : stacks)
      names.push_back(ClassOf(stack.back()) + "." + stack.back().method_name);
    Retraced result;
    result.frames = {{class_name, index::AlternativeMethods(names), FileOf(class_name, {}),
                      frame_.line == model::kLineNative ? frame_.line : model::kLineUnknown}};
    return result;
  }

  const Mapping& mapping_;
  const Class& class_;
  const ObfuscatedFrame& frame_;
};

// Takes one type of a descriptor and appends its Java name. False without a valid type.
bool TakeType(const Mapping& mapping, std::string_view* rest, std::string* out) {
  size_t dimensions = 0;
  while (!rest->empty() && rest->front() == '[') {
    rest->remove_prefix(1);
    ++dimensions;
  }
  if (rest->empty()) return false;
  const char kind = rest->front();
  rest->remove_prefix(1);
  switch (kind) {
    case 'V': *out += "void"; break;
    case 'Z': *out += "boolean"; break;
    case 'B': *out += "byte"; break;
    case 'S': *out += "short"; break;
    case 'C': *out += "char"; break;
    case 'I': *out += "int"; break;
    case 'J': *out += "long"; break;
    case 'F': *out += "float"; break;
    case 'D': *out += "double"; break;
    case 'L': {
      const size_t end = rest->find(';');
      if (end == std::string_view::npos) return false;
      std::string name(rest->substr(0, end));
      std::replace(name.begin(), name.end(), '/', '.');
      *out += OriginalClass(mapping, name);
      rest->remove_prefix(end + 1);
      break;
    }
    default: return false;
  }
  for (; dimensions > 0; --dimensions) *out += "[]";
  return true;
}

}  // namespace

std::string OriginalClass(const Mapping& mapping, std::string_view obfuscated) {
  const auto found = mapping.classes.find(std::string(obfuscated));
  return found == mapping.classes.end() ? std::string(obfuscated) : found->second.original_name;
}

std::string OriginalSignature(const Mapping& mapping, std::string_view descriptor) {
  if (!descriptor.starts_with('(')) return {};
  descriptor.remove_prefix(1);
  std::string signature = "(";
  while (!descriptor.empty() && descriptor.front() != ')') {
    signature += signature.size() > 1 ? "," : "";
    if (!TakeType(mapping, &descriptor, &signature)) return {};
  }
  if (descriptor.empty()) return {};
  descriptor.remove_prefix(1);
  signature += ")";
  return TakeType(mapping, &descriptor, &signature) && descriptor.empty() ? signature
                                                                          : std::string();
}

std::optional<Retraced> Retrace(const Mapping& mapping, const ObfuscatedFrame& frame,
                                std::optional<int32_t> outline_line) {
  const auto found = mapping.classes.find(std::string(frame.class_name));
  if (found == mapping.classes.end()) return std::nullopt;
  return Tracer(mapping, found->second, frame).Trace(outline_line);
}

}  // namespace stillframe::naming
