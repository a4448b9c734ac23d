// SPDX-License-Identifier: Apache-2.0
// A libcutils like a device's is loaded, watched, released and unloaded.
#include "src/tap/section_capture.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/tap/usual_limits.h"
#include "tests/unit/test_waker.h"

namespace stillframe::tap {
namespace {

constexpr uint64_t kApp = 1U << 12;

class SectionCaptureTest : public testing::Test {
 protected:
  SectionCaptureTest() {
    close(mkstemp(marker_));
    setenv("MARKER", marker_, 1);
    EXPECT_EQ(loopers_->Start({kLimits, waker_.get(), {}, nullptr, nullptr}, gettid()), 0);
    loopers_->Current();
  }
  ~SectionCaptureTest() override {
    capture_.Keep(false);
    Unload();
    unlink(marker_);
  }

  void Load() {
    library_ = dlopen(STILLFRAME_FAKE_CUTILS, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    tags_ = static_cast<uint64_t*>(dlsym(library_, "atrace_enabled_tags"));
    begin_ = reinterpret_cast<void (*)(const char*)>(dlsym(library_, "atrace_begin_body"));
    end_ = reinterpret_cast<void (*)()>(dlsym(library_, "atrace_end_body"));
  }
  void Unload() {
    if (library_ != nullptr) dlclose(library_);
    library_ = nullptr;
  }
  static bool IsLoaded() {
    void* found = dlopen(STILLFRAME_FAKE_CUTILS, RTLD_NOW | RTLD_NOLOAD);
    if (found != nullptr) dlclose(found);
    return found != nullptr;
  }
  std::string Marker() const {
    std::ifstream file(marker_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string Names() const {
    std::string names;
    for (const model::LooperSections& sections : capture_.Describe().loopers)
      for (const model::TraceEvent& event : sections.events) names += event.name + ";";
    return names;
  }

  char marker_[32] = "/tmp/section_capture_XXXXXX";
  TestWaker waker_;
  // Rings are never freed, so neither are the WatchedLoopers that hold them.
  static WatchedLoopers* NewLoopers() {
    static auto* all = new std::vector<WatchedLoopers*>;
    return all->emplace_back(new WatchedLoopers);
  }
  WatchedLoopers* loopers_ = NewLoopers();
  SectionCapture capture_;
  void* library_ = nullptr;
  uint64_t* tags_ = nullptr;
  void (*begin_)(const char*) = nullptr;
  void (*end_)() = nullptr;
};

TEST_F(SectionCaptureTest, WithoutLibcutilsItSaysSo) {
  capture_.Start(loopers_);
  capture_.Keep(true);
  EXPECT_EQ(capture_.Describe().absent, "no libcutils that writes to a trace marker");
}

TEST_F(SectionCaptureTest, WhatIsWrittenIsKeptAndGoesNoFurther) {
  Load();
  capture_.Start(loopers_);
  capture_.Keep(true);
  EXPECT_EQ(capture_.Describe().absent, "");
  EXPECT_NE(*tags_ & kApp, 0U);
  begin_("work");
  end_();
  std::thread([this] { begin_("on a thread that is not watched"); }).join();
  EXPECT_EQ(Names(), "work;;");
  EXPECT_EQ(Marker(), "");
}

TEST_F(SectionCaptureTest, WhatTheSystemTracesGoesOnToIt) {
  Load();
  *tags_ = kApp;
  capture_.Start(loopers_);
  capture_.Keep(true);
  begin_("work");
  EXPECT_EQ(Names(), "work;");
  EXPECT_EQ(Marker(), "B|" + std::to_string(getpid()) + "|work");
  // The system's trace ends: it sets the tags anew.
  *tags_ = 0;
  capture_.Keep(true);
  EXPECT_NE(*tags_ & kApp, 0U);
  begin_("more");
  EXPECT_EQ(Names(), "work;more;");
  EXPECT_EQ(Marker(), "B|" + std::to_string(getpid()) + "|work");
}

TEST_F(SectionCaptureTest, AtAStopEverythingIsAsItWas) {
  Load();
  *tags_ = 2;
  capture_.Start(loopers_);
  for (int round = 0; round < 3; ++round) {
    capture_.Keep(true);
    EXPECT_NE(*tags_, 2U);
    capture_.Keep(false);
    EXPECT_EQ(*tags_, 2U);
  }
  begin_("work");
  EXPECT_EQ(Names(), "");
  EXPECT_NE(Marker(), "");
  Unload();
  EXPECT_FALSE(IsLoaded());
}

TEST_F(SectionCaptureTest, WhileItIsWatchedTheLibraryStays) {
  Load();
  capture_.Start(loopers_);
  capture_.Keep(true);
  Unload();
  EXPECT_TRUE(IsLoaded());
  capture_.Keep(true);
  begin_("work");
  EXPECT_EQ(Names(), "work;");
  capture_.Keep(false);
  EXPECT_FALSE(IsLoaded());
}

TEST_F(SectionCaptureTest, ThreadsWriteWhileItComesAndGoes) {
  Load();
  capture_.Start(loopers_);
  std::atomic<bool> ends{false};
  std::atomic<uint64_t> written{0};
  std::thread writer([&] {
    loopers_->Current();
    for (; !ends.load(std::memory_order_relaxed); written.fetch_add(1)) begin_("work"), end_();
  });
  for (int round = 0; round < 200; ++round) {
    capture_.Keep(true);
    capture_.Describe();
    capture_.Keep(false);
  }
  while (written.load() < 1'000) std::this_thread::yield();
  ends = true;
  writer.join();
}

}  // namespace
}  // namespace stillframe::tap
