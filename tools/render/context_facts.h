// The facts around a dump as label and value: device, threads, frames.
#pragma once

#include "tools/render/facts.h"

namespace stillframe::render {

// "available" and "1,148 MiB", or "not known: why".
Facts::value_type ContextFact(const dump::ContextEntry& entry);

// The same of all, with the group: "memory: available".
Facts ContextFacts(const dump::Document& document);

// "OkHttp (4731)" and "sleeping, 290 ms of CPU in 3,000 ms (10 %), 80 ms of it in the kernel, nice
// 0".
Facts ThreadFacts(const dump::Document& document);

// Frame statistics; empty when the dump has no such section.
Facts JankFacts(const dump::Document& document);

// Scene and annotations of the application.
Facts AnnotationFacts(const dump::Document& document);

}  // namespace stillframe::render
