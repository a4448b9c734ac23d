// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/naming/retrace.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "src/model/frame.h"

namespace stillframe::naming {
namespace {

constexpr size_t kMaxAlternatives = 4;

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

// The file that a compiler would have used, for a class that the mapping does not describe.
// `around`: the file of the class that the frame was in. Kotlin compiles the functions of Util.kt
// to UtilKt; other classes are of the language around them. Source: R8, doc/retrace.md.
std::string InferredFile(std::string_view class_name, std::string_view around) {
  const size_t dot = class_name.rfind('.');
  std::string_view simple = dot == std::string_view::npos ? class_name : class_name.substr(dot + 1);
  simple = simple.substr(0, simple.find('$', 1));
  const bool is_functions = simple.size() > 2 && simple.ends_with("Kt");
  if (is_functions && !around.ends_with(".java"))
    return std::string(simple.substr(0, simple.size() - 2)) + ".kt";
  return std::string(simple) + (around.ends_with(".kt") ? ".kt" : ".java");
}

// Original line 0 means no line. Several original lines for one line of the code, or for all of it,
// leave the line unknown.
int32_t OriginalLine(const Member& member, int32_t line) {
  int64_t original = line;
  if (member.has_original) {
    original = member.original.from;
    if (member.original.from != member.original.to) {
      if (!member.has_minified || member.minified.from == member.minified.to)
        return model::kLineUnknown;
      original += line - member.minified.from;
      if (original > member.original.to) return model::kLineUnknown;
    }
  }
  return original > 0 && original <= INT32_MAX ? static_cast<int32_t>(original)
                                               : model::kLineUnknown;
}

class Tracer {
 public:
  Tracer(const Mapping& mapping, const Class& entry, const ObfuscatedFrame& frame)
      : mapping_(mapping), class_(entry), frame_(frame) {}

  Retraced Trace(std::optional<int32_t> outline_line) {
    const auto found = class_.members.find(std::string(frame_.method_name));
    if (found == class_.members.end()) return Renamed();
    std::vector<Stack> stacks = At(StacksOf(found->second), frame_.line);
    int32_t line = frame_.line;
    if (outline_line) {
      for (const Stack& stack : stacks) {
        const auto position = stack.back().outline_positions.find(*outline_line);
        if (position != stack.back().outline_positions.end()) {
          line = position->second;
          stacks = At(StacksOf(found->second), line);
          break;
        }
      }
    }
    stacks = OfDescriptor(std::move(stacks));
    return stacks.size() == 1 || AreTheSame(stacks, line) ? Single(stacks.front(), line)
                                                          : Alternatives(stacks);
  }

 private:
  // A method that kept its name and lines.
  Retraced Renamed() const {
    return {{{class_.original_name, std::string(frame_.method_name), FileOf(class_.original_name),
              frame_.line}},
            false};
  }

  // The stacks that hold the line; else those without lines; else, or without a line, all of them.
  static std::vector<Stack> At(const std::vector<Stack>& stacks, int32_t line) {
    std::vector<Stack> at;
    const auto take = [&](const auto& is_taken) {
      std::copy_if(
          stacks.begin(), stacks.end(), std::back_inserter(at),
          [&](const Stack& stack) { return line >= 0 && is_taken(stack.front()); });
    };
    take([line](const Member& member) {
      return member.has_minified && member.minified.Contains(line);
    });
    if (at.empty()) take([](const Member& member) { return !member.has_minified; });
    return at.empty() ? stacks : at;
  }

  std::vector<Stack> OfDescriptor(std::vector<Stack> stacks) const {
    if (stacks.size() < 2 || frame_.descriptor.empty()) return stacks;
    const std::string signature = OriginalSignature(mapping_, frame_.descriptor);
    std::vector<Stack> matching;
    std::copy_if(stacks.begin(), stacks.end(), std::back_inserter(matching),
                 [&](const Stack& stack) {
                   const Member& method = stack.back();
                   return method.residual.empty() ? method.signature == signature
                                                  : method.residual == frame_.descriptor;
                 });
    return matching.empty() ? stacks : matching;
  }

  std::string FileOf(const std::string& class_name) const {
    const auto known = mapping_.source_files.find(class_name);
    if (known != mapping_.source_files.end()) return known->second;
    const auto around = mapping_.source_files.find(class_.original_name);
    return InferredFile(class_name, around != mapping_.source_files.end()
                                        ? std::string_view(around->second)
                                        : frame_.source_file);
  }

  // Information about a method is at the first of its ranges.
  bool IsMarked(const Member& method, bool Member::*mark) const {
    const auto members = class_.members.find(std::string(frame_.method_name));
    return members != class_.members.end() &&
           std::ranges::any_of(members->second, [&](const Member& other) {
             return other.*mark && other.method_name == method.method_name &&
                    other.signature == method.signature && other.class_name == method.class_name;
           });
  }

  std::string ClassOf(const Member& member) const {
    return member.class_name.empty() ? class_.original_name : member.class_name;
  }

  Retraced Single(const Stack& stack, int32_t line) const {
    const Member& method = stack.back();
    if (IsMarked(method, &Member::is_outline)) return {{}, true};
    // Inlining is unknown without a line, or outside the mapping's lines.
    const bool has_line = !method.has_minified || method.minified.Contains(line);
    Retraced result;
    for (const Member& member : has_line ? stack : stack.last(1)) {
      const std::string class_name = ClassOf(member);
      const bool is_native = line == model::kLineNative;
      result.frames.push_back({class_name, member.method_name, FileOf(class_name),
                               is_native               ? line
                               : has_line && line >= 0 ? OriginalLine(member, line)
                                                       : model::kLineUnknown});
    }
    if (IsMarked(method, &Member::is_synthesized)) result.frames.pop_back();
    return result;
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

  // One frame for several possibilities: "pay|refund", or their common name.
  Retraced Alternatives(const std::vector<Stack>& stacks) const {
    std::vector<std::string> names;
    for (const Stack& stack : stacks)
      if (std::find(names.begin(), names.end(), stack.back().method_name) == names.end())
        names.push_back(stack.back().method_name);
    std::string joined;
    for (size_t i = 0; i < std::min(names.size(), kMaxAlternatives); ++i)
      joined += (i == 0 ? "" : "|") + names[i];
    joined += names.size() > kMaxAlternatives ? "|..." : "";
    const std::string class_name = ClassOf(stacks.front().back());
    return {{{class_name, joined, FileOf(class_name),
              frame_.line == model::kLineNative ? frame_.line : model::kLineUnknown}},
            false};
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
