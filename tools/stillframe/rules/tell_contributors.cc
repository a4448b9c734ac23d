// SPDX-License-Identifier: Apache-2.0
// Shares of the window, as words and as a level of confidence.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tools/stillframe/calltree/figures.h"
#include "tools/stillframe/rules/message_verdict.h"
#include "tools/stillframe/rules/rules.h"

namespace stillframe::rules {
namespace {

using verdict::Cause;
using verdict::Confidence;
using verdict::Kind;
using verdict::Verdict;

constexpr uint64_t kNamedPercent = 20;
constexpr uint64_t kMaxPercent = 80;
constexpr size_t kMaxNamed = 3;
constexpr size_t kMaxTokens = 8;

// Levels of what the sentence tells: its share of the window, half of what else is known, less a
// quarter of what nobody saw.
constexpr double kHigh = 0.4;
constexpr double kMedium = 0.2;

bool IsOneMessage(Kind kind) {
  switch (kind) {
    case Kind::kMethod:
    case Kind::kStandstill:
    case Kind::kBlocked:
    case Kind::kBinderCall:
    case Kind::kInputOutput:
    case Kind::kSpread:
    case Kind::kNoSamples: return true;
    default: return false;
  }
}

// The verdict's own sentence is about it.
bool IsTold(const Contribution& entry, const Case& the, const Verdict& verdict) {
  if (&entry == &the.lead) return true;
  switch (verdict.kind) {
    case Kind::kBlocked:  // whoever held the monitors
      return entry.told.cause == Cause::kLock && the.lead.told.cause == Cause::kLock &&
             entry.told.tokens == the.lead.told.tokens;
    case Kind::kEarlier: return entry.IsOfMessages() && !entry.told.is_running;
    case Kind::kFlood: return entry.told.cause == Cause::kQuick;
    case Kind::kShortOfMemory: return entry.message != nullptr;
    default: return false;
  }
}

bool IsKnown(Cause cause) {
  return cause != Cause::kUnseen && cause != Cause::kOutside && cause != Cause::kStill;
}

double PartOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The part of a tree's time below truncations and frames without a name.
double NamelessPart(const calltree::CallTree& tree) {
  uint64_t nameless_us = 0;
  for (const calltree::Method& method : tree.methods()) {
    const bool has_name = !tree.frames().String(method.class_name).empty() ||
                          !tree.frames().String(method.method_name).empty();
    if (!has_name || method.is_truncation) nameless_us += method.self_us;
  }
  return PartOf(nameless_us, tree.root().total_us);
}

Confidence LevelOf(const Case& the, const Verdict& verdict) {
  uint64_t told_ns = 0;
  uint64_t known_ns = 0;
  for (const Contribution& entry : the.ranking.list)
    if (IsTold(entry, the, verdict))
      told_ns += entry.told.ns;
    else if (IsKnown(entry.told.cause))
      known_ns += entry.told.ns;
  const uint64_t length_ns = the.ranking.length_ns;
  const bool rests_on_methods = verdict.culprit.has_value() && the.lead.tree.has_value();
  const double nameless = rests_on_methods ? NamelessPart(*the.lead.tree) : 0;
  const double level = PartOf(told_ns, length_ns) * (1 - nameless) +
                       PartOf(known_ns, length_ns) / 2 -
                       PartOf(the.ranking.NsOf(Cause::kUnseen), length_ns) / 4;
  return level >= kHigh     ? Confidence::kHigh
         : level >= kMedium ? Confidence::kMedium
                            : Confidence::kLow;
}

// Messages each of which has too little to be named, "" unless they have a fifth together.
std::string FurtherText(const Case& the, const Verdict& verdict,
                        const std::vector<const Contribution*>& besides) {
  uint64_t further_ns = 0;
  size_t entries = 0;
  for (const Contribution& entry : the.ranking.list) {
    const bool is_named = std::ranges::find(besides, &entry) != besides.end();
    if (!entry.IsOfMessages() || entry.told.is_running || is_named || IsTold(entry, the, verdict))
      continue;
    further_ns += entry.told.ns;
    ++entries;
  }
  return entries < 2 || further_ns * 100 < the.ranking.length_ns * kNamedPercent
             ? ""
             : fmt::format("; other messages, which had ended, took {} together",
                           OfWindow(the, further_ns));
}

// A sentence about ended messages names one of them, however many there are.
std::string LongestText(const Case& the, const Verdict& verdict,
                        const std::vector<const Contribution*>& besides) {
  const bool names_one = std::ranges::any_of(besides, [](const Contribution* entry) {
    return entry->IsOfMessages() && !entry->told.is_running;
  });
  const auto longest = std::ranges::find(the.window.slow, false, &index::WindowShare::is_running);
  if (verdict.kind != Kind::kEarlier || names_one || longest == the.window.slow.end()) return {};
  return fmt::format("; the longest of them, {}, took {}",
                     MessageAndMethod(the.index, *longest->message),
                     OfWindow(the, longest->inside_ns));
}

std::string BesidesText(const Case& the, const std::vector<const Contribution*>& besides) {
  std::string text;
  for (const Contribution* entry : besides)
    text += fmt::format("; {} took {}", entry->told.text, OfWindow(the, entry->told.ns));
  return text;
}

void TellSentence(const Case& the, Verdict* verdict) {
  std::vector<const Contribution*> besides;
  uint64_t told_ns = 0;
  for (const Contribution& entry : the.ranking.list) {
    const bool is_told = IsTold(entry, the, *verdict);
    told_ns += is_told ? entry.told.ns : 0;
    // Sentences about ended messages or the system tell what these took together.
    const bool is_named =
        is_told && verdict->kind != Kind::kEarlier && verdict->kind != Kind::kShortOfMemory;
    if (!is_named && entry.told.cause != Cause::kUnseen && besides.size() < kMaxNamed &&
        entry.told.ns * 100 >= the.ranking.length_ns * kNamedPercent)
      besides.push_back(&entry);
  }
  std::string more;
  const bool says_share = the.window.latest != nullptr && IsOneMessage(verdict->kind) &&
                          told_ns * 100 < the.ranking.length_ns * kMaxPercent;
  if (says_share) {
    more = fmt::format("; that is {} of the {} for which {} has been due",
                       calltree::Share(told_ns, the.ranking.length_ns), WaitedText(the),
                       index::PendingDispatch(*the.window.latest));
  }
  more += LongestText(the, *verdict, besides) + BesidesText(the, besides) +
          FurtherText(the, *verdict, besides);
  if (more.empty() || verdict->sentence.empty()) return;
  verdict->sentence.pop_back();  // the full stop
  verdict->sentence += more + ".";
  std::vector<uint64_t>& tokens = verdict->tokens;
  for (const Contribution* entry : besides) {
    if (!entry->IsOfMessages()) continue;
    for (const uint64_t token : entry->told.tokens)
      if (tokens.size() < kMaxTokens &&
          std::find(tokens.begin(), tokens.end(), token) == tokens.end())
        tokens.push_back(token);
  }
}

}  // namespace

void TellContributors(const Case& the, Verdict* verdict) {
  verdict->window_ns = the.ranking.length_ns;
  if (the.ranking.length_ns == 0) return;
  for (const Contribution& entry : the.ranking.list) verdict->contributors.push_back(entry.told);
  TellSentence(the, verdict);
  if (verdict->kind != Kind::kNotEnoughData)
    verdict->confidence = std::min(verdict->confidence, LevelOf(the, *verdict));
}

}  // namespace stillframe::rules
