// SPDX-License-Identifier: Apache-2.0
// Any bytes as a record of janks or a session: one line, or clean texts.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/input/record_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe;
  input::HangFile hang;
  input::SessionFile session;
  std::string error;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const input::FileKind kind = ReadRecordFile(bytes, &hang, &session, &error);
  const bool is_record = kind != input::FileKind::kNeither;
  if (is_record != error.empty() || error.find('\n') != std::string::npos) std::abort();
  for (const input::Facts* facts : {&hang.facts, &session.facts})
    for (const auto& [name, value] : *facts)
      if (!index::IsClean(name) || !index::IsClean(value)) std::abort();
  if (!index::IsClean(hang.method + hang.message)) std::abort();
  input::RecordFacts facts;
  if (input::ReadFacts(bytes, &facts) && kind != input::FileKind::kHang) std::abort();
  return 0;
}
