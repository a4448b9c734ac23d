// SPDX-License-Identifier: Apache-2.0
// One connection, record after record.
#include "tools/stillframe/upload/push.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tools/stillframe/janks/jank_records.h"
#include "tools/stillframe/text/clean_text.h"
#include "tools/stillframe/upload/record_file.h"
#include "tools/stillframe/upload/record_store.h"

namespace stillframe::upload {
namespace {

namespace fs = std::filesystem;

constexpr long kConnectS = 10;
constexpr long kWholeS = 60;
constexpr uint32_t kLongestWaitMs = 60'000;

constexpr uint32_t kToldWaitMs = 5'000;  // a shorter wait is not told
constexpr size_t kMostAnswerBytes = 64 << 10;
constexpr uint32_t kMostFailed = 3;  // on end: it is not because of them

// The beginning of an answer; of a long one no more is fetched.
size_t Keep(char* bytes, size_t size, size_t count, void* kept) {
  auto* answer = static_cast<std::string*>(kept);
  answer->append(bytes, std::min(size * count, kMostAnswerBytes - answer->size()));
  return answer->size() < kMostAnswerBytes ? size * count : 0;
}

enum class Answer {
  kTaken,
  kRefused,  // this record, for good
  kFailed,   // perhaps because of this record
  kLater,    // any record
  kNever,
};

class Sender {
 public:
  explicit Sender(const PushOptions& options)
      : curl_(curl_easy_init(), curl_easy_cleanup), trusts_status_(options.trusts_status) {
    headers_.reset(curl_slist_append(nullptr, "Content-Type: application/json"));
    headers_.reset(
        curl_slist_append(headers_.release(), ("Authorization: Bearer " + options.token).c_str()));
    headers_.reset(curl_slist_append(headers_.release(), "Expect:"));
    CURL* curl = curl_.get();
    curl_easy_setopt(curl, CURLOPT_URL, options.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options.ca.empty()) {
      curl_easy_setopt(curl, CURLOPT_CAINFO, options.ca.c_str());
      curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
    }
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, Keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer_);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, kWholeS);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  }

  // `*why`: what came instead of a yes. `*wait_s`: how long the receiver wants to be left alone.
  Answer Send(const std::string& record, std::string* why, uint32_t* wait_s) {
    CURL* curl = curl_.get();
    answer_.clear();
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(record.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, record.data());
    const CURLcode code = curl_easy_perform(curl);
    const bool is_cut = code == CURLE_WRITE_ERROR && answer_.size() == kMostAnswerBytes;
    if (code != CURLE_OK && !is_cut) {
      *why = curl_easy_strerror(code);
      return IsForGood(code) ? Answer::kNever : Answer::kLater;
    }
    long status = 0;
    curl_off_t after_s = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &after_s);
    *wait_s = static_cast<uint32_t>(std::clamp<curl_off_t>(after_s, 0, UINT32_MAX / 1'000));
    *why = fmt::format("the receiver answers {}", status);
    switch (status) {
      case 408:
      case 429:
      case 503: return Answer::kLater;
      case 400:
      case 403:
      case 409:
      case 413:
      case 415:
      case 422: return Answer::kRefused;
      default: break;
    }
    if (status >= 500) return Answer::kFailed;
    if (status < 200 || status >= 300) return Answer::kNever;
    if (trusts_status_ || answer_.starts_with(Sha256Of(record))) return Answer::kTaken;
    *why +=
        ", but does not say that it has the record (its SHA-256): is this the address of a "
        "receiver? --trust-status believes it";
    return Answer::kNever;
  }

 private:
  // Another try would end alike.
  static bool IsForGood(CURLcode code) {
    switch (code) {
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_URL_MALFORMAT:
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
      case CURLE_SSL_CERTPROBLEM:
      case CURLE_OUT_OF_MEMORY: return true;
      default: return false;
    }
  }

  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };
  std::unique_ptr<CURL, void (*)(CURL*)> curl_;
  bool trusts_status_;
  std::string answer_;
  std::unique_ptr<curl_slist, FreeList> headers_;
};

// The oldest first.
std::vector<fs::path> RecordsIn(const std::string& folder, std::string* error) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    const std::string name = entry->path().filename().string();
    std::error_code gone;
    if (name.starts_with("stillframe-jank-") && name.ends_with(".json") &&
        fs::is_regular_file(entry->symlink_status(gone)))
      found.emplace_back(entry->last_write_time(gone), entry->path());
  }
  if (code) *error = "the folder cannot be read: " + code.message();
  std::ranges::sort(found);
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

// A record that is replaced meanwhile has more in it, and is sent again.
struct FileState {
  ino_t inode = 0;
  off_t bytes = 0;
  timespec time = {};

  explicit FileState(const fs::path& path) {
    struct stat facts = {};
    if (stat(path.c_str(), &facts) != 0) return;
    inode = facts.st_ino;
    bytes = facts.st_size;
    time = facts.st_mtim;
  }
  bool operator==(const FileState& other) const {
    return inode == other.inode && bytes == other.bytes && time.tv_sec == other.time.tv_sec &&
           time.tv_nsec == other.time.tv_nsec;
  }
};

// Why it could not be.
std::error_code MarkSent(const fs::path& path, const FileState& as_sent) {
  std::error_code code;
  if (!(FileState(path) == as_sent)) return code;
  fs::path sent = path;
  sent.replace_extension(".sent");
  fs::rename(path, sent, code);
  // Another push was quicker.
  return code == std::errc::no_such_file_or_directory ? std::error_code() : code;
}

// Half of the time that is due, and up to as much again: many that wait do not come at once.
void WaitFor(uint32_t ms) {
  static std::minstd_rand random{std::random_device{}()};
  const uint32_t half = ms / 2;
  std::this_thread::sleep_for(std::chrono::milliseconds(half + random() % (half + 1)));
}

using Tell = std::function<void(const std::string&)>;

Answer SendUntilTaken(const PushOptions& options, const std::string& record, const Tell& tell,
                      Sender* sender, std::string* why) {
  uint32_t wait_ms = options.wait_ms;
  for (uint32_t attempt = 1;; ++attempt) {
    uint32_t asked_s = 0;
    const Answer answer = sender->Send(record, why, &asked_s);
    const bool may_change = answer == Answer::kLater || answer == Answer::kFailed;
    if (!may_change || attempt >= options.tries) return answer;
    if (asked_s * 1'000 > kLongestWaitMs) {
      *why += fmt::format(" and wants to be left alone for {} s", asked_s);
      return Answer::kLater;
    }
    const uint32_t next_ms = std::max(wait_ms, asked_s * 1'000);
    if (next_ms >= kToldWaitMs)
      tell(fmt::format("{}; tried again in up to {} s", *why, next_ms / 1'000));
    WaitFor(next_ms);
    wait_ms = std::min(wait_ms * 2, kLongestWaitMs);
  }
}

}  // namespace

Pushed Push(const PushOptions& options, const Tell& tell) {
  Pushed pushed;
  const std::vector<fs::path> paths = RecordsIn(options.folder, &pushed.error);
  pushed.left = paths.size();
  curl_global_init(CURL_GLOBAL_DEFAULT);
  Sender sender(options);
  uint32_t failed = 0;  // on end
  for (const fs::path& path : paths) {
    const FileState before(path);
    std::string record;
    std::string why;
    Answer answer = Answer::kRefused;
    if (!ReadRecordFile(path.string(), janks::kMaxRecordBytes + 1, &record)) {
      // Another push has sent it meanwhile, or the application has removed it.
      if (access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
        --pushed.left;
        continue;
      }
      why = "it cannot be read";
    } else if (record.size() > janks::kMaxRecordBytes) {
      why = "it is too large for a record";
    } else {
      answer = SendUntilTaken(options, record, tell, &sender, &why);
    }
    if (answer == Answer::kTaken) {
      ++pushed.sent;
      if (const std::error_code code = MarkSent(path, before)) {
        tell(text::CleanText(path.string()) + ": is sent, but cannot be marked: " + code.message());
        ++pushed.unmarked;
      }
    } else if (answer == Answer::kRefused) {
      tell(text::CleanText(path.string()) + ": is refused: " + why);
      ++pushed.refused;
    } else {
      pushed.error = why;
      if (answer != Answer::kFailed || ++failed == kMostFailed) break;
      continue;
    }
    failed = 0;
    --pushed.left;
  }
  return pushed;
}

}  // namespace stillframe::upload
