// SPDX-License-Identifier: Apache-2.0
// Texts checked under a mutex.
#include "src/collector/configuration.h"

#include <string.h>

#include "src/config/flat_json.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/mutex_lock.h"

namespace stillframe::collector {
namespace {

void Tell(const std::vector<std::string>& complaints) {
  for (const std::string& complaint : complaints) os::Log("%s", complaint.c_str());
}

}  // namespace

std::vector<model::NamedText> Configuration::ReadFile(std::vector<std::string>* complaints) const {
  const std::string path = config::FileToRead(calls_);
  if (path.empty()) return {};
  std::string text;
  std::string why;
  std::vector<model::NamedText> items;
  if (const int error = os::ReadFileText(path.c_str(), config::kMaxJsonBytes + 1, &text))
    why = strerror(error);
  else
    items = config::ReadFlatJson(text, &why);
  if (!why.empty())
    complaints->push_back("the settings in " + path.substr(0, 200) + " are ignored: " + why);
  return items;
}

void Configuration::Start() {
  const os::MutexLock lock(&mutex_);
  std::vector<std::string> complaints;
  const std::vector<model::NamedText> file = ReadFile(&complaints);
  config_ = config::Assemble(file, calls_, &complaints);
  calls_.clear();
  is_started_ = true;
  own_ = config_;
  Tell(complaints);
}

stillframe_status Configuration::Set(std::string_view name, std::string_view value) {
  const os::MutexLock lock(&mutex_);
  if (is_started_ && config::IsFixedAtStart(name)) {
    os::Log("%s is ignored: it can be set before the start only", std::string(name).c_str());
    return STILLFRAME_TOO_LATE;
  }
  std::vector<std::string> complaints;
  config::Config trial;
  config::Config& target = is_started_ ? config_ : trial;
  config::Set(name, value, &target, &complaints);
  Tell(complaints);
  if (!complaints.empty()) return STILLFRAME_BAD_ARGUMENT;
  if (is_started_) {
    is_changed_ = true;
  } else {
    std::erase_if(calls_, [name](const model::NamedText& call) { return call.name == name; });
    calls_.push_back({std::string(name), std::string(value)});
  }
  return STILLFRAME_OK;
}

bool Configuration::Take() {
  const os::MutexLock lock(&mutex_);
  if (!is_changed_) return false;
  is_changed_ = false;
  own_ = config_;
  return true;
}

config::Config Configuration::Read() {
  const os::MutexLock lock(&mutex_);
  return config_;
}

}  // namespace stillframe::collector
