// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/trace_threads.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/native_line.h"
#include "tools/stillframe/input/thread_head.h"
#include "tools/stillframe/input/trace_line.h"

namespace stillframe::input {
namespace {

using model::ThreadStack;
using model::ThreadState;
using model::WaitKind;

constexpr size_t kMaxThreads = 1U << 16;
constexpr size_t kMaxTraceDepth = 8'000;  // the reader of dumps takes 8,192
constexpr size_t kMaxText = 4U << 20U;
constexpr std::string_view kTooDeep = "deeper than the limit of an import";

// "java.lang.Object.wait!" marks a fast native call of ART 7; the mark is not part of the name.
std::string_view WithoutFastMark(std::string_view method) {
  while (method.ends_with('!')) method.remove_suffix(1);
  return method;
}

class Reader {
 public:
  Reader(model::FrameTable* frames, TraceThreads* out) : frames_(*frames), out_(*out) {}

  void Take(std::string_view raw) {
    std::string_view line = Trimmed(raw);
    LineKind kind = KindOf(line);
    std::string whole;
    if (kind == LineKind::kOther && !frame_above_.empty()) {
      whole = WholeAlternative(frame_above_, raw);
      if (!whole.empty()) {
        frame_above_ = whole;
        whole = std::string(kAlternativeMark).append(Trimmed(After(whole, "at ")));
        line = whole;
        kind = LineKind::kAlternative;
      }
    } else {
      frame_above_ = kind == LineKind::kFrame ? raw : std::string_view();
    }
    const bool may_continue =
        kind == LineKind::kOther ||
        (kind == LineKind::kRemark && kind_ == LineKind::kNative && !line.starts_with("(no ") &&
         pending_.find('(') == std::string::npos);
    if (may_continue && Continues(line)) {
      // Blanks at a line's end are lost with it.
      const bool is_cut = is_hard_wrapped_ && pending_ != "at" &&
                          (kind_ != LineKind::kHead || !raw.starts_with(' '));
      pending_.append(is_cut || pending_.starts_with("at ") ? "" : " ").append(line);
      if (kind_ == LineKind::kHead) raw_length_ = raw.size();
      return;
    }
    Settle();
    if (kind == LineKind::kOther && line.starts_with("-----")) is_open_ = false;
    pending_ = line;
    kind_ = kind;
    raw_length_ = raw.size();
  }

  void Finish(uint32_t pid, std::string_view process) {
    Settle();
    NameAlternatives();
    CountIds();
    if (const size_t main = FindMain(pid, process); main < stacks_.size()) {
      out_.main_sys_tid = stacks_[main].tid != 0 ? stacks_[main].tid : pid;
      if (stacks_[main].tid == 0) stacks_[main].tid = pid;
      GiveIds();
      out_.main_tid = stacks_[main].tid;
      const auto rotate = [main](auto* list) {
        std::rotate(list->begin(), list->begin() + static_cast<ptrdiff_t>(main),
                    list->begin() + static_cast<ptrdiff_t>(main) + 1);
      };
      rotate(&stacks_);
      rotate(&marks_);
    } else {
      GiveIds();
    }
    LinkOwners();
    for (Marks& marks : marks_) out_.facts.push_back(std::move(marks.facts));
    out_.stacks.threads = static_cast<uint32_t>(threads_);
    out_.stacks.stacks = std::move(stacks_);
  }

  // Lines longer than all others by their wrapping: those of exactly this length are wrapped.
  void SetWidth(size_t width) {
    width_ = width;
    is_hard_wrapped_ = width != 0;
  }

 private:
  struct Marks {  // of a thread, by its own lines
    uint32_t number = 0;
    uint32_t owner_number = 0;  // the runtime's number of the thread that it waits for
    std::string owner_name;
    std::vector<uint64_t> locked;
    std::string facts;
  };

  // The line before was wrapped within a thread's block.
  bool Continues(std::string_view line) const {
    if ((!is_open_ && kind_ != LineKind::kHead) || line.starts_with("-----")) return false;
    switch (kind_) {
      case LineKind::kHead:
        return pending_.find(" | ") != std::string::npos &&
               (pending_.find(')', pending_.find(" | ")) == std::string::npos ||
                line.starts_with("held ") || (is_hard_wrapped_ && raw_length_ == width_));
      case LineKind::kFrame: return pending_.find(')') == std::string::npos;
      case LineKind::kLock:
        return pending_.find("held") == std::string::npos &&
               (line.starts_with("held") || pending_.find('>') == std::string::npos ||
                pending_.find(')') == std::string::npos || line.starts_with("by "));
      case LineKind::kFact:
      case LineKind::kNative: return raw_length_ + 24 > width_ || width_ == 0;
      default: return false;
    }
  }

  void Settle() {
    const std::string line = std::exchange(pending_, {});
    const LineKind kind = std::exchange(kind_, LineKind::kEmpty);
    switch (kind) {
      case LineKind::kHead: TakeHead(line); break;
      case LineKind::kEmpty:
        // Blank lines between all lines are paste's; a block ends at the next head.
        if (!text_is_blank_) Keep("");
        text_is_blank_ = true;
        return;
      default:
        if (kind == LineKind::kOther && text_is_blank_) is_open_ = false;
        if (is_open_)
          TakeLine(kind, line);
        else
          Keep(line);
    }
    text_is_blank_ = false;
  }

  void Keep(std::string_view line) {
    if (out_.text.size() + line.size() < kMaxText) out_.text.append(line) += '\n';
  }

  void TakeHead(const std::string& line) {
    ThreadHead head;
    ParseThreadHead(line, &head);
    const bool is_again = is_open_ && is_bare_ && stacks_.back().name == head.name &&
                          (marks_.back().number == head.number || marks_.back().number == 0);
    if (!is_again) ++threads_;
    out_.has_runtime = out_.has_runtime || head.number != 0;
    is_open_ = is_again || stacks_.size() < kMaxThreads;
    if (!is_open_) return;
    if (!is_again) {
      NameAlternatives();
      is_of_native_list_ = false;
      if (!text_is_blank_ && !stacks_.empty()) Keep("");
      stacks_.emplace_back();
      marks_.emplace_back();
      KeepHead(line, head);
    }
    ThreadStack& stack = stacks_.back();
    stack.name = head.name;
    stack.state = StateOfWord(head.state);
    stack.source = model::StackSource::kStoodStill;
    if (head.sys_tid != 0) stack.tid = head.sys_tid;
    marks_.back().number = head.number;
    is_bare_ = true;
    if (!head.wait.empty()) TakeLock("- " + std::string(head.wait));
  }

  void KeepHead(const std::string& line, const ThreadHead& head) {
    if (line.starts_with('"')) return Keep(line);
    const std::string number = head.number == 0 ? "" : "tid=" + std::to_string(head.number) + " ";
    Keep("\"" + std::string(head.name) + "\" " + number + std::string(head.state));
    if (head.sys_tid != 0) Keep("  | sysTid=" + std::to_string(head.sys_tid));
  }

  void TakeLine(LineKind kind, const std::string& line) {
    is_bare_ = false;
    if (kind != LineKind::kAlternative) NameAlternatives();
    switch (kind) {
      case LineKind::kFact:
        if (line.find("sysTid=") != std::string::npos)
          stacks_.back().tid = NumberAfter(line, "sysTid=");
        marks_.back().facts.append(line.substr(1)) += ' ';
        return Keep("  " + line);
      case LineKind::kFrame: return TakeFrame(line);
      case LineKind::kAlternative: return TakeAlternative(line);
      case LineKind::kLock: return TakeLock(line);
      case LineKind::kNative: return TakeNative(line);
      case LineKind::kRepeat: return TakeRepeat(line);
      case LineKind::kRemark: return Keep("  " + line);
      default: Keep(line); ++out_.lines_lost;
    }
  }

  void TakeFrame(std::string_view line) {
    const std::string_view frame = line.substr(std::min<size_t>(line.size(), 3));
    const size_t open = frame.find('(');
    const std::string_view method = Trimmed(frame.substr(0, open));
    if (open == std::string_view::npos || method.empty()) {
      ++out_.lines_lost;
      return Keep(line);
    }
    const std::string_view place = frame.substr(open + 1);
    const size_t close = place.rfind(')');
    Keep("  at " + std::string(method) + "(" + std::string(place));
    if (is_of_native_list_) stacks_.back().frames.clear();  // the same methods, without lines
    is_of_native_list_ = false;
    Push(AddFrame(WithoutFastMark(method), place.substr(0, close), &frames_));
    alternatives_ = {std::string(WithoutFastMark(method))};
  }

  // "<OR> at a.B.c(B.java)": another origin of the frame above.
  void TakeAlternative(std::string_view line) {
    const std::string_view frame = After(line, "at ");
    const std::string_view method = Trimmed(frame.substr(0, frame.find('(')));
    Keep("  " + std::string(line));
    if (alternatives_.empty() || method.find('.') == std::string_view::npos) {
      ++out_.lines_lost;
      return;
    }
    alternatives_.emplace_back(WithoutFastMark(method));
  }

  void NameAlternatives() {
    const std::vector<std::string> names = std::exchange(alternatives_, {});
    if (names.size() < 2 || stacks_.back().frames.empty()) return;
    model::FrameId& last = stacks_.back().frames.back();
    const model::Frame first = frames_.At(last);
    const std::string class_name(frames_.String(first.class_name));
    const std::string file(frames_.String(first.source_file));
    last = frames_.InternFrame(class_name, index::AlternativeMethods(names), "", file,
                               model::kLineUnknown, first.kind);
  }

  void Push(model::FrameId id) {
    std::vector<model::FrameId>& stack = stacks_.back().frames;
    if (stack.size() < kMaxTraceDepth)
      stack.push_back(id);
    else if (stack.size() == kMaxTraceDepth)
      stack.push_back(frames_.InternFrame("", kTooDeep, "", "", model::kLineUnknown,
                                          model::FrameKind::kTruncated));
    ++out_.java_frames;
  }

  void TakeRepeat(std::string_view line) {
    Keep("  " + std::string(line));
    const std::vector<model::FrameId>& stack = stacks_.back().frames;
    if (stack.empty()) return;
    const model::FrameId last = stack.back();
    const auto times = std::min<size_t>(NumberAfter(line, "repeated "), kMaxTraceDepth);
    for (size_t i = 0; i < times; ++i) Push(last);
  }

  // "- waiting to lock <0x1> (a a.B) held by thread 12", "- locked <0x1> (a a.B)"
  void TakeLock(std::string_view line) {
    Keep("  " + std::string(line));
    ThreadStack& stack = stacks_.back();
    Marks& marks = marks_.back();
    const auto object = NumberAfter<uint64_t>(line, "<0x", 16);
    if (line.starts_with("- locked ")) {
      if (object != 0) marks.locked.push_back(object);
      return;
    }
    const bool enters = line.starts_with("- waiting to lock ");
    const bool parks = line.starts_with("- parking to wait for ");
    if (!enters && !parks && !line.starts_with("- waiting on ")) return;
    if (stack.wait != WaitKind::kNone) return;  // the innermost counts
    stack.wait = enters ? WaitKind::kMonitor : parks ? WaitKind::kPark : WaitKind::kObject;
    std::string_view type = After(line, "> (");
    type = type.substr(0, type.find(')'));
    stack.wait_class = type.substr(type.starts_with("a ") ? 2 : 0);
    stack.wait_object = object;
    if (!enters) return;
    marks.owner_number = NumberAfter(line, " held by thread ");
    for (const std::string_view label : {" held by tid=", " held by threadid="}) {
      const std::string_view held = After(line, label);
      if (held.empty()) continue;
      marks.owner_number = NumberAfter(line, label);
      const std::string_view name = After(held, "(");
      marks.owner_name = name.substr(0, name.rfind(')'));
    }
  }

  void TakeNative(std::string_view line) {
    Keep("  " + std::string(line));
    const auto native = ParseNativeLine(line);
    if (!native) return;
    ++out_.native_frames;
    ThreadStack& stack = stacks_.back();
    if (const auto method = ManagedMethodOf(native->path, native->symbol))
      return TakeManaged(*method);
    // Below a managed frame, native ones are its callers.
    if (is_of_native_list_ || stack.native.size() >= kMaxTraceDepth) return;
    model::NativeFrame frame;
    frame.address = native->address;
    frame.symbol = native->symbol;
    frame.module = ModuleOf(native->path, std::string(native->build_id));
    stack.native.push_back(frame);
  }

  // Without lines "at ...", the methods of a native list are the Java stack.
  void TakeManaged(const ManagedMethod& method) {
    ThreadStack& stack = stacks_.back();
    if (!is_of_native_list_ && !stack.frames.empty()) return;
    while (!is_of_native_list_ && !stack.native.empty() && IsBridge(stack.native.back().symbol))
      stack.native.pop_back();
    is_of_native_list_ = true;
    const size_t dot = method.name.rfind('.');
    Push(frames_.InternFrame(method.name.substr(0, dot), method.name.substr(dot + 1), "", "",
                             model::kLineUnknown, method.kind));
  }

  uint32_t ModuleOf(std::string_view path, const std::string& build_id) {
    if (path.empty() || path == "???" || path.starts_with("<")) return 0;
    const auto [entry, is_new] = modules_.try_emplace(std::string(path), out_.modules.size() + 1);
    if (is_new) out_.modules.push_back({std::string(path), build_id, 0, 0, 0});
    return static_cast<uint32_t>(entry->second);
  }

  size_t FindMain(uint32_t pid, std::string_view process) const {
    const auto find = [&](const auto& is) {
      size_t i = 0;
      while (i < stacks_.size() && !is(stacks_[i], marks_[i])) ++i;
      return i;
    };
    size_t main = stacks_.size();
    const auto try_next = [&](const auto& is) {
      if (main == stacks_.size()) main = find(is);
    };
    if (pid != 0) try_next([&](const auto& stack, const auto&) { return stack.tid == pid; });
    try_next([](const auto& stack, const auto& marks) {
      return marks.number == 1 && stack.name == "main";
    });
    try_next([](const auto&, const auto& marks) { return marks.number == 1; });
    try_next([](const auto& stack, const auto&) { return stack.name == "main"; });
    // The kernel keeps 15 characters of a name.
    if (!process.empty())
      try_next([&](const auto& stack, const auto&) {
        return stack.name == process || (stack.name.size() == 15 && process.ends_with(stack.name));
      });
    return main;
  }

  void CountIds() {
    for (const ThreadStack& stack : stacks_) ids_.emplace(stack.tid, 1);
  }

  // Threads without the kernel's id get the runtime's number, which is not one of the others' ids.
  uint32_t NewId(uint32_t number) {
    uint32_t id = number != 0 ? number : 1;
    while (!ids_.emplace(id, 1).second)
      id = id < 0x40000000 ? id + 0x40000000 : std::max(id, last_new_id_) + 1;
    last_new_id_ = std::max(id, last_new_id_);
    return id;
  }

  void GiveIds() {
    for (size_t i = 0; i < stacks_.size(); ++i)
      if (stacks_[i].tid == 0) stacks_[i].tid = NewId(marks_[i].number);
  }

  void LinkOwners() {
    std::map<uint32_t, size_t> by_number;
    std::map<uint64_t, size_t> by_lock;
    std::map<std::string, size_t, std::less<>> by_name;  // stacks_ grows below
    for (size_t i = 0; i < stacks_.size(); ++i) {
      by_number.emplace(marks_[i].number, i);
      by_name.emplace(stacks_[i].name, i);
      // A thread that waits on a lock that it had entered has released it.
      for (const uint64_t object : marks_[i].locked)
        if (object != stacks_[i].wait_object) by_lock.emplace(object, i);
    }
    const size_t listed = stacks_.size();
    for (size_t i = 0; i < listed; ++i) {
      if (stacks_[i].wait != WaitKind::kMonitor) continue;
      const uint32_t number = marks_[i].owner_number;
      const auto numbered = by_number.find(number);
      const auto locked = by_lock.find(stacks_[i].wait_object);
      const auto named = by_name.find(marks_[i].owner_name);
      size_t owner = listed;
      if (number != 0 && numbered != by_number.end())
        owner = numbered->second;
      else if (locked != by_lock.end() && locked->second != i)
        owner = locked->second;
      else if (!marks_[i].owner_name.empty() && named != by_name.end())
        owner = named->second;
      if (owner < listed)
        stacks_[i].wait_tid = stacks_[owner].tid;
      else if (number != 0)
        stacks_[i].wait_tid = AddUnlisted(number, marks_[i].owner_name);
    }
  }

  // An owner that the text names by its number only.
  uint32_t AddUnlisted(uint32_t number, const std::string& name) {
    const auto [entry, is_new] = unlisted_.try_emplace(number, 0);
    if (!is_new) return entry->second;
    ThreadStack& stack = stacks_.emplace_back();
    stack.name = name.empty() ? "thread " + std::to_string(number) : name;
    stack.tid = NewId(number);
    stack.absent = "a stack that is not in the text";
    entry->second = stack.tid;
    return stack.tid;
  }

  model::FrameTable& frames_;
  TraceThreads& out_;
  std::string pending_;                    // a line that the next one may continue
  std::string frame_above_;                // the line before, if it is a frame's
  std::vector<std::string> alternatives_;  // of the last frame: "a.B.c"
  bool is_of_native_list_ = false;         // the thread's frames so far
  LineKind kind_ = LineKind::kEmpty;
  size_t raw_length_ = 0;
  size_t width_ = 0;
  bool is_hard_wrapped_ = false;
  bool is_open_ = false;
  bool is_bare_ = false;  // only a head of the thread was read
  bool text_is_blank_ = true;
  size_t threads_ = 0;
  std::vector<ThreadStack> stacks_;
  std::vector<Marks> marks_;
  std::map<std::string, size_t, std::less<>> modules_;
  std::map<uint32_t, int> ids_;
  uint32_t last_new_id_ = 0;  // so that a search does not begin anew
  std::map<uint32_t, uint32_t> unlisted_;
};

// The length at which lines were broken; 0: they were not. Terminals and mails break at a fixed
// column, so many lines have exactly that length and none is longer.
size_t WrapWidth(std::string_view text) {
  std::map<size_t, size_t> lengths;
  ForEachLine(text.substr(0, 1U << 20U), [&](std::string_view line) { ++lengths[line.size()]; });
  if (lengths.empty()) return 0;
  const auto [longest, count] = *lengths.rbegin();
  return longest >= 20 && count >= 3 ? longest : 0;
}

}  // namespace

TraceThreads ReadTraceThreads(std::string_view text, uint32_t pid, std::string_view process,
                              model::FrameTable* frames, const ReadStep& step) {
  constexpr size_t kStepBytes = 1U << 20U;
  TraceThreads threads;
  Reader reader(frames, &threads);
  reader.SetWidth(WrapWidth(text));
  size_t passed = 0;
  ForEachLine(text, [&](std::string_view line) {
    reader.Take(line);
    passed += line.size() + 1;
    if (passed < kStepBytes) return;
    if (step) step(passed);
    passed = 0;
  });
  reader.Finish(pid, process);
  return threads;
}

}  // namespace stillframe::input
