// SPDX-License-Identifier: Apache-2.0
#include "src/jvm/pending_queue.h"

#include <stdlib.h>

#include <algorithm>
#include <utility>

#include "src/art/framework_members.h"
#include "src/core/clock.h"
#include "src/jvm/concurrent_queue.h"
#include "src/jvm/looper_dump_text.h"
#include "src/jvm/message_component.h"
#include "src/os/duration.h"

namespace stillframe::jvm {
namespace {

namespace framework = art::framework;
using framework::ClassOrNull;
using framework::IdOrNull;
using framework::Threw;

constexpr jint kLocalReferences = 16;
constexpr int kMaxReadings = 4;
// Limits of one walk, after which the messages read so far are kept. A list that changes meanwhile
// may lead in circles, and a long one delays the dump.
constexpr uint64_t kMaxMessages = 100'000;
constexpr uint64_t kMaxReadingNs = 25 * os::kNsPerMs;
// Limit of each of the two visits of a concurrent queue.
constexpr uint64_t kMaxVisitNs = 100 * os::kNsPerMs;
constexpr uint64_t kMessagesPerLook = 16;  // messages between reads of the clock
constexpr size_t kMaxObjectText = 200;
constexpr int64_t kMaxTextAgeMs = 10'000;
// From this API level a null list may mean that the messages are elsewhere.
constexpr jint kFirstApiWithoutList = 36;

// Fields by AOSP 8-17, core/java/android/os/{Looper,MessageQueue,Message}.java.
struct Fields {
  jmethodID get_queue = nullptr;
  jmethodID get_class_name = nullptr;
  jmethodID is_asynchronous = nullptr;
  jfieldID messages = nullptr;  // null: refused
  bool has_concurrent = false;
  ConcurrentQueue concurrent;
  jfieldID next = nullptr;
  jfieldID when = nullptr;
  jfieldID what = nullptr;
  jfieldID target = nullptr;
  jfieldID callback = nullptr;
  jfieldID object = nullptr;
  jfieldID arg1 = nullptr;
  jfieldID arg2 = nullptr;
  jmethodID to_string = nullptr;

  bool Find(JNIEnv* env) {
    jclass looper = ClassOrNull(env, framework::kLooper);
    jclass queue = ClassOrNull(env, framework::kMessageQueue);
    jclass message = ClassOrNull(env, framework::kMessage);
    jclass type = ClassOrNull(env, framework::kClass);
    jclass object_class = ClassOrNull(env, framework::kObject);
    if (looper == nullptr || queue == nullptr || message == nullptr || type == nullptr ||
        object_class == nullptr)
      return false;
    messages = IdOrNull(env, queue, framework::kQueueMessages);
    has_concurrent = concurrent.Find(env, queue, message);
    if (messages == nullptr && !has_concurrent) return false;
    const auto find = [env](jclass in, auto member, auto* id) {
      *id = IdOrNull(env, in, member);
      return *id != nullptr;
    };
    return find(looper, framework::kGetQueue, &get_queue) &&
           find(message, framework::kMessageNext, &next) &&
           find(message, framework::kMessageWhen, &when) &&
           find(message, framework::kMessageWhat, &what) &&
           find(message, framework::kMessageTarget, &target) &&
           find(message, framework::kMessageCallback, &callback) &&
           find(message, framework::kMessageObject, &object) &&
           find(message, framework::kIsAsynchronous, &is_asynchronous) &&
           find(type, framework::kClassName, &get_class_name) &&
           find(message, framework::kMessageArg1, &arg1) &&
           find(message, framework::kMessageArg2, &arg2) &&
           find(object_class, framework::kToString, &to_string);
  }
};

// Calls a method of `object` that returns text; "" if it throws.
std::string TextBy(JNIEnv* env, jobject object, jmethodID method) {
  auto string = static_cast<jstring>(env->CallObjectMethod(object, method));
  if (Threw(env) || string == nullptr) return "";
  const char* chars = env->GetStringUTFChars(string, nullptr);
  std::string text = chars != nullptr ? chars : "";
  if (chars != nullptr) env->ReleaseStringUTFChars(string, chars);
  return text;
}

std::string ClassNameOf(JNIEnv* env, const Fields& fields, jobject object) {
  return object == nullptr ? "" : TextBy(env, env->GetObjectClass(object), fields.get_class_name);
}

model::MessageObject DescribeObject(JNIEnv* env, const Fields& fields, jobject message,
                                    Details details) {
  model::MessageObject carried;
  carried.arg1 = env->GetIntField(message, fields.arg1);
  carried.arg2 = env->GetIntField(message, fields.arg2);
  jobject object = env->GetObjectField(message, fields.object);
  carried.type = ClassNameOf(env, fields, object);
  if (details == Details::kTexts && object != nullptr)
    carried.text = TextBy(env, object, fields.to_string).substr(0, kMaxObjectText);
  return carried;
}

// `delay_ms` holds the absolute time `when` until the list is complete.
model::PendingMessage Describe(JNIEnv* env, const Fields& fields, jobject message,
                               Details details) {
  model::PendingMessage pending;
  jobject target = env->GetObjectField(message, fields.target);
  pending.delay_ms = env->GetLongField(message, fields.when);
  pending.what = env->GetIntField(message, fields.what);
  pending.is_barrier = target == nullptr;  // only barriers have no target
  pending.is_asynchronous = env->CallBooleanMethod(message, fields.is_asynchronous) != JNI_FALSE;
  pending.target = ClassNameOf(env, fields, target);
  pending.callback = ClassNameOf(env, fields, env->GetObjectField(message, fields.callback));
  if (pending.target == model::kSystemTarget) {
    jobject object = env->GetObjectField(message, fields.object);
    pending.component = MessageComponent(env, object, ClassNameOf(env, fields, object));
  }
  if (details != Details::kNone) pending.object = DescribeObject(env, fields, message, details);
  Threw(env);
  return pending;
}

// Whether the message is in the pool of free ones: it left the queue while the list was read, and
// leads to others like it. A barrier has a time.
bool IsInPool(JNIEnv* env, const Fields& fields, jobject message) {
  if (env->GetLongField(message, fields.when) != 0) return false;
  jobject target = env->GetObjectField(message, fields.target);
  env->DeleteLocalRef(target);
  return target == nullptr;
}

bool IsSame(const model::PendingMessage& a, const model::PendingMessage& b) {
  return a.delay_ms == b.delay_ms && a.what == b.what && a.is_barrier == b.is_barrier &&
         a.is_asynchronous == b.is_asynchronous && a.target == b.target &&
         a.callback == b.callback && a.component == b.component;
}

struct List {
  std::vector<model::PendingMessage> messages;
  uint64_t total = 0;
  bool is_truncated = false;
  bool is_whole = true;  // false: a change was seen during the visit

  bool IsSame(const List& other) const {
    return total == other.total && is_whole && other.is_whole &&
           std::equal(messages.begin(), messages.end(), other.messages.begin(),
                      other.messages.end(), jvm::IsSame);
  }
};

List WalkList(JNIEnv* env, const Fields& fields, jobject queue, size_t limit, Details details,
              uint64_t until_ns) {
  const uint64_t per_look = details == Details::kTexts ? 1 : kMessagesPerLook;
  List list;
  jobject message = env->GetObjectField(queue, fields.messages);
  while (message != nullptr) {
    const bool is_over = list.total % per_look == per_look - 1 && core::MonotonicNs() >= until_ns;
    const bool is_wanted = list.messages.size() < limit;
    list.is_truncated = is_over || list.total == kMaxMessages ||
                        (is_wanted && env->PushLocalFrame(kLocalReferences) != JNI_OK);
    if (list.is_truncated) break;
    if (IsInPool(env, fields, message)) {
      if (is_wanted) env->PopLocalFrame(nullptr);
      list.is_whole = false;
      break;
    }
    if (is_wanted) {
      list.messages.push_back(Describe(env, fields, message, details));
      env->PopLocalFrame(nullptr);
    }
    ++list.total;
    jobject next = env->GetObjectField(message, fields.next);
    env->DeleteLocalRef(message);
    message = next;
  }
  return list;
}

// The order of a message in the queue.
struct Place {
  int64_t when_ms;
  int64_t number;
  bool operator<(const Place& other) const {
    return when_ms != other.when_ms ? when_ms < other.when_ms : number < other.number;
  }
};

// For qsort, which takes 3 KiB less of the library than std::sort.
int ComparePlaces(const void* a, const void* b) {
  const auto& first = *static_cast<const Place*>(a);
  const auto& second = *static_cast<const Place*>(b);
  return first < second ? -1 : second < first ? 1 : 0;
}

// Bounds a visit as WalkList's.
class BoundedVisitor : public ConcurrentQueue::Visitor {
 public:
  BoundedVisitor(JNIEnv* env, const Fields& fields, uint64_t per_look, uint64_t until_ns)
      : env_(env), fields_(fields), per_look_(per_look), until_ns_(until_ns) {}
  bool is_over() const { return is_over_; }
  bool met_pool() const { return met_pool_; }
  uint64_t visited() const { return visited_; }

  bool Visit(jobject message, int64_t number) final {
    is_over_ = visited_ == kMaxMessages ||
               (visited_ % per_look_ == per_look_ - 1 && core::MonotonicNs() >= until_ns_);
    met_pool_ = met_pool_ || (!is_over_ && IsInPool(env_, fields_, message));
    if (is_over_ || met_pool_) return false;
    ++visited_;
    return Take(message, {env_->GetLongField(message, fields_.when), number});
  }

 protected:
  virtual bool Take(jobject message, const Place& place) = 0;
  ~BoundedVisitor() = default;

  JNIEnv* const env_;
  const Fields& fields_;

 private:
  const uint64_t per_look_;
  const uint64_t until_ns_;
  uint64_t visited_ = 0;
  bool is_over_ = false;
  bool met_pool_ = false;
};

class PlaceVisitor final : public BoundedVisitor {
 public:
  using BoundedVisitor::BoundedVisitor;
  std::vector<Place> places;

 private:
  bool Take(jobject, const Place& place) override {
    places.push_back(place);
    return true;
  }
};

// Describes messages whose order is known.
class DescribingVisitor final : public BoundedVisitor {
 public:
  using BoundedVisitor::BoundedVisitor;
  std::vector<Place> places;  // in order; those that are wanted
  std::vector<model::PendingMessage> messages;
  std::string is_described;  // a byte for each
  Details details = Details::kNone;

 private:
  bool Take(jobject message, const Place& place) override {
    const auto found = std::lower_bound(places.begin(), places.end(), place);
    if (found == places.end() || place < *found) return true;
    if (env_->PushLocalFrame(kLocalReferences) != JNI_OK) return !Threw(env_);
    const auto at = static_cast<size_t>(found - places.begin());
    messages[at] = Describe(env_, fields_, message, details);
    is_described[at] = 1;
    env_->PopLocalFrame(nullptr);
    return true;
  }
};

// The first messages in order, or none: a part of the queue that is not its beginning would be
// taken for it. Each of the two visits has its own time.
List WalkConcurrent(JNIEnv* env, const Fields& fields, jobject queue, size_t limit,
                    Details details) {
  List list;
  PlaceVisitor order(env, fields, kMessagesPerLook, core::MonotonicNs() + kMaxVisitNs);
  list.is_whole = fields.concurrent.ForEach(env, queue, &order) && !order.met_pool();
  list.total = order.visited();
  list.is_truncated = order.is_over();
  if (list.is_truncated || order.places.empty()) return list;
  qsort(order.places.data(), order.places.size(), sizeof(Place), ComparePlaces);
  const size_t wanted = std::min(limit, order.places.size());
  DescribingVisitor visitor(env, fields, details == Details::kTexts ? 1 : kMessagesPerLook,
                            core::MonotonicNs() + kMaxVisitNs);
  order.places.resize(wanted);
  visitor.places = std::move(order.places);
  visitor.messages.resize(wanted);
  visitor.is_described.resize(wanted, 0);
  visitor.details = details;
  list.is_whole =
      fields.concurrent.ForEach(env, queue, &visitor) && !visitor.met_pool() && list.is_whole;
  list.is_truncated = visitor.is_over();
  for (size_t i = 0; i < wanted; ++i) {
    const bool is_there = visitor.is_described[i] != 0;
    if (!is_there && list.is_truncated) break;  // not reached
    // Otherwise a message that has gone meanwhile.
    if (is_there) list.messages.push_back(std::move(visitor.messages[i]));
  }
  if (list.messages.empty() && wanted != 0) list.is_truncated = true;
  return list;
}

// A message that was put at the front has the time 0: it is due, but not late since the device
// started.
int64_t DelayMs(int64_t delay_ms, int64_t now_ms) { return delay_ms <= -now_ms ? 0 : delay_ms; }

PendingMessages ReadFields(JNIEnv* env, const Fields& fields, jobject queue, size_t limit,
                           Details details) {
  PendingMessages result;
  const uint64_t until_ns = core::MonotonicNs() + kMaxReadingNs;
  List list;
  if (fields.messages != nullptr) list = WalkList(env, fields, queue, limit, details, until_ns);
  // A release that has another queue leaves this list empty.
  const bool is_concurrent = fields.has_concurrent && list.total == 0 && !list.is_truncated;
  const auto walk = [&] {
    return is_concurrent ? WalkConcurrent(env, fields, queue, limit, details)
                         : WalkList(env, fields, queue, limit, details, until_ns);
  };
  if (is_concurrent) list = walk();
  const std::string source = is_concurrent ? fields.concurrent.source() : "MessageQueue.mMessages";
  result.source = source + ", read once";
  const int readings = details == Details::kTexts ? 1 : kMaxReadings;
  const auto has_time = [&] { return core::MonotonicNs() < until_ns; };
  for (int i = 1; i < readings && !list.is_truncated && has_time(); ++i) {
    List again = walk();
    if (again.is_truncated) break;
    const bool stood_still = again.IsSame(list);
    list = std::move(again);
    result.source = source + ", which changed while it was read";
    if (stood_still) {
      result.source = source;
      break;
    }
  }
  // SystemClock.uptimeMillis() is CLOCK_MONOTONIC.
  const auto now_ms = static_cast<int64_t>(core::MonotonicNs() / os::kNsPerMs);
  for (model::PendingMessage& message : list.messages) {
    message.delay_ms = DelayMs(message.delay_ms - now_ms, now_ms);
    if (message.is_barrier) message.age_ms = std::max<int64_t>(-message.delay_ms, 0);
  }
  result.messages = std::move(list.messages);
  result.total = list.total;
  result.is_truncated = list.is_truncated;
  return result;
}

// Runs Looper.dump with the platform's StringBuilderPrinter.
PendingMessages ReadThroughDump(JNIEnv* env, jobject looper, size_t limit) {
  PendingMessages result;
  result.absent = "this platform's Looper cannot be dumped to text";
  jclass builder = ClassOrNull(env, framework::kStringBuilder);
  jclass printer = ClassOrNull(env, framework::kBuilderPrinter);
  const jmethodID new_builder = IdOrNull(env, builder, framework::kNewStringBuilder);
  const jmethodID to_string = IdOrNull(env, builder, framework::kBuilderToString);
  const jmethodID new_printer = IdOrNull(env, printer, framework::kNewBuilderPrinter);
  const jmethodID dump = IdOrNull(env, env->GetObjectClass(looper), framework::kLooperDump);
  if (new_builder == nullptr || to_string == nullptr || new_printer == nullptr || dump == nullptr)
    return result;
  jobject text = env->NewObject(builder, new_builder);
  jobject writer = Threw(env) ? nullptr : env->NewObject(printer, new_printer, text);
  jstring prefix = Threw(env) ? nullptr : env->NewStringUTF("");
  if (Threw(env) || writer == nullptr) return result;
  env->CallVoidMethod(looper, dump, writer, prefix);
  result.absent = "Looper.dump threw";
  if (Threw(env)) return result;
  auto printed = static_cast<jstring>(env->CallObjectMethod(text, to_string));
  const char* chars = Threw(env) ? nullptr : env->GetStringUTFChars(printed, nullptr);
  if (chars == nullptr) return result;
  LooperDump parsed = ParseLooperDump(chars, limit);
  env->ReleaseStringUTFChars(printed, chars);
  result.messages = std::move(parsed.messages);
  result.total = parsed.total;
  const auto now_ms = static_cast<int64_t>(core::MonotonicNs() / os::kNsPerMs);
  // The text is some time older.
  for (model::PendingMessage& message : result.messages)
    message.delay_ms = DelayMs(message.delay_ms, now_ms - kMaxTextAgeMs);
  result.source = "Looper.dump";
  result.absent.clear();
  return result;
}

// An unknown level may be a new one.
bool MayHideMessages(JNIEnv* env) {
  jclass version = ClassOrNull(env, framework::kBuildVersion);
  const jfieldID api = IdOrNull(env, version, framework::kApiLevel);
  return api == nullptr || env->GetStaticIntField(version, api) >= kFirstApiWithoutList;
}

PendingMessages ReadQueue(JNIEnv* env, size_t limit, bool through_looper_dump, Details details) {
  PendingMessages result;
  result.absent = "the process has no main Looper";
  jclass type = ClassOrNull(env, framework::kLooper);
  const jmethodID get_main = IdOrNull(env, type, framework::kGetMainLooper);
  if (get_main == nullptr) return result;
  jobject looper = env->CallStaticObjectMethod(type, get_main);
  if (Threw(env) || looper == nullptr) return result;

  Fields fields;
  jobject queue = nullptr;
  if (!through_looper_dump && fields.Find(env)) {
    queue = env->CallObjectMethod(looper, fields.get_queue);
    if (Threw(env)) queue = nullptr;
  }
  if (queue != nullptr) result = ReadFields(env, fields, queue, limit, details);
  const bool is_doubtful = result.messages.empty() &&
                           (queue == nullptr || (!fields.has_concurrent && MayHideMessages(env)));
  if (details == Details::kTexts || !is_doubtful) return result;
  PendingMessages dumped = ReadThroughDump(env, looper, limit);
  return dumped.source.empty() && !result.source.empty() ? result : dumped;
}

}  // namespace

PendingMessages ReadPendingQueue(JNIEnv* env, size_t limit, bool through_looper_dump,
                                 Details details) {
  PendingMessages result;
  if (env->PushLocalFrame(4 * kLocalReferences) != JNI_OK) {
    Threw(env);
    result.absent = "the runtime has no room for references";
    return result;
  }
  result = ReadQueue(env, limit, through_looper_dump, details);
  env->PopLocalFrame(nullptr);
  // A probe at the head would hide how late the application's messages are.
  const uint64_t probes = std::erase_if(result.messages, [](const model::PendingMessage& message) {
    return message.target == "stillframe.Probe";  // src/tap/java/stillframe
  });
  result.total -= std::min(result.total, probes);
  return result;
}

void AddTexts(const PendingMessages& texts, PendingMessages* pending) {
  const size_t count = std::min(texts.messages.size(), pending->messages.size());
  for (size_t i = 0; i < count; ++i) {
    const model::PendingMessage& with_text = texts.messages[i];
    model::PendingMessage& message = pending->messages[i];
    if (!message.object || !with_text.object || message.object->type != with_text.object->type ||
        message.what != with_text.what || message.target != with_text.target)
      continue;
    message.object->text = with_text.object->text;
  }
}

}  // namespace stillframe::jvm
