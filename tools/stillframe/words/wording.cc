// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/words/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/stillframe/index/figures.h"
#include "tools/stillframe/index/names.h"
#include "tools/stillframe/words/evidence_text.h"
#include "tools/stillframe/words/filled_text.h"
#include "tools/stillframe/words/forms.h"
#include "tools/stillframe/words/parts.h"
#include "tools/stillframe/words/sentence.h"

namespace stillframe::words {
namespace {

namespace evidence = judge::evidence;
using fmt::format;
using index::Counted;
using index::Grouped;
using index::Share;
using judge::ConfidenceReason;
using judge::Evidence;
using judge::Find;
using judge::Kind;
using judge::Verdict;

// If the sampler's trouble hides what ran, it comes first. "": it does not.
std::string StepOfSampler(const Verdict& verdict) {
  const bool hides =
      verdict.kind == Kind::kNoSamples || Find<evidence::Unsampled>(verdict) != nullptr;
  if (!hides || verdict.trouble.empty()) return "";
  const std::string taker = TakerOfSignals(verdict);
  return taker.empty()
             ? "See why the sampler had no signals, then take another dump."
             : format("Switch off what takes SIGPROF in {}, then take another dump.", taker);
}

std::string ConfidenceText(const Verdict& verdict) {
  const std::string samples =
      verdict.samples < verdict.all_samples
          ? format("{} of {}", Grouped(verdict.samples), Counted(verdict.all_samples, "sample"))
          : Counted(verdict.samples, "sample");
  const std::string part = Share(verdict.named_ns, verdict.window_ns);
  const auto why = [&]() -> std::string {
    switch (verdict.confidence_reason) {
      case ConfidenceReason::kExplained:
        return format("{}{} of the time explained", verdict.samples == 0 ? "" : samples + ", ",
                      part);
      case ConfidenceReason::kCertain: return "it was seen, and not estimated";
      case ConfidenceReason::kSmallShare: return format("it has {} of the time only", part);
      case ConfidenceReason::kRecorded:
        return "another tool recorded calls, without stacks between";
      case ConfidenceReason::kFewSamples:
        if (verdict.is_recorded) return "no method has most of its calls' time";
        return format("{}, too few or too different", samples);
      case ConfidenceReason::kEstimate: return "estimated, the kernel did not count it";
      case ConfidenceReason::kNamesMissing: return "too many methods have no names";
      case ConfidenceReason::kOneLook: return "one look at the stacks, no measurement";
      case ConfidenceReason::kUnseen: return "too little was recorded";
      case ConfidenceReason::kDebugged: return "a debugger was attached";
      case ConfidenceReason::kNoStacks: return "the system's figures only, without a stack";
    }
    return "";
  };
  return format("{}: {}", index::NameOf(verdict.confidence), why());
}

// A thread without a name is called by its number: "thread 12".
std::string WithoutDoubled(std::string text) {
  for (const std::string_view doubled : {"thread thread ", "Thread thread "})
    for (size_t at = text.find(doubled); at != std::string::npos; at = text.find(doubled))
      text.erase(at + 7, 7);
  return text;
}

void Replace(std::string_view from, std::string_view to, std::string* text) {
  for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at + to.size()))
    text->replace(at, from.size(), to);
}

// For a stack of any thread: what blocks the user interface may be right elsewhere.
void CallItAThread(Words* words) {
  const auto rename = [](std::string* text) {
    Replace("the main thread", "the thread", text);
    Replace("The main thread", "The thread", text);
    if (text->starts_with("Main ")) text->replace(0, 4, "The thread");
    Replace("; main ", "; the thread ", text);
  };
  rename(&words->headline);
  rename(&words->sentence);
  std::ranges::for_each(words->evidence, [&rename](std::string& text) { rename(&text); });
  std::string& step = words->next_step;
  Replace("the main thread", "it", &step);
  if (!step.empty() && step[0] >= 'A' && step[0] <= 'Z')
    step[0] = static_cast<char>(step[0] - 'A' + 'a');
  step.insert(0, "Find out which thread this is. If it draws the app's windows: ");
}

}  // namespace

Words Explain(const Verdict& verdict) {
  const Subject subject = SubjectOf(verdict);
  Form form = FormOf(verdict, subject);
  if (!verdict.after_anr.empty() && verdict.is_at_dump)
    form.sentence = "The stacks were taken {after_anr} after the ANR. " + form.sentence;
  const Args args = PartsOf(verdict, subject);
  const std::string method = subject.place != nullptr ? subject.place->method : "";
  Words words;
  words.headline =
      WithoutDoubled(Filled(form.headline, form.name.empty() ? method : form.name, true, args,
                            form.name.empty() ? NameKind::kMethod : form.name_kind));
  words.sentence = WithoutDoubled(Sentence(verdict, Filled(form.sentence, method, false, args)));
  words.next_step = WithoutDoubled(
      Filled(form.step, verdict.kind == Kind::kProcessFrozen ? form.name : method, false, args));
  if (const std::string taken = StepOfSampler(verdict); !taken.empty()) words.next_step = taken;
  words.confidence = ConfidenceText(verdict);
  for (const Evidence& each : verdict.evidence)
    words.evidence.push_back(WithoutDoubled(EvidenceText(verdict, each)));
  if (verdict.is_unnamed) CallItAThread(&words);
  return words;
}

}  // namespace stillframe::words
