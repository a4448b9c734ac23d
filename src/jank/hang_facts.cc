// SPDX-License-Identifier: Apache-2.0
#include "src/jank/hang_facts.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "src/core/clock.h"
#include "src/dump/redaction.h"

namespace stillframe::jank {
namespace {

// Exact times do not compress, and milliseconds are enough for a record.
constexpr uint32_t kUnitUs = 1'000;
// Enough to name a thread that used the CPU. The main one is among them.
constexpr size_t kMaxThreads = 6;

// The main Looper is the first, whose message this is not.
void AddLoopers(const history::JankThread& thread, model::Dump* dump) {
  for (const history::JankThread& each : {history::JankThread{"main", getpid()}, thread}) {
    model::Looper looper;
    looper.thread = each.name;
    looper.tid = static_cast<uint32_t>(each.tid);
    dump->loopers.push_back(std::move(looper));
  }
  for (model::Message& message : dump->history) message.looper = 1;
  for (model::HistoryRecord& record : dump->records) record.looper = 1;
}

}  // namespace

std::string Base64(std::span<const uint8_t> bytes) {
  constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(bytes.size() - i, 3);
    uint32_t word = 0;
    for (size_t j = 0; j < 3; ++j) word = word << 8 | (j < count ? bytes[i + j] : 0U);
    for (size_t j = 0; j < 4; ++j) text += j <= count ? kLetters[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

std::string FactsOf(const Hang& hang, const FactsSource& source, uint64_t now_ns) {
  if (source.writer == nullptr) return "";
  const settings::Config& config = *source.config;
  model::Dump dump;
  dump.trigger = model::Trigger::kLongMessage;
  dump.taken_monotonic_ns = now_ns;
  dump.taken_realtime_ns = core::CpuClockNs(CLOCK_REALTIME);
  dump.slow_ns = settings::Ns(config.slow_ms);
  dump.interval_ns = settings::Ns(config.interval_us);
  if (hang.is_running)
    dump.running = hang.message;
  else
    dump.history.push_back(hang.message);
  dump.records = hang.before;
  if (hang.thread.name != nullptr) AddLoopers(hang.thread, &dump);
  dump.annotations = source.annotations->Read();
  if (source.process != nullptr) {
    source.process->DescribeBriefly(now_ns, &dump.context);
    dump.threads = source.process->Threads(now_ns, kMaxThreads);
  }
  dump::Redact(config.omit, &dump);
  std::vector<const dump::EncodedTree*> trees;
  dump::EncodedTree tree;
  const bool has_tree = hang.tree != nullptr && !config.omit.Has(settings::Part::kStacks);
  if (has_tree && source.writer->EncodeTree(*hang.tree, &tree, kUnitUs) == dump::Status::kOk)
    trees.push_back(&tree);
  std::vector<uint8_t> bytes;
  if (!source.writer->WriteBytes(dump, {source.names, trees}, &bytes)) return "";
  std::string text = Base64(bytes);
  return text.size() <= kMaxFactsBytes ? text : "";
}

}  // namespace stillframe::jank
