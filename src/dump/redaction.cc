// SPDX-License-Identifier: Apache-2.0
#include "src/dump/redaction.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "src/dump/each_field.h"
#include "src/model/context_names.h"

namespace stillframe::dump {
namespace {

using settings::Omissions;
using settings::Part;

constexpr char kOmitted[] = "left out by STILLFRAME_OMIT";

// Clears fields whose rows name an omitted part.
class RedactField {
 public:
  explicit RedactField(const Omissions& omit) : words_(omit.bits()) {}

  template <typename T>
  [[gnu::always_inline]] void operator()(const Row& row, T& field, bool is_segment) const {
    if constexpr (requires { field.clear(); }) {
      if (Has(row.omit)) field.clear();
    } else if constexpr (requires { field.reset(); }) {
      if (Has(row.omit)) field.reset();
    } else if (Has(row.omit)) {
      field = T();
    }
    if constexpr (std::is_same_v<T, std::string>) {
      if (is_segment && Has(row.omit_of_segments)) field.clear();
      if (Has(row.says_omission)) field = kOmitted;
    }
  }

 private:
  [[gnu::always_inline]] bool Has(uint16_t words) const { return (words_ & words) != 0; }

  uint16_t words_;
};

// Omissions that depend on other content, which a row cannot express.

void RedactSetting(std::string_view name, model::Dump* dump) {
  for (model::NamedText& setting : dump->configuration)
    if (setting.name == name && !setting.value.empty()) setting.value = kOmitted;
}

void RedactThreads(model::Dump* dump) {
  RedactSetting("loopers", dump);
  for (size_t i = 1; i < dump->loopers.size(); ++i) dump->loopers[i].thread.clear();
}

void RedactStacks(model::Dump* dump) {
  constexpr uint32_t kNoTree = ~uint32_t{model::kMessageHasTree};
  for (model::Message& message : dump->history) message.flags &= kNoTree;
  if (dump->running) dump->running->flags &= kNoTree;
  for (model::Looper& looper : dump->loopers)
    if (looper.running) looper.running->flags &= kNoTree;
  std::erase_if(dump->context, [](const model::ContextEntry& entry) {
    return entry.name == model::context::kMainThreadStack;
  });
}

void RedactProcess(model::Dump* dump) {
  std::erase_if(dump->context, [](const model::ContextEntry& entry) {
    return entry.group == model::context::kProcess;
  });
  // Folder names contain the application's name.
  for (model::Module& module : dump->modules) module.path.erase(0, module.path.rfind('/') + 1);
  RedactSetting("dump_dir", dump);
  RedactSetting("config", dump);
}

}  // namespace

void Redact(const Omissions& omit, model::Occasion* occasion) {
  ForEachField(occasion, RedactField(omit));
}

void Redact(const Omissions& omit, model::Dump* dump) {
  ForEachField(dump, RedactField(omit));
  if (omit.Has(Part::kThreads)) RedactThreads(dump);
  if (omit.Has(Part::kStacks)) RedactStacks(dump);
  if (omit.Has(Part::kProcess)) RedactProcess(dump);
}

}  // namespace stillframe::dump
