// SPDX-License-Identifier: Apache-2.0
// Writes the dumps that the browser tests need and no application leaves: make_dumps FOLDER
//   large.sfdump    10 messages of 5,000 samples, 60 frames deep, some 50,000 nodes each
//   blocked.sfdump  the main thread waits for a monitor that another thread holds
//   huge.sfdump     a message with a tree of a million nodes
//   hostile.sfdump  names that want to be markup
//   anr.sfdump      an ANR as the demonstration has it
//   feed_1.sfdump   a method computes; feed_2.sfdump is the same in a later version, on a later
//   Android recursion.sfdump  the application and a library call themselves states.sfdump   a
//   message runs, calls, reads, is ready, waits for the runtime, sleeps, is blocked, and runs
// make_dumps FOLDER DUMP COUNT writes that dump as so many processes, devices and days have it:
//   0.sfdump, 1.sfdump, ...
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/dump/writer.h"
#include "tests/host/sample_documents.h"
#include "tests/unit/dump/read_dump_file.h"

namespace stillframe {
namespace {

constexpr uint32_t kTrees = 10;
constexpr uint32_t kSamples = 5'000;
constexpr uint32_t kDepth = 60;
constexpr uint32_t kLongestChange = 19;  // frames; ten on the average are new in a sample

void AddLargeTree(uint64_t token, uint32_t* random, model::Document* document) {
  const auto next = [random](uint32_t below) {
    *random = *random * 1'664'525 + 1'013'904'223;
    return (*random >> 16U) % below;
  };
  model::TraceTree tree(Token{token},
                        {.max_samples = kSamples + 1, .max_nodes = kSamples * kDepth});
  std::vector<model::FrameId> stack(kDepth);
  for (uint32_t i = 0; i < kSamples; ++i) {
    const uint32_t first = i == 0 ? 0 : kDepth - 1 - next(kLongestChange);
    for (uint32_t level = first; level < kDepth; ++level) {
      const uint32_t choice = next(12);
      stack[level] = document->frames.InternFrame(
          "app.layer" + std::to_string(level) + ".Worker" + std::to_string(choice), "work", "()V",
          "Worker.java", static_cast<int32_t>(10 + choice), model::FrameKind::kNterp);
    }
    const auto state =
        i / 500 % 3 == 0 ? model::ThreadState::kRunnable : model::ThreadState::kWaiting;
    tree.Add(
        stack,
        {.wall_us = (i + 1) * 1000, .weight_us = 1000, .cpu_us = (i + 1) * 1000, .state = state});
  }
  std::printf("tree %u: %zu nodes\n", static_cast<unsigned>(token), tree.nodes().size());
  document->trees.push_back(std::move(tree));
  document->history.push_back(host_test::PastMessage(
      *document, token, static_cast<int64_t>(kTrees + 1 - token) * 6'000, kSamples, kSamples / 2));
}

// The holder's name looks like a pattern and like markup.
model::Document BlockedDocument() {
  model::Document document = host_test::QuietDocument();
  host_test::TreeMaker(&document, 7)
      .Add(host_test::InCallback({"app.CheckIn.run:3", "app.Store.save:40"}), 300, 10'000,
           model::ThreadState::kBlocked)
      .Finish();
  document.running = host_test::RunningMessage(document, 7, 3'000, 0);
  document.running->lock_owner = "db.(writer)<b>";
  document.running->lock_owner_tid = 4'750;
  document.system_reason =
      "Input dispatching timed out (com.example/.CheckInActivity is not responding)";
  document.threads.emplace();
  document.threads->threads = 2;
  document.threads->rows = {{4'711, "main", 'S', 2, 0, 3'000, -10, 0},
                            {4'750, "db.(writer)<b>", 'S', 10, 4, 3'000, 0, 1}};
  return document;
}

// One bug in two versions of the application: other lines, and other numbers of lambdas.
model::Document FeedDocument(int version) {
  const std::string lambda =
      "app.Feed$$ExternalSyntheticLambda" + std::to_string(version) + ".run:1";
  const std::string parse = "app.Feed.parse:" + std::to_string(20 + version);
  model::Document document = host_test::RunningIn({lambda, parse});
  document.identity.pid += static_cast<uint32_t>(version);
  document.taken_realtime_ns += static_cast<uint64_t>(version) * 3'600'000'000'000;
  using State = model::ContextEntry::State;
  document.context = {{"device", "model", State::kText, "Pixel 6", 0},
                      {"device", "api_level", State::kNumber, "", version == 1 ? 30 : 34},
                      {"process", "version_name", State::kText, version == 1 ? "1.0" : "1.1", 0}};
  return document;
}

// Direct recursion of the application, a library below it, and equal messages that wait in a row.
model::Document RecursionDocument() {
  model::Document document = host_test::RunningIn(
      {"app.Tree.paint:3", "app.Tree.paint:9", "app.Tree.paint:9", "app.Leaf.draw:2",
       "app.Tree.paint:9", "java.util.ArrayList.forEach:7", "java.util.ArrayList.get:4",
       "java.util.ArrayList.elementData:2", "app.Leaf.draw:5"});
  for (int i = 0; i < 3; ++i) host_test::AddWaiting(&document, 500, "app.Tick");
  host_test::AddWaiting(&document, 400, "app.Save");
  return document;
}

model::Document StatesDocument() {
  model::Document document = host_test::QuietDocument();
  using model::ThreadState;
  constexpr uint32_t kEach = 30;
  constexpr uint32_t kWeightUs = 10'000;
  model::TraceTree tree(Token{1});
  uint32_t wall_us = 0;
  uint32_t cpu_us = 0;
  const auto add = [&](const std::string& inner, ThreadState state, bool is_computing) {
    const std::vector<model::FrameId> stack = {host_test::AddFrame(&document, "app.Main.run:1"),
                                               host_test::AddFrame(&document, inner)};
    for (uint32_t i = 0; i < kEach; ++i) {
      wall_us += kWeightUs;
      cpu_us += is_computing ? kWeightUs : 0;
      tree.Add(stack,
               {.wall_us = wall_us, .weight_us = kWeightUs, .cpu_us = cpu_us, .state = state});
    }
  };
  add("app.Sum.add:3", ThreadState::kRunnable, true);
  add("android.os.BinderProxy.transact:5", ThreadState::kNative, false);
  add("java.io.FileInputStream.read:7", ThreadState::kNative, false);
  add("app.Sum.add:3", ThreadState::kRunnable, false);
  add("app.Sum.add:3", ThreadState::kOther, false);
  add("java.lang.Thread.sleep:2", ThreadState::kSleeping, false);
  add("app.Store.save:8", ThreadState::kBlocked, false);
  add("app.Sum.add:3", ThreadState::kRunnable, true);
  document.trees.push_back(std::move(tree));
  document.history = {host_test::PastMessage(document, 1, 2'600, wall_us / 1000, cpu_us / 1000)};
  return document;
}

bool Write(const model::Document& document, const std::string& path) {
  dump::Writer writer;
  const dump::WriteResult result = writer.WriteDocument(document, path.c_str());
  if (!result.ok())
    std::fprintf(stderr, "make_dumps: %s\n", dump::Writer::Describe(result, path).c_str());
  return result.ok();
}

// Each dump is from another process; the messages' lengths differ by nanoseconds, which no verdict
// counts.
bool WriteMany(const std::string& folder, const char* dump, int count) {
  dump::ReadResult read = dump::ReadDumpFile(dump);
  if (!read.ok()) std::fprintf(stderr, "make_dumps: %s\n", read.error.c_str());
  model::Document& document = read.document;
  std::vector<model::ContextEntry> context = document.context;
  std::erase_if(context, [](const model::ContextEntry& entry) {
    return entry.name == "model" || entry.name == "api_level" || entry.name == "version_name";
  });
  using State = model::ContextEntry::State;
  constexpr uint64_t kTenMinutesNs = 600'000'000'000;
  const int64_t wall_ns = document.running ? document.running->wall_ns : 0;
  for (int i = 0; read.ok() && i < count; ++i) {
    document.identity.pid = 10'000 + static_cast<uint32_t>(i);
    document.taken_realtime_ns += kTenMinutesNs;
    if (document.running) document.running->wall_ns = wall_ns + i * 7'919 % count;
    document.context = context;
    document.context.push_back(
        {"device", "model", State::kText, "Phone " + std::to_string(i % 40), 0});
    document.context.push_back({"device", "api_level", State::kNumber, "", 26 + i % 10});
    document.context.push_back(
        {"process", "version_name", State::kText, "1." + std::to_string(i % 25), 0});
    if (!Write(document, folder + "/" + std::to_string(i) + ".sfdump")) return false;
  }
  return read.ok();
}

}  // namespace
}  // namespace stillframe

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::fprintf(stderr, "usage: make_dumps FOLDER [DUMP COUNT]\n");
    return 2;
  }
  const std::string folder = argv[1];
  if (argc == 4) return stillframe::WriteMany(folder, argv[2], std::atoi(argv[3])) ? 0 : 1;
  stillframe::model::Document large = stillframe::host_test::QuietDocument();
  uint32_t random = 1;
  for (uint64_t token = 1; token <= stillframe::kTrees; ++token)
    stillframe::AddLargeTree(token, &random, &large);
  const bool written =
      stillframe::Write(large, folder + "/large.sfdump") &&
      stillframe::Write(stillframe::BlockedDocument(), folder + "/blocked.sfdump") &&
      stillframe::Write(stillframe::host_test::LargeDocument(20'100, 100),
                        folder + "/huge.sfdump") &&
      stillframe::Write(stillframe::host_test::HostileDocument(), folder + "/hostile.sfdump") &&
      stillframe::Write(stillframe::host_test::AnrDocument(), folder + "/anr.sfdump") &&
      stillframe::Write(stillframe::FeedDocument(1), folder + "/feed_1.sfdump") &&
      stillframe::Write(stillframe::FeedDocument(2), folder + "/feed_2.sfdump") &&
      stillframe::Write(stillframe::RecursionDocument(), folder + "/recursion.sfdump") &&
      stillframe::Write(stillframe::StatesDocument(), folder + "/states.sfdump");
  return written ? 0 : 1;
}
