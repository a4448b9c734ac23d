// A document with something in every field, and its whole content as text to compare.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "src/dump/document.h"
#include "src/trace/article_text.h"
#include "tests/unit/trace/random_stacks.h"

namespace stillframe::dump {

inline Message SampleMessage(uint64_t token) {
  Message message;
  message.token = token;
  message.start_ns = 123'456'789'000 + token;
  message.wait_ns = token % 2 == 0 ? kTimeUnknown : 15'000'000;
  message.wall_ns = 1'700'000'000;
  message.cpu_ns = -42;
  message.samples = 165;
  message.flags = kMessageHasTree | kMessageThrew;
  message.what = -7;
  message.target = "com.example.Checkout$PayHandler";
  message.callback = token % 3 == 0 ? "" : "com.example.-$$Lambda$\xff\xc0\x80<b>";
  return message;
}

inline Document SampleDocument(uint32_t seed, uint32_t samples = 40) {
  Document d;
  d.format_version = 1;
  d.trigger = Trigger::kSigquit;
  d.sequence = 2;
  d.taken_monotonic_ns = 0xFFFF'FFFF'FFFF'FFFF;
  d.taken_realtime_ns = 1'700'000'000'000'000'000;
  d.identity = {"com.example.shop", 4711,    10'123, "x86_64",   "11",
                "00ff17",           "0.1.0", "on",   "observer", 987'654'321};
  d.configuration = {{"interval_ms", "10"}, {"slow_ms", "50"}, {"", ""}};
  d.counters = {{"samples", 1000}, {"drops_ring_full", 0}, {"handler_time_ns", UINT64_MAX}};
  d.history = {SampleMessage(1), SampleMessage(2), SampleMessage(3)};
  d.history_lost = 9;
  d.running = SampleMessage(17);
  d.pending_source = "mMessages";
  d.pending = {{-12'000, 159, false, false, "android.app.ActivityThread$H", ""},
               {0, 0, true, true, "", ""},
               {INT64_MAX, INT32_MIN, true, false, "a.B", "a.C"}};
  // Frames that no tree names, so that ids in the file are sparse.
  for (int32_t i = 0; i < 80; ++i) {
    const std::string number = std::to_string(i % 13);
    d.frames.InternFrame("com.example.Class" + number, i % 7 == 0 ? "<init>" : "run" + number,
                         i % 5 == 0 ? "" : "(I)V", i % 4 == 0 ? "" : "Class" + number + ".java",
                         i % 9 == 0 ? trace::kLineNative : i, static_cast<trace::FrameKind>(i % 5));
  }
  for (uint32_t tree = 0; tree < 3; ++tree) {
    trace::RandomStacks random(seed + tree, {.frames = 60, .max_depth = 9});
    d.trees.emplace_back(tree == 2 ? 17 : tree + 1, trace::TreeLimits{64, 1024});
    for (uint32_t i = 0; i < samples * (tree + 1); ++i) {
      d.trees.back().Add(random.Next(), random.NextSample());
    }
    d.trees.back().CloseAt(2'000'000);
  }
  return d;
}

inline void AddText(const Message& m, std::ostream& out) {
  out << m.token << ' ' << m.start_ns << ' ' << m.wait_ns << ' ' << m.wall_ns << ' ' << m.cpu_ns
      << ' ' << m.samples << ' ' << m.flags << ' ' << m.what << ' ' << m.target << ' ' << m.callback
      << '\n';
}

inline std::string TreeText(const trace::TraceTree& tree, const trace::FrameTable& frames) {
  std::ostringstream out;
  out << "tree " << tree.token() << ' ' << tree.interval_scale() << ' ' << tree.samples_added()
      << ' ' << tree.cut_stacks() << '\n';
  tree.ForEachStack([&](uint32_t, std::span<const trace::FrameId> stack, const trace::Sample& s) {
    out << s.wall_us << ' ' << s.weight_us << ' ' << s.cpu_us << ' ' << static_cast<int>(s.state);
    for (trace::FrameId id : stack) {
      const trace::Frame& frame = frames.At(id);
      out << ';' << trace::FrameText(frames, id) << frames.String(frame.signature) << frame.line
          << static_cast<int>(frame.kind);
    }
    out << '\n';
  });
  return out.str();
}

// The content, piece by piece: one entry for each section that a file has.
inline std::vector<std::string> Pieces(const Document& d) {
  std::vector<std::ostringstream> out(7);
  const Identity& id = d.identity;
  out[0] << id.process_name << ' ' << id.pid << ' ' << id.uid << ' ' << id.abi << ' '
         << id.art_release << ' ' << id.art_build_id << ' ' << id.profiler_version << ' '
         << id.sampler_state << ' ' << id.tap << ' ' << id.process_start_ns;
  out[1] << static_cast<int>(d.trigger) << ' ' << d.sequence << ' ' << d.taken_monotonic_ns << ' '
         << d.taken_realtime_ns;
  for (const NamedText& entry : d.configuration) {
    out[2] << entry.name << '=' << entry.value << '\n';
  }
  for (const NamedCount& counter : d.counters) {
    out[3] << counter.name << '=' << counter.value << '\n';
  }
  if (d.running) {
    AddText(*d.running, out[4]);
  }
  out[5] << d.history_lost << '\n';
  for (const Message& message : d.history) {
    AddText(message, out[5]);
  }
  out[6] << d.pending_source << ' ' << d.pending_absent << '\n';
  for (const PendingMessage& m : d.pending) {
    out[6] << m.delay_ms << ' ' << m.what << ' ' << m.is_asynchronous << m.is_barrier << ' '
           << m.target << ' ' << m.callback << '\n';
  }
  std::vector<std::string> pieces;
  for (const std::ostringstream& piece : out) {
    pieces.push_back(piece.str());
  }
  for (const trace::TraceTree& tree : d.trees) {
    pieces.push_back(TreeText(tree, d.frames));
  }
  return pieces;
}

// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "stillframe-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string File(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }
  size_t Files() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_),
                                             std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline std::vector<uint8_t> FileBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace stillframe::dump
