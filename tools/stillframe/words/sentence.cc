// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/words/contributor_text.h"

namespace stillframe::words {
namespace {

namespace evidence = judge::evidence;
using fmt::format;
using index::Seconds;
using index::Share;
using judge::Cause;
using judge::Contributor;
using judge::Find;
using judge::Kind;
using judge::LeadReason;
using judge::Verdict;

constexpr size_t kMostOthers = 3;

// Writes the sentence, its share of the time in question, and the others with a fifth or more.
class SentenceWriter {
 public:
  SentenceWriter(const Verdict& verdict, std::string text)
      : verdict_(verdict), text_(std::move(text)) {}

  std::string Write() {
    AddShare();
    AddUnsampled();
    AddOthers();
    while (WordsOf(text_) > kMostWords) text_.resize(text_.rfind(' '));
    while (!text_.empty() && (text_.back() == ',' || text_.back() == ';')) text_.pop_back();
    return text_ + ".";
  }

 private:
  bool Add(const std::string& more) {
    const bool fits =
        WordsOf(text_) + WordsOf(more) - (more.starts_with(' ') ? 1 : 0) <= kMostWords;
    if (fits) text_ += more;
    return fits;
  }

  std::string Part(uint64_t ns) const { return Share(ns, verdict_.window_ns); }

  void AddShare() {
    if (verdict_.window_ns == 0 || verdict_.named_ns == 0 || verdict_.kind == Kind::kNothingSlow ||
        verdict_.kind == Kind::kDeadlock)
      return;
    const bool is_all = verdict_.named_ns * 1000 >= verdict_.window_ns * 995;
    // Recorded calls have exact times.
    const std::string share =
        verdict_.is_recorded
            ? format(": {} of {}", index::DurationUs(verdict_.named_ns / 1000),
                     index::DurationUs(verdict_.window_ns / 1000))
            : format(": {}the {}{}", is_all ? "all of " : Part(verdict_.named_ns) + " of ",
                     verdict_.is_cut ? "last " : "", Seconds(verdict_.window_ns));
    const std::string waiting =
        verdict_.waiting ? format(" that {} waited", MessageName(*verdict_.waiting)) : "";
    if (!Add(share + waiting)) Add(share);
  }

  bool IsSameMessage(const Contributor& row) const {
    return verdict_.kind != Kind::kEarlier && verdict_.token && row.tokens.size() == 1 &&
           row.tokens[0] == *verdict_.token && row.message && verdict_.message &&
           MessageName(*row.message) == MessageName(*verdict_.message);
  }

  // Names who took the signals, if that is known.
  void AddUnsampled() {
    const auto* fact = Find<evidence::Unsampled>(verdict_);
    if (fact == nullptr) return;
    const std::string taker = TakerOfSignals(verdict_);
    const std::string part = format("; {} was not sampled", Share(fact->time.ns, fact->time.of_ns));
    if (taker.empty() || !Add(format("{}: {} took SIGPROF", part, taker))) Add(part);
  }

  void AddOthers() {
    size_t others = 0;
    size_t small = 0;
    uint64_t small_ns = 0;
    for (const Contributor& row : verdict_.contributors) {
      if (row.is_named || row.cause == Cause::kUnseen) continue;
      if (row.ns * 100 < verdict_.window_ns * kWorthNamingPercent || others == kMostOthers) {
        const bool is_earlier = row.message && !row.is_running && !IsSystemWide(row.cause) &&
                                verdict_.kind != Kind::kEarlier;
        small += is_earlier ? 1 : 0;
        small_ns += is_earlier ? row.ns : 0;
        continue;
      }
      const bool is_part =
          verdict_.lead_reason == LeadReason::kTogether || verdict_.kind == Kind::kShortOfMemory;
      if (Add(format("{} {} {}",
                     others > 0 ? ","
                     : is_part  ? ", including"
                                : ". Then",
                     Brief(row, IsSameMessage(row)), Part(row.ns))))
        ++others;
    }
    if (small > 1 && small_ns * 100 >= verdict_.window_ns * kWorthNamingPercent)
      Add(format("{} the other earlier messages {} together", others == 0 ? ". Then" : ",",
                 Part(small_ns)));
  }

  const Verdict& verdict_;
  std::string text_;
};

}  // namespace

size_t WordsOf(std::string_view text) {
  return text.empty() ? 0 : static_cast<size_t>(std::ranges::count(text, ' ')) + 1;
}

std::string Sentence(const Verdict& verdict, std::string text) {
  return SentenceWriter(verdict, std::move(text)).Write();
}

std::string TakerOfSignals(const Verdict& verdict) {
  // The text is of src/sampling/signal_delivery.cc.
  const std::string_view trouble = verdict.trouble;
  const size_t end = trouble.find(" installed its own handler for SIGPROF");
  if (end == std::string_view::npos) return "";
  const std::string_view before = trouble.substr(0, end);
  return std::string(before.substr(before.find_last_of(" /") + 1));
}

}  // namespace stillframe::words
