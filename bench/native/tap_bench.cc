// SPDX-License-Identifier: Apache-2.0
// Blocks of quick messages under each tap: nanoseconds, or allocations or instructions if they are
// counted.
#include "bench/native/tap_bench.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/native/instruction_count.h"
#include "bench/native/rows.h"
#include "bench/native/text_of.h"
#include "src/core/clock.h"
#include "src/os/signal_action.h"
#include "src/tap/tap.h"
#include "src/tap/watched_loopers.h"

namespace bench {
namespace {

namespace sf = stillframe;

enum Variant : size_t {
  kNothing,
  kEmptyObserver,
  kObserverTap,
  kPrinterTap,
  kBlockPrinter,
  kVariants
};

// Our taps by number, in order of installation.
constexpr uint32_t kTapNumbers[kVariants] = {0, 0, 1, 2, 0};

// dalvik.system.VMDebug.KIND_THREAD_ALLOCATED_OBJECTS (AOSP 11 libcore/dalvik/.../VMDebug.java)
constexpr jint kThreadAllocatedObjects = 1 << 16;

// Counted by the preloaded malloc_count.so.
using CountMallocs = uint64_t (*)();

class TapBench {
 public:
  void Prepare(JNIEnv* env, const std::string& how);
  void BlockBegins(JNIEnv* env);
  bool BlockEnds(JNIEnv* env, jint messages);

 private:
  void LoadTaps(JNIEnv* env);
  void PrepareCounting(JNIEnv* env);
  void PutInForce(JNIEnv* env, Variant variant);
  // A trap takes up to 15 us, and a message has some ten thousand instructions.
  bool IsCounted() const {
    return counts_instructions_ && is_warm_ && (variant_ == kNothing || variant_ == kObserverTap);
  }
  double JavaAllocations(JNIEnv* env) const;
  void ReportTimes() const;
  void ReportAllocations() const;
  void ReportInstructions() const;

  sf::tap::WatchedLoopers loopers_;
  sf::tap::Tap tap_;

  jclass looper_ = nullptr;
  jfieldID observer_field_ = nullptr;
  jobject main_looper_ = nullptr;
  jmethodID set_printer_ = nullptr;
  jobject observers_[kVariants] = {};
  jobject printers_[kVariants] = {};

  // At most one is true; times of a lone looper otherwise.
  bool several_ = false;
  bool counts_allocations_ = false;
  bool counts_instructions_ = false;
  CountMallocs mallocs_ = nullptr;
  jclass vm_debug_ = nullptr;
  jmethodID alloc_count_ = nullptr;

  int blocks_left_ = 0;
  size_t variant_ = kNothing;
  bool is_warm_ = false;  // the first block of each variant is discarded
  uint64_t begin_ns_ = 0;
  double begin_mallocs_ = 0;
  double begin_java_ = 0;
  std::vector<double> ns_[kVariants];
  std::vector<double> malloc_counts_[kVariants];
  std::vector<double> java_counts_[kVariants];
  std::vector<double> instructions_[kVariants];
};

TapBench& Bench() {
  static auto* bench = new TapBench;
  return *bench;
}

void TapBench::LoadTaps(JNIEnv* env) {
  sf::tap::WatchedLoopers::Setup setup = {};
  // Counting makes a quick message last a second.
  const uint64_t kNsPerMs = counts_instructions_ ? 1'000'000'000 : 1'000'000;
  setup.limits = {50 * kNsPerMs, 30 * kNsPerMs, 300 * kNsPerMs, 1'000 * kNsPerMs};
  static const sf::core::Waker no_collector;
  setup.waker = &no_collector;
  setup.selection.all = several_;
  if (loopers_.Start(setup, getpid()) != 0) Fail("the recorder cannot be started");
  looper_ = static_cast<jclass>(env->NewGlobalRef(env->FindClass("android/os/Looper")));
  observer_field_ = env->GetStaticFieldID(looper_, "sObserver", "Landroid/os/Looper$Observer;");
  set_printer_ = env->GetMethodID(looper_, "setMessageLogging", "(Landroid/util/Printer;)V");
  const jfieldID logging = env->GetFieldID(looper_, "mLogging", "Landroid/util/Printer;");
  const jmethodID main = env->GetStaticMethodID(looper_, "getMainLooper", "()Landroid/os/Looper;");
  main_looper_ = env->NewGlobalRef(env->CallStaticObjectMethod(looper_, main));
  using sf::tap::TapKind;
  sf::model::Outcome outcome = tap_.LoadClasses(env);
  for (const TapKind kind : {TapKind::kObserver, TapKind::kPrinter})
    if (outcome.ok()) outcome = tap_.Install(env, kind, &loopers_);
  if (!outcome.ok()) Fail("the taps cannot be installed: " + outcome.why);
  observers_[kObserverTap] = env->NewGlobalRef(env->GetStaticObjectField(looper_, observer_field_));
  printers_[kPrinterTap] = env->NewGlobalRef(env->GetObjectField(main_looper_, logging));
  const auto make = [env](const char* name) {
    jclass type = env->FindClass(name);
    return env->NewGlobalRef(env->NewObject(type, env->GetMethodID(type, "<init>", "()V")));
  };
  observers_[kEmptyObserver] = make("bench/EmptyObserver");
  printers_[kBlockPrinter] = make("bench/BlockPrinter");
}

void TapBench::PrepareCounting(JNIEnv* env) {
  mallocs_ = reinterpret_cast<CountMallocs>(dlsym(RTLD_DEFAULT, "bench_thread_mallocs"));
  if (mallocs_ == nullptr) Fail("malloc_count.so is not preloaded");
  vm_debug_ = static_cast<jclass>(env->NewGlobalRef(env->FindClass("dalvik/system/VMDebug")));
  alloc_count_ = env->GetStaticMethodID(vm_debug_, "getAllocCount", "(I)I");
  const jmethodID start = env->GetStaticMethodID(vm_debug_, "startAllocCounting", "()V");
  if (alloc_count_ == nullptr || start == nullptr) Fail("no VMDebug.getAllocCount");
  env->CallStaticVoidMethod(vm_debug_, start);
}

void TapBench::Prepare(JNIEnv* env, const std::string& how) {
  several_ = how == "several";
  counts_allocations_ = how == "allocations";
  counts_instructions_ = how == "instructions";
  LoadTaps(env);
  if (counts_allocations_) PrepareCounting(env);
  if (counts_instructions_ && !InstructionCount::Open(sf::os::KernelSigaction()))
    Fail("no handler for SIGTRAP");
  blocks_left_ = counts_instructions_ ? 1 : counts_allocations_ ? 3 : Rounds(100);
  PutInForce(env, kNothing);
}

void TapBench::PutInForce(JNIEnv* env, Variant variant) {
  loopers_.SetActiveTap(kTapNumbers[variant]);
  env->SetStaticObjectField(looper_, observer_field_, observers_[variant]);
  env->CallVoidMethod(main_looper_, set_printer_, printers_[variant]);
}

double TapBench::JavaAllocations(JNIEnv* env) const {
  return env->CallStaticIntMethod(vm_debug_, alloc_count_, kThreadAllocatedObjects);
}

void TapBench::BlockBegins(JNIEnv* env) {
  if (counts_allocations_) {
    begin_java_ = JavaAllocations(env);
    begin_mallocs_ = static_cast<double>(mallocs_());
  }
  begin_ns_ = sf::core::MonotonicNs();
  if (IsCounted()) InstructionCount::Begin();
}

bool TapBench::BlockEnds(JNIEnv* env, jint messages) {
  const double instructions = IsCounted() ? static_cast<double>(InstructionCount::End()) : 0;
  const double ns = static_cast<double>(sf::core::MonotonicNs() - begin_ns_);
  if (is_warm_) {
    ns_[variant_].push_back(ns / messages);
    instructions_[variant_].push_back(instructions / messages);
    if (counts_allocations_) {
      malloc_counts_[variant_].push_back((static_cast<double>(mallocs_()) - begin_mallocs_) /
                                         messages);
      java_counts_[variant_].push_back((JavaAllocations(env) - begin_java_) / messages);
    }
  }
  variant_ = (variant_ + 1) % kVariants;
  if (variant_ == kNothing) {
    if (is_warm_) --blocks_left_;
    is_warm_ = true;
  }
  PutInForce(env, static_cast<Variant>(variant_));
  if (blocks_left_ > 0) return true;
  if (counts_allocations_)
    ReportAllocations();
  else if (counts_instructions_)
    ReportInstructions();
  else
    ReportTimes();
  return false;
}

std::vector<double> Difference(const std::vector<double>& with,
                               const std::vector<double>& without) {
  std::vector<double> result;
  for (size_t i = 0; i < std::min(with.size(), without.size()); ++i)
    result.push_back(with[i] - without[i]);
  return result;
}

void TapBench::ReportTimes() const {
  const auto empty = Difference(ns_[kEmptyObserver], ns_[kNothing]);
  const auto observer = Difference(ns_[kObserverTap], ns_[kNothing]);
  if (several_) {
    Report("tap_observer_several", SpreadOf(observer), "ns");
    Report("tap_empty_observer_several", SpreadOf(empty), "ns");
    return;
  }
  const auto printer = Difference(ns_[kPrinterTap], ns_[kNothing]);
  const auto block = Difference(ns_[kBlockPrinter], ns_[kNothing]);
  Report("tap_vs_empty_observer", RatioOf(observer, empty), "ratio");
  Report("tap_vs_printer", RatioOf(observer, printer), "ratio");
  Report("tap_printer_vs_empty_observer", RatioOf(printer, empty), "ratio");
  Report("message", SpreadOf(ns_[kNothing]), "ns");
  Report("tap_empty_observer", SpreadOf(empty), "ns");
  Report("tap_observer", SpreadOf(observer), "ns");
  Report("tap_printer", SpreadOf(printer), "ns");
  Report("tap_block_printer", SpreadOf(block), "ns");
}

void TapBench::ReportAllocations() const {
  Report("tap_mallocs_per_message",
         SpreadOf(Difference(malloc_counts_[kObserverTap], malloc_counts_[kNothing])), "count");
  Report("tap_java_allocations_per_message",
         SpreadOf(Difference(java_counts_[kObserverTap], java_counts_[kNothing])), "count");
  Report("tap_printer_java_allocations_per_message",
         SpreadOf(Difference(java_counts_[kPrinterTap], java_counts_[kNothing])), "count");
}

void TapBench::ReportInstructions() const {
  Report("instructions_message", SpreadOf(instructions_[kNothing]), "count");
  Report("instructions_message_with_tap", SpreadOf(instructions_[kObserverTap]), "count");
}

}  // namespace

void PrepareTaps(JNIEnv* env, jclass, jstring how) { Bench().Prepare(env, TextOf(env, how)); }
void BlockBegins(JNIEnv* env, jclass) { Bench().BlockBegins(env); }
jboolean BlockEnds(JNIEnv* env, jclass, jint messages) {
  return Bench().BlockEnds(env, messages) ? JNI_TRUE : JNI_FALSE;
}

}  // namespace bench
