// SPDX-License-Identifier: Apache-2.0
// A build without libelf: functions have the names that are in memory.
#include "src/native/file_symbols.h"

namespace stillframe::native {

struct FileSymbols::Libelf {};

const char* FileSymbols::LibraryName() { return ""; }

FileSymbols::FileSymbols() = default;
FileSymbols::~FileSymbols() = default;

bool FileSymbols::Open(const char*) { return false; }

void FileSymbols::Name(const std::string&, const std::string&, std::span<const Place>) const {}

}  // namespace stillframe::native
