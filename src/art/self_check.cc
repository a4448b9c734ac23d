// SPDX-License-Identifier: Apache-2.0
#include "src/art/self_check.h"

#include <pthread.h>
#include <unistd.h>

#include <vector>

#include "src/art/framework_members.h"
#include "src/art/jni_method.h"
#include "src/art/monitor_owner.h"
#include "src/art/runtime_probe.h"
#include "src/names/method_names.h"
#include "src/walk/walk.h"

namespace stillframe::art {
namespace {

using model::Outcome;

constexpr uint32_t kMaxDepth = 64;
constexpr uint32_t kMinFrames = 7;  // compare, leaf, callBack, 4 x descend, run

// Facts with this thread's own stack, for the natives. Only the thread that runs the check accesses
// them.
walk::RuntimeFacts* g_facts = nullptr;

struct ExpectedFrame {
  std::string class_name;
  std::string method_name;
  std::string source_file;
  int32_t line;
};

std::string TextOf(JNIEnv* env, jobject object, jmethodID getter) {
  auto string = static_cast<jstring>(env->CallObjectMethod(object, getter));
  if (string == nullptr) return "";
  const char* chars = env->GetStringUTFChars(string, nullptr);
  std::string text = chars != nullptr ? chars : "";
  if (chars != nullptr) env->ReleaseStringUTFChars(string, chars);
  env->DeleteLocalRef(string);
  return text;
}

std::vector<ExpectedFrame> ExpectedFrames(JNIEnv* env, jobjectArray elements) {
  jclass type = env->FindClass(framework::kStackElement);
  const auto find = [env, type](framework::Method row) {
    return env->ExceptionCheck() ? nullptr : IdOf(env, type, row);
  };
  const jmethodID class_name = find(framework::kElementClass);
  const jmethodID method_name = find(framework::kElementMethod);
  const jmethodID file_name = find(framework::kElementFile);
  const jmethodID line = find(framework::kElementLine);
  std::vector<ExpectedFrame> frames;
  const jsize count = env->ExceptionCheck() ? 0 : env->GetArrayLength(elements);
  env->ExceptionClear();
  for (jsize i = 0; i < count; ++i) {
    jobject element = env->GetObjectArrayElement(elements, i);
    frames.push_back({TextOf(env, element, class_name), TextOf(env, element, method_name),
                      TextOf(env, element, file_name), env->CallIntMethod(element, line)});
    env->DeleteLocalRef(element);
  }
  return frames;
}

std::string Difference(const std::vector<ExpectedFrame>& expected, const core::RawFrame* walked,
                       uint32_t depth, core::Truncation truncation) {
  if (truncation != core::Truncation::kNone)
    return std::string("the walk was truncated: ") + core::TruncationName(truncation);
  model::FrameTable table;
  names::MethodNames names(*g_facts, &table);
  std::vector<model::FrameId> resolved;
  for (uint32_t i = 0; i < depth; ++i) {
    model::FrameId ids[names::MethodNames::kMaxFrames];
    resolved.insert(resolved.end(), ids, ids + names.Resolve(walked[i], ids));
  }
  // The walk also sees the comparing native method.
  if (resolved.size() != expected.size() + 1 || resolved.size() < kMinFrames) {
    return "the walk found " + std::to_string(resolved.size()) + " frames, ART " +
           std::to_string(expected.size() + 1);
  }
  for (uint32_t i = 0; i < expected.size(); ++i) {
    const model::Frame& frame = table.At(resolved[i + 1]);
    const ExpectedFrame& want = expected[i];
    if (table.String(frame.class_name) != want.class_name ||
        table.String(frame.method_name) != want.method_name ||
        (!want.source_file.empty() && table.String(frame.source_file) != want.source_file) ||
        frame.line != want.line) {
      return "frame " + std::to_string(i) + " is " + std::string(table.String(frame.class_name)) +
             "." + std::string(table.String(frame.method_name)) + ":" + std::to_string(frame.line) +
             " by the walk and " + want.class_name + "." + want.method_name + ":" +
             std::to_string(want.line) + " by ART";
    }
  }
  return "";
}

// Gives a locked object a monitor by asking for its hash: the lock word cannot hold both (ART 8.0
// to 16 runtime/mirror/object.cc, IdentityHashCode).
bool ReleaseMonitor(JNIEnv* env, jobject object) {
  jclass type = env->FindClass(framework::kSystem);
  const jmethodID hash = type == nullptr ? nullptr : IdOf(env, type, framework::kIdentityHash);
  if (hash != nullptr) env->CallStaticIntMethod(type, hash, object);
  const bool failed = env->ExceptionCheck();
  env->ExceptionClear();
  return hash != nullptr && !failed;
}

// `argument`, of a native method, is the address of a 32-bit reference (ART 10, 11 and 14
// runtime/entrypoints/quick/quick_trampoline_entrypoints.cc, BuildGenericJniFrameVisitor). If it is
// not, owners of monitors stay unknown; nothing else is affected.
void ProbeMonitorOf(JNIEnv* env, jobject argument) {
  JavaVM* vm = nullptr;
  uintptr_t runtime = 0;
  const auto reference = reinterpret_cast<uintptr_t>(argument);
  if (reference % 4 != 0 || env->GetJavaVM(&vm) != JNI_OK ||
      !walk::LoadPointer(reinterpret_cast<uintptr_t>(vm) + g_facts->layout->vm_runtime, &runtime) ||
      env->MonitorEnter(argument) != JNI_OK)
    return;
  // The garbage collector may move the object between two loads.
  constexpr int kTries = 3;
  bool is_done = !ReleaseMonitor(env, argument);
  for (int i = 0; i < kTries && !is_done; ++i) {
    uint32_t object = 0;
    is_done =
        arch::GuardedLoad32(reference, &object) &&
        ProbeMonitors(runtime, RuntimeThreadOf(*g_facts->layout, env), gettid(), object, g_facts);
  }
  env->MonitorExit(argument);
}

extern "C" JNIEXPORT jstring Compare(JNIEnv* env, jclass, jobjectArray elements) {
  ProbeGenericJni(reinterpret_cast<uintptr_t>(__builtin_return_address(0)) - 1, g_facts);
  core::RawFrame walked[kMaxDepth];
  core::FrameSink sink(walked, 0, UINT64_MAX, kMaxDepth);
  const uint8_t state =
      walk::WalkManagedStack(g_facts, RuntimeThreadOf(*g_facts->layout, env), nullptr, &sink);
  std::string difference =
      Difference(ExpectedFrames(env, elements), walked, sink.depth(), sink.truncation());
  if (g_facts->layout->state_name(state) != model::ThreadState::kNative)
    difference = "the state of a thread in native code reads as " + std::to_string(state);
  if (difference.empty()) ProbeMonitorOf(env, elements);
  return difference.empty() ? nullptr : env->NewStringUTF(difference.c_str());
}

extern "C" JNIEXPORT jstring CallBack(JNIEnv* env, jclass self_check) {
  const jmethodID leaf = env->GetStaticMethodID(self_check, "leaf", "()Ljava/lang/String;");
  if (leaf == nullptr) return nullptr;
  return static_cast<jstring>(env->CallStaticObjectMethod(self_check, leaf));
}

bool OwnStack(walk::RuntimeFacts* facts) {
  pthread_attr_t attributes;
  void* low = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  const bool ok = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  facts->stack_low = reinterpret_cast<uintptr_t>(low);
  facts->stack_high = facts->stack_low + size;
  return ok;
}

Outcome Differs(const char* why) { return {model::Status::kUnavailable, why}; }

}  // namespace

Outcome RunSelfCheck(JNIEnv* env, jclass self_check, walk::RuntimeFacts* facts) {
  walk::RuntimeFacts own;
  if (!OwnStack(&own)) return Differs("the checking thread's own stack is not known");
  if (facts->layout->state_name(facts->layout->state_runnable) != model::ThreadState::kRunnable)
    return Differs("the layout's number of the runnable state has another name");
  g_facts = &own;
  const JNINativeMethod natives[] = {
      JniMethod("callBack", "()Ljava/lang/String;", CallBack),
      JniMethod("compare", "([Ljava/lang/StackTraceElement;)Ljava/lang/String;", Compare),
  };
  const jmethodID run = env->GetStaticMethodID(self_check, "run", "()Ljava/lang/String;");
  const jmethodID made = run != nullptr ? env->GetMethodID(self_check, "<init>", "()V") : nullptr;
  const jmethodID never =
      made != nullptr ? env->GetMethodID(self_check, "neverCalled", "()V") : nullptr;
  if (never == nullptr || env->RegisterNatives(self_check, natives, 2) != JNI_OK) {
    env->ExceptionClear();
    return Differs("the check's classes do not fit this runtime");
  }
  ProbeCode(MethodOf(env, self_check, made), MethodOf(env, self_check, never), facts);
  const uintptr_t low = own.stack_low;
  const uintptr_t high = own.stack_high;
  own = *facts;
  own.stack_low = low;
  own.stack_high = high;
  auto difference = static_cast<jstring>(env->CallStaticObjectMethod(self_check, run));
  if (env->ExceptionCheck()) {
    env->ExceptionClear();
    return Differs("an exception left the check");
  }
  if (difference == nullptr) {
    facts->monitors = own.monitors;
    facts->generic_jni_begin = own.generic_jni_begin;
    facts->generic_jni_end = own.generic_jni_end;
    return {};
  }
  const char* text = env->GetStringUTFChars(difference, nullptr);
  Outcome outcome = Differs(text != nullptr ? text : "the stacks differ");
  if (text != nullptr) env->ReleaseStringUTFChars(difference, text);
  return outcome;
}

}  // namespace stillframe::art
