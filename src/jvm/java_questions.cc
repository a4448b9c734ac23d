// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/java_questions.h"

#include <jni.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "src/art/framework_members.h"
#include "src/art/runtime_probe.h"
#include "src/core/clock.h"
#include "src/model/context_names.h"
#include "src/model/process.h"
#include "src/os/duration.h"

namespace stillframe::jvm {
namespace {

namespace framework = art::framework;
using framework::Threw;
namespace names = model::context;
using model::Outcome;
using model::Status;

// Facts that only the runtime and platform classes have: application and version, API level, Java
// heap, garbage collections.
// Source: AOSP 11, frameworks/base/core/java/android/app/ActivityThread.java, content/pm/
// ApplicationInfo.java, os/Build.java; ART 8 to 14, runtime/native/dalvik_system_VMDebug.cc.
// None of these facts needs a Binder call. Context: stillframe-q

using State = model::ContextEntry::State;

// In the order of the dump.
enum class Fact : uint8_t {
  kApiLevel,
  kModel,
  kFingerprint,
  kSecurityPatch,
  kHardware,
  kPackage,
  kVersionCode,
  kHeapUsed,
  kHeapMax,
  kCollections,
  kCollectionTime,
  kBlockingCollections,
  kBlockingTime,
};

struct Row {
  Fact fact;
  std::string_view group;
  std::string_view name;
};

constexpr Row kRows[] = {
    {Fact::kApiLevel, names::kDevice, names::kApiLevel},
    {Fact::kModel, names::kDevice, "model"},
    {Fact::kFingerprint, names::kDevice, "fingerprint"},
    {Fact::kSecurityPatch, names::kDevice, "security_patch"},
    {Fact::kHardware, names::kDevice, names::kHardware},
    {Fact::kPackage, names::kProcess, names::kPackage},
    {Fact::kVersionCode, names::kProcess, names::kVersionCode},
    {Fact::kHeapUsed, names::kMemory, names::kJavaHeapUsedBytes},
    {Fact::kHeapMax, names::kMemory, names::kJavaHeapMaxBytes},
    {Fact::kCollections, names::kGc, names::kCollections},
    {Fact::kCollectionTime, names::kGc, names::kCollectionTimeNs},
    {Fact::kBlockingCollections, names::kGc, names::kBlockingCollections},
    {Fact::kBlockingTime, names::kGc, names::kBlockingTimeNs},
};

class Reader {
 public:
  explicit Reader(JNIEnv* env) : env_(env) {}

  void Read(Fact fact, model::ContextEntry* entry) {
    entry->text = "this platform does not tell";
    switch (fact) {
      case Fact::kApiLevel: return StaticInt(framework::kApiLevel, entry);
      case Fact::kModel: return StaticText(framework::kModel, entry);
      case Fact::kFingerprint: return StaticText(framework::kFingerprint, entry);
      case Fact::kSecurityPatch: return StaticText(framework::kSecurityPatch, entry);
      case Fact::kHardware: return StaticText(framework::kHardware, entry);
      case Fact::kPackage: return Package(entry);
      case Fact::kVersionCode: return VersionCode(entry);
      case Fact::kHeapUsed: return HeapUsed(entry);
      case Fact::kHeapMax: return SetIfRead(framework::kMaxMemory, entry);
      case Fact::kCollections: return RuntimeStat(0, 1, entry);
      case Fact::kCollectionTime: return RuntimeStat(1, os::kNsPerMs, entry);
      case Fact::kBlockingCollections: return RuntimeStat(4, 1, entry);
      case Fact::kBlockingTime: return RuntimeStat(5, os::kNsPerMs, entry);
    }
  }

 private:
  static void Set(int64_t value, model::ContextEntry* entry) {
    entry->state = State::kNumber;
    entry->number = value;
    entry->text.clear();
  }

  void SetText(jobject string, model::ContextEntry* entry) {
    if (string == nullptr) return;
    auto* text = static_cast<jstring>(string);
    const char* chars = env_->GetStringUTFChars(text, nullptr);
    if (chars == nullptr) return;
    entry->state = State::kText;
    entry->text = chars;
    env_->ReleaseStringUTFChars(text, chars);
  }

  jclass Class(const char* name) { return framework::ClassOrNull(env_, name); }

  void StaticInt(framework::StaticField row, model::ContextEntry* entry) {
    jclass type = Class(row.owner);
    const jfieldID field = type != nullptr ? IdOf(env_, type, row) : nullptr;
    if (!Threw(env_) && field != nullptr) Set(env_->GetStaticIntField(type, field), entry);
  }

  void StaticText(framework::StaticField row, model::ContextEntry* entry) {
    jclass type = Class(row.owner);
    const jfieldID field = type != nullptr ? IdOf(env_, type, row) : nullptr;
    if (!Threw(env_) && field != nullptr) SetText(env_->GetStaticObjectField(type, field), entry);
  }

  // Null before there is an application.
  jobject ApplicationInfo(model::ContextEntry* entry) {
    jclass type = Class(framework::kActivityThread);
    const jmethodID current =
        type != nullptr ? IdOf(env_, type, framework::kCurrentApplication) : nullptr;
    if (Threw(env_) || current == nullptr) return nullptr;
    jobject application = env_->CallStaticObjectMethod(type, current);
    entry->text = "this process has no application yet";
    if (Threw(env_) || application == nullptr) return nullptr;
    entry->text = "this platform does not tell";
    const jmethodID get = IdByObject(env_, application, framework::kGetApplicationInfo);
    jobject info = Threw(env_) ? nullptr : env_->CallObjectMethod(application, get);
    return Threw(env_) ? nullptr : info;
  }

  void Package(model::ContextEntry* entry) {
    jobject info = ApplicationInfo(entry);
    if (info == nullptr) return;
    const jfieldID field = IdByObject(env_, info, framework::kPackageName);
    if (!Threw(env_)) SetText(env_->GetObjectField(info, field), entry);
  }

  void VersionCode(model::ContextEntry* entry) {
    jobject info = ApplicationInfo(entry);
    if (info == nullptr) return;
    // Since API 28; the 32-bit field still exists.
    const jfieldID wide = IdByObject(env_, info, framework::kLongVersionCode);
    if (!Threw(env_)) return Set(env_->GetLongField(info, wide), entry);
    const jfieldID narrow = IdByObject(env_, info, framework::kVersionCode);
    if (!Threw(env_)) Set(env_->GetIntField(info, narrow), entry);
  }

  bool HeapNumber(framework::Method row, int64_t* value) {
    jclass type = Class(framework::kRuntime);
    if (type == nullptr) return false;
    const jmethodID get = IdOf(env_, type, framework::kGetRuntime);
    if (Threw(env_) || get == nullptr) return false;
    jobject runtime = env_->CallStaticObjectMethod(type, get);
    if (Threw(env_) || runtime == nullptr) return false;
    const jmethodID number = IdOf(env_, type, row);
    if (Threw(env_) || number == nullptr) return false;
    *value = env_->CallLongMethod(runtime, number);
    return !Threw(env_);
  }

  void SetIfRead(framework::Method row, model::ContextEntry* entry) {
    int64_t value = 0;
    if (HeapNumber(row, &value)) Set(value, entry);
  }

  void HeapUsed(model::ContextEntry* entry) {
    int64_t total = 0;
    int64_t free = 0;
    if (HeapNumber(framework::kTotalMemory, &total) && HeapNumber(framework::kFreeMemory, &free))
      Set(total - free, entry);
  }

  // ART's own number for a statistic, as text.
  void RuntimeStat(jint number, int64_t unit, model::ContextEntry* entry) {
    jclass type = Class(framework::kVmDebug);
    const jmethodID get = type != nullptr ? IdOf(env_, type, framework::kRuntimeStat) : nullptr;
    if (Threw(env_) || get == nullptr) return;
    jobject text = env_->CallStaticObjectMethod(type, get, number);
    if (Threw(env_)) return;
    model::ContextEntry as_text;
    SetText(text, &as_text);
    char* end = nullptr;
    const long long value = strtoll(as_text.text.c_str(), &end, 10);
    if (end != as_text.text.c_str() && *end == '\0') Set(value * unit, entry);
  }

  JNIEnv* env_;
};

model::ContextEntry NewEntry(const Row& row) {
  model::ContextEntry entry;
  entry.group = std::string(row.group);
  entry.name = std::string(row.name);
  return entry;
}

// Adds the facts of the groups "device", "process", "memory" and "gc". Unavailable ones are absent
// with the reason.
void DescribeJava(JNIEnv* env, std::vector<model::ContextEntry>* entries) {
  constexpr jint kLocalReferences = 16;
  Reader reader(env);
  for (const Row& row : kRows) {
    model::ContextEntry entry = NewEntry(row);
    if (env->PushLocalFrame(kLocalReferences) == JNI_OK) {
      reader.Read(row.fact, &entry);
      env->PopLocalFrame(nullptr);
    }
    Threw(env);
    entries->push_back(std::move(entry));
  }
}

// The same entries, all absent with one reason.
void DescribeJavaAbsent(const std::string& why, std::vector<model::ContextEntry>* entries) {
  for (const Row& row : kRows) {
    model::ContextEntry entry = NewEntry(row);
    entry.text = why;
    entries->push_back(std::move(entry));
  }
}

constexpr uint32_t kTimeoutMs = 50;   // of questions outside dumps, and of texts
constexpr uint32_t kMinFactsMs = 10;  // a dump's facts get at least this, even beyond its limit
constexpr size_t kMaxTexts = 16;      // of messages' objects

class QueueJob : public JavaReader::Job {
 public:
  QueueJob(size_t messages, bool through_looper_dump, Details details)
      : messages_(messages), through_looper_dump_(through_looper_dump), details_(details) {}

  void Run(JNIEnv* env) override {
    result = ReadPendingQueue(env, messages_, through_looper_dump_, details_);
  }

  PendingMessages result;

 private:
  size_t messages_;
  bool through_looper_dump_;
  Details details_;
};

// Through JDWP. Source: AOSP 8-14, libcore's dalvik.system.VMDebug.isDebuggerConnected.
bool HasDebugger(JNIEnv* env) {
  jclass type = framework::ClassOrNull(env, framework::kVmDebug);
  const jmethodID get = framework::IdOrNull(env, type, framework::kDebuggerConnected);
  const bool is_connected = get != nullptr && env->CallStaticBooleanMethod(type, get) == JNI_TRUE;
  return !Threw(env) && is_connected;
}

class FactsJob : public JavaReader::Job {
 public:
  void Run(JNIEnv* env) override {
    DescribeJava(env, &facts);
    if (HasDebugger(env))
      facts.push_back({std::string(model::context::kProcess),
                       std::string(model::context::kDebugger), model::ContextEntry::State::kText,
                       "through JDWP", 0});
  }

  std::vector<model::ContextEntry> facts;
};

class DebuggerJob : public JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { is_connected = HasDebugger(env); }

  bool is_connected = false;
};

class ErrorStateJob : public JavaReader::Job {
 public:
  void Run(JNIEnv* env) override { state = jvm::ReadErrorState(env, getpid()); }

  ErrorState state;
};

}  // namespace

void JavaQuestions::Start(const art::Vm& vm, bool through_looper_dump, bool with_objects) {
  through_looper_dump_ = through_looper_dump;
  with_objects_ = with_objects;
  reader_.Start(vm);
}

Outcome JavaQuestions::Ask(const std::shared_ptr<JavaReader::Job>& job, uint32_t timeout_ms) {
  if (!art::HasVm()) return {Status::kUnavailable, "the Java VM has been destroyed"};
  return reader_.Run(job, timeout_ms);
}

PendingMessages JavaQuestions::ReadQueue(size_t messages) {
  const auto job = std::make_shared<QueueJob>(messages, through_looper_dump_, Details::kNone);
  const Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) return std::move(job->result);
  PendingMessages absent;
  absent.absent = outcome.why;
  return absent;
}

// The queue comes first: it is kept even if no time is left for the facts.
JavaQuestions::Answers JavaQuestions::ReadForDump(size_t messages, uint32_t timeout_ms) {
  const uint64_t begin_ns = core::MonotonicNs();
  Answers answers;
  const auto queue = std::make_shared<QueueJob>(messages, through_looper_dump_,
                                                with_objects_ ? Details::kObjects : Details::kNone);
  Outcome outcome = Ask(queue, timeout_ms);
  if (outcome.ok()) {
    answers.pending = std::move(queue->result);
    const uint64_t used_ms = (core::MonotonicNs() - begin_ns) / os::kNsPerMs;
    const uint32_t left_ms = used_ms + kMinFactsMs < timeout_ms
                                 ? timeout_ms - static_cast<uint32_t>(used_ms)
                                 : kMinFactsMs;
    const auto facts = std::make_shared<FactsJob>();
    outcome = Ask(facts, left_ms);
    if (outcome.ok()) answers.facts = std::move(facts->facts);
  } else {
    answers.pending.absent = outcome.why;
  }
  if (!outcome.ok()) DescribeJavaAbsent(outcome.why, &answers.facts);
  if (with_objects_ && outcome.ok()) AskForTexts(&answers.pending);
  return answers;
}

// Last: toString() of the application may never return, and then all later questions fail.
void JavaQuestions::AskForTexts(PendingMessages* pending) {
  const size_t messages = std::min(pending->messages.size(), kMaxTexts);
  const auto job = std::make_shared<QueueJob>(messages, false, Details::kTexts);
  if (Ask(job, kTimeoutMs).ok()) AddTexts(job->result, pending);
}

Outcome JavaQuestions::ReadFacts(std::vector<model::ContextEntry>* facts) {
  const auto job = std::make_shared<FactsJob>();
  Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) *facts = std::move(job->facts);
  return outcome;
}

bool JavaQuestions::IsDebuggerConnected() {
  const auto job = std::make_shared<DebuggerJob>();
  return Ask(job, kTimeoutMs).ok() && job->is_connected;
}

Outcome JavaQuestions::ReadErrorState(ErrorState* state) {
  const auto job = std::make_shared<ErrorStateJob>();
  Outcome outcome = Ask(job, kTimeoutMs);
  if (outcome.ok()) *state = std::move(job->state);
  return outcome;
}

}  // namespace stillframe::jvm
