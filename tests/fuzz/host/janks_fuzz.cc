// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record of janks or a session: one line, or clean texts.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/fleet/record_file.h"
#include "tools/stillframe/index/clean_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe;
  fleet::HangFile hang;
  fleet::SessionFile session;
  std::string error;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const fleet::FileKind kind = ReadRecordFile(bytes, &hang, &session, &error);
  const bool is_record = kind != fleet::FileKind::kNeither;
  if (is_record != error.empty() || error.find('\n') != std::string::npos) std::abort();
  for (const fleet::Facts* facts : {&hang.facts, &session.facts})
    for (const auto& [name, value] : *facts)
      if (!index::IsClean(name) || !index::IsClean(value)) std::abort();
  if (!index::IsClean(hang.names.method + hang.names.message)) std::abort();
  std::string dump;
  std::vector<model::ContextEntry> identity;
  if (fleet::ReadFacts(bytes, &dump, &identity) && kind != fleet::FileKind::kHang) std::abort();
  return 0;
}
