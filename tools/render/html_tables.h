// The tables of the report page.
#pragma once

#include <string>

#include "tools/render/facts.h"
#include "tools/verdict/verdict.h"

namespace stillframe::render {

// All messages, oldest first, the running one last, with bars of wall and CPU time.
std::string MessageTable(const verdict::Case& evidence);

// The pending queue, or why it is not there.
std::string PendingTable(const dump::Document& document);

// The methods with the most time of their own.
std::string MethodTable(const calltree::CallTree& tree);

std::string FactTable(const Facts& facts);

}  // namespace stillframe::render
