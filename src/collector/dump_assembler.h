// SPDX-License-Identifier: Apache-2.0
// Collects the content of a dump, chooses its path, and writes it.
//
// Each part is asked at the time of the dump. Only the kernel's counters are remembered before, so
// that a dump shows recent changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/collector/looper_pipelines.h"
#include "src/collector/sampler_state.h"
#include "src/context/annotations.h"
#include "src/context/identity.h"
#include "src/context/process_facts.h"
#include "src/core/sampler.h"
#include "src/dump/writer.h"
#include "src/jvm/java_questions.h"
#include "src/model/dump.h"
#include "src/model/frame_table.h"
#include "src/sampling/other_threads.h"
#include "src/sampling/stack_survey.h"
#include "src/sampling/tree_builder.h"
#include "src/settings/config.h"
#include "src/walk/runtime_facts.h"

namespace stillframe::collector {

class DumpAssembler {
 public:
  // All must outlive this.
  struct Parts {
    const settings::Config* config;
    const SamplerState* state;
    const walk::RuntimeFacts* runtime;
    const std::string* build_id;
    LooperPipelines* pipelines;
    const core::WatchedThread* main_thread;
    sampling::SlowMessageWatch* main_watch;
    const tap::TapKeeper* taps;
    const core::Sampler* sampler;
    const sampling::TreeBuilder* trees;
    const sampling::OtherThreads* others;
    const model::FrameTable* names;
    dump::Writer* writer;
    jvm::JavaQuestions* questions;
    sampling::StackSurvey::Setup survey;
    const std::string* stacks_absent;  // why no survey is possible; "": it is
    context::AnnotationStore* annotations;
    const context::Identity* identity;
    context::ProcessFacts* process_facts;
    uint64_t loaded_ns;  // when the profiler was started
  };
  // From now on the kernel's counters are remembered, if dumps are wanted.
  void Start(const Parts& parts);

  // Something slow runs: remembers the kernel's counters, at intervals.
  void RememberFacts(uint64_t now_ns);

  struct Reason {
    model::Trigger trigger;
    std::string detail;
    std::string traces_absent;  // why a dump for SIGQUIT has no traces yet
  };
  struct Written {
    dump::WriteResult result;
    std::string path;
    model::Occasion occasion;
  };
  // Describes the running message or segment. False: there is none.
  bool DescribeRunning(uint64_t now_ns, model::Message* message) const;

  // Writes a dump, and logs the result. Waits a bounded time for the runtime.
  Written Write(const Reason& reason);

 private:
  model::Identity DescribeProcess() const;
  void DescribePast(uint64_t now_ns, model::Dump* dump) const;
  model::ThreadStacks Stacks();
  void DescribeRuntime(uint64_t now_ns, model::Dump* dump);
  static void DescribeStack(std::string stack, model::Dump* dump);
  void DescribeCohort(model::Dump* dump) const;
  dump::WriteResult WriteFile(const model::Dump& dump, const std::string& path);

  Parts parts_ = {};
  sampling::StackSurvey survey_;
  uint32_t dumps_ = 0;
};

}  // namespace stillframe::collector
