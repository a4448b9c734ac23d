// SPDX-License-Identifier: Apache-2.0
// The start-up check against layout rows in which one constant is wrong, in an ART process of its
// own.
// Context: natives of ShiftedLayout.java, main thread
#include <jni.h>
#include <pthread.h>

#include <cstdio>
#include <string>
#include <vector>

#include "src/art/jni_method.h"
#include "src/art/oat_version.h"
#include "src/art/runtime_probe.h"
#include "src/art/self_check.h"
#include "src/core/guarded_memory.h"
#include "src/model/frame_table.h"
#include "src/names/method_names.h"
#include "src/os/proc.h"
#include "src/os/signal_action.h"
#include "src/tap/tap.h"
#include "src/walk/walk.h"
#include "tests/process/shifted_layout/shift.h"

namespace stillframe {
namespace {

constexpr uint32_t kMaxDepth = 256;

struct ShiftedRow {
  const char* constant;
  walk::Layout layout;
  walk::RuntimeFacts facts;
  std::string why;  // it stays off; empty when it does not
};

struct Check {
  JavaVM* vm = nullptr;
  tap::Tap tap;
  const walk::Layout* right = nullptr;
  walk::RuntimeFacts right_facts;
  std::vector<ShiftedRow> rows;
};

// Never destroyed: the handlers stay installed.
Check& TheCheck() {
  static auto* check = new Check;
  return *check;
}

std::vector<ShiftedRow> ShiftedRows(const walk::Layout& right, uint64_t by) {
  std::vector<ShiftedRow> rows;
  walk::Layout row = right;
  ForEachConstant(&row, [&](const char* name, auto* constant) {
    const auto value = *constant;
    Shift(name, constant, by);
    rows.push_back({name, row, {}, {}});
    *constant = value;
  });
  return rows;
}

model::Outcome Verify(JNIEnv* env, const walk::Layout& layout, walk::RuntimeFacts* facts) {
  if (!art::MayFit(layout, art::FindOatVersion()))
    return {model::Status::kUnavailable, "not for the oat version of this runtime"};
  model::Outcome outcome = art::ProbeRuntime(layout, TheCheck().vm, env, facts);
  if (outcome.ok()) outcome = art::RunSelfCheck(env, TheCheck().tap.self_check(), facts);
  return outcome;
}

std::vector<std::string> NamesOf(const walk::RuntimeFacts& facts, JNIEnv* env) {
  std::vector<core::RawFrame> frames(kMaxDepth);
  core::FrameSink sink(frames.data(), 0, UINT64_MAX, kMaxDepth);
  const uint8_t state =
      walk::WalkManagedStack(&facts, art::RuntimeThreadOf(*facts.layout, env), nullptr, &sink);
  std::vector<std::string> names = {
      "state " + std::to_string(static_cast<int>(facts.layout->state_name(state)))};
  model::FrameTable table;
  names::MethodNames resolver(facts, &table);
  for (uint32_t i = 0; i < sink.depth(); ++i) {
    model::FrameId ids[names::MethodNames::kMaxFrames];
    const uint32_t count = resolver.Resolve(frames[i], ids);
    for (uint32_t j = 0; j < count; ++j) {
      const model::Frame& frame = table.At(ids[j]);
      names.push_back(std::string(table.String(frame.class_name)) + "." +
                      std::string(table.String(frame.method_name)) + ":" +
                      std::to_string(frame.line) + " " +
                      std::to_string(static_cast<int>(frame.kind)));
    }
  }
  return names;
}

// The row of this runtime, by its own self-check. Null, or why there is none.
extern "C" jstring Open(JNIEnv* env, jclass) {
  Check& check = TheCheck();
  const auto kernel_sigaction = os::KernelSigaction();
  if (env->GetJavaVM(&check.vm) != JNI_OK || core::InstallFaultRecovery(kernel_sigaction) != 0)
    return env->NewStringUTF("no recovery from faults");
  model::Outcome outcome = check.tap.LoadClasses(env);
  if (!outcome.ok()) return env->NewStringUTF(outcome.why.c_str());
  const os::AddressRange stack = os::MainStack();
  const walk::LayoutTable table = walk::KnownLayouts();
  for (uint32_t i = 0; i < table.count && check.right == nullptr; ++i) {
    outcome = Verify(env, table.rows[i], &check.right_facts);
    if (outcome.ok()) check.right = &table.rows[i];
  }
  if (check.right == nullptr) return env->NewStringUTF(outcome.why.c_str());
  check.right_facts.stack_low = stack.begin;
  check.right_facts.stack_high = stack.end;
  return nullptr;
}

// Start-up checks on a thread that has no frames but those of the check.
void* VerifyRows(void*) {
  Check& check = TheCheck();
  void* env = nullptr;
  if (!art::AttachAsDaemon(check.vm, &env, nullptr)) return nullptr;
  for (ShiftedRow& row : check.rows)
    row.why = Verify(static_cast<JNIEnv*>(env), row.layout, &row.facts).why;
  check.vm->DetachCurrentThread();
  return &check;
}

// Writes a line for each constant: its name, then "off" and the check that failed, or "on" and
// whether stacks are still right. `by` is added to the constant. False: the rows were not checked.
extern "C" jboolean CheckAll(JNIEnv* env, jclass, jlong by) {
  Check& check = TheCheck();
  check.rows = ShiftedRows(*check.right, static_cast<uint64_t>(by));
  pthread_t thread;
  void* verified = nullptr;
  if (pthread_create(&thread, nullptr, VerifyRows, nullptr) != 0) return JNI_FALSE;
  pthread_join(thread, &verified);
  const std::vector<std::string> truth = NamesOf(check.right_facts, env);
  for (ShiftedRow& row : check.rows) {
    if (!row.why.empty()) {
      printf("shifted %s off %s\n", row.constant, row.why.c_str());
      continue;
    }
    row.facts.stack_low = check.right_facts.stack_low;
    row.facts.stack_high = check.right_facts.stack_high;
    const bool is_right = NamesOf(row.facts, env) == truth;
    printf("shifted %s on %s\n", row.constant, is_right ? "right" : "wrong");
  }
  fflush(stdout);
  return verified != nullptr ? JNI_TRUE : JNI_FALSE;
}

// A native frame between managed ones, as many as `depth`.
extern "C" void Through(JNIEnv* env, jclass type, jint depth, jlong by) {
  env->CallStaticVoidMethod(type, env->GetStaticMethodID(type, "descend", "(IJ)V"), depth, by);
}

}  // namespace
}  // namespace stillframe

extern "C" __attribute__((visibility("default"))) void Java_ShiftedLayout_bind(JNIEnv* env,
                                                                               jclass type) {
  namespace sf = stillframe;
  const JNINativeMethod natives[] = {
      sf::art::JniMethod("open", "()Ljava/lang/String;", sf::Open),
      sf::art::JniMethod("checkAll", "(J)Z", sf::CheckAll),
      sf::art::JniMethod("through", "(IJ)V", sf::Through),
  };
  env->RegisterNatives(type, natives, sizeof natives / sizeof natives[0]);
}
