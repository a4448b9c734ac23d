// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/input/trace_threads.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <utility>

#include "tools/stillframe/index/method_name.h"
#include "tools/stillframe/input/imported_message.h"
#include "tools/stillframe/input/lines.h"
#include "tools/stillframe/input/native_line.h"

namespace stillframe::input {
namespace {

using model::ThreadStack;
using model::ThreadState;
using model::WaitKind;

constexpr size_t kMaxThreads = 1U << 16;
constexpr size_t kMaxTraceDepth = 8'000;  // the reader of dumps takes 8,192
constexpr size_t kMaxText = 4U << 20U;
constexpr std::string_view kTooDeep = "deeper than the limit of an import";

// Names of ART, Dalvik, java.lang.Thread.State and Crashlytics, without case and blanks.
constexpr std::array kStates = {
    std::pair{std::string_view("runnable"), ThreadState::kRunnable},
    std::pair{std::string_view("native"), ThreadState::kNative},
    std::pair{std::string_view("blocked"), ThreadState::kBlocked},
    std::pair{std::string_view("monitor"), ThreadState::kBlocked},
    std::pair{std::string_view("waiting"), ThreadState::kWaiting},
    std::pair{std::string_view("wait"), ThreadState::kWaiting},
    std::pair{std::string_view("timedwaiting"), ThreadState::kTimedWaiting},
    std::pair{std::string_view("timedwait"), ThreadState::kTimedWaiting},
    std::pair{std::string_view("sleeping"), ThreadState::kSleeping},
    std::pair{std::string_view("suspended"), ThreadState::kSuspended},
    std::pair{std::string_view("waitingforgctocomplete"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("waitingweakgcrootread"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("waitingforgcthreadflip"), ThreadState::kWaitingForGc},
    std::pair{std::string_view("vmwait"), ThreadState::kWaiting},  // any resource of Dalvik
    std::pair{std::string_view("waitingfordebuggertosend"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordebuggertoattach"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordebuggersuspension"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforsignalcatcheroutput"), ThreadState::kWaiting},
    std::pair{std::string_view("waitinginmainsignalcatcherloop"), ThreadState::kWaiting},
    std::pair{std::string_view("waitinginmaindebuggerloop"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingformethodtracingstart"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforvisitobjects"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforgetobjectsallocated"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfortaskprocessor"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingfordeoptimization"), ThreadState::kWaiting},
    std::pair{std::string_view("waitingforcheckpointstorun"), ThreadState::kCollecting},
    std::pair{std::string_view("waitingperforminggc"), ThreadState::kCollecting},
    std::pair{std::string_view("waitingforjnionload"), ThreadState::kWaitingForLibrary},
};

ThreadState StateOfWord(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') plain += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') plain += c;
  }
  const auto known = std::ranges::find(kStates, std::string_view(plain),
                                       [](const auto& entry) { return entry.first; });
  if (text.empty()) return ThreadState::kUnknown;
  return known == kStates.end() ? ThreadState::kOther : known->second;
}

bool IsKnownState(std::string_view text) {
  const ThreadState state = StateOfWord(text);
  return state != ThreadState::kUnknown && state != ThreadState::kOther;
}

// The kinds of lines within a thread's block.
enum class LineKind : uint8_t {
  kEmpty,
  kHead,
  kFact,         // "| sysTid=..."
  kFrame,        // "at a.B.c(B.java:1)"
  kAlternative,  // "<OR> at a.B.c(B.java)"
  kLock,         // "- locked <0x1> (a a.B)"
  kNative,       // "native: #00 pc ...", "#00 pc ...", "kernel: ..."
  kRepeat,       // "... repeated 3 times"
  kRemark,       // "(no managed stack frames)"
  kOther,
};

constexpr std::string_view kOr = "<OR> at ";  // R8's retrace writes it

// Another origin of a frame, as ProGuard's ReTrace writes it: the characters that it shares with
// the frame above are blanks. Returns the whole frame; "": another line.
std::string WholeAlternative(std::string_view above, std::string_view line) {
  const size_t blanks = line.find_first_not_of(" \t");
  const size_t begin = above.find("at ");
  if (blanks == std::string_view::npos || begin == std::string_view::npos || blanks < begin + 3 ||
      blanks > above.size() || !Trimmed(above).ends_with(')'))
    return {};
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
  };
  const std::string whole = std::string(above.substr(0, blanks)).append(line.substr(blanks));
  const std::string_view frame = Trimmed(std::string_view(whole).substr(begin + 3));
  const size_t open = frame.find('(');
  const bool is_frame = open != std::string_view::npos && frame.ends_with(')') &&
                        frame.find_first_of(" (", open + 1) == std::string_view::npos &&
                        frame.substr(0, open).find(' ') == std::string_view::npos;
  return is_frame && !is_part(whole[blanks - 1]) ? whole : std::string();
}

LineKind KindOf(std::string_view line) {
  ThreadHead head;
  if (line.empty()) return LineKind::kEmpty;
  if (ParseThreadHead(line, &head)) return LineKind::kHead;
  if (line.starts_with("| ") || line == "|") return LineKind::kFact;
  if (line.starts_with("at ") || line == "at") return LineKind::kFrame;
  if (line.starts_with(kOr)) return LineKind::kAlternative;
  if (line.starts_with("- ")) return LineKind::kLock;
  if (IsNativeLine(line)) return LineKind::kNative;
  if (line.starts_with("... ")) return LineKind::kRepeat;
  if (line.starts_with("(")) return LineKind::kRemark;
  return LineKind::kOther;
}

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
        whole = std::string(kOr).append(Trimmed(After(whole, "at ")));
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

namespace {

// "main (blocked):tid=1 systid=9201 | waiting to lock <0x1> (a a.B) held by thread 12", as
// Crashlytics writes since 2024, or "main (blocked):".
bool ParseShortHead(std::string_view line, ThreadHead* head) {
  size_t mark = line.find("):tid=");
  if (mark == std::string_view::npos && line.ends_with("):")) mark = line.size() - 2;
  const size_t open = mark == std::string_view::npos ? mark : line.rfind(" (", mark);
  if (open == std::string_view::npos || open == 0) return false;
  const std::string_view rest = line.substr(mark + 2);
  head->state = line.substr(open + 2, mark - open - 2);
  if (!rest.starts_with("tid=") && (!rest.empty() || !IsKnownState(head->state))) return false;
  head->name = line.substr(0, open);
  head->number = NumberAfter(rest, "tid=");
  head->sys_tid = NumberAfter(rest, " systid=");
  head->wait = Trimmed(After(rest, " | "));
  return true;
}

// "Caused by: ...$_Thread: main (state = BLOCKED)", as ANR-WatchDog writes.
bool ParseStateHead(std::string_view line, ThreadHead* head) {
  constexpr std::string_view kState = " (state = ";
  const size_t open = line.rfind(kState);
  if (open == std::string_view::npos || open == 0 || !line.ends_with(')')) return false;
  head->state = line.substr(open + kState.size());
  head->state.remove_suffix(1);
  if (!IsKnownState(head->state)) return false;
  const std::string_view name = line.substr(0, open);
  const std::string_view named = After(name, "_Thread: ");
  head->name = named.empty() ? name : named;
  return true;
}

// "#0. Crashed: main: 0 0 0x0000000000000000", "#1. worker", as Crashlytics wrote at first.
bool ParseNumberedHead(std::string_view line, ThreadHead* head) {
  const size_t dot = line.find(". ");
  if (!line.starts_with('#') || dot == std::string_view::npos || dot < 2 ||
      line.substr(1, dot - 1).find_first_not_of("0123456789") != std::string_view::npos)
    return false;
  std::string_view name = Trimmed(line.substr(dot + 2));
  if (name.starts_with("Crashed: ")) name.remove_prefix(9);
  head->name = name.substr(0, name.find(": 0 0 0x"));
  return true;
}

}  // namespace

bool ParseThreadHead(std::string_view line, ThreadHead* head) {
  if (!line.starts_with('"'))
    return ParseShortHead(line, head) || ParseStateHead(line, head) ||
           ParseNumberedHead(line, head);
  const size_t end = line.rfind("\" ");
  if (end == 0 || end == std::string_view::npos) return false;
  const std::string_view rest = line.substr(end + 1);
  // HotSpot's heads have an address and the thread's number in hexadecimal.
  if (rest.find(" nid=") != std::string_view::npos) return false;
  head->name = line.substr(1, end - 1);
  head->number = NumberAfter(rest, " tid=");
  head->sys_tid = NumberAfter(rest, "sysTid=");
  if (head->number == 0 && rest.find("sysTid=") == std::string_view::npos &&
      rest.find("prio=") == std::string_view::npos)
    return false;
  head->state = rest.substr(rest.rfind(' ') + 1);
  const bool is_attached = rest.find("(not attached)") == std::string_view::npos;
  if (!is_attached || head->state.find('=') != std::string_view::npos) head->state = {};
  return true;
}

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
