// SPDX-License-Identifier: Apache-2.0
#include "src/tap/tap.h"

#include <atomic>
#include <iterator>

#include "src/art/framework_members.h"
#include "src/art/jni_method.h"
#include "src/core/clock.h"
#include "src/os/duration.h"

namespace stillframe::tap {
namespace {

namespace framework = art::framework;
using framework::Threw;
using model::Outcome;
using model::Status;

// Built from src/tap/java by tools/setup/tap-dex. A test checks that a rebuild gives the same
// bytes.
constexpr uint8_t kTapDex[] = {
#if defined(STILLFRAME_NO_HIDDEN_API)
#include "src/tap/public_dex.inc"  // without the Observer
#else
#include "src/tap/tap_dex.inc"
#endif
};

constexpr uint32_t kIndexShift = 8;      // Tap.INDEX_SHIFT
constexpr uint32_t kIdentify = 1U << 3;  // Tap.IDENTIFY

// Probe.java: results of Probe.send.
constexpr jint kProbeNoLooper = 0;
constexpr jint kProbeWaiting = 1;
constexpr jint kProbeRefused = 3;

// The process's Loopers, which the taps call. Set by the collector before a tap is in force
// (release); read by Loopers' threads (acquire).
std::atomic<WatchedLoopers*> g_loopers{nullptr};

WatchedLoopers* Loopers() { return g_loopers.load(std::memory_order_acquire); }

// Null on a thread that is not watched.
Recorder* CurrentRecorder() { return Loopers()->Current(); }

// The first characters of a string in modified UTF-8, without allocation; "" for null.
class Chars {
 public:
  Chars(JNIEnv* env, jstring string) {
    if (string == nullptr) return;
    const jsize units = env->GetStringLength(string);
    env->GetStringUTFRegion(string, 0, units < kMaxUnits ? units : kMaxUnits, chars_);
  }
  const char* get() const { return chars_; }

 private:
  static constexpr jsize kMaxUnits = 512;
  char chars_[3 * kMaxUnits + 1] = {};  // a unit takes at most three bytes
};

// @CriticalNative: no JNIEnv, no class.
void TapBegin(jint tap) {
  if (Recorder* recorder = CurrentRecorder()) recorder->Begin(static_cast<uint32_t>(tap));
}

jint TapEnd(jint tap) {
  WatchedLoopers* loopers = Loopers();
  Recorder* recorder = loopers->Current();
  if (recorder == nullptr) return 0;
  uint32_t ended = recorder->End(static_cast<uint32_t>(tap));
  if (ended == 0) return 0;
  if (ended != Recorder::kEnded || recorder->IdentityIsOld())
    ended |= kIdentify;
  else if (!recorder->LastMayBeFrame())
    return 0;
  return static_cast<jint>(ended | loopers->CurrentIndex() << kIndexShift);
}

void TapFrame(jlong when_ms) {
  if (Recorder* recorder = CurrentRecorder()) recorder->MarkFrame(when_ms);
}

void TapDescribeRun(JNIEnv* env, jclass, jstring target, jstring callback, jint what) {
  if (Recorder* recorder = CurrentRecorder())
    recorder->DescribeRun(Chars(env, target).get(), Chars(env, callback).get(), what);
}

void TapDescribe(JNIEnv* env, jclass, jstring target, jstring callback, jint what, jlong when_ms,
                 jboolean threw) {
  if (Recorder* recorder = CurrentRecorder()) {
    recorder->Describe(Chars(env, target).get(), Chars(env, callback).get(), what, when_ms,
                       threw != JNI_FALSE);
  }
}

void TapDescribeText(JNIEnv* env, jclass, jstring dispatching, jboolean is_run) {
  if (Recorder* recorder = CurrentRecorder())
    recorder->DescribeText(Chars(env, dispatching).get(), is_run != JNI_FALSE);
}

// A natively attached thread never returns to a caller that would free its local references.
class LocalFrame {
 public:
  explicit LocalFrame(JNIEnv* env) : env_(env) { env->PushLocalFrame(32); }
  ~LocalFrame() { env_->PopLocalFrame(nullptr); }
  LocalFrame(const LocalFrame&) = delete;
  LocalFrame& operator=(const LocalFrame&) = delete;

 private:
  JNIEnv* env_;
};

template <typename Reference>
Reference Global(JNIEnv* env, Reference local) {
  return static_cast<Reference>(env->NewGlobalRef(local));
}

constexpr const char* kNoLooper = "no android.os.Looper in this process";

Outcome Unavailable(const char* why) { return {Status::kUnavailable, why}; }

}  // namespace

const char* TapName(TapKind kind) {
  switch (kind) {
    case TapKind::kNone: return "none";
    case TapKind::kObserver: return "observer";
    case TapKind::kPrinter: return "printer";
    case TapKind::kProbe: return "probe";
  }
  return "unknown";
}

const char* TapLosses(TapKind kind) {
  switch (kind) {
    case TapKind::kNone: return "no message is seen";
    case TapKind::kObserver: return "";
    case TapKind::kPrinter:
      return "Loopers beside the main one are not seen, nor due times of messages";
    case TapKind::kProbe:
      return "hangs are found by a look every 100 ms; Loopers beside the main one are not seen, "
             "nor quick messages, due times and frames";
  }
  return "";
}

Outcome Tap::LoadClasses(JNIEnv* env) {
  constexpr const char* kNoLoader =
      "the tap's classes cannot be loaded: no dalvik.system.InMemoryDexClassLoader (API 26 and "
      "later)";
  constexpr const char* kRefused =
      "the tap's classes cannot be loaded: the class loader refused them";
  jclass type = env->FindClass(framework::kDexLoader);
  if (Threw(env) || type == nullptr) return Unavailable(kNoLoader);
  const jmethodID constructor = IdOf(env, type, framework::kNewDexLoader);
  if (Threw(env) || constructor == nullptr) return Unavailable(kNoLoader);
  // The class loader copies the bytes; it does not write to them.
  jobject buffer = env->NewDirectByteBuffer(const_cast<uint8_t*>(kTapDex), sizeof kTapDex);
  if (Threw(env) || buffer == nullptr) return Unavailable(kRefused);
  jobject loader = env->NewObject(type, constructor, buffer, nullptr);
  if (Threw(env) || loader == nullptr) return Unavailable(kRefused);
  loader_ = env->NewGlobalRef(loader);
  self_check_ = LoadClass(env, "stillframe.SelfCheck");
  if (self_check_ == nullptr || !RegisterNatives(env)) return Unavailable(kRefused);
  probe_class_ = LoadClass(env, "stillframe.Probe");
  return {};
}

jclass Tap::LoadClass(JNIEnv* env, const char* name) const {
  const jmethodID load = IdByObject(env, loader_, framework::kLoadClass);
  if (Threw(env) || load == nullptr) return nullptr;
  jstring string = env->NewStringUTF(name);
  jobject loaded = env->CallObjectMethod(loader_, load, string);
  if (Threw(env) || loaded == nullptr) return nullptr;
  return static_cast<jclass>(env->NewGlobalRef(loaded));
}

bool Tap::RegisterNatives(JNIEnv* env) {
  const JNINativeMethod natives[] = {
      art::JniMethod("begin", "(I)V", TapBegin),
      art::JniMethod("end", "(I)I", TapEnd),
      art::JniMethod("frame", "(J)V", TapFrame),
      art::JniMethod("describeRun", "(Ljava/lang/String;Ljava/lang/String;I)V", TapDescribeRun),
      art::JniMethod("describe", "(Ljava/lang/String;Ljava/lang/String;IJZ)V", TapDescribe),
      art::JniMethod("describeText", "(Ljava/lang/String;Z)V", TapDescribeText),
  };
  jclass tap = LoadClass(env, "stillframe.Tap");
  if (tap == nullptr) return false;
  const bool ok = env->RegisterNatives(tap, natives, std::size(natives)) == JNI_OK;
  if (Threw(env) || !ok) return false;
  SetFrameClass(env, tap);
  return true;
}

// The callback of a frame's message (AOSP 8-14, core/java/android/view/Choreographer.java).
void Tap::SetFrameClass(JNIEnv* env, jclass tap) const {
  jclass callback = framework::ClassOrNull(env, framework::kFrameCallback);
  if (callback == nullptr) return;
  const jfieldID field = env->GetStaticFieldID(tap, "frameCallback", "Ljava/lang/Class;");
  if (!Threw(env) && field != nullptr) env->SetStaticObjectField(tap, field, callback);
}

Outcome Tap::Install(JNIEnv* env, TapKind kind, WatchedLoopers* loopers) {
  const LocalFrame frame(env);
  g_loopers.store(loopers, std::memory_order_release);
  if (looper_class_ == nullptr) {
    jclass looper = env->FindClass(framework::kLooper);
    if (Threw(env) || looper == nullptr) return Unavailable(kNoLooper);
    looper_class_ = Global(env, looper);
  }
  // The new number is in force before the new tap, so at most one message is missed.
  const uint32_t before = number_;
  ++number_;
  Outcome outcome = InstallKind(env, kind);
  if (outcome.ok()) {
    kind_ = kind;
  } else {
    number_ = before;
    // A Printer that a probe is about to set counts from its first message on.
    const bool is_on_its_way = outcome.status == Status::kTooEarly && kind_ == TapKind::kNone;
    if (!is_on_its_way) Loopers()->SetActiveTap(before);
  }
  return outcome;
}

Outcome Tap::InstallKind(JNIEnv* env, TapKind kind) {
  switch (kind) {
    case TapKind::kNone: break;
    case TapKind::kObserver: return InstallObserver(env);
    case TapKind::kPrinter: return InstallPrinter(env);
    case TapKind::kProbe: return InstallProbe(env);
  }
  return Unavailable("no kind of tap");
}

Outcome Tap::InstallObserver(JNIEnv* env) {
  constexpr const char* kNoObserver = "no Looper.Observer on this platform";
  const jfieldID field = IdOf(env, looper_class_, framework::kObserver);
  if (Threw(env) || field == nullptr) return Unavailable(kNoObserver);
  jclass type = LoadClass(env, "stillframe.ObserverTap");
  if (type == nullptr) return Unavailable(kNoObserver);
  const jmethodID constructor =
      env->GetMethodID(type, "<init>", "(ILandroid/os/Looper$Observer;)V");
  if (Threw(env) || constructor == nullptr) return Unavailable(kNoObserver);
  jobject before = env->GetStaticObjectField(looper_class_, field);
  jobject observer = env->NewObject(type, constructor, static_cast<jint>(number_), before);
  if (Threw(env) || observer == nullptr) return Unavailable(kNoObserver);
  Loopers()->SetActiveTap(number_);
  env->SetStaticObjectField(looper_class_, field, observer);
  if (Threw(env)) return Unavailable(kNoObserver);
  place_ = field;
  installed_ = env->NewGlobalRef(observer);
  return {};
}

Outcome Tap::FindMainLooper(JNIEnv* env, jobject* main) const {
  const jmethodID get_main = IdOf(env, looper_class_, framework::kGetMainLooper);
  if (Threw(env) || get_main == nullptr) return Unavailable(kNoLooper);
  *main = env->CallStaticObjectMethod(looper_class_, get_main);
  if (Threw(env)) return Unavailable(kNoLooper);
  if (*main == nullptr) return {Status::kTooEarly, "no main Looper yet"};
  return {};
}

Outcome Tap::InstallPrinter(JNIEnv* env) {
  constexpr const char* kNoPrinter = "the printer tap's class does not fit this platform";
  const jfieldID logging = IdOf(env, looper_class_, framework::kLogging);
  if (Threw(env) || logging == nullptr) return InstallPrinterByProbe(env);
  jobject main = nullptr;
  Outcome found = FindMainLooper(env, &main);
  if (!found.ok()) return found;
  if (main_looper_ == nullptr) main_looper_ = env->NewGlobalRef(main);
  Loopers()->SetActiveTap(number_);
  jobject printer = PutPrinterOn(env, main);
  if (printer == nullptr) return Unavailable(kNoPrinter);
  place_ = logging;
  installed_ = printer;
  return {};
}

// The place cannot be read. A message of ours finds out whether it is free, and sets the Printer.
Outcome Tap::InstallPrinterByProbe(JNIEnv* env) {
  Loopers()->SetActiveTap(number_);
  const jint state = Send(env, number_, true);
  if (state == kProbeNoLooper) return {Status::kTooEarly, "no main Looper yet"};
  if (state == kProbeWaiting) return {Status::kTooEarly, "the main Looper runs another message"};
  if (state == kProbeRefused) {
    return Unavailable(
        "Looper.mLogging cannot be read, and the Looper has a Printer already, which stays");
  }
  place_ = nullptr;
  return {};
}

Outcome Tap::InstallProbe(JNIEnv* env) {
  Loopers()->SetActiveTap(number_);
  const jint state = Send(env, number_, false);
  if (state == kProbeNoLooper) return {Status::kTooEarly, "no main Looper yet"};
  if (state == kProbeRefused) return Unavailable("the main Looper takes no messages");
  place_ = nullptr;
  return {};
}

bool Tap::has_lost_probe() const {
  constexpr uint64_t kLostNs = 20 * os::kNsPerMs;  // longer than a message takes to wake the thread
  return sent_ns_ != 0 && poll_ns_ > sent_ns_ + kLostNs;
}

// kProbeRefused also if the class does not fit the platform.
jint Tap::Send(JNIEnv* env, uint32_t number, bool with_printer) {
  if (probe_class_ == nullptr) return kProbeRefused;
  const jmethodID send = env->GetStaticMethodID(probe_class_, "send", "(IZZ)I");
  if (Threw(env) || send == nullptr) return kProbeRefused;
  const bool is_lost = has_lost_probe();
  const jint state =
      env->CallStaticIntMethod(probe_class_, send, static_cast<jint>(number),
                               static_cast<jboolean>(with_printer), static_cast<jboolean>(is_lost));
  const bool was_sent = state != kProbeNoLooper && (state != kProbeWaiting || is_lost);
  if (was_sent || (state == kProbeWaiting && sent_ns_ == 0)) sent_ns_ = core::MonotonicNs();
  return Threw(env) ? kProbeRefused : state;
}

jobject Tap::PutPrinterOn(JNIEnv* env, jobject looper) {
  const jfieldID logging = IdOf(env, looper_class_, framework::kLogging);
  if (Threw(env) || logging == nullptr) return nullptr;
  const jmethodID set_printer = IdOf(env, looper_class_, framework::kSetLogging);
  if (Threw(env) || set_printer == nullptr) return nullptr;
  jclass type = LoadClass(env, "stillframe.PrinterTap");
  if (type == nullptr) return nullptr;
  const jmethodID constructor = env->GetMethodID(type, "<init>", "(ILandroid/util/Printer;)V");
  if (Threw(env) || constructor == nullptr) return nullptr;
  jobject before = env->GetObjectField(looper, logging);
  jobject printer = env->NewObject(type, constructor, static_cast<jint>(number_), before);
  if (Threw(env) || printer == nullptr) return nullptr;
  env->CallVoidMethod(looper, set_printer, printer);
  if (Threw(env)) return nullptr;
  return env->NewGlobalRef(printer);
}

bool Tap::IsInForce(JNIEnv* env) {
  const LocalFrame frame(env);
  if (is_blind()) {
    const jint state = Send(env, number_, true);
    lacks_answer_ = state == kProbeWaiting;
    return state != kProbeRefused;
  }
  jobject holder = nullptr;
  switch (kind_) {
    case TapKind::kNone: return false;
    case TapKind::kProbe: return true;
    case TapKind::kObserver: holder = env->GetStaticObjectField(looper_class_, place_); break;
    case TapKind::kPrinter: holder = env->GetObjectField(main_looper_, place_); break;
  }
  return env->IsSameObject(holder, installed_) == JNI_TRUE;
}

}  // namespace stillframe::tap
