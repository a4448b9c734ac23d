// SPDX-License-Identifier: Apache-2.0
// The collector's questions to the runtime: the main queue, facts of application and heap, and
// whether the system considers the process not responding. Each wait is bounded.
// Context: collector; what reads Java objects runs on stillframe-q
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/art/vm.h"
#include "src/jvm/error_state.h"
#include "src/jvm/java_reader.h"
#include "src/jvm/pending_queue.h"
#include "src/model/dump.h"
#include "src/model/outcome.h"
#include "src/settings/choices.h"

namespace stillframe::jvm {

class JavaQuestions {
 public:
  struct Answers {
    PendingMessages pending;
    std::vector<model::ContextEntry> facts;
  };

  // Without a VM all answers are absent with the reason. At start-up only.
  void Start(const art::Vm& vm, bool through_looper_dump, bool with_objects);

  // Waits `timeout_ms`, then up to 10 ms for facts and 50 ms for texts; longer while stillframe-q
  // has no CPU. Later answers are absent with the reason.
  Answers ReadForDump(size_t messages, uint32_t timeout_ms);
  model::Outcome ReadFacts(std::vector<model::ContextEntry>* facts);
  PendingMessages ReadQueue(size_t messages);
  // Whether a debugger is attached through JDWP; false if there is no answer.
  bool IsDebuggerConnected();
  model::Outcome ReadErrorState(ErrorState* state);

 private:
  void AskForTexts(PendingMessages* pending);
  model::Outcome Ask(const std::shared_ptr<JavaReader::Job>& job, uint32_t timeout_ms);

  JavaReader reader_;
  bool through_looper_dump_ = false;
  bool with_objects_ = false;
};

}  // namespace stillframe::jvm
