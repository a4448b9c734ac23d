// SPDX-License-Identifier: Apache-2.0
// Writes each fact with its unit, or the reason for its absence.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "src/model/context_names.h"
#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/render/facts.h"

namespace stillframe::render {
namespace {

namespace context = model::context;
using index::Grouped;
using index::Truncated;

constexpr size_t kMostThreads = 12;
constexpr size_t kMaxFrozen = 10;
constexpr int64_t kLongWaitMs = 10;

std::string Signed(int64_t value, const std::string& text) { return value < 0 ? "-" + text : text; }

uint64_t Magnitude(int64_t value) {
  return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

// Moves the unit at the end of the name to the number.
std::string WithUnit(int64_t value, std::string* name) {
  const uint64_t size = Magnitude(value);
  const auto take = [name](std::string_view suffix) {
    const bool has = name->ends_with(suffix);
    if (has) name->resize(name->size() - suffix.size());
    return has;
  };
  if (take("_permille")) return Signed(value, fmt::format("{}.{} %", size / 10, size % 10));
  if (take("_milli")) return Signed(value, fmt::format("{}.{:02}", size / 1000, size % 1000 / 10));
  if (take("_bytes")) {
    return Signed(value, size < uint64_t{10} << 20 ? fmt::format("{} KiB", Grouped(size >> 10))
                                                   : fmt::format("{} MiB", Grouped(size >> 20)));
  }
  if (take("_ns")) return Signed(value, index::DurationUs(size / 1000));
  return Signed(value, Grouped(size)) + (take("_ms") ? " ms" : "");
}

std::string MissedText(const model::Jank& jank) {
  if (jank.refresh_interval_ns == 0) return "not known: nor is their length";
  return jank.due_unknown == 0
             ? Grouped(jank.missed)
             : fmt::format("at least {}: when {} were due is not known", Grouped(jank.missed),
                           index::Counted(jank.due_unknown, "frame"));
}

// State letters of /proc/PID/stat.
std::string_view StateWord(char letter) {
  switch (letter) {
    case 'R': return "running or ready";
    case 'S': return "sleeping";
    case 'D': return "stuck in the kernel";
    case 'T':
    case 't': return "stopped";
    case '?': return "state unknown";
    default: return "in another state";
  }
}

int64_t Known(int64_t value) { return std::max<int64_t>(value, 0); }

// ", mostly traversal"; "": unknown.
std::string StageText(model::FrameStage stage) {
  const bool is_known = stage != model::FrameStage::kNone && stage != model::FrameStage::kUnknown;
  return is_known ? fmt::format(", mostly {}", index::NameOf(stage)) : "";
}

// Words of the system's figures.
struct Label {
  std::string_view group;
  std::string_view name;
  std::string_view words;
};
constexpr std::array kLabels = {
    Label{context::kCpu, context::kLoad1Milli, "Load, 1 minute"},
    Label{context::kCpu, context::kLoad5Milli, "Load, 5 minutes"},
    Label{context::kCpu, context::kLoad15Milli, "Load, 15 minutes"},
    Label{context::kCpu, context::kWindowMs, "Length of the CPU list"},
    Label{context::kCpu, context::kSystemBusyPermille, "All CPUs busy"},
    Label{context::kCpu, context::kSystemIowaitPermille, "All CPUs waiting (iowait)"},
    Label{context::kCpu, context::kProcessBusyPermille, "This process, of one CPU"},
    Label{context::kCpu, context::kProcessKernelPermille, "This process in the kernel"},
    Label{context::kCpu, context::kBusiestOther, "Busiest other process"},
    Label{context::kCpu, context::kBusiestOtherPermille, "Its share of one CPU"},
    Label{context::kCpu, context::kOwnOther, "Busiest other process of this app"},
    Label{context::kCpu, context::kOwnOtherPermille, "Its share of one CPU"},
    Label{context::kCpu, context::kCoresEstimate, "CPUs, estimated"},
    Label{context::kCpu, context::kPressureSomePermille, "CPU pressure, 10 s"},
    Label{context::kCpu, context::kPressureFullPermille, "CPU pressure on all, 10 s"},
    Label{context::kMemory, context::kPressureSomePermille, "Memory pressure, 10 s"},
    Label{context::kMemory, context::kPressureFullPermille, "Memory pressure on all, 10 s"},
    Label{context::kIo, context::kPressureSomePermille, "I/O pressure, 10 s"},
    Label{context::kIo, context::kPressureFullPermille, "I/O pressure on all, 10 s"},
    Label{context::kMemory, context::kSwapperPermille, "kswapd0, of one CPU"},
    Label{context::kMemory, context::kRssBytes, "Memory of the process"},
    Label{context::kMemory, context::kPeakRssBytes, "Its peak"},
    Label{context::kMemory, context::kAnonymousBytes, "Anonymous memory"},
    Label{context::kMemory, context::kSharedBytes, "Shared memory"},
    Label{context::kMemory, context::kSwappedBytes, "Memory in swap"},
    Label{context::kMemory, context::kAvailableBytes, "Available on the device"},
    Label{context::kMemory, context::kTotalBytes, "Memory of the device"},
    Label{context::kMemory, context::kMinorFaults, "Minor page faults"},
    Label{context::kMemory, context::kMajorFaults, "Major page faults"},
    Label{context::kMemory, context::kJavaHeapUsedBytes, "Java heap, used"},
    Label{context::kMemory, context::kJavaHeapMaxBytes, "Java heap, at most"},
    Label{context::kIo, context::kReadBytes, "Read from storage"},
    Label{context::kIo, context::kWrittenBytes, "Written to storage"},
    Label{context::kIo, context::kOpenFiles, "Open files"},
    Label{context::kGc, context::kCollections, "Collections"},
    Label{context::kGc, context::kBlockingCollections, "Blocking collections"},
    Label{context::kGc, context::kCollectionTimeNs, "Time of collections"},
    Label{context::kGc, context::kBlockingTimeNs, "Time of blocking collections"},
};

// "": the entry has no words of its own.
std::string_view WordsOf(const model::ContextEntry& entry) {
  const auto known = std::ranges::find_if(kLabels, [&entry](const Label& label) {
    return label.group == entry.group && label.name == entry.name;
  });
  return known == kLabels.end() ? std::string_view() : known->words;
}

}  // namespace

Facts::value_type ContextFact(const model::ContextEntry& entry) {
  using State = model::ContextEntry::State;
  std::string name = entry.name;
  std::string value = Truncated(entry.text, 300);
  if (entry.state != State::kText) {
    const std::string number = WithUnit(entry.number, &name);
    value = entry.state == State::kNumber ? number
            : value.empty()               ? "not known: the dump does not say why"
                                          : "not known: " + value;
  }
  if (const std::string_view words = WordsOf(entry); !words.empty())
    return {std::string(words), value};
  std::replace(name.begin(), name.end(), '_', ' ');
  return {Truncated(name, 80), value};
}

Facts ContextFacts(const model::Document& document) {
  Facts facts;
  for (const model::ContextEntry& entry : document.context) {
    auto [name, value] = ContextFact(entry);
    const bool has_words = !WordsOf(entry).empty();
    facts.emplace_back(has_words ? name : Truncated(entry.group, 20) + ": " + name, value);
  }
  return facts;
}

Facts ThreadFacts(const model::Document& document) {
  Facts facts;
  if (!document.threads) return facts;
  const model::ThreadTable& table = *document.threads;
  if (!table.absent.empty())
    facts.emplace_back("threads", "not known: " + Truncated(table.absent, 300));
  const uint32_t main_tid =
      document.loopers.empty() ? document.identity.pid : document.loopers[0].tid;
  for (const model::ThreadRow& row : table.rows) {
    const bool is_busy =
        row.user_ms > 0 || row.system_ms > 0 || row.runqueue_wait_ms >= kLongWaitMs;
    if (facts.size() == kMostThreads || (row.tid != main_tid && !is_busy)) continue;
    const auto used_ms = static_cast<uint64_t>(Known(row.user_ms) + Known(row.system_ms));
    std::string text = fmt::format("{}, {} ms of CPU", StateWord(row.state), Grouped(used_ms));
    text += row.interval_ms == 0 ? " since it began"
                                 : fmt::format(" in {} ms ({})", Grouped(row.interval_ms),
                                               index::Share(used_ms, row.interval_ms));
    text += fmt::format(", {} ms of it in the kernel, nice {}",
                        Grouped(static_cast<uint64_t>(Known(row.system_ms))), row.nice);
    text += row.runqueue_wait_ms < 0
                ? ""
                : fmt::format(", waited {} ms for a CPU",
                              Grouped(static_cast<uint64_t>(row.runqueue_wait_ms)));
    facts.emplace_back(fmt::format("{} ({})", Truncated(row.name, 24), row.tid), text);
  }
  if (table.threads > facts.size())
    facts.emplace_back("others, less busy", std::to_string(table.threads - facts.size()));
  return facts;
}

Facts JankFacts(const model::Document& document) {
  Facts facts;
  if (!document.jank) return facts;
  const model::Jank& jank = *document.jank;
  if (!jank.absent.empty()) return {{"frames", "not known: " + Truncated(jank.absent, 300)}};
  facts.emplace_back("refresh interval", jank.refresh_interval_ns == 0
                                             ? "not known"
                                             : index::DurationUs(jank.refresh_interval_ns / 1000));
  facts.emplace_back("frames drawn", Grouped(jank.frames));
  facts.emplace_back("refresh intervals missed", MissedText(jank));
  for (size_t i = 0; i < std::min(jank.frozen.size(), kMaxFrozen); ++i) {
    const model::FrozenFrame& frame = jank.frozen[i];
    facts.emplace_back(
        "frozen frame",
        fmt::format("{}, token {}{}{}", index::DurationUs(frame.duration_ns / 1000),
                    NumberOf(frame.token), StageText(frame.stage),
                    frame.scene.empty() ? "" : ", scene " + Truncated(frame.scene, 60)));
  }
  for (const model::SceneShare& scene : jank.scenes) {
    facts.emplace_back(
        "scene " + Truncated(scene.scene, 26),
        fmt::format("frozen for {} of {} ({})", index::DurationUs(scene.frozen_ns / 1000),
                    index::DurationUs(scene.shown_ns / 1000),
                    index::Share(scene.frozen_ns, scene.shown_ns)));
  }
  return facts;
}

Facts AnnotationFacts(const model::Document& document) {
  Facts facts;
  if (!document.annotations.scene.empty())
    facts.emplace_back("scene", Truncated(document.annotations.scene, 200));
  for (const model::Annotation& entry : document.annotations.entries)
    facts.emplace_back(Truncated(entry.name, 60), Truncated(entry.value, 300));
  return facts;
}

}  // namespace stillframe::render
