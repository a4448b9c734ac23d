// SPDX-License-Identifier: Apache-2.0
#include "src/settings/configuration.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/os/condition.h"
#include "src/os/file_text.h"
#include "src/os/log.h"
#include "src/os/private_file.h"
#include "src/settings/cohort.h"

namespace stillframe::settings {
namespace {

using model::NamedText;

void LogComplaints(const std::vector<std::string>& complaints) {
  for (const std::string& complaint : complaints) os::Log("%s", complaint.c_str());
}

uint64_t HashOf(std::string_view text) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211U;
  return hash;
}

void RemoveName(std::string_view name, std::vector<NamedText>* items) {
  for (size_t i = 0; i < items->size(); ++i)
    if ((*items)[i].name == name) items->erase(items->begin() + static_cast<ptrdiff_t>(i--));
}

}  // namespace

// False if the settings are unchanged. A file that is still being written may not be valid yet.
bool Configuration::ReadFile(bool is_done, std::vector<std::string>* complaints) {
  std::string text;
  std::string why;
  Document document;
  const int fd = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) why = os::WhyOthersMayWrite(fd);
  if (why.empty())
    if (const int error = fd < 0 ? errno : os::ReadOpenFile(fd, kMaxDocumentBytes + 1, &text))
      why = strerror(error);
  if (fd >= 0) close(fd);
  const uint64_t hash = HashOf(text);
  if (why.empty() && hash == file_hash_) return false;
  if (why.empty()) why = ReadDocument(text, &document);
  if (!why.empty() && (!is_done || (why == refused_ && hash == file_hash_))) return false;
  refused_ = why;
  file_hash_ = hash;
  if (!why.empty()) {
    complaints->push_back("the settings in " + path_.substr(0, 200) + " are ignored: " + why);
    return false;
  }
  file_ = std::move(document);
  return true;
}

void Configuration::MergeSources(Source source, std::vector<std::string>* complaints) {
  std::vector<std::string> none;
  const auto complaints_of = [&](Source one) {
    return source == one || source == Source::kAll ? complaints : &none;
  };
  InForce file = SettingsFor(file_, install_id_, complaints_of(Source::kFile));
  InForce document = SettingsFor(document_, install_id_, complaints_of(Source::kDocument));
  if (is_file_newer_)
    for (const NamedText& item : file.settings) RemoveName(item.name, &document.settings);
  std::string cohort = std::move(file.cohort);
  if (!cohort.empty() && !document.cohort.empty()) cohort += ", ";
  cohort += document.cohort;
  layers_.file = std::move(file.settings);
  layers_.document = std::move(document.settings);
  // Errors in the other sources were reported when those arrived.
  const auto& asked = source == Source::kFile ? layers_.file : layers_.document;
  Config next =
      Assemble(layers_, {complaints_of(Source::kFile), source == Source::kAll ? complaints : &none,
                         complaints_of(Source::kDocument)});
  if (is_started_) KeepFixed(config_, asked, &next, source == Source::kNone ? &none : complaints);
  if (!has_desk_) DropDeskSettings(&next);
  next.cohort = std::move(cohort);
  config_ = std::move(next);
  is_changed_ = is_started_;
}

void Configuration::Start() {
  const os::MutexLock lock(&mutex_);
  std::vector<std::string> complaints;
  layers_.variables = ReadVariables();
  path_ = FileToRead(layers_.calls);
  if (!path_.empty()) ReadFile(true, &complaints);
  MergeSources(Source::kAll, &complaints);
  is_started_ = true;
  own_ = config_;
  is_control_ = settings::IsControl(install_id_, kControlSalt, config_.control_percent);
  LogComplaints(complaints);
}

stillframe_status Configuration::Set(std::string_view name, std::string_view value) {
  const os::MutexLock lock(&mutex_);
  if (is_started_ && IsFixedAtStart(name)) {
    os::Log("%s is ignored: it can be set before the start only", std::string(name).c_str());
    return STILLFRAME_TOO_LATE;
  }
  std::vector<std::string> complaints;
  Config trial;
  settings::Set(name, value, &trial, &complaints);
  LogComplaints(complaints);
  if (!complaints.empty()) return STILLFRAME_BAD_ARGUMENT;
  auto& calls = is_started_ ? layers_.changes : layers_.calls;
  const NamedText call = {std::string(name), std::string(value)};
  RemoveName(name, &calls);
  calls.push_back(call);
  if (is_started_) MergeSources(Source::kNone, &complaints);
  return STILLFRAME_OK;
}

stillframe_status Configuration::SetDocument(std::string_view text) {
  Document document;
  const std::string why = ReadDocument(text, &document);
  if (!why.empty()) {
    os::Log("the document of settings is ignored: %s", why.c_str());
    return STILLFRAME_BAD_ARGUMENT;
  }
  const os::MutexLock lock(&mutex_);
  document_ = std::move(document);
  is_file_newer_ = false;
  if (!is_started_) return STILLFRAME_OK;
  std::vector<std::string> complaints;
  ForgetCallsAbout(document_);
  MergeSources(Source::kDocument, &complaints);
  LogComplaints(complaints);
  return STILLFRAME_OK;
}

// The newest source wins: a new document overrides earlier calls.
void Configuration::ForgetCallsAbout(const Document& document) {
  std::vector<std::string> none;
  for (const NamedText& item : SettingsFor(document, install_id_, &none).settings)
    RemoveName(item.name, &layers_.changes);
}

void Configuration::Identify(std::string_view install_id, int64_t version) {
  const os::MutexLock lock(&mutex_);
  install_id_ = install_id;
  version_ = version;
  std::vector<std::string> complaints;
  if (is_started_) MergeSources(Source::kNone, &complaints);
}

std::string Configuration::InstallId() {
  const os::MutexLock lock(&mutex_);
  return install_id_;
}

int64_t Configuration::Version() {
  const os::MutexLock lock(&mutex_);
  return version_;
}

void Configuration::LeaveDesk() {
  const os::MutexLock lock(&mutex_);
  has_desk_ = false;
  Config trial = config_;
  const std::string dropped = DropDeskSettings(&trial);
  if (!dropped.empty())
    os::Log("for debuggable applications only, ignored here: %s", dropped.c_str());
  std::vector<std::string> complaints;
  MergeSources(Source::kNone, &complaints);
}

void Configuration::Watch() {
  const os::MutexLock lock(&mutex_);
  if (path_.empty()) return;
  if (const int error = watch_.Open(path_))
    os::Log("the settings in %s are not watched: %s", path_.substr(0, 200).c_str(),
            strerror(error));
  ReadFileAgain(true);
}

// Under mutex_.
void Configuration::ReadFileAgain(bool is_done) {
  std::vector<std::string> complaints;
  if (ReadFile(is_done, &complaints)) {
    is_file_newer_ = true;
    ForgetCallsAbout(file_);
    MergeSources(Source::kFile, &complaints);
    os::Log("the settings in %s are in force", path_.substr(0, 200).c_str());
  }
  LogComplaints(complaints);
}

void Configuration::Tick() {
  const os::MutexLock lock(&mutex_);
  const auto change = watch_.Look();
  if (change != FileWatch::Change::kNone) ReadFileAgain(change == FileWatch::Change::kDone);
}

bool Configuration::Take() {
  const os::MutexLock lock(&mutex_);
  if (!is_changed_) return false;
  is_changed_ = false;
  own_ = config_;
  return true;
}

Config Configuration::Read() {
  const os::MutexLock lock(&mutex_);
  return config_;
}

bool Configuration::IsEnabled() {
  const os::MutexLock lock(&mutex_);
  return config_.enabled;
}

}  // namespace stillframe::settings
