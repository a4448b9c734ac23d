// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/index/window.h"

#include <algorithm>
#include <span>

namespace stillframe::index {
namespace {

using model::Message;

constexpr uint64_t kLongestWindowNs = 30'000'000'000;
constexpr uint64_t kUnseenUs = 1'000'000;

uint64_t WallNs(const Message& message) {
  return message.wall_ns < 0 ? 0 : static_cast<uint64_t>(message.wall_ns);
}

const model::PendingMessage* LatestMessage(const model::Document& document) {
  const model::PendingMessage* latest = nullptr;
  for (const model::PendingMessage& message : document.pending) {
    const bool is_late = !message.is_barrier && message.delay_ms <= -Window::kLateNs / 1'000'000;
    if (is_late && (latest == nullptr || message.delay_ms < latest->delay_ms)) latest = &message;
  }
  return latest;
}

uint64_t BarrierSince(const model::Document& document) {
  const std::vector<model::PendingMessage>& pending = document.pending;
  const bool holds_back =
      !pending.empty() && pending[0].is_barrier &&
      std::any_of(pending.begin(), pending.end(), [](const auto& message) {
        return !message.is_barrier && !message.is_asynchronous && message.delay_ms < 0;
      });
  if (!holds_back) return 0;
  const uint64_t age_ns = pending[0].age_ms >= 0 ? NsOf(pending[0].age_ms) : LateNs(pending[0]);
  return document.taken_monotonic_ns - std::min(age_ns, document.taken_monotonic_ns);
}

bool IsWithinAnother(const model::Document& document, const Message& nested) {
  const auto is_around = [&nested](const Message& other) {
    return other.token != nested.token && other.looper == nested.looper &&
           other.start_ns <= nested.start_ns &&
           nested.start_ns - other.start_ns + WallNs(nested) <= WallNs(other);
  };
  return std::ranges::any_of(document.history, is_around) ||
         (document.running && is_around(*document.running));
}

void AddShares(const DumpIndex& index, Window* window) {
  const model::Document& document = index.document();
  const auto add = [&](const Message& message) {
    const uint64_t inside_ns = window->Inside(message.start_ns, WallNs(message));
    const bool is_nested = (message.flags & model::kMessageNested) != 0;
    if (inside_ns > 0 && message.looper == 0 &&
        !(is_nested && IsWithinAnother(document, message))) {
      window->slow.push_back({&message, inside_ns, index.IsRunning(message)});
      window->slow_ns += inside_ns;
    }
  };
  std::for_each(document.history.begin(), document.history.end(), add);
  if (document.running) add(*document.running);
  std::stable_sort(
      window->slow.begin(), window->slow.end(),
      [](const WindowShare& a, const WindowShare& b) { return a.inside_ns > b.inside_ns; });
}

// Other threads of the process used a CPU for a tenth of the table's interval.
bool OthersRan(const model::Document& document) {
  if (!document.threads) return false;
  const uint32_t main_tid =
      document.loopers.empty() ? document.identity.pid : document.loopers[0].tid;
  uint64_t used_ms = 0;
  const uint64_t interval_ms = IntervalMs(*document.threads);
  for (const model::ThreadRow& row : document.threads->rows) {
    if (row.tid != main_tid) {
      used_ms += static_cast<uint64_t>(std::max<int64_t>(row.user_ms, 0)) +
                 static_cast<uint64_t>(std::max<int64_t>(row.system_ms, 0));
    }
  }
  return interval_ms > 0 && used_ms * 10 >= interval_ms;
}

}  // namespace

uint64_t NsOf(int64_t ms) {
  constexpr int64_t kLongestMs = 1'000'000'000;
  return static_cast<uint64_t>(std::clamp<int64_t>(ms, 0, kLongestMs)) * 1'000'000;
}

uint64_t LateNs(const model::PendingMessage& message) {
  return NsOf(message.delay_ms > INT64_MIN ? -message.delay_ms : INT64_MAX);
}

uint64_t IntervalMs(const model::ThreadTable& table) {
  uint64_t interval_ms = 0;
  for (const model::ThreadRow& row : table.rows)
    interval_ms = std::max(interval_ms, row.interval_ms);
  return interval_ms;
}

uint64_t Window::running_ns() const {
  const auto running = std::find_if(slow.begin(), slow.end(),
                                    [](const WindowShare& share) { return share.is_running; });
  return running == slow.end() ? 0 : running->inside_ns;
}

uint64_t Window::Inside(uint64_t start_ns, uint64_t span_ns) const {
  const uint64_t from_ns = std::max(start_ns, begin_ns);
  const uint64_t until_ns = start_ns + std::min(span_ns, UINT64_MAX - start_ns);
  const uint64_t to_ns = std::min(until_ns, end_ns);
  return to_ns > from_ns ? to_ns - from_ns : 0;
}

Window WindowOf(const DumpIndex& index, const Message* longest) {
  const model::Document& document = index.document();
  Window window;
  window.latest = LatestMessage(document);
  window.end_ns = document.taken_monotonic_ns;
  window.begin_ns = window.end_ns;
  if (window.latest != nullptr) {
    const uint64_t late_ns = std::min(LateNs(*window.latest), kLongestWindowNs);
    window.begin_ns = window.end_ns - std::min(late_ns, window.end_ns);
  } else if (longest != nullptr && longest->start_ns != 0 && longest->start_ns < window.end_ns) {
    window.begin_ns = longest->start_ns;
    window.end_ns = longest->start_ns +
                    std::min(WallNs(*longest), document.taken_monotonic_ns - longest->start_ns);
  }
  window.barrier_since_ns = BarrierSince(document);
  AddShares(index, &window);
  return window;
}

Window WindowOfMessage(const DumpIndex& index, const Message& message) {
  Window window;
  window.begin_ns = message.start_ns;
  window.end_ns = message.start_ns + std::min(WallNs(message), UINT64_MAX - message.start_ns);
  window.slow = {{&message, window.length_ns(), index.IsRunning(message)}};
  window.slow_ns = window.length_ns();
  return window;
}

uint64_t StarvedNs(const DumpIndex& index, const Message& message, bool* is_exact) {
  *is_exact = message.runqueue_wait_ns >= 0;
  if (*is_exact) return static_cast<uint64_t>(message.runqueue_wait_ns);
  const model::TraceTree* tree = index.TraceOf(message.token);
  uint64_t starved_us = 0;
  uint32_t cpu_us = 0;
  for (const model::Sample& sample :
       tree == nullptr ? std::span<const model::Sample>() : tree->samples()) {
    const uint32_t used_us = sample.cpu_us - std::min(cpu_us, sample.cpu_us);
    if (sample.state == model::ThreadState::kRunnable && sample.weight_us > used_us)
      starved_us += sample.weight_us - used_us;
    cpu_us = sample.cpu_us;
  }
  return starved_us * 1000;
}

bool MayBeStopped(const Message& message, const model::TraceTree& tree, const model::Sample& sample,
                  uint64_t used_us) {
  if (message.segment && &sample == tree.samples().data()) return false;
  return sample.weight_us / tree.interval_scale() >= kUnseenUs && used_us < sample.weight_us / 10;
}

uint64_t UnseenNs(const DumpIndex& index, const Message& message) {
  const model::TraceTree* tree = index.TraceOf(message.token);
  const bool is_recorded = index.IsSamplerOn() && !IsImported(index.document());
  if (tree == nullptr || !is_recorded || OthersRan(index.document())) return 0;
  uint64_t unseen_us = 0;
  uint32_t cpu_us = 0;
  for (const model::Sample& sample : tree->samples()) {
    const uint32_t used_us = sample.cpu_us - std::min(cpu_us, sample.cpu_us);
    if (MayBeStopped(message, *tree, sample, used_us)) unseen_us += sample.weight_us;
    cpu_us = sample.cpu_us;
  }
  // The thread was ready, not stopped, for as long as the kernel counted.
  const auto ready_ns = static_cast<uint64_t>(std::max<int64_t>(message.runqueue_wait_ns, 0));
  return unseen_us * 1000 - std::min(ready_ns, unseen_us * 1000);
}

}  // namespace stillframe::index
