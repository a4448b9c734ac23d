// SPDX-License-Identifier: Apache-2.0
// Natives of android.* that a system server, binder, a display or an asset file would answer, as
// far as a program without them needs one. A native that is not here throws UnsatisfiedLinkError by
// its name.
// Context: any thread; a receiver of display events belongs to its Looper's thread.
#include "own_natives.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <utils/Looper.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "android_os_MessageQueue.h"
#include "android_runtime/AndroidRuntime.h"
#include "tests/testbed/native/android_classes.h"
#include "tests/testbed/native/register_natives.h"

namespace android {
namespace {

using testbed::Native;
using testbed::RegisterNatives;

constexpr jlong kNsPerSecond = 1'000'000'000;
constexpr bool kIsRelease14 = std::string_view(TESTBED_RELEASE) == "14";

jlong ReadNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return jlong{now.tv_sec} * kNsPerSecond + now.tv_nsec;
}

// --- android.os.Process

void ThrowForErrno(JNIEnv* env, int error) {
  const bool refused = error == EPERM || error == EACCES;
  env->ThrowNew(env->FindClass(refused ? "java/lang/SecurityException"
                                       : "java/lang/IllegalArgumentException"),
                std::strerror(error));
}

void SetPriorityOf(JNIEnv* env, jclass, jint tid, jint priority) {
  if (setpriority(PRIO_PROCESS, static_cast<id_t>(tid), priority) != 0) ThrowForErrno(env, errno);
}

void SetPriority(JNIEnv* env, jclass owner, jint priority) {
  SetPriorityOf(env, owner, static_cast<jint>(syscall(SYS_gettid)), priority);
}

jint GetPriority(JNIEnv* env, jclass, jint tid) {
  errno = 0;  // -1 is a priority too
  const int priority = getpriority(PRIO_PROCESS, static_cast<id_t>(tid));
  if (errno != 0) ThrowForErrno(env, errno);
  return priority;
}

jlong ElapsedCpuTime(JNIEnv*, jclass) { return ReadNs(CLOCK_PROCESS_CPUTIME_ID) / 1'000'000; }

void SetArgV0(JNIEnv*, jclass, jstring) {}
void SetThreadGroup(JNIEnv*, jclass, jint, jint) {}
void SendSignal(JNIEnv*, jclass, jint pid, jint signal) { kill(pid, signal); }

bool RegisterProcess(JNIEnv* env) {
  return RegisterNatives(
      env, "android/os/Process",
      {Native("setThreadPriority", "(II)V", SetPriorityOf),
       Native("setThreadPriority", "(I)V", SetPriority),
       Native("getThreadPriority", "(I)I", GetPriority),
       Native("setThreadGroup", "(II)V", SetThreadGroup),
       Native(kIsRelease14 ? "setArgV0Native" : "setArgV0", "(Ljava/lang/String;)V", SetArgV0),
       Native("sendSignal", "(II)V", SendSignal), Native("sendSignalQuiet", "(II)V", SendSignal),
       Native("getElapsedCpuTime", "()J", ElapsedCpuTime)});
}

// --- android.os.SystemClock: more than the imitation's. frameworks-base's own natives cannot be
// taken: they ask libutils, which reads the wall clock where it is not built for Android.

jlong CurrentThreadTimeMicro(JNIEnv*, jclass) { return ReadNs(CLOCK_THREAD_CPUTIME_ID) / 1'000; }
jlong CurrentTimeMicro(JNIEnv*, jclass) { return ReadNs(CLOCK_REALTIME) / 1'000; }
jlong UptimeNanos(JNIEnv*, jclass) { return ReadNs(CLOCK_MONOTONIC); }

bool RegisterMoreSystemClock(JNIEnv* env) {
  if (kIsRelease14 &&
      !RegisterNatives(env, "android/os/SystemClock", {Native("uptimeNanos", "()J", UptimeNanos)}))
    return false;
  return RegisterNatives(env, "android/os/SystemClock",
                         {Native("currentThreadTimeMicro", "()J", CurrentThreadTimeMicro),
                          Native("currentTimeMicro", "()J", CurrentTimeMicro)});
}

// --- android.os.SystemProperties

jstring NativeGet(JNIEnv* env, jclass, jstring key) {
  return testbed::GetProperty(env, key, env->NewStringUTF(""));
}
jlong NativeGetLong(JNIEnv* env, jclass, jstring key, jlong otherwise) {
  jstring text = testbed::GetProperty(env, key, nullptr);
  if (text == nullptr) return otherwise;
  const char* digits = env->GetStringUTFChars(text, nullptr);
  const jlong number = std::strtol(digits, nullptr, 10);
  env->ReleaseStringUTFChars(text, digits);
  return number;
}

jint NativeGetInt(JNIEnv* env, jclass owner, jstring key, jint otherwise) {
  return static_cast<jint>(NativeGetLong(env, owner, key, otherwise));
}

jboolean NativeGetBoolean(JNIEnv*, jclass, jstring, jboolean otherwise) { return otherwise; }

bool RegisterMoreSystemProperties(JNIEnv* env) {
  // It is Java's in 14.
  if (!kIsRelease14 &&
      !RegisterNatives(env, "android/os/SystemProperties",
                       {Native("native_get", "(Ljava/lang/String;)Ljava/lang/String;", NativeGet)}))
    return false;
  return RegisterNatives(
      env, "android/os/SystemProperties",
      {Native("native_get_int", "(Ljava/lang/String;I)I", NativeGetInt),
       Native("native_get_long", "(Ljava/lang/String;J)J", NativeGetLong),
       Native("native_get_boolean", "(Ljava/lang/String;Z)Z", NativeGetBoolean)});
}

// --- android.os.Binder: one process, which calls itself

jint CallingPid(JNIEnv*, jclass) { return getpid(); }
jint CallingUid(JNIEnv*, jclass) { return static_cast<jint>(getuid()); }
jlong Zero(JNIEnv*, jclass) { return 0; }
jint ZeroInt(JNIEnv*, jclass) { return 0; }
void IgnoreLong(JNIEnv*, jclass, jlong) {}
void IgnoreInt(JNIEnv*, jclass, jint) {}
void Ignore(JNIEnv*, jclass) {}
void FreeHolder(void* holder) { delete static_cast<char*>(holder); }
jlong NewHolder(JNIEnv*, jclass) { return reinterpret_cast<std::intptr_t>(new char); }
jlong Finalizer(JNIEnv*, jclass) { return reinterpret_cast<std::intptr_t>(&FreeHolder); }

jboolean No(JNIEnv*, jclass) { return JNI_FALSE; }

bool RegisterBinder(JNIEnv* env) {
  if (kIsRelease14 && !RegisterNatives(env, "android/os/Binder",
                                       {Native("hasExplicitIdentity", "()Z", No),
                                        Native("isDirectlyHandlingTransaction", "()Z", No)}))
    return false;
  return RegisterNatives(
      env, "android/os/Binder",
      {Native("getCallingPid", "()I", CallingPid), Native("getCallingUid", "()I", CallingUid),
       Native("clearCallingIdentity", "()J", Zero),
       Native("restoreCallingIdentity", "(J)V", IgnoreLong),
       Native("setThreadStrictModePolicy", "(I)V", IgnoreInt),
       Native("getThreadStrictModePolicy", "()I", ZeroInt),
       Native("flushPendingCommands", "()V", Ignore),
       Native("getNativeBBinderHolder", "()J", NewHolder),
       Native("getNativeFinalizer", "()J", Finalizer)});
}

// --- android.os.BinderProxy: its native data is a descriptor, and a byte that comes there is the
// answer

void FreeNothing(void*) {}
jlong ProxyFinalizer(JNIEnv*, jclass) { return reinterpret_cast<std::intptr_t>(&FreeNothing); }

jboolean TransactNative(JNIEnv* env, jobject proxy, jint, jobject, jobject, jint) {
  jclass type = env->GetObjectClass(proxy);
  const jlong data = env->GetLongField(proxy, env->GetFieldID(type, "mNativeData", "J"));
  env->DeleteLocalRef(type);
  char answer = 0;
  ssize_t count = 0;
  do count = read(static_cast<int>(data), &answer, 1);
  while (count < 0 && errno == EINTR);
  return count == 1 ? JNI_TRUE : JNI_FALSE;
}

bool RegisterBinderProxy(JNIEnv* env) {
  return RegisterNatives(
      env, "android/os/BinderProxy",
      {Native("getNativeFinalizer", "()J", ProxyFinalizer),
       Native("transactNative", "(ILandroid/os/Parcel;Landroid/os/Parcel;I)Z", TransactNative)});
}

// --- android.view.DisplayEventReceiver: a display of 60 Hz whose clock is a timer

constexpr jlong kFramePeriodNs = kNsPerSecond / 60;

// 14's DisplayEventReceiver.VsyncEventData: one timeline, in which the frame is shown a period
// after it begins.
jobject NewVsyncEventData(JNIEnv* env, jlong frame_time, jint frame) {
  jclass line_class =
      env->FindClass("android/view/DisplayEventReceiver$VsyncEventData$FrameTimeline");
  jclass data_class = env->FindClass("android/view/DisplayEventReceiver$VsyncEventData");
  jobject line =
      env->NewObject(line_class, env->GetMethodID(line_class, "<init>", "(JJJ)V"), jlong{frame},
                     frame_time + kFramePeriodNs, frame_time + kFramePeriodNs);
  jobjectArray lines = env->NewObjectArray(1, line_class, line);
  const jmethodID init =
      env->GetMethodID(data_class, "<init>",
                       "([Landroid/view/DisplayEventReceiver$VsyncEventData$FrameTimeline;IJ)V");
  jobject data = env->NewObject(data_class, init, lines, 0, kFramePeriodNs);
  for (jobject local : {static_cast<jobject>(lines), line, static_cast<jobject>(line_class),
                        static_cast<jobject>(data_class)})
    env->DeleteLocalRef(local);
  return data;
}

class DisplayEvents : public LooperCallback {
 public:
  DisplayEvents(JNIEnv* env, jobject receiver, const sp<Looper>& looper)
      : receiver_(env->NewGlobalRef(receiver)),
        looper_(looper),
        timer_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {}

  void Start() { looper_->addFd(timer_, 0, Looper::EVENT_INPUT, this, nullptr); }

  void Stop(JNIEnv* env) {
    looper_->removeFd(timer_);
    close(timer_);
    env->DeleteGlobalRef(receiver_);
  }

  // The next frame begins at a multiple of the period, as on a display.
  void Schedule() {
    const jlong next = (ReadNs(CLOCK_MONOTONIC) / kFramePeriodNs + 1) * kFramePeriodNs;
    itimerspec once{};
    once.it_value = {static_cast<time_t>(next / kNsPerSecond),
                     static_cast<long>(next % kNsPerSecond)};
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &once, nullptr);
    frame_time_ = next;
  }

  jobject LatestData(JNIEnv* env) const { return NewVsyncEventData(env, frame_time_, frame_); }

  int handleEvent(int, int, void*) override {
    std::uint64_t expirations = 0;
    if (read(timer_, &expirations, sizeof(expirations)) <= 0) return 1;
    JNIEnv* env = AndroidRuntime::getJNIEnv();
    jclass reference = env->FindClass("java/lang/ref/WeakReference");
    jobject receiver = env->CallObjectMethod(
        receiver_, env->GetMethodID(reference, "get", "()Ljava/lang/Object;"));
    env->DeleteLocalRef(reference);
    if (receiver == nullptr) return 0;
    Dispatch(env, receiver);
    env->DeleteLocalRef(receiver);
    return 1;
  }

 private:
  void Dispatch(JNIEnv* env, jobject receiver) {
    jclass type = env->FindClass("android/view/DisplayEventReceiver");
    const char* signature =
        kIsRelease14 ? "(JJILandroid/view/DisplayEventReceiver$VsyncEventData;)V" : "(JJI)V";
    const jmethodID dispatch = env->GetMethodID(type, "dispatchVsync", signature);
    env->DeleteLocalRef(type);
    ++frame_;
    jobject data = kIsRelease14 ? NewVsyncEventData(env, frame_time_, frame_) : nullptr;
    env->CallVoidMethod(receiver, dispatch, frame_time_, jlong{0}, frame_, data);
    env->DeleteLocalRef(data);
  }

  jobject receiver_;  // A global reference to Java's weak one.
  sp<Looper> looper_;
  int timer_;
  jlong frame_time_ = 0;
  jint frame_ = 0;
};

DisplayEvents* FromPtr(jlong ptr) { return reinterpret_cast<DisplayEvents*>(ptr); }

jlong NewDisplayEvents(JNIEnv* env, jclass, jobject receiver, jobject queue, jint, jint) {
  const sp<DisplayEvents> events = new DisplayEvents(
      env, receiver, android_os_MessageQueue_getMessageQueue(env, queue)->getLooper());
  events->incStrong(nullptr);
  events->Start();
  return reinterpret_cast<std::intptr_t>(events.get());
}

void DisposeDisplayEvents(JNIEnv* env, jclass, jlong ptr) {
  FromPtr(ptr)->Stop(env);
  FromPtr(ptr)->decStrong(nullptr);
}

void ScheduleVsync(JNIEnv*, jclass, jlong ptr) { FromPtr(ptr)->Schedule(); }

jobject LatestVsyncEventData(JNIEnv* env, jclass, jlong ptr) {
  return FromPtr(ptr)->LatestData(env);
}

bool RegisterDisplayEventReceiver(JNIEnv* env) {
  if (kIsRelease14 &&
      !RegisterNatives(
          env, "android/view/DisplayEventReceiver",
          {Native("nativeGetLatestVsyncEventData",
                  "(J)Landroid/view/DisplayEventReceiver$VsyncEventData;", LatestVsyncEventData)}))
    return false;
  return RegisterNatives(
      env, "android/view/DisplayEventReceiver",
      {Native("nativeInit", "(Ljava/lang/ref/WeakReference;Landroid/os/MessageQueue;II)J",
              NewDisplayEvents),
       Native("nativeDispose", "(J)V", DisposeDisplayEvents),
       Native("nativeScheduleVsync", "(J)V", ScheduleVsync)});
}

// --- Classes whose other side is a display server, a renderer or a resource file: their natives
// answer nothing

constexpr const char* kUnanswered[] = {
    "android.util.Log",
    "android.util.EventLog",
    "android.os.SystemProperties",
    "android.os.Debug",
    "android.os.Process",
    "android.os.Binder",
    "android.os.BinderProxy",
    "android.os.GraphicsEnvironment",
    "android.os.SELinux",
    "android.app.ActivityThread",
    "android.content.res.AssetManager",
    "android.content.res.ApkAssets",
    "android.content.res.StringBlock",
    "android.content.res.XmlBlock",
    "android.graphics.HardwareRenderer",
    "android.graphics.RenderNode",
    "android.graphics.Typeface",
    "android.graphics.Bitmap",
    "android.graphics.Paint",
    "android.graphics.BaseCanvas",
    "android.graphics.Canvas",
    "android.graphics.FontFamily",
    "android.graphics.Matrix",
    "android.view.SurfaceControl",
    "android.view.Surface",
    "com.android.internal.os.ClassLoaderFactory",
};

// For any signature: in this CPU's calling convention the caller removes the arguments.
jlong AnswerNothing(JNIEnv*) { return 0; }
// The address of an object: Java only hands it back.
jlong AnswerObject(JNIEnv*) { return 1; }

void* AnswerOf(const std::string& method) {
  const auto has = [&](const char* part) { return method.find(part) != std::string::npos; };
  if (has("inalizer") || has("FreeFunction")) return reinterpret_cast<void*>(&ProxyFinalizer);
  if (has("reate") || has("nit") || has("Load")) return reinterpret_cast<void*>(&AnswerObject);
  return reinterpret_cast<void*>(&AnswerNothing);
}

// Before the natives that answer: those take the place of these.
bool RegisterUnanswered(JNIEnv* env) {
  jclass stand_ins = env->FindClass("testbed/StandIns");
  if (stand_ins == nullptr) return false;
  const jmethodID natives_of =
      env->GetStaticMethodID(stand_ins, "nativesOf", "(Ljava/lang/String;)[Ljava/lang/String;");
  for (const char* name : kUnanswered) {
    const auto found = static_cast<jobjectArray>(
        env->CallStaticObjectMethod(stand_ins, natives_of, env->NewStringUTF(name)));
    if (found == nullptr) {  // Not every release has each class.
      env->ExceptionClear();
      continue;
    }
    std::string slashed = name;
    std::replace(slashed.begin(), slashed.end(), '.', '/');
    jclass owner = env->FindClass(slashed.c_str());
    for (jsize i = 0; i < env->GetArrayLength(found); i += 2) {
      const auto method = static_cast<jstring>(env->GetObjectArrayElement(found, i));
      const auto signature = static_cast<jstring>(env->GetObjectArrayElement(found, i + 1));
      JNINativeMethod native = {env->GetStringUTFChars(method, nullptr),
                                env->GetStringUTFChars(signature, nullptr), nullptr};
      native.fnPtr = std::strrchr(native.signature, ')')[1] == 'J'
                         ? AnswerOf(native.name)
                         : reinterpret_cast<void*>(&AnswerNothing);
      env->RegisterNatives(owner, &native, 1);
      env->ReleaseStringUTFChars(method, native.name);
      env->ReleaseStringUTFChars(signature, native.signature);
      env->DeleteLocalRef(method);
      env->DeleteLocalRef(signature);
    }
    env->DeleteLocalRef(owner);
    env->DeleteLocalRef(found);
  }
  return true;
}

jobject NoPackages(JNIEnv* env, jclass, jlong) {
  jclass type = env->FindClass("android/util/SparseArray");
  return env->NewObject(type, env->GetMethodID(type, "<init>", "()V"));
}

bool RegisterAssets(JNIEnv* env) {
  return RegisterNatives(
      env, "android/content/res/AssetManager",
      {Native("nativeGetAssignedPackageIdentifiers",
              kIsRelease14 ? "(JZZ)Landroid/util/SparseArray;" : "(J)Landroid/util/SparseArray;",
              NoPackages)});
}

}  // namespace

bool RegisterOwnNatives(JNIEnv* env) {
  return RegisterUnanswered(env) && RegisterAssets(env) && RegisterProcess(env) &&
         RegisterMoreSystemClock(env) && RegisterMoreSystemProperties(env) && RegisterBinder(env) &&
         RegisterBinderProxy(env) && RegisterDisplayEventReceiver(env);
}

}  // namespace android
