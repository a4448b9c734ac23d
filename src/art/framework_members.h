// SPDX-License-Identifier: Apache-2.0
// Everything that the library looks up, calls or expects in Android's framework and class library:
// one row each. tests/framework compares the rows with the real classes of each release, and makes
// docs/reference/framework.md of them.
//
// A class: its name here and in JNI, the API levels that have it, what it is for, and what happens
// without it. A member: its name here, its kind, its class, name and JNI type, and the same. An
// "until" of 0 means that the newest known release has it. Only names and types reach the binary.
// Rows with HIDDEN are not in the public API (AOSP 14 core/api/current.txt). In a build with
// STILLFRAME_HIDDEN_API=OFF they are empty, and what they name counts as absent.
// Context: any thread
#pragma once

#include <jni.h>

namespace stillframe::art::framework {

// Two pointers and no third, and passed by value, so that a row needs no relocations of its own.
struct Member {
  const char* owner;  // class
  const char* text;   // name and type
  const char* name() const { return text; }
  const char* type() const { return text + __builtin_strlen(text) + 1; }
};
struct Field : Member {};
struct StaticField : Member {};
struct Method : Member {};
struct StaticMethod : Member {};

#if defined(STILLFRAME_NO_HIDDEN_API)
constexpr bool IsEmpty(const char* text) { return *text == '\0'; }
#else
constexpr bool IsEmpty(const char*) { return false; }
#endif

// True, with the exception that ART leaves, for an empty row.
inline bool Refuses(JNIEnv* env, Member member) {
  if (!IsEmpty(member.text)) return false;
  env->ThrowNew(env->FindClass("java/lang/NoSuchFieldError"), "");
  return true;
}

// Null, with an exception pending, if the member is absent or refused. `type` is the owner or a
// class below it.
inline jfieldID IdOf(JNIEnv* env, jclass type, Field field) {
  return Refuses(env, field) ? nullptr : env->GetFieldID(type, field.name(), field.type());
}
inline jfieldID IdOf(JNIEnv* env, jclass type, StaticField field) {
  return Refuses(env, field) ? nullptr : env->GetStaticFieldID(type, field.name(), field.type());
}
inline jmethodID IdOf(JNIEnv* env, jclass type, Method method) {
  return Refuses(env, method) ? nullptr : env->GetMethodID(type, method.name(), method.type());
}
inline jmethodID IdOf(JNIEnv* env, jclass type, StaticMethod method) {
  return Refuses(env, method) ? nullptr
                              : env->GetStaticMethodID(type, method.name(), method.type());
}

// Clears a pending exception; false without one.
inline bool Threw(JNIEnv* env) {
  if (!env->ExceptionCheck()) return false;
  env->ExceptionClear();
  return true;
}

// Null, without an exception, for a class or member that is absent or refused, and for a member of
// such a class.
inline jclass ClassOrNull(JNIEnv* env, const char* name) {
  if (IsEmpty(name)) return nullptr;
  jclass found = env->FindClass(name);
  return Threw(env) ? nullptr : found;
}
template <typename Kind>
auto IdOrNull(JNIEnv* env, jclass type, Kind member) -> decltype(IdOf(env, type, member)) {
  if (type == nullptr) return nullptr;
  const auto id = IdOf(env, type, member);
  return Threw(env) ? nullptr : id;
}

// As IdOf, by an object of the class.
template <typename Kind>
auto IdByObject(JNIEnv* env, jobject object, Kind member) {
  return IdOf(env, env->GetObjectClass(object), member);
}

#define SF_CLASS(name, java, since, until, purpose, absence) inline constexpr char name[] = java
#define SF_MEMBER(name, kind, owner, member, type, since, until, purpose, absence) \
  inline constexpr kind name = {{owner, member "\0" type}}
#if defined(STILLFRAME_NO_HIDDEN_API)
#define SF_HIDDEN_CLASS(name, java, since, until, purpose, absence) \
  inline constexpr char name[] = ""
#define SF_HIDDEN_MEMBER(name, kind, owner, member, type, since, until, purpose, absence) \
  inline constexpr kind name = {{owner, ""}}
#else
#define SF_HIDDEN_CLASS SF_CLASS
#define SF_HIDDEN_MEMBER SF_MEMBER
#endif
// Used by the tap's Java classes, or by its name in stacks and messages: nothing to look up.
#define SF_NAMED_CLASS(java, since, until, purpose, absence) static_assert(true)
#define SF_NAMED_MEMBER(kind, owner, member, type, since, until, purpose, absence) \
  static_assert(true)
#define SF_HIDDEN_NAMED_CLASS SF_NAMED_CLASS
#define SF_HIDDEN_NAMED_MEMBER SF_NAMED_MEMBER

// Taps.
SF_CLASS(kDexLoader, "dalvik/system/InMemoryDexClassLoader", 26, 0, "loads the tap's classes",
         "no tap");
SF_MEMBER(kNewDexLoader, Method, kDexLoader, "<init>",
          "(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V", 26, 0, "loads the tap's classes",
          "no tap");
SF_CLASS(kClassLoader, "java/lang/ClassLoader", 26, 0, "finds the tap's classes", "no tap");
SF_MEMBER(kLoadClass, Method, kClassLoader, "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;",
          26, 0, "finds the tap's classes", "no tap");
SF_CLASS(kLooper, "android/os/Looper", 26, 0, "the taps' place", "no tap and no queue");
SF_HIDDEN_MEMBER(kObserver, StaticField, kLooper, "sObserver", "Landroid/os/Looper$Observer;", 29,
                 0, "holds the Observer tap", "Printer tap");
SF_HIDDEN_CLASS(kLooperObserver, "android/os/Looper$Observer", 29, 0,
                "interface of the Observer tap", "Printer tap");
SF_HIDDEN_NAMED_MEMBER(Method, kLooperObserver, "messageDispatchStarting", "()Ljava/lang/Object;",
                       29, 0, "begin of a message", "Printer tap");
SF_HIDDEN_NAMED_MEMBER(Method, kLooperObserver, "messageDispatched",
                       "(Ljava/lang/Object;Landroid/os/Message;)V", 29, 0, "end of a message",
                       "Printer tap");
SF_HIDDEN_NAMED_MEMBER(Method, kLooperObserver, "dispatchingThrewException",
                       "(Ljava/lang/Object;Landroid/os/Message;Ljava/lang/Exception;)V", 29, 0,
                       "end of a message by an exception", "Printer tap");
SF_HIDDEN_MEMBER(kLogging, Field, kLooper, "mLogging", "Landroid/util/Printer;", 26, 0,
                 "the application's own Printer, and whether ours is in force",
                 "Printer tap only where a probe finds no other Printer");
SF_MEMBER(kSetLogging, Method, kLooper, "setMessageLogging", "(Landroid/util/Printer;)V", 26, 0,
          "sets the Printer tap", "probe");
SF_CLASS(kPrinter, "android/util/Printer", 26, 0, "interface of the Printer tap", "no Printer tap");
SF_NAMED_MEMBER(Method, kPrinter, "println", "(Ljava/lang/String;)V", 26, 0,
                "begin and end of a message", "no Printer tap");
SF_MEMBER(kGetMainLooper, StaticMethod, kLooper, "getMainLooper", "()Landroid/os/Looper;", 26, 0,
          "the Looper of tap and queue", "no queue");
SF_HIDDEN_CLASS(kFrameCallback, "android/view/Choreographer$FrameDisplayEventReceiver", 26, 0,
                "callback of a frame's message", "no frames");
SF_HIDDEN_NAMED_CLASS("android/view/Choreographer$FrameHandler", 26, 0,
                      "target of a frame's message, in the Printer's text",
                      "no frames with the Printer tap");

// Messages: Printer and Observer taps, queue.
SF_CLASS(kMessage, "android/os/Message", 26, 0, "messages", "queue read by Looper.dump");
SF_NAMED_MEMBER(Method, kMessage, "getTarget", "()Landroid/os/Handler;", 26, 0,
                "identity of a message", "no Observer tap");
SF_NAMED_MEMBER(Method, kMessage, "getCallback", "()Ljava/lang/Runnable;", 26, 0,
                "identity of a message", "no Observer tap");
SF_NAMED_MEMBER(Method, kMessage, "getWhen", "()J", 26, 0, "due time of a message",
                "no Observer tap");
SF_MEMBER(kMessageWhat, Field, kMessage, "what", "I", 26, 0, "identity of a message",
          "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageNext, Field, kMessage, "next", "Landroid/os/Message;", 26, 0,
                 "next message of the queue", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageWhen, Field, kMessage, "when", "J", 26, 0, "due time of a message",
                 "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageTarget, Field, kMessage, "target", "Landroid/os/Handler;", 26, 0,
                 "null for a barrier", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageCallback, Field, kMessage, "callback", "Ljava/lang/Runnable;", 26, 0,
                 "identity of a message", "queue read by Looper.dump");
SF_MEMBER(kMessageObject, Field, kMessage, "obj", "Ljava/lang/Object;", 26, 0,
          "component of a system message", "queue read by Looper.dump");
SF_MEMBER(kMessageArg1, Field, kMessage, "arg1", "I", 26, 0, "argument of a message",
          "queue read by Looper.dump");
SF_MEMBER(kMessageArg2, Field, kMessage, "arg2", "I", 26, 0, "argument of a message",
          "queue read by Looper.dump");
SF_MEMBER(kIsAsynchronous, Method, kMessage, "isAsynchronous", "()Z", 26, 0,
          "whether a barrier holds the message", "queue read by Looper.dump");
SF_CLASS(kHandler, "android/os/Handler", 26, 0, "target of a message", "no tap and no queue");

// The probe, a message of ours.
SF_NAMED_MEMBER(Method, kHandler, "<init>", "(Landroid/os/Looper;)V", 26, 0, "its target",
                "no probe");
SF_NAMED_MEMBER(Method, kHandler, "sendMessageAtFrontOfQueue", "(Landroid/os/Message;)Z", 26, 0,
                "puts it at the head of the queue", "no probe");
SF_NAMED_MEMBER(StaticMethod, kMessage, "obtain", "(Landroid/os/Handler;)Landroid/os/Message;", 26,
                0, "makes it", "no probe");
SF_NAMED_MEMBER(Method, kMessage, "setAsynchronous", "(Z)V", 26, 0, "lets it pass barriers",
                "no probe");

// The queue.
SF_MEMBER(kGetQueue, Method, kLooper, "getQueue", "()Landroid/os/MessageQueue;", 26, 0, "the queue",
          "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kLooperQueue, Field, kLooper, "mQueue", "Landroid/os/MessageQueue;", 26, 0,
                 "head of the queue, without JNI", "no late messages and no barrier without a tap");
SF_HIDDEN_MEMBER(kMainLooper, StaticField, kLooper, "sMainLooper", "Landroid/os/Looper;", 26, 0,
                 "head of the queue, and the main thread",
                 "no late messages and no barrier without a tap");
SF_HIDDEN_MEMBER(kLooperThread, Field, kLooper, "mThread", "Ljava/lang/Thread;", 26, 0,
                 "the main thread", "main thread by its kernel id");
SF_CLASS(kMessageQueue, "android/os/MessageQueue", 26, 0, "the queue", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kQueueMessages, Field, kMessageQueue, "mMessages", "Landroid/os/Message;", 26, 0,
                 "head of the queue", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kPollOnce, Method, kMessageQueue, "nativePollOnce", "(JI)V", 26, 0,
                 "whether the main thread polls", "the poll known by its name in the stack");

// The queue of Android 16.
SF_HIDDEN_MEMBER(kQueueSet, Field, kMessageQueue, "mPriorityQueue",
                 "Ljava/util/concurrent/ConcurrentSkipListSet;", 36, 36, "messages in order",
                 "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kQueueAsyncSet, Field, kMessageQueue, "mAsyncPriorityQueue",
                 "Ljava/util/concurrent/ConcurrentSkipListSet;", 36, 36,
                 "asynchronous messages in order", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kQueueState, Field, kMessageQueue, "mStateValue",
                 "Landroid/os/MessageQueue$StackNode;", 36, 36,
                 "messages that are not in order yet", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kQueueDraining, Field, kMessageQueue, "mNextIsDrainingStack", "Z", 36, 36,
                 "whether messages are being put in order", "queue read by Looper.dump");
SF_HIDDEN_CLASS(kMessageNode, "android/os/MessageQueue$MessageNode", 36, 36, "place of a message",
                "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kNodeNext, Field, kMessageNode, "mNext", "Landroid/os/MessageQueue$StackNode;", 36,
                 36, "messages that are not in order yet", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kNodeMessage, Field, kMessageNode, "mMessage", "Landroid/os/Message;", 36, 36,
                 "place of a message", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kNodeNumber, Field, kMessageNode, "mInsertSeq", "J", 36, 36,
                 "order of messages that are due together", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kNodeRemoved, Field, kMessageNode, "mRemovedFromStackValue", "Z", 36, 36,
                 "messages that are not in order yet", "queue read by Looper.dump");
SF_CLASS(kCollection, "java/util/Collection", 26, 0, "messages in order",
         "queue read by Looper.dump");
SF_MEMBER(kToArray, Method, kCollection, "toArray", "()[Ljava/lang/Object;", 26, 0,
          "messages in order", "queue read by Looper.dump");
SF_CLASS(kSkipListSet, "java/util/concurrent/ConcurrentSkipListSet", 26, 0,
         "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kSetMap, Field, kSkipListSet, "m", "Ljava/util/concurrent/ConcurrentNavigableMap;",
                 26, 0, "head of the queue of Android 16", "its late messages and barriers");
SF_CLASS(kSkipListMap, "java/util/concurrent/ConcurrentSkipListMap", 26, 0,
         "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_CLASS(kSkipListIndex, "java/util/concurrent/ConcurrentSkipListMap$Index", 26, 0,
                "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_CLASS(kSkipListNode, "java/util/concurrent/ConcurrentSkipListMap$Node", 26, 0,
                "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kMapHead, Field, kSkipListMap, "head",
                 "Ljava/util/concurrent/ConcurrentSkipListMap$Index;", 33, 0,
                 "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kMapHeadUntil8, Field, kSkipListMap, "head",
                 "Ljava/util/concurrent/ConcurrentSkipListMap$HeadIndex;", 26, 32,
                 "head of the queue of Android 16", "the same field of another type");
SF_HIDDEN_MEMBER(kListValue, Field, kSkipListNode, "val", "Ljava/lang/Object;", 33, 0,
                 "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kListValueUntil8, Field, kSkipListNode, "value", "Ljava/lang/Object;", 26, 32,
                 "head of the queue of Android 16", "the same field with another name");
SF_HIDDEN_MEMBER(kIndexNode, Field, kSkipListIndex, "node",
                 "Ljava/util/concurrent/ConcurrentSkipListMap$Node;", 26, 0,
                 "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kListNext, Field, kSkipListNode, "next",
                 "Ljava/util/concurrent/ConcurrentSkipListMap$Node;", 26, 0,
                 "head of the queue of Android 16", "its late messages and barriers");
SF_HIDDEN_MEMBER(kListKey, Field, kSkipListNode, "key", "Ljava/lang/Object;", 26, 0,
                 "head of the queue of Android 16", "its late messages and barriers");

// The queue of Android 17.
SF_HIDDEN_MEMBER(kQueueStack, Field, kMessageQueue, "mStack", "Landroid/os/MessageStack;", 37, 0,
                 "the messages", "queue read by Looper.dump");
SF_HIDDEN_CLASS(kMessageStack, "android/os/MessageStack", 37, 0, "the messages",
                "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kStackTop, Field, kMessageStack, "mTopValue", "Landroid/os/Message;", 37, 0,
                 "the messages", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kStackQuits, StaticField, kMessageStack, "QUITTING_NODE_OBJ", "Ljava/lang/Object;",
                 37, 0, "marks a queue that quits", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageFlags, Field, kMessage, "flags", "I", 26, 0, "whether it was removed",
                 "queue of Android 17 read by Looper.dump");
SF_HIDDEN_MEMBER(kMessageNumber, Field, kMessage, "insertSeq", "J", 37, 0,
                 "order of messages that are due together", "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kSyncHeap, Field, kMessageStack, "mSyncHeap", "Landroid/os/MessageHeap;", 37, 0,
                 "head of the queue, without JNI", "no late messages and no barrier without a tap");
SF_HIDDEN_MEMBER(kAsyncHeap, Field, kMessageStack, "mAsyncHeap", "Landroid/os/MessageHeap;", 37, 0,
                 "head of the queue, without JNI", "no late messages and no barrier without a tap");
SF_HIDDEN_CLASS(kMessageHeap, "android/os/MessageHeap", 37, 0, "head of the queue, without JNI",
                "no late messages and no barrier without a tap");
SF_HIDDEN_MEMBER(kHeapArray, Field, kMessageHeap, "mHeap", "[Landroid/os/Message;", 37, 0,
                 "head of the queue, without JNI", "no late messages and no barrier without a tap");
SF_HIDDEN_MEMBER(kHeapCount, Field, kMessageHeap, "mNumElements", "I", 37, 0,
                 "head of the queue, without JNI", "no late messages and no barrier without a tap");

// The queue as text.
SF_MEMBER(kLooperDump, Method, kLooper, "dump", "(Landroid/util/Printer;Ljava/lang/String;)V", 26,
          0, "the queue as text", "no queue");
SF_CLASS(kBuilderPrinter, "android/util/StringBuilderPrinter", 26, 0, "the queue as text",
         "no queue");
SF_MEMBER(kNewBuilderPrinter, Method, kBuilderPrinter, "<init>", "(Ljava/lang/StringBuilder;)V", 26,
          0, "the queue as text", "no queue");

// Components of the system's messages.
SF_HIDDEN_CLASS(kReceiverData, "android/app/ActivityThread$ReceiverData", 26, 0,
                "message for a receiver", "no component");
SF_HIDDEN_NAMED_CLASS("android/app/ActivityThread$H", 26, 0, "target of the system's messages",
                      "no component");
SF_HIDDEN_CLASS(kCreateService, "android/app/ActivityThread$CreateServiceData", 26, 0,
                "message for a service", "no component");
SF_HIDDEN_CLASS(kServiceArgs, "android/app/ActivityThread$ServiceArgsData", 26, 0,
                "message for a service", "no component");
SF_HIDDEN_CLASS(kBindService, "android/app/ActivityThread$BindServiceData", 26, 0,
                "message for a service", "no component");
SF_HIDDEN_CLASS(kActivityRecord, "android/app/ActivityThread$ActivityClientRecord", 26, 0,
                "message for an activity", "no component");
SF_HIDDEN_CLASS(kTransaction, "android/app/servertransaction/ClientTransaction", 28, 0,
                "message for an activity", "intent of ActivityClientRecord");
SF_HIDDEN_MEMBER(kReceiverIntent, Field, kReceiverData, "intent", "Landroid/content/Intent;", 26, 0,
                 "intent of a receiver", "no component");
SF_HIDDEN_MEMBER(kReceiverInfo, Field, kReceiverData, "info", "Landroid/content/pm/ActivityInfo;",
                 26, 0, "name of a receiver", "no component");
SF_HIDDEN_MEMBER(kCreateServiceInfo, Field, kCreateService, "info",
                 "Landroid/content/pm/ServiceInfo;", 26, 0, "name of a service", "no component");
SF_HIDDEN_MEMBER(kServiceArgsIntent, Field, kServiceArgs, "args", "Landroid/content/Intent;", 26, 0,
                 "intent of a service", "no component");
SF_HIDDEN_MEMBER(kBindServiceIntent, Field, kBindService, "intent", "Landroid/content/Intent;", 26,
                 0, "intent of a service", "no component");
SF_HIDDEN_MEMBER(kActivityIntent, Field, kActivityRecord, "intent", "Landroid/content/Intent;", 26,
                 0, "intent of an activity", "no component");
SF_HIDDEN_MEMBER(kTransactionItems, Field, kTransaction, "mTransactionItems", "Ljava/util/List;",
                 35, 0, "items of a transaction", "mActivityCallbacks and mLifecycleStateRequest");
SF_HIDDEN_MEMBER(kActivityCallbacks, Field, kTransaction, "mActivityCallbacks", "Ljava/util/List;",
                 28, 0, "items of a transaction", "mTransactionItems");
SF_HIDDEN_MEMBER(kLifecycleRequest, Field, kTransaction, "mLifecycleStateRequest",
                 "Landroid/app/servertransaction/ActivityLifecycleItem;", 28, 0,
                 "state that a transaction ends in", "mTransactionItems");
SF_HIDDEN_CLASS(kLaunchItem, "android/app/servertransaction/LaunchActivityItem", 28, 0,
                "item of a transaction", "name of the item alone");
SF_HIDDEN_MEMBER(kItemIntent, Field, kLaunchItem, "mIntent", "Landroid/content/Intent;", 28, 0,
                 "intent of an item", "name of the item alone");
SF_CLASS(kIntent, "android/content/Intent", 26, 0, "intents", "no component");
SF_HIDDEN_MEMBER(kIntentAction, Field, kIntent, "mAction", "Ljava/lang/String;", 26, 0,
                 "action of an intent", "no action");
SF_HIDDEN_MEMBER(kIntentComponent, Field, kIntent, "mComponent", "Landroid/content/ComponentName;",
                 26, 0, "component of an intent", "action alone");
SF_CLASS(kComponentName, "android/content/ComponentName", 26, 0, "names of components",
         "action alone");
SF_HIDDEN_MEMBER(kComponentPackage, Field, kComponentName, "mPackage", "Ljava/lang/String;", 26, 0,
                 "name of a component", "class alone");
SF_HIDDEN_MEMBER(kComponentClass, Field, kComponentName, "mClass", "Ljava/lang/String;", 26, 0,
                 "name of a component", "package alone");
SF_CLASS(kItemInfo, "android/content/pm/PackageItemInfo", 26, 0, "names of components",
         "no component");
SF_MEMBER(kInfoPackage, Field, kItemInfo, "packageName", "Ljava/lang/String;", 26, 0,
          "name of a component", "class alone");
SF_MEMBER(kInfoName, Field, kItemInfo, "name", "Ljava/lang/String;", 26, 0, "name of a component",
          "package alone");

// Facts of device and process.
SF_CLASS(kBuild, "android/os/Build", 26, 0, "facts of the device", "fact absent, with a reason");
SF_MEMBER(kModel, StaticField, kBuild, "MODEL", "Ljava/lang/String;", 26, 0, "device",
          "fact absent, with a reason");
SF_MEMBER(kFingerprint, StaticField, kBuild, "FINGERPRINT", "Ljava/lang/String;", 26, 0, "build",
          "fact absent, with a reason");
SF_MEMBER(kHardware, StaticField, kBuild, "HARDWARE", "Ljava/lang/String;", 26, 0, "device",
          "fact absent, with a reason");
SF_CLASS(kBuildVersion, "android/os/Build$VERSION", 26, 0, "release", "fact absent, with a reason");
SF_MEMBER(kApiLevel, StaticField, kBuildVersion, "SDK_INT", "I", 26, 0, "API level",
          "fact absent, with a reason");
SF_MEMBER(kSecurityPatch, StaticField, kBuildVersion, "SECURITY_PATCH", "Ljava/lang/String;", 26, 0,
          "security patch", "fact absent, with a reason");
SF_HIDDEN_CLASS(kActivityThread, "android/app/ActivityThread", 26, 0, "the application",
                "facts absent, with a reason");
SF_HIDDEN_MEMBER(kCurrentApplication, StaticMethod, kActivityThread, "currentApplication",
                 "()Landroid/app/Application;", 26, 0, "the application",
                 "package, version and error state absent, with a reason");
SF_CLASS(kApplication, "android/app/Application", 26, 0, "the application",
         "facts absent, with a reason");
SF_MEMBER(kGetApplicationInfo, Method, kApplication, "getApplicationInfo",
          "()Landroid/content/pm/ApplicationInfo;", 26, 0, "package and version",
          "fact absent, with a reason");
SF_CLASS(kApplicationInfo, "android/content/pm/ApplicationInfo", 26, 0, "package and version",
         "fact absent, with a reason");
SF_MEMBER(kPackageName, Field, kApplicationInfo, "packageName", "Ljava/lang/String;", 26, 0,
          "package", "fact absent, with a reason");
SF_HIDDEN_MEMBER(kLongVersionCode, Field, kApplicationInfo, "longVersionCode", "J", 28, 0,
                 "version", "versionCode");
SF_MEMBER(kVersionCode, Field, kApplicationInfo, "versionCode", "I", 26, 0,
          "version before longVersionCode", "longVersionCode");
SF_CLASS(kChoreographer, "android/view/Choreographer", 26, 0, "time between frames",
         "no missed refreshes");
SF_HIDDEN_MEMBER(kMainChoreographer, StaticField, kChoreographer, "mMainInstance",
                 "Landroid/view/Choreographer;", 28, 36, "time between frames",
                 "sMainInstance; on 26 and 27 no missed refreshes");
SF_HIDDEN_MEMBER(kMainChoreographer17, StaticField, kChoreographer, "sMainInstance",
                 "Landroid/view/Choreographer;", 37, 0, "time between frames", "mMainInstance");
SF_HIDDEN_MEMBER(kFrameInterval, Field, kChoreographer, "mFrameIntervalNanos", "J", 26, 0,
                 "time between frames", "no missed refreshes");

// Error state: whether Android shows an ANR of this process.
SF_MEMBER(kGetSystemService, Method, kApplication, "getSystemService",
          "(Ljava/lang/String;)Ljava/lang/Object;", 26, 0, "the activity manager",
          "no error state, with a reason");
SF_CLASS(kActivityManager, "android/app/ActivityManager", 26, 0, "error state",
         "no error state, with a reason");
SF_MEMBER(kProcessesInError, Method, kActivityManager, "getProcessesInErrorState",
          "()Ljava/util/List;", 26, 0, "error state", "no error state");
SF_CLASS(kErrorInfo, "android/app/ActivityManager$ProcessErrorStateInfo", 26, 0, "error state",
         "no error state");
SF_MEMBER(kErrorPid, Field, kErrorInfo, "pid", "I", 26, 0, "process of an error state",
          "no error state");
SF_MEMBER(kErrorCondition, Field, kErrorInfo, "condition", "I", 26, 0, "whether it is an ANR",
          "no error state");
SF_MEMBER(kErrorText, Field, kErrorInfo, "shortMsg", "Ljava/lang/String;", 26, 0,
          "Android's reason of an ANR", "no reason");
SF_MEMBER(kErrorTag, Field, kErrorInfo, "tag", "Ljava/lang/String;", 26, 0, "component of an ANR",
          "no component");

// The runtime's own classes.
SF_HIDDEN_CLASS(kVmDebug, "dalvik/system/VMDebug", 26, 0, "garbage collections, debugger",
                "facts absent, with a reason");
SF_HIDDEN_MEMBER(kRuntimeStat, StaticMethod, kVmDebug, "getRuntimeStatInternal",
                 "(I)Ljava/lang/String;", 26, 0, "garbage collections",
                 "facts absent, with a reason");
SF_HIDDEN_MEMBER(kDebuggerConnected, StaticMethod, kVmDebug, "isDebuggerConnected", "()Z", 26, 0,
                 "whether a debugger stops the process", "none is assumed");
SF_HIDDEN_CLASS(kVmRuntime, "dalvik/system/VMRuntime", 26, 0, "whether the process is debuggable",
                "not debuggable");
SF_HIDDEN_MEMBER(kGetVmRuntime, StaticMethod, kVmRuntime, "getRuntime",
                 "()Ldalvik/system/VMRuntime;", 26, 0, "whether the process is debuggable",
                 "not debuggable");
SF_HIDDEN_MEMBER(kJavaDebuggable, Method, kVmRuntime, "isJavaDebuggable", "()Z", 28, 0,
                 "whether the process is debuggable", "not debuggable");
SF_HIDDEN_NAMED_CLASS("dalvik/annotation/optimization/CriticalNative", 26, 0,
                      "cheap calls of the tap", "slower calls");

// The Java class library.
SF_CLASS(kObject, "java/lang/Object", 26, 0, "text of an object; the boot class path's dex files",
         "no text");
SF_MEMBER(kNewObject, Method, kObject, "<init>", "()V", 26, 0, "dex files of the boot class path",
          "inlined methods of the platform are not named");
SF_MEMBER(kToString, Method, kObject, "toString", "()Ljava/lang/String;", 26, 0,
          "text of a message's object", "queue read by Looper.dump");
SF_CLASS(kClass, "java/lang/Class", 26, 0, "names of classes", "no names in the queue");
SF_MEMBER(kClassName, Method, kClass, "getName", "()Ljava/lang/String;", 26, 0, "names of classes",
          "queue read by Looper.dump");
SF_HIDDEN_MEMBER(kSuperClass, Field, kClass, "superClass", "Ljava/lang/Class;", 26, 0,
                 "whose lock a thread awaits", "wait not described");
SF_HIDDEN_MEMBER(kDexTypeIndex, Field, kClass, "dexTypeIndex", "I", 26, 0,
                 "class of an awaited object", "wait without a class");
SF_HIDDEN_MEMBER(kClinitThread, Field, kClass, "clinitThreadId", "I", 26, 0,
                 "thread that initialises a class", "wait not described");
SF_CLASS(kString, "java/lang/String", 26, 0, "names of threads", "name of the kernel's thread");
SF_HIDDEN_MEMBER(kStringCount, Field, kString, "count", "I", 26, 0, "names of threads",
                 "name of the kernel's thread");
SF_CLASS(kStringBuilder, "java/lang/StringBuilder", 26, 0, "the queue as text", "no queue");
SF_MEMBER(kNewStringBuilder, Method, kStringBuilder, "<init>", "()V", 26, 0, "the queue as text",
          "no queue");
SF_MEMBER(kBuilderToString, Method, kStringBuilder, "toString", "()Ljava/lang/String;", 26, 0,
          "the queue as text", "no queue");
SF_CLASS(kThread, "java/lang/Thread", 26, 0, "waits of threads", "waits not described");
SF_HIDDEN_MEMBER(kThreadLock, Field, kThread, "lock", "Ljava/lang/Object;", 26, 0,
                 "Thread.join and Thread.sleep", "wait not described");
SF_HIDDEN_MEMBER(kThreadName, Field, kThread, "name", "Ljava/lang/String;", 26, 0,
                 "names of threads", "name of the kernel's thread");
SF_HIDDEN_MEMBER(kParkBlocker, Field, kThread, "parkBlocker", "Ljava/lang/Object;", 26, 0,
                 "awaited object", "wait not described");
SF_HIDDEN_MEMBER(kNativePeer, Field, kThread, "nativePeer", "J", 26, 0,
                 "waits of threads, the main thread", "waits not described");
SF_CLASS(kSynchronizer, "java/util/concurrent/locks/AbstractOwnableSynchronizer", 26, 0,
         "owner of a lock", "owner not named");
SF_HIDDEN_MEMBER(kExclusiveOwner, Field, kSynchronizer, "exclusiveOwnerThread",
                 "Ljava/lang/Thread;", 26, 0, "owner of a lock", "owner not named");
SF_CLASS(kFutureTask, "java/util/concurrent/FutureTask", 26, 0, "thread that runs a task",
         "thread not named");
SF_HIDDEN_MEMBER(kFutureRunner, Field, kFutureTask, "runner", "Ljava/lang/Thread;", 26, 0,
                 "thread that runs a task", "thread not named");
SF_CLASS(kStackElement, "java/lang/StackTraceElement", 26, 0, "self-check",
         "no sampling, with a reason");
SF_MEMBER(kElementClass, Method, kStackElement, "getClassName", "()Ljava/lang/String;", 26, 0,
          "self-check", "no sampling, with a reason");
SF_MEMBER(kElementMethod, Method, kStackElement, "getMethodName", "()Ljava/lang/String;", 26, 0,
          "self-check", "no sampling, with a reason");
SF_MEMBER(kElementFile, Method, kStackElement, "getFileName", "()Ljava/lang/String;", 26, 0,
          "self-check", "no sampling, with a reason");
SF_MEMBER(kElementLine, Method, kStackElement, "getLineNumber", "()I", 26, 0, "self-check",
          "no sampling, with a reason");
SF_CLASS(kSystem, "java/lang/System", 26, 0, "layout of monitors", "owners of monitors not named");
SF_MEMBER(kIdentityHash, StaticMethod, kSystem, "identityHashCode", "(Ljava/lang/Object;)I", 26, 0,
          "layout of monitors", "owners of monitors not named");
SF_CLASS(kExecutable, "java/lang/reflect/Executable", 26, 0, "ids of methods that are indices",
         "no sampling where ids are indices");
SF_HIDDEN_MEMBER(kArtMethod, Field, kExecutable, "artMethod", "J", 26, 0,
                 "ids of methods that are indices", "no sampling where ids are indices");
SF_CLASS(kRuntime, "java/lang/Runtime", 26, 0, "Java heap", "fact absent, with a reason");
SF_MEMBER(kGetRuntime, StaticMethod, kRuntime, "getRuntime", "()Ljava/lang/Runtime;", 26, 0,
          "Java heap", "fact absent, with a reason");
SF_MEMBER(kMaxMemory, Method, kRuntime, "maxMemory", "()J", 26, 0, "Java heap",
          "fact absent, with a reason");
SF_MEMBER(kTotalMemory, Method, kRuntime, "totalMemory", "()J", 26, 0, "Java heap",
          "fact absent, with a reason");
SF_MEMBER(kFreeMemory, Method, kRuntime, "freeMemory", "()J", 26, 0, "Java heap",
          "fact absent, with a reason");
SF_CLASS(kList, "java/util/List", 26, 0, "error states, items of a transaction", "none are read");
SF_MEMBER(kListSize, Method, kList, "size", "()I", 26, 0, "error states, items of a transaction",
          "none are read");
SF_MEMBER(kListGet, Method, kList, "get", "(I)Ljava/lang/Object;", 26, 0,
          "error states, items of a transaction", "none are read");

// Names in stacks.
SF_NAMED_MEMBER(Method, "android/os/Handler", "dispatchMessage", "(Landroid/os/Message;)V", 26, 0,
                "segment of a message that no tap saw", "segment of unknown kind");
SF_HIDDEN_NAMED_MEMBER(Method, kMessageQueue, "next", "()Landroid/os/Message;", 26, 0,
                       "segment of an idle handler", "segment of unknown kind");
SF_NAMED_MEMBER(StaticMethod, kLooper, "loop", "()V", 26, 0, "segment between messages",
                "segment of unknown kind");
SF_HIDDEN_NAMED_MEMBER(StaticMethod, kLooper, "loopOnce", "(Landroid/os/Looper;JI)Z", 31, 0,
                       "segment between messages", "Looper.loop");
SF_HIDDEN_NAMED_CLASS("android/view/Choreographer$CallbackRecord", 26, 0, "stage of a frame",
                      "no stage");
SF_HIDDEN_NAMED_CLASS("android/view/ViewRootImpl$TraversalRunnable", 26, 36,
                      "stage of a frame: traversal", "TraversalCallback");
SF_HIDDEN_NAMED_CLASS("android/view/ViewRootImpl$TraversalCallback", 37, 0,
                      "stage of a frame: traversal", "TraversalRunnable");
SF_HIDDEN_NAMED_CLASS("android/view/ViewRootImpl$ConsumeBatchedInputRunnable", 26, 36,
                      "stage of a frame: input", "ConsumeBatchedInputCallback");
SF_HIDDEN_NAMED_CLASS("android/view/ViewRootImpl$ConsumeBatchedInputCallback", 37, 0,
                      "stage of a frame: input", "ConsumeBatchedInputRunnable");
SF_HIDDEN_NAMED_CLASS("android/view/InsetsController", 29, 0, "stage of a frame: insets",
                      "animation");
SF_HIDDEN_NAMED_MEMBER(Method, "android/animation/AnimationHandler$2", "run", "()V", 26, 36,
                       "stage of a frame: commit", "animation");

#undef SF_CLASS
#undef SF_MEMBER
#undef SF_NAMED_CLASS
#undef SF_NAMED_MEMBER

}  // namespace stillframe::art::framework
