// SPDX-License-Identifier: Apache-2.0
// The made-up fleet of make_fleet.cc: causes of hangs, installs, sessions, and expectations
// for them. Its head has the model.
// Context: any thread; the results are not changed
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <stillframe/thread_state.h>

#include "src/model/frame.h"
#include "src/model/values.h"

namespace stillframe::fleet {

constexpr int kVersions = 4;
constexpr double kHangsPerRecord = 1.25;

// SplitMix64. Equal seeds give equal numbers on all machines.
class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed) {}

  uint64_t Next();
  double Unit();  // in [0, 1)
  uint32_t Below(uint32_t bound);
  bool Chance(double probability) { return Unit() < probability; }
  double Normal();
  uint64_t Poisson(double mean);

 private:
  uint64_t state_;
};

// A seed for part `number` of what has `seed`.
uint64_t SeedOf(uint64_t seed, uint64_t number);

enum class Kind : uint8_t { kWork, kLock, kWait, kBinder, kRead, kGc };
const char* NameOf(Kind kind);

struct Method {
  std::string type;
  std::string name;
  std::string signature = "()V";
  std::string file;
  int32_t line = model::kLineNative;
  model::FrameKind kind = model::FrameKind::kCompiled;
};

// One stack of a cause in a version: outermost first, by index of Variant::methods.
struct Stack {
  double weight;
  std::vector<uint16_t> methods;
  model::ThreadState state;
};

// A cause as one version of the application has it.
struct Variant {
  bool exists = true;
  bool is_inlined = false;
  std::vector<Method> methods;
  std::vector<Stack> main;   // in the cause
  std::vector<Stack> noise;  // in other code of its message
  std::string callback;
};

struct Message {
  std::string target;
  std::string scene;
  int32_t what = 0;
  model::FrameStage stage = model::FrameStage::kNone;
};

struct Cause {
  Kind kind = Kind::kWork;
  Message message;
  double weight = 1;
  double median_ms = 1'000;
  int first_version = 0;
  int last_version = kVersions - 1;
  std::string type;
  std::string method;
  std::string lock_class;
  std::string owner;                // name of the thread that holds the lock
  std::vector<Method> owner_stack;  // innermost first
  std::array<Variant, kVersions> variants;

  bool IsIn(int version) const { return version >= first_version && version <= last_version; }
  // The time of one wait.
  double MeanMs() const;
  double DrawMs(Rng* rng) const;
};

struct Options {
  uint64_t records = 1'000;
  uint32_t installs = 200;
  uint64_t seed = 1;
  uint32_t causes = 300;
  uint32_t sessions = 2;  // per install
  bool has_causes = true;
};

struct Device {
  std::string model;
  int api_level = 0;
  const char* machine = "";
  uint64_t memory_bytes = 0;
};

struct Install {
  std::string id;
  uint32_t device = 0;
  int api_level = 0;
};

struct PlannedRecord {
  uint64_t seed = 0;
  uint64_t total_ms = 0;
  uint32_t session = 0;
  int32_t cause = -1;  // -1: one of its own
  uint32_t longest_ms = 0;
  uint32_t token = 0;
  uint32_t count = 0;
};

struct PlannedSession {
  uint32_t install = 0;
  int version = 0;
  uint64_t start_ms = 0;
  uint32_t pid = 0;
  uint64_t foreground_ms = 0;
  uint64_t alive_ms = 0;
  uint64_t first_record = 0;
  uint64_t records = 0;
  uint64_t hangs = 0;
  uint64_t hang_ms = 0;
};

struct Rate {
  double hangs_per_hour = 0;
  double ms_per_hour = 0;
};

// Expectations for a cause, per hour in the foreground.
struct Expected {
  Rate present;  // of an average install, in versions that have the cause
  Rate without_loud;
  Rate with_loud;
};

class Fleet {
 public:
  explicit Fleet(const Options& options);

  // A cause that no other record has.
  static Cause FreshCause(uint64_t seed);

  std::string IdOf(const PlannedSession& session) const;
  std::string IdOf(const PlannedRecord& record) const;
  std::string Truth() const;

  Options options;
  std::vector<Device> devices;
  std::vector<Cause> causes;
  std::vector<Install> installs;
  std::vector<PlannedSession> sessions;
  std::vector<PlannedRecord> records;
  std::vector<Expected> expected;
  int32_t loud_install = -1;
  int32_t loud_cause = -1;

 private:
  void MakeCauses();
  void MakeInstalls();
  void PlanSession(double mean_of_all, double mean_of_loud_cause, Rng* rng,
                   PlannedSession* session);
  void AddRecord(int32_t cause, uint64_t number, Rng* rng, PlannedSession* session);
  void Expect(double records_per_hour, double others_hours, double loud_hours, double loud_records);

  std::array<std::vector<double>, kVersions> cumulative_;  // weights of the causes
  std::array<double, kVersions> version_share_ = {};
};

}  // namespace stillframe::fleet
