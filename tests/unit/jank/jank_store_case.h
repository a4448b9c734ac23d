// SPDX-License-Identifier: Apache-2.0
// Janks that end, and the folder in which they leave records.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include <stillframe/token.h>

#include "src/jank/jank_store.h"
#include "src/jank/spool.h"
#include "src/os/duration.h"
#include "tests/unit/counted.h"
#include "tools/stillframe/input/record_file.h"

namespace stillframe::jank {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using os::kNsPerMs;

constexpr uint64_t kSecondNs = os::kNsPerSecond;

class JankStoreTest : public testing::Test {
 protected:
  JankStoreTest() {
    char path[] = "/tmp/stillframe-janks-XXXXXX";
    folder_ = mkdtemp(path);
    config_.janks = true;
    config_.dump_dir = folder_;
    identity_.Start({.folder = folder_,
                     .app_install = "",
                     .app_version = 12,
                     .abi = "x86_64",
                     .art_build_id = "",
                     .library_build_id = "",
                     .cohort = "sampled"});
    store_.Start({.config = &config_,
                  .names = &names_,
                  .annotations = &annotations_,
                  .identity = &identity_,
                  .writer = &writer_});
  }
  ~JankStoreTest() override { fs::remove_all(folder_); }

  model::FrameId Frame(const std::string& method) {
    return names_.InternFrame("com.shop.Cart", method, "()V", "Cart.java", 1,
                              model::FrameKind::kInterpreted);
  }

  // Adds a jank of `ms`, spent entirely in these methods, outermost first.
  void Jank(uint64_t ms, const std::vector<std::string>& methods,
            const char* callback = "com.shop.Pay") {
    model::TraceTree tree(Token{7});
    std::vector<model::FrameId> stack;
    for (const std::string& method : methods) stack.push_back(Frame(method));
    const auto part_us = static_cast<uint32_t>(ms * 1'000 / samples_);
    for (uint32_t i = 1; i <= samples_; ++i)
      tree.Add(stack, {part_us * i, part_us, 0, model::ThreadState::kRunnable});
    End(ms, methods.empty() ? nullptr : &tree, callback);
  }

  void End(uint64_t ms, const model::TraceTree* tree, const char* callback = "com.shop.Pay") {
    tap::EndedMessage ended = {};
    ended.kind = tap::EndedKind::kMessage;
    ended.token = Token{++token_};
    ended.work_ns = ms * kNsPerMs;
    ended.end_cpu_ns = ms * kNsPerMs / 4;
    ended.wait_ns = 12 * static_cast<int64_t>(kNsPerMs);
    std::strncpy(ended.target, "android.os.Handler", sizeof ended.target - 1);
    std::strncpy(ended.callback, callback, sizeof ended.callback - 1);
    history::MessageFacts facts;
    facts.samples = 1;
    facts.segment = segment_;
    facts.runqueue_wait_ns = without_cpu_ms_ * static_cast<int64_t>(kNsPerMs);
    JankStore::OnJank(&store_, {ended, facts, tree, past_, false, 0, &frozen_, thread_});
  }

  // The texts of all files, by name.
  std::vector<std::string> Files() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().filename().string().starts_with(kRecordPrefix) &&
          entry.path().extension() != ".day")
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const fs::path& path : paths) {
      std::ostringstream text;
      text << std::ifstream(path).rdbuf();
      texts.push_back(text.str());
      EXPECT_EQ(path.extension(), ".json");
      const Json parsed = Json::parse(text.str());
      EXPECT_LE(text.str().size() - parsed.value("facts", "").size(), kMaxRecordBytes + 1'024);
      struct stat status;
      EXPECT_EQ(stat(path.c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777, 0600U);
      std::string error;
      input::HangFile hang;
      input::SessionFile session;
      EXPECT_NE(ReadRecordFile(texts.back(), &hang, &session, &error), input::FileKind::kNeither)
          << texts.back();
    }
    return texts;
  }
  Json OnlyRecord() const {
    const auto files = Files();
    EXPECT_EQ(files.size(), 1U);
    return files.empty() ? Json::object() : Json::parse(files[0]);
  }

  std::string folder_;
  settings::Config config_;
  model::FrameTable names_;
  context::AnnotationStore annotations_;
  Counted counted_;
  context::Identity identity_;
  dump::Writer writer_;
  JankStore store_;
  uint64_t token_ = 100;  // ids of equal length are in order
  model::SegmentKind segment_ = model::SegmentKind::kNone;
  uint32_t samples_ = 10;
  int64_t without_cpu_ms_ = 0;
  history::JankThread thread_ = {};  // the main one
  history::EntryRing past_{16};
  history::FrozenTimes frozen_;  // janks that End begin at 0
};

}  // namespace stillframe::jank
