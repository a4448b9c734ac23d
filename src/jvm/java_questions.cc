// SPDX-License-Identifier: Apache-2.0
// Each question is a job of its own, which outlives an asker who has gone on.
#include "src/jvm/java_questions.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "src/art/runtime_probe.h"
#include "src/core/clock.h"
#include "src/jvm/java_facts.h"
#include "src/os/duration.h"

namespace stillframe::jvm {
namespace {

using model::Outcome;
using model::Status;

// What is waited for the runtime, and the part of it that is left for a dump's facts in any case.
constexpr uint32_t kTimeoutMs = 50;
constexpr uint32_t kMinFactsMs = 10;
constexpr size_t kMaxTexts = 16;  // of messages' objects

class QueueJob : public JavaReader::Job {
 public:
  QueueJob(size_t messages, bool by_dump, Details details)
      : messages_(messages), by_dump_(by_dump), details_(details) {}

  void Run(JNIEnv* env) override { result = ReadPendingQueue(env, messages_, by_dump_, details_); }

  PendingMessages result;

 private:
  size_t messages_;
  bool by_dump_;
  Details details_;
};

class FactsJob : public JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { DescribeJava(env, &facts); }

  std::vector<model::ContextEntry> facts;
};

class ErrorStateJob : public JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { state = jvm::ReadErrorState(env, getpid()); }

  ErrorState state;
};

}  // namespace

void JavaQuestions::Start(const art::Vm& vm, bool by_dump, bool with_objects) {
  by_dump_ = by_dump;
  with_objects_ = with_objects;
  reader_.Start(vm);
}

Outcome JavaQuestions::Ask(const std::shared_ptr<JavaReader::Job>& job, uint32_t timeout_ms) {
  if (!art::HasVm()) return {Status::kUnavailable, "the Java VM has been destroyed"};
  return reader_.Run(job, timeout_ms);
}

PendingMessages JavaQuestions::ReadQueue(size_t messages) {
  const auto job = std::make_shared<QueueJob>(messages, by_dump_, Details::kNone);
  const Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) return std::move(job->result);
  PendingMessages absent;
  absent.absent = outcome.why;
  return absent;
}

// The queue first: it is kept even where there is no time left for the rest.
JavaQuestions::Answers JavaQuestions::ReadForDump(size_t messages, uint32_t timeout_ms) {
  const uint64_t begin_ns = core::MonotonicNs();
  Answers answers;
  const auto queue = std::make_shared<QueueJob>(messages, by_dump_,
                                                with_objects_ ? Details::kObjects : Details::kNone);
  Outcome outcome = Ask(queue, timeout_ms);
  if (outcome.ok()) {
    answers.pending = std::move(queue->result);
    const uint64_t used_ms = (core::MonotonicNs() - begin_ns) / os::kNsPerMs;
    const uint32_t left_ms = used_ms + kMinFactsMs < timeout_ms
                                 ? timeout_ms - static_cast<uint32_t>(used_ms)
                                 : kMinFactsMs;
    const auto facts = std::make_shared<FactsJob>();
    outcome = Ask(facts, left_ms);
    if (outcome.ok()) answers.facts = std::move(facts->facts);
  } else {
    answers.pending.absent = outcome.why;
  }
  if (!outcome.ok()) DescribeJavaAbsent(outcome.why, &answers.facts);
  if (with_objects_ && outcome.ok()) AskForTexts(&answers.pending);
  return answers;
}

// Last of all: it runs code of the application, which may never come back.
void JavaQuestions::AskForTexts(PendingMessages* pending) {
  const size_t messages = std::min(pending->messages.size(), kMaxTexts);
  const auto job = std::make_shared<QueueJob>(messages, false, Details::kTexts);
  if (Ask(job, kTimeoutMs).ok()) AddTexts(job->result, pending);
}

Outcome JavaQuestions::ReadErrorState(ErrorState* state) {
  const auto job = std::make_shared<ErrorStateJob>();
  Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) *state = std::move(job->state);
  return outcome;
}

}  // namespace stillframe::jvm
