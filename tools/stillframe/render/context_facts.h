// SPDX-License-Identifier: Apache-2.0
// The facts around a dump as label and value: device, threads, frames.
#pragma once

#include "tools/stillframe/render/facts.h"

namespace stillframe::render {

// "available" and "1,148 MiB", or "not known: why".
Facts::value_type ContextFact(const model::ContextEntry& entry);

// The same of all, with the group: "memory: available".
Facts ContextFacts(const model::Document& document);

// "OkHttp (4731)" and "sleeping, 290 ms of CPU in 3,000 ms (10 %), 80 ms of it in the kernel, nice
// 0".
Facts ThreadFacts(const model::Document& document);

// Frame statistics; empty when the dump has no such section.
Facts JankFacts(const model::Document& document);

// Scene and annotations of the application.
Facts AnnotationFacts(const model::Document& document);

}  // namespace stillframe::render
