// SPDX-License-Identifier: Apache-2.0
// A hang as a dump of one message, in base64, for its record: what a host needs to judge it.
// Context: collector; allocates, reads /proc
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/context/annotations.h"
#include "src/context/process_facts.h"
#include "src/dump/writer.h"
#include "src/history/frozen_times.h"
#include "src/history/history.h"
#include "src/model/dump.h"
#include "src/model/frame_table.h"
#include "src/settings/config.h"

namespace stillframe::jank {

// Limit of the text. A larger one is left out.
constexpr size_t kMaxFactsBytes = 16 * 1024;

constexpr uint64_t kBeforeNs = 500'000'000;

struct FactsSource {
  const settings::Config* config;
  const model::FrameTable* names;
  context::AnnotationStore* annotations;
  dump::Writer* writer;            // null: no facts
  context::ProcessFacts* process;  // null: none of the process
};

struct Hang {
  model::Message message;  // with kMessageHasTree if there is a tree
  bool is_running = false;
  const model::TraceTree* tree = nullptr;
  std::vector<model::HistoryRecord> before;      // kBeforeNs, oldest first
  const history::FrozenTimes* frozen = nullptr;  // to be taken off; null: nothing is
  history::JankThread thread = {};
};

std::string Base64(std::span<const uint8_t> bytes);

// "" without a writer, memory or space.
std::string FactsOf(const Hang& hang, const FactsSource& source, uint64_t now_ns);

}  // namespace stillframe::jank
