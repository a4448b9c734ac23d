// SPDX-License-Identifier: Apache-2.0
// Any bytes as a document of settings and as options: nothing is out of bounds, and each refusal is
// one line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "src/settings/config.h"
#include "src/settings/document.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  settings::Document document;
  const std::string why = settings::ReadDocument(text, &document);
  if (!why.empty() && !(document.settings.empty() && document.cohort.empty())) std::abort();
  if (why.find('\n') != std::string::npos || why.size() > 100) std::abort();
  if (document.settings.size() > settings::kMaxValues) std::abort();
  std::vector<std::string> complaints;
  settings::Layers layers;
  layers.calls = settings::ParseOptions(text);
  layers.document = settings::SettingsFor(document, "install-1", &complaints).settings;
  settings::Config config = settings::Assemble(layers, {&complaints, &complaints, &complaints});
  settings::KeepFixed(settings::Config{}, layers.document, &config, &complaints);
  if (config.slow_ms.count() != 50 || config.trees < 1 || config.trees > 100) std::abort();
  for (const std::string& line : complaints)
    if (line.find('\n') != std::string::npos || line.size() > 300) std::abort();
  return 0;
}
