// SPDX-License-Identifier: Apache-2.0
// The layout of a bug report: Android's dumpstate, which names its text in main_entry.txt and
// copies /data/anr to FS/data/anr.
#include "tools/stillframe/input/zip_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/stillframe/index/names.h"
#include "tools/stillframe/input/archive.h"

namespace stillframe::input {
namespace {

constexpr std::string_view kMainEntry = "main_entry.txt";
constexpr std::string_view kTraceFolder = "FS/data/anr/";

class Zip {
 public:
  Zip(const std::string& path, std::string_view zip, const DocumentInput& read)
      : path_(path), zip_(zip), read_(read), names_(NamesInZip(zip)) {}

  // The name of a bug report's text, or "".
  std::string ReportName() const {
    std::string name;
    ForEach([](const std::string& each) { return each == kMainEntry; },
            [&name](const std::string&, std::string_view bytes) {
              name = bytes.substr(0, bytes.find_first_of("\r\n"));
              return false;
            });
    if (Has(name)) return name;
    const auto is_report = [](const std::string& each) {
      return each.starts_with("bugreport") && each.ends_with(".txt");
    };
    const auto found = std::ranges::find_if(names_, is_report);
    return found == names_.end() ? "" : *found;
  }

  // The names of a bug report's files of traces, newest first: they end with their time.
  std::vector<std::string> TraceNames() const {
    std::vector<std::string> names;
    std::ranges::copy_if(names_, std::back_inserter(names), [](const std::string& name) {
      return name.starts_with(kTraceFolder) && name.size() > kTraceFolder.size();
    });
    std::ranges::sort(names, std::greater<>());
    return names;
  }

  // Reads the wanted files, until `use` returns false.
  void Read(const std::function<bool(const std::string& name)>& is_wanted,
            const std::function<bool(Input)>& use) const {
    ForEach(
        is_wanted,
        [&](const std::string& name, std::string_view bytes) {
          const std::string path = PathOf(name);
          return use({path, read_.Read(path, std::string(bytes))});
        });
  }

  std::string PathOf(const std::string& name) const {
    return fmt::format("{}: {}", SubjectFor(path_), name);
  }

 private:
  bool Has(const std::string& name) const { return std::ranges::count(names_, name) != 0; }

  void ForEach(const std::function<bool(const std::string& name)>& is_wanted,
               const TakeFile& take) const {
    ForEachInZip(
        zip_, dump::ReadLimits().max_file_bytes, is_wanted, take,
        [this](const std::string& name, const std::string& what) {
          read_.Complain(name.empty() ? SubjectFor(path_) : PathOf(name), what);
        });
  }

  const std::string& path_;
  std::string_view zip_;
  const DocumentInput& read_;
  std::vector<std::string> names_;
};

Input ReadReport(const Zip& zip, const std::string& report) {
  Input input;
  const auto take = [&input](Input read) {
    if (read.result.readable() || input.path.empty()) input = std::move(read);
    return false;
  };
  zip.Read([&report](const std::string& name) { return name == report; }, take);
  for (const std::string& trace : zip.TraceNames()) {
    // The report's log has figures alone: a file of traces says more.
    const bool has_stacks = input.result.document.identity.sampler_state != index::kImportedLog;
    if (input.result.readable() && has_stacks) break;
    zip.Read([&trace](const std::string& name) { return name == trace; }, take);
  }
  return input;
}

Input Refused(const std::string& path, std::string error) {
  Input input;
  input.path = path;
  input.result.status = dump::Status::kNotADump;
  input.result.error = std::move(error);
  return input;
}

}  // namespace

std::vector<Input> ReadZip(const std::string& path, std::string_view bytes,
                           bool (*may_be_dump)(const std::string& name),
                           const DocumentInput& read) {
  const Zip zip(path, bytes, read);
  std::vector<Input> inputs;
  const std::string report = zip.ReportName();
  if (!report.empty()) {
    inputs.push_back(ReadReport(zip, report));
    if (inputs[0].path.empty()) inputs[0] = Refused(path, "is a bug report that cannot be read");
    return inputs;
  }
  size_t skipped = 0;
  zip.Read(may_be_dump, [&](Input input) {
    if (input.result.readable())
      inputs.push_back(std::move(input));
    else
      ++skipped;
    return true;
  });
  if (inputs.empty())
    inputs.push_back(
        Refused(path, "is a zip without a dump, traces or other text that can be read"));
  else if (skipped != 0)
    read.Complain(
        path, fmt::format("{} of its files skipped: they hold nothing that can be read", skipped));
  return inputs;
}

}  // namespace stillframe::input
