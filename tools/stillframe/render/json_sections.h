// SPDX-License-Identifier: Apache-2.0
// The sections of a dump that need no messages beside them, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "src/model/document.h"
#include "tools/stillframe/index/trace_sections.h"
#include "tools/stillframe/verdict/verdict.h"

namespace stillframe::render {

nlohmann::ordered_json GroupsJson(const model::Document& document);
nlohmann::ordered_json RecordsJson(const model::Document& document);
// null when the dump does not have it, as below.
nlohmann::ordered_json JankJson(const model::Document& document);
nlohmann::ordered_json ContextJson(const model::Document& document);
nlohmann::ordered_json ThreadsJson(const model::Document& document);
nlohmann::ordered_json ThreadStacksJson(const model::Document& document);
nlohmann::ordered_json ModulesJson(const model::Document& document);
nlohmann::ordered_json TraceSectionsJson(const model::Document& document,
                                         const index::TraceSlices& slices);
nlohmann::ordered_json AnnotationsJson(const model::Document& document);
nlohmann::ordered_json SignalCatcherJson(const model::Document& document);

// What took the time that the verdict is about, the largest first.
nlohmann::ordered_json ContributorsJson(const verdict::Verdict& verdict);

// For whom the main thread waited, and who waited for whom.
nlohmann::ordered_json ChainJson(const verdict::Verdict& verdict);

// null for a time that is not known.
nlohmann::ordered_json KnownTime(int64_t time);

}  // namespace stillframe::render
