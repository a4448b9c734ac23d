// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/bare_stack.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "tools/stillframe/index/names.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/native_line.h"

namespace stillframe::input {
namespace {

// "Feed.java:88", "Native Method", "Unknown Source:7", ":com.google.android.gms@24.1:5".
bool IsPlace(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWhole = {"Native method",      "Native Method",
                                                      "Unknown Source",     "SourceFile",
                                                      "D8$$SyntheticClass", "Unknown"};
  const size_t colon = text.rfind(':');
  const std::string_view file = text.substr(0, colon);
  if (std::ranges::find(kWhole, file) != kWhole.end() || file.ends_with(".java") ||
      file.ends_with(".kt"))
    return true;
  const std::string_view line = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  return !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos &&
         file.find(' ') == std::string_view::npos;
}

// "a.B.c" of a frame, with or without "at "; "": another line.
std::string_view MethodOf(std::string_view line) {
  if (line.starts_with("at ")) line = Trimmed(line.substr(3));
  const size_t open = line.find('(');
  if (open == std::string_view::npos || !line.ends_with(')')) return {};
  const std::string_view method = Trimmed(line.substr(0, open));
  const std::string_view place = line.substr(open + 1, line.size() - open - 2);
  return IsMethodName(method) && IsPlace(place) ? method : std::string_view();
}

// A line of an exception other than Throwable and Exception, which people create for their stack.
bool IsCrash(std::string_view line) {
  for (const std::string_view mark : {"Caused by: ", "FATAL EXCEPTION", "Exception in thread "})
    if (line.find(mark) != std::string_view::npos) return true;
  const std::string_view name = line.substr(0, line.find(':'));
  if (name == "java.lang.Exception") return false;
  return name.find('.') != std::string_view::npos && name.find_first_of(" (") == name.npos &&
         (name.ends_with("Exception") || name.ends_with("Error")) && name.find("ANR") == name.npos;
}

// "a.B.c" of a native frame in managed code, or its symbol; no value for any other line.
struct NativeFrame {
  std::string name;
  bool is_managed = false;
};
std::optional<NativeFrame> NativeFrameOf(std::string_view line) {
  if (!IsNativeLine(line)) return std::nullopt;
  const auto native = ParseNativeLine(line);
  if (!native) return std::nullopt;
  if (auto method = ManagedMethodOf(native->path, native->symbol))
    return NativeFrame{std::move(method->name), true};
  return NativeFrame{std::string(native->symbol.substr(0, native->symbol.rfind('+'))), false};
}

// "pid: 8812, tid: 8812, name: com.shop  >>> com.shop <<<" and "backtrace:", before native frames.
bool IsHeadOfNative(std::string_view line) {
  return line == "backtrace:" || (line.starts_with("pid: ") && line.ends_with("<<<"));
}
bool IsHeadOfMain(std::string_view line) {
  const std::string_view pid = line.substr(0, line.find(','));
  return line.starts_with("pid: ") &&
         After(line, ", t").starts_with(std::string(pid.substr(1)) + ",");
}

// Marks of locks, repetitions and alternatives of retrace tools may follow a frame.
bool IsAmongFrames(std::string_view line) {
  return line.starts_with("- ") || line.starts_with("... ") || line.starts_with("<OR> at ") ||
         (line.ends_with(')') && line.find(' ') == std::string_view::npos &&
          line.find('(') != std::string_view::npos);
}

bool IsOutermost(std::string_view method) {
  return method == "java.lang.Thread.run" || method == "dalvik.system.NativeStart.main" ||
         method == "com.android.internal.os.ZygoteInit.main";
}

bool IsOfMain(std::string_view last) {
  return last.starts_with("android.os.Looper.loop") || last == "android.app.ActivityThread.main" ||
         last == "com.android.internal.os.ZygoteInit.main" ||
         last == "dalvik.system.NativeStart.main" || last == "__libc_init" || last == "_start_main";
}

struct Group {
  std::string text;
  std::string last;
  size_t frames = 0;
  bool has_marks = true;  // each frame has "at ", or is a native one
  bool has_methods = false;
  bool is_of_main = false;  // by its head, or by a frame
};

}  // namespace

std::optional<BareStack> FindBareStack(std::string_view text) {
  std::vector<Group> groups;
  bool is_open = false;
  bool is_blank = false;
  bool is_crash = false;
  bool is_first = true;
  bool is_head_of_main = false;
  size_t others = 0;  // lines that are not of a stack
  ForEachLine(text, [&](std::string_view raw) {
    const std::string_view line = Trimmed(raw);
    is_crash = is_crash || IsCrash(line);
    if (line.empty()) {
      is_blank = true;
      return;
    }
    const auto native = NativeFrameOf(line);
    const std::string_view method = native ? native->name : MethodOf(line);
    if (native || !method.empty()) {
      const bool is_new = line.starts_with("#00 ") && is_open;
      if (!is_open || is_new || (is_blank && IsOutermost(groups.back().last)))
        groups.emplace_back().is_of_main = std::exchange(is_head_of_main, false);
      Group& group = groups.back();
      group.last = method;
      group.is_of_main = group.is_of_main || method == "android.app.ActivityThread.main";
      ++group.frames;
      group.has_marks = group.has_marks && (native || line.starts_with("at "));
      group.has_methods = group.has_methods || !native || native->is_managed;
    } else if (IsHeadOfNative(line)) {
      is_head_of_main = IsHeadOfMain(line) || (is_head_of_main && line == "backtrace:");
      is_open = false;
      return;
    } else if (!is_open || !IsAmongFrames(line)) {
      // The first line may be the exception that was created for its stack.
      const std::string_view name = line.substr(0, line.find(':'));
      const bool is_exception =
          is_first && name.find('.') != name.npos && name.find(' ') == name.npos;
      others += is_exception ? 0U : 1U;
      is_first = false;
      is_open = false;
      return;
    }
    is_open = true;
    is_first = false;
    is_blank = false;
    const bool is_plain = !native && !method.empty() && !line.starts_with("at ");
    groups.back().text.append(is_plain ? "at " : "").append(is_plain ? line : raw) += '\n';
  });
  if (groups.empty() || is_crash) return std::nullopt;
  auto chosen = std::ranges::find_if(
      groups, [](const Group& group) { return group.is_of_main || IsOfMain(group.last); });
  if (chosen == groups.end()) chosen = groups.begin();
  if (!chosen->has_methods) return std::nullopt;
  if (others > 0 && (!chosen->has_marks || chosen->frames < 2)) return std::nullopt;
  BareStack stack;
  stack.is_main = chosen->is_of_main || IsOfMain(chosen->last);
  stack.others = groups.size() - 1;
  stack.traces = "\"" + (stack.is_main ? "main" : std::string(index::kUnnamedThread)) +
                 "\" prio=5 tid=1\n" + chosen->text;
  return stack;
}

}  // namespace stillframe::input
