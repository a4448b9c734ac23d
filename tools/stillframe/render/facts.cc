// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/index/dump_index.h"
#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/words/wording.h"

namespace stillframe::render {
namespace {

using index::Truncated;

constexpr size_t kLongestValue = 300;

std::string NumberOrUnknown(uint32_t number) {
  return number == 0 ? "unknown" : std::to_string(number);
}

std::string OrUnknown(const std::string& bytes) {
  return bytes.empty() ? "unknown" : Truncated(bytes, kLongestValue);
}

std::string Bytes(uint64_t bytes) {
  return bytes < 10'000 ? index::Grouped(bytes) + " bytes"
                        : index::Grouped((bytes + 512) / 1024) + " KiB";
}

std::string Nanoseconds(uint64_t ns) {
  if (ns < 10'000) return index::Grouped(ns) + " ns";
  if (ns < 1'000'000) return fmt::format("{:.1f} us", static_cast<double>(ns) / 1e3);
  return index::Duration(static_cast<int64_t>(std::min<uint64_t>(ns, INT64_MAX)));
}

bool TakeSuffix(std::string* name, std::string_view suffix) {
  if (!std::string_view(*name).ends_with(suffix) || name->size() == suffix.size()) return false;
  name->resize(name->size() - suffix.size());
  return true;
}

const model::ContextEntry* KnownEntry(const model::Document& document, std::string_view name) {
  for (const model::ContextEntry& entry : document.context)
    if (entry.name == name && entry.state != model::ContextEntry::State::kAbsent) return &entry;
  return nullptr;
}

std::string KnownText(const model::Document& document, std::string_view name) {
  const model::ContextEntry* entry = KnownEntry(document, name);
  if (entry == nullptr) return {};
  return entry->state == model::ContextEntry::State::kText ? Truncated(entry->text, 80)
                                                           : std::to_string(entry->number);
}

std::string Application(const model::Document& document) {
  std::string name = KnownText(document, "package");
  if (name.empty()) {
    const std::string& process = document.identity.process_name;
    name = Truncated(std::string_view(process).substr(process.rfind('/') + 1), 80);
  }
  const std::string version = KnownText(document, "version_name");
  return version.empty() ? name : name + " " + version;
}

std::string Device(const model::Document& document) {
  const std::string model = KnownText(document, "model");
  const std::string api = KnownText(document, "api_level");
  return fmt::format("{}{}{}", model, model.empty() || api.empty() ? "" : ", ",
                     api.empty() ? "" : "API " + api);
}

// 0 is the foreground, up to 100 a visible application (AOSP's ProcessList, Android 8 to 14).
std::string Visibility(const model::Document& document) {
  constexpr int kVisibleAdjustment = 100;
  const std::string adjustment = KnownText(document, "oom_score_adj");
  if (adjustment.empty()) return {};
  return std::atoi(adjustment.c_str()) <= kVisibleAdjustment ? "foreground" : "background";
}

std::string ProfiledFor(const model::Document& document) {
  const uint64_t start_ns = document.identity.process_start_ns;
  if (start_ns == 0 || start_ns > document.taken_monotonic_ns) return "unknown";
  return fmt::format("{:.1f} s", static_cast<double>(document.taken_monotonic_ns - start_ns) / 1e9);
}

}  // namespace

std::string UtcTime(uint64_t realtime_ns) {
  const auto seconds = static_cast<std::time_t>(realtime_ns / 1'000'000'000);
  std::tm parts{};
  std::array<char, 40> text{};
  if (realtime_ns == 0 || gmtime_r(&seconds, &parts) == nullptr ||
      std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
    return "time unknown";
  return text.data();
}

// "2014-06-01 10:00:01, zone unknown" for imported text without a zone.
std::string TakenTime(const model::Document& document) {
  const auto written =
      std::ranges::find(document.annotations.entries, "time as written", &model::Annotation::name);
  return document.taken_realtime_ns != 0 || written == document.annotations.entries.end()
             ? UtcTime(document.taken_realtime_ns)
             : Truncated(written->value, 40) + ", zone unknown";
}

std::string ProcessText(const model::Document& document) {
  const model::Identity& identity = document.identity;
  return fmt::format(
      "{}, process {}",
      identity.process_name.empty() ? "unnamed process" : Truncated(identity.process_name, 120),
      NumberOrUnknown(identity.pid));
}

// Trigger with its known details.
std::string TriggerWithDetail(const model::Document& document) {
  std::string text(index::TextOf(document.trigger));
  if (!document.trigger_detail.empty() && document.trigger_detail != "SIGQUIT")
    text += "; " + Truncated(document.trigger_detail, 200);
  if (!document.trigger_confirmed.empty())
    text += fmt::format("; confirmed: {}", Truncated(document.trigger_confirmed, 100));
  if (!document.system_reason.empty())
    text += fmt::format("; the system says: {}", Truncated(document.system_reason, 300));
  return text;
}

std::vector<std::string> Origin(const model::Document& document, const judge::Verdict& verdict) {
  const std::string_view kind = verdict.anr ? index::TextOf(verdict.anr->kind) : "";
  const bool is_guess = verdict.anr && verdict.anr->source != judge::AnrSource::kSystem;
  std::vector<std::string> words = {
      !verdict.is_anr && !verdict.anr ? "Dump: " + std::string(index::TextOf(document.trigger))
      : kind.empty()                  ? "ANR"
                                      : fmt::format("ANR: {}{}", kind, is_guess ? " (likely)" : ""),
      Application(document), Device(document), TakenTime(document), Visibility(document)};
  std::erase(words, "");
  return words;
}

std::string TitleOf(const model::Document& document, const judge::Verdict& verdict) {
  return fmt::format("{} \u2013 {}{}", words::Explain(verdict).headline, Application(document),
                     verdict.is_anr || verdict.anr ? " ANR" : "");
}

// A Printer, the only tap before API level 29, watches one Looper.
std::string Tap(const model::Document& document) {
  const auto loopers =
      std::ranges::find(document.configuration, "loopers", &model::NamedText::name);
  const bool lacks_others = document.identity.tap == "printer" &&
                            loopers != document.configuration.end() && loopers->value != "main";
  return OrUnknown(document.identity.tap) +
         (lacks_others ? "; Loopers beside the main one are not seen" : "");
}

Facts ProcessFacts(const model::Document& document) {
  const model::Identity& identity = document.identity;
  return {{"process", OrUnknown(identity.process_name)},
          {"pid, uid", fmt::format("{}, {}", NumberOrUnknown(identity.pid),
                                   index::IsImported(document) ? NumberOrUnknown(identity.uid)
                                                               : std::to_string(identity.uid))},
          {"dump taken", TakenTime(document)},
          {"trigger", TriggerWithDetail(document)},
          {"dumps before this one", std::to_string(document.sequence)},
          {"profiled for", ProfiledFor(document)},
          {"Android Runtime", fmt::format("{}, build {}", OrUnknown(identity.art_release),
                                          OrUnknown(identity.art_build_id))},
          {"ABI", OrUnknown(identity.abi)},
          {"profiler", fmt::format("{}, dump format {}", OrUnknown(identity.profiler_version),
                                   document.format_version)},
          {"sampler", OrUnknown(identity.sampler_state)},
          {"Looper watched by", Tap(document)}};
}

Facts CounterFacts(const model::Document& document) {
  Facts facts;
  for (const model::NamedCount& counter : document.counters) {
    std::string name = counter.name;
    std::string value;
    if (TakeSuffix(&name, "_ns"))
      value = Nanoseconds(counter.value);
    else if (TakeSuffix(&name, "_bytes"))
      value = Bytes(counter.value);
    else
      value = index::Grouped(counter.value);
    std::replace(name.begin(), name.end(), '_', ' ');
    facts.emplace_back(Truncated(name, 80), value);
  }
  return facts;
}

std::string HealthText(const model::Document& document) {
  uint64_t lost = 0;
  uint64_t kept = 0;
  std::string cost;
  for (const model::NamedCount& counter : document.counters) {
    lost += counter.name.starts_with("drops_") ? counter.value : 0;
    const bool is_sample = counter.name.starts_with("samples_") &&
                           counter.name != "samples_missed" && counter.name != "samples_cut";
    kept += is_sample ? counter.value : 0;
    if (counter.name == "handler_time_ns")
      cost += fmt::format("; {} in its signal handler", Nanoseconds(counter.value));
    if (counter.name == "collector_cpu_time_ns")
      cost += fmt::format("; {} of CPU time on its own thread", Nanoseconds(counter.value));
  }
  return fmt::format("{}: {} of {} lost{}.", lost * 20 > kept ? "Many samples were lost" : "OK",
                     index::Grouped(lost), index::Counted(lost + kept, "sample"), cost);
}

std::string RelativeTime(const model::Document& document, uint64_t at_ns) {
  const double seconds =
      (static_cast<double>(at_ns) - static_cast<double>(document.taken_monotonic_ns)) / 1e9;
  return fmt::format("{:.3f} s", seconds);
}

std::string RelativeStart(const model::Document& document, const model::Message& message) {
  return message.start_ns == 0 ? "?" : RelativeTime(document, message.start_ns);
}

std::string FlagsText(uint32_t flags) {
  std::string text;
  const auto add = [&text, flags](uint32_t bit, std::string_view word) {
    if ((flags & bit) != 0) {
      text += text.empty() ? "" : ", ";
      text += word;
    }
  };
  add(model::kMessageThrew, "threw");
  add(model::kMessageNested, "nested");
  return text;
}

std::string DueText(int64_t delay_ms) {
  const uint64_t size =
      delay_ms < 0 ? 0 - static_cast<uint64_t>(delay_ms) : static_cast<uint64_t>(delay_ms);
  return delay_ms < 0 ? fmt::format("overdue {} ms", index::Grouped(size))
                      : fmt::format("in {} ms", index::Grouped(size));
}

std::string PendingText(const model::PendingMessage& message) {
  if (message.is_barrier) {
    return message.age_ms < 0 ? "synchronization barrier"
                              : fmt::format("synchronization barrier, posted {} ms ago",
                                            index::Grouped(static_cast<uint64_t>(message.age_ms)));
  }
  std::string text = index::PendingDispatch(message);
  if (message.is_asynchronous) text += ", asynchronous";
  if (!message.object) return text;
  const model::MessageObject& object = *message.object;
  text += fmt::format("; arg1 {}, arg2 {}", object.arg1, object.arg2);
  if (!object.type.empty()) text += fmt::format(", {}", Truncated(object.type, 160));
  return object.text.empty() ? text : fmt::format("{} \"{}\"", text, Truncated(object.text, 200));
}

std::string PendingHead(const model::Document& document) {
  std::string count = index::Counted(document.pending.size(), "message");
  if (document.pending_is_truncated) {
    count += fmt::format(" of at least {} in the queue (truncated: the reading took too long)",
                         index::Grouped(document.pending_total));
  } else if (document.pending_total > document.pending.size()) {
    count += fmt::format(" of {} in the queue", index::Grouped(document.pending_total));
  }
  return document.pending_source.empty()
             ? count
             : fmt::format("{}, read from {}", count, Truncated(document.pending_source, 60));
}

std::string PendingAbsence(const model::Document& document) {
  if (!document.pending_source.empty() || !document.pending.empty()) return {};
  return fmt::format("The queue was not read: {}.", document.pending_absent.empty()
                                                        ? "the dump does not say why"
                                                        : Truncated(document.pending_absent, 300));
}

}  // namespace stillframe::render
