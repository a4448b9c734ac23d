#include "tools/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/calltree/clean_text.h"
#include "tools/calltree/figures.h"
#include "tools/calltree/method_name.h"

namespace stillframe::verdict {
namespace {

using calltree::DurationUs;
using dump::Message;

constexpr int64_t kLongNs = 1'000'000'000;  // a message that is a culprit while it still runs
constexpr int64_t kSlowNs = 50'000'000;
constexpr uint64_t kRecentNs = 30'000'000'000;  // what can have led to an ANR

bool IsRecent(const Message& message, uint64_t now_ns) {
  const uint64_t end_ns =
      message.start_ns + static_cast<uint64_t>(std::max<int64_t>(message.wall_ns, 0));
  return end_ns + kRecentNs >= now_ns;
}

// The running message if it is long; else the longest of the last 30 s, one with a tree before one
// without; else the longest at all in the same way.
const Message* PickMessage(const Case& evidence) {
  const dump::Document& document = evidence.document();
  if (document.running && document.running->wall_ns >= kLongNs) {
    return &*document.running;
  }
  const Message* best = nullptr;
  const auto rank = [&](const Message& message) {
    return std::tuple(IsRecent(message, document.taken_monotonic_ns),
                      evidence.TreeOf(message.token) != nullptr, message.wall_ns);
  };
  const auto consider = [&](const Message& message) {
    const bool is_slow = message.wall_ns >= kSlowNs || evidence.TreeOf(message.token) != nullptr;
    if (is_slow && (best == nullptr || rank(message) >= rank(*best))) {
      best = &message;
    }
  };
  std::for_each(document.history.begin(), document.history.end(), consider);
  for (const auto& [token, orphan] : evidence.orphans()) {
    consider(orphan);
  }
  if (document.running) {
    consider(*document.running);
  }
  return best;
}

bool IsSamplerOn(const dump::Document& document) {
  return document.identity.sampler_state == "on" || document.identity.sampler_state.empty();
}

std::string SamplerOff(const dump::Document& document) {
  return fmt::format("the sampler was off: {}",
                     calltree::CleanText(document.identity.sampler_state, 300));
}

std::string MessageClause(const Case& evidence, const Message& message) {
  const std::string dispatch = DispatchText(evidence.DispatchFor(message));
  return evidence.IsRunning(message)
             ? fmt::format("message {} was running and had not ended (token {})", dispatch,
                           message.token)
             : fmt::format("message {} was running (token {})", dispatch, message.token);
}

// The message's wall time, or what its samples cover if that is longer or all there is.
uint64_t WholeUs(const Message& message, const calltree::CallTree* tree) {
  const uint64_t wall_us = message.wall_ns < 0 ? 0 : static_cast<uint64_t>(message.wall_ns) / 1000;
  return tree == nullptr ? wall_us : std::max(wall_us, tree->root().total_us);
}

std::string NameAndPlace(const std::string& name, const std::string& place) {
  return fmt::format("{} ({})", name, place);
}

std::string HeldText(uint64_t held_us, uint64_t whole_us) {
  return fmt::format("{} of {} ({})", DurationUs(held_us), DurationUs(whole_us),
                     calltree::Share(held_us, whole_us));
}

void AddCpuEvidence(const Message& message, uint64_t whole_us, Verdict* verdict) {
  if (message.cpu_ns < 0 || whole_us == 0) {
    return;
  }
  const uint64_t cpu_us = static_cast<uint64_t>(message.cpu_ns) / 1000;
  const char* meaning = cpu_us * 4 >= whole_us * 3 ? "it was computing"
                        : cpu_us * 4 <= whole_us   ? "it stood still or got no CPU for most of it"
                                                   : "it computed for part of it only";
  verdict->evidence.push_back(fmt::format("The message used {} of CPU time in {} ({}): {}.",
                                          DurationUs(cpu_us), DurationUs(whole_us),
                                          calltree::Share(cpu_us, whole_us), meaning));
}

void AddMessageEvidence(const Case& evidence, const Message& message, uint64_t whole_us,
                        Verdict* verdict) {
  AddCpuEvidence(message, whole_us, verdict);
  if (message.wait_ns >= kSlowNs) {
    verdict->evidence.push_back(fmt::format("It had been due for {} when it was dispatched.",
                                            calltree::Duration(message.wait_ns)));
  }
  if ((message.flags & dump::kMessageSeenLate) != 0) {
    verdict->evidence.emplace_back(
        "It was already running when the profiler began to watch; the time before is not known.");
  }
  if (const trace::TraceTree* trace = evidence.TraceOf(message.token)) {
    verdict->evidence.push_back(fmt::format(
        "Its stack was sampled {}{}.", calltree::Counted(trace->samples_added(), "time"),
        trace->interval_scale() > 1
            ? fmt::format(", kept as {}", calltree::Grouped(trace->sample_count()))
            : ""));
  }
  if (!IsSamplerOn(evidence.document())) {
    verdict->evidence.push_back(fmt::format("At the dump {}.", SamplerOff(evidence.document())));
  }
}

void AddCulpritEvidence(const Culprit& culprit, Verdict* verdict) {
  const bool has_line = culprit.place.find(':') != std::string::npos;
  if (culprit.line_us != culprit.held_us && has_line) {
    verdict->evidence.push_back(
        fmt::format("{} of them at {}.", DurationUs(culprit.line_us), culprit.place));
  }
  if (culprit.leaf != culprit.method && !culprit.IsStandstill()) {
    verdict->evidence.push_back(
        fmt::format("It was mostly inside {}.", NameAndPlace(culprit.leaf, culprit.leaf_place)));
  }
  if (!culprit.caller.empty()) {
    verdict->evidence.push_back(
        fmt::format("Called from {}.", NameAndPlace(culprit.caller, culprit.caller_place)));
  }
  if (!culprit.IsStandstill() && culprit.state != trace::ThreadState::kRunnable) {
    verdict->evidence.push_back(fmt::format("Meanwhile the main thread was mostly {}.",
                                            calltree::StateText(culprit.state)));
  }
}

void JudgeCulprit(const Case& evidence, const Message& message, uint64_t whole_us,
                  Verdict* verdict) {
  const Culprit& culprit = *verdict->culprit;
  const std::string held = HeldText(culprit.held_us, whole_us);
  const std::string clause = MessageClause(evidence, message);
  const std::string method = NameAndPlace(culprit.method, culprit.place);
  if (!culprit.IsStandstill()) {
    verdict->kind = Kind::kMethod;
    verdict->sentence =
        fmt::format("{} held the main thread for {} while {}.", method, held, clause);
  } else {
    verdict->kind = Kind::kStandstill;
    const bool is_leaf = culprit.leaf == culprit.method;
    verdict->sentence = fmt::format(
        "The main thread was {} in {} for {} while {}.", calltree::StateText(culprit.state),
        is_leaf ? method : fmt::format("{} called from {}", culprit.leaf, method), held, clause);
  }
  AddCulpritEvidence(culprit, verdict);
}

void JudgeSpread(const Case& evidence, const Message& message, const calltree::CallTree& tree,
                 uint64_t whole_us, Verdict* verdict) {
  verdict->kind = Kind::kSpread;
  verdict->sentence =
      fmt::format("No single method held the main thread for half of the {} while {}.",
                  DurationUs(whole_us), MessageClause(evidence, message));
  std::vector<calltree::MethodId> hottest = tree.HottestMethods();
  hottest.resize(std::min<size_t>(hottest.size(), 3));
  for (const calltree::MethodId method : hottest) {
    verdict->evidence.push_back(fmt::format(
        "{} itself took {}.", NameAndPlace(tree.NameOf(method, 200), tree.PlaceOf(method)),
        HeldText(tree.methods()[method].self_us, whole_us)));
  }
}

void JudgeWithoutSamples(const Case& evidence, const Message& message, Verdict* verdict) {
  verdict->kind = Kind::kNoSamples;
  const std::string dispatch = DispatchText(evidence.DispatchFor(message));
  verdict->sentence = fmt::format(
      "Message {} {} the main thread for {}{} (token {}); which method it was is not known.",
      dispatch, evidence.IsRunning(message) ? "has held" : "held",
      calltree::Duration(message.wall_ns), evidence.IsRunning(message) ? " and has not ended" : "",
      message.token);
  if (IsSamplerOn(evidence.document())) {
    verdict->evidence.push_back(
        message.samples == 0
            ? "No sample of its stack was taken."
            : fmt::format(
                  "{} samples of its stack were taken, but its tree was not kept: trees are "
                  "kept for long messages, the latest only.",
                  calltree::Grouped(message.samples)));
  }
}

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kNothingSlow: return "nothing-slow";
    case Kind::kNoSamples: return "no-samples";
    case Kind::kMethod: return "method";
    case Kind::kStandstill: return "standstill";
    case Kind::kSpread: break;
  }
  return "spread";
}

Case::Case(const dump::Document& document) : document_(&document) {
  for (const trace::TraceTree& tree : document.trees) {
    trees_.try_emplace(tree.token(), document.frames, tree);
    traces_.try_emplace(tree.token(), &tree);
  }
  if (document.running) {
    messages_.try_emplace(document.running->token, &*document.running);
  }
  for (const Message& message : document.history) {
    messages_.try_emplace(message.token, &message);
  }
  for (const auto& [token, tree] : trees_) {
    if (messages_.count(token) == 0) {
      Message& orphan = orphans_[token];
      orphan.token = token;
      orphan.wall_ns = static_cast<int64_t>(tree.root().total_us) * 1000;
      orphan.samples = tree.root().samples;
      orphan.flags = dump::kMessageIdentityUnknown | dump::kMessageHasTree;
      messages_[token] = &orphan;
    }
  }
  verdict_ = Judge(*this);
}

const calltree::CallTree* Case::TreeOf(uint64_t token) const {
  const auto entry = trees_.find(token);
  return entry == trees_.end() ? nullptr : &entry->second;
}

const trace::TraceTree* Case::TraceOf(uint64_t token) const {
  const auto entry = traces_.find(token);
  return entry == traces_.end() ? nullptr : entry->second;
}

const Message* Case::MessageOf(uint64_t token) const {
  const auto entry = messages_.find(token);
  return entry == messages_.end() ? nullptr : entry->second;
}

bool Case::IsRunning(const Message& message) const {
  return document_->running && document_->running->token == message.token;
}

Dispatch Case::DispatchFor(const Message& message) const {
  return DispatchOf(message, TreeOf(message.token));
}

std::vector<uint64_t> Case::TreeTokens() const {
  std::vector<uint64_t> tokens;
  for (auto entry = trees_.rbegin(); entry != trees_.rend(); ++entry) {
    tokens.push_back(entry->first);
  }
  std::stable_partition(tokens.begin(), tokens.end(),
                        [this](uint64_t token) { return verdict_.token == token; });
  return tokens;
}

Verdict Judge(const Case& evidence) {
  Verdict verdict;
  const dump::Document& document = evidence.document();
  const Message* message = PickMessage(evidence);
  if (message == nullptr) {
    verdict.sentence = "No slow message was seen: nothing held the main thread for 50 ms or more.";
    if (document.running) {
      verdict.evidence.push_back(
          fmt::format("A message had been running for {} when the dump was taken.",
                      calltree::Duration(document.running->wall_ns)));
    }
    if (document.identity.tap == "none") {
      verdict.sentence =
          "Nothing is known about the main thread's messages: no Looper was watched.";
    }
    if (!IsSamplerOn(document)) {
      verdict.evidence.push_back(fmt::format("At the dump {}.", SamplerOff(document)));
    }
    return verdict;
  }
  verdict.token = message->token;
  const calltree::CallTree* tree = evidence.TreeOf(message->token);
  const uint64_t whole_us = WholeUs(*message, tree);
  if (tree == nullptr || tree->root().total_us == 0) {
    JudgeWithoutSamples(evidence, *message, &verdict);
  } else {
    verdict.culprit = FindCulprit(*tree, (message->flags & dump::kMessageNested) != 0);
    if (verdict.culprit) {
      JudgeCulprit(evidence, *message, whole_us, &verdict);
    } else {
      JudgeSpread(evidence, *message, *tree, whole_us, &verdict);
    }
  }
  AddMessageEvidence(evidence, *message, whole_us, &verdict);
  return verdict;
}

}  // namespace stillframe::verdict
