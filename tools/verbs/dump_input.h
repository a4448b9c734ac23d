// The dump that a verb was given, and the complaint when something is wrong with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "src/dump/reader.h"
#include "tools/verdict/verdict.h"

namespace stillframe::verbs {

// Prints "stillframe: SUBJECT: what" on standard error, as one clean line.
void Complain(const std::string& subject, const std::string& what);

// Reads a dump from `path`, "-" being standard input; it may be compressed with gzip.
dump::ReadResult ReadInput(const std::string& path);

// Reads `path` as ReadInput does and hands it to `use`, which returns an exit code. A dump
// that was cut or is damaged is used as far as it could be read, and the exit code is kExitBadData
// at least.
int WithDump(const std::string& path, const std::function<int(const verdict::Case&)>& use);

// The token that was asked for, else that of the verdict if it has a tree, else that of the newest
// tree. Complains and returns nothing if there is no such tree.
std::optional<uint64_t> ChooseTree(const verdict::Case& evidence, const std::string& path,
                                   std::optional<uint64_t> asked);

}  // namespace stillframe::verbs
