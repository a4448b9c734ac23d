// SPDX-License-Identifier: Apache-2.0
// Each question is a job of its own, which outlives an asker who has gone on.
#include "src/jvm/java_questions.h"

#include <unistd.h>

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

class QueueJob : public JavaReader::Job {
 public:
  QueueJob(size_t messages, config::PendingChoice choice) : messages_(messages), choice_(choice) {}

  void Run(JNIEnv* env) override { result = ReadPendingQueue(env, messages_, choice_); }

  PendingMessages result;

 private:
  size_t messages_;
  config::PendingChoice choice_;
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

void JavaQuestions::Start(const art::Vm& vm, config::PendingChoice choice) {
  choice_ = choice;
  reader_.Start(vm);
}

Outcome JavaQuestions::Ask(const std::shared_ptr<JavaReader::Job>& job, uint32_t timeout_ms) {
  if (!art::HasVm()) return {Status::kUnavailable, "the Java VM has been destroyed"};
  return reader_.Run(job, timeout_ms);
}

PendingMessages JavaQuestions::ReadQueue(size_t messages) {
  const auto job = std::make_shared<QueueJob>(messages, choice_);
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
  const auto queue = std::make_shared<QueueJob>(messages, choice_);
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
  return answers;
}

Outcome JavaQuestions::ReadErrorState(ErrorState* state) {
  const auto job = std::make_shared<ErrorStateJob>();
  Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) *state = std::move(job->state);
  return outcome;
}

}  // namespace stillframe::jvm
