// SPDX-License-Identifier: Apache-2.0
#include "tests/host/fleet_model.h"

#include <stdio.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace stillframe::fleet {
namespace {

using model::ThreadState;

constexpr double kSigmaOfWait = 1;
constexpr double kLeastMs = 700;
constexpr double kSigmaOfInstall = 0.7;
constexpr double kSigmaOfTime = 0.6;
constexpr double kSigmaOfUse = 0.5;
constexpr double kMedianHours = 1.0 / 3;
constexpr double kMostLostShare = 0.05;  // of the foreground time of an average install
constexpr double kMeanMsAbout = 2'500;
constexpr double kLoudShare = 0.05;
constexpr std::array<double, kVersions> kBaseVersions = {0.15, 0.25, 0.35, 0.25};
constexpr double kUpdates = 0.3;
constexpr uint64_t kBeginMs = 1'790'000'000'000;
constexpr uint64_t kDayMs = 86'400'000;
constexpr uint32_t kDays = 14;

constexpr const char* kParts[] = {"cart",     "checkout", "catalog", "search", "profile",
                                  "orders",   "media",    "sync",    "login",  "feed",
                                  "chat",     "maps",     "wallet",  "review", "offer",
                                  "delivery", "store",    "camera",  "push",   "banner"};
constexpr const char* kNouns[] = {
    "Product",  "Price",  "Order",    "Basket",   "Coupon",  "Image",   "Session", "Address",
    "Payment",  "Review", "Category", "Shipment", "Account", "Message", "Banner",  "Filter",
    "Location", "Stock",  "Invoice",  "Voucher",  "Receipt", "Gallery", "Variant", "Brand"};
constexpr const char* kRoles[] = {"Repository", "Presenter", "ViewModel", "Adapter",    "Manager",
                                  "Loader",     "Parser",    "Cache",     "Mapper",     "Formatter",
                                  "Store",      "Decoder",   "Validator", "Calculator", "Index"};
constexpr const char* kVerbs[] = {"load",  "parse",  "bind",    "update",  "compute", "resolve",
                                  "merge", "filter", "decode",  "refresh", "build",   "validate",
                                  "sort",  "render", "convert", "restore", "collect", "apply"};
constexpr const char* kObjects[] = {"Items",  "Rows",   "Totals", "State",  "Layout", "Response",
                                    "Header", "Prices", "Images", "Config", "Labels", "Entries",
                                    "Tree",   "Model",  "Cursor", "Index",  "Events", "Tokens"};
constexpr const char* kHosts[] = {"Activity", "Fragment", "View", "Screen", "Dialog", "Service"};
constexpr const char* kActions[] = {"onClick", "onCreate", "onResume",
                                    "onReady", "onLoaded", "observe"};

template <size_t N>
std::string Pick(const char* const (&words)[N], Rng* rng) {
  return words[rng->Below(N)];
}

// Names of the application. Fresh ones are made of syllables, so that they hardly recur.
class Names {
 public:
  explicit Names(bool is_fresh) : is_fresh_(is_fresh) {}

  std::string Package(Rng* rng) const {
    return is_fresh_ ? "com.shop." + Syllables(rng, 2) : "com.shop." + Pick(kParts, rng);
  }
  std::string Type(Rng* rng) const {
    const std::string noun = is_fresh_ ? Capital(Syllables(rng, 4)) : Pick(kNouns, rng);
    return Package(rng) + "." + noun + Pick(kRoles, rng);
  }
  std::string Host(Rng* rng) const {
    const std::string noun = is_fresh_ ? Capital(Syllables(rng, 4)) : Pick(kNouns, rng);
    return Package(rng) + "." + noun + Pick(kHosts, rng);
  }
  std::string MethodName(Rng* rng) const {
    return Pick(kVerbs, rng) + (is_fresh_ ? Capital(Syllables(rng, 4)) : Pick(kObjects, rng));
  }

 private:
  static std::string Syllables(Rng* rng, int count) {
    constexpr std::string_view kFirst = "bcdfghjklmnprstvwz";
    constexpr std::string_view kSecond = "aeiou";
    std::string word;
    for (int i = 0; i < count; ++i) {
      word += kFirst[rng->Below(static_cast<uint32_t>(kFirst.size()))];
      word += kSecond[rng->Below(static_cast<uint32_t>(kSecond.size()))];
    }
    return word;
  }
  static std::string Capital(std::string word) {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
  }

  bool is_fresh_;
};

uint64_t HashOf(std::string_view text) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211U;
  return hash;
}

// How a name of the application differs between versions.
enum class Form : uint8_t {
  kPlain,
  kLambda,           // lambda$onClick$3
  kSyntheticLambda,  // Foo$$ExternalSyntheticLambda4.run
  kAnonymous,        // Foo$1.run
};

struct Template {
  std::string type;
  std::string name;
  int32_t line = 1;
  Form form = Form::kPlain;
  int number = 0;
  bool is_own = false;
  model::FrameKind kind = model::FrameKind::kCompiled;
};

std::string SourceOf(std::string_view type) {
  type.remove_prefix(std::min(type.rfind('.') + 1, type.size()));
  return std::string(type.substr(0, type.find('$'))) + ".java";
}

// Lambdas of a class are counted anew in each version. Lines of a class drift.
int ShiftOf(const std::string& type, int version) {
  int shift = 0;
  for (int i = 1; i <= version; ++i)
    shift += static_cast<int>(SeedOf(HashOf(type), static_cast<uint64_t>(i) + 10) % 3);
  return shift;
}
int DriftOf(const std::string& type, int version) {
  int drift = 0;
  for (int i = 1; i <= version; ++i)
    drift += static_cast<int>(SeedOf(HashOf(type), static_cast<uint64_t>(i)) % 24) - 4;
  return drift;
}

std::string TypeIn(const Template& from, int version) {
  const std::string number = std::to_string(from.number + ShiftOf(from.type, version));
  if (from.form == Form::kSyntheticLambda) return from.type + "$$ExternalSyntheticLambda" + number;
  return from.form == Form::kAnonymous ? from.type + "$" + number : from.type;
}

Method MethodIn(const Template& from, int version) {
  Method method;
  method.type = TypeIn(from, version);
  method.name = from.name;
  if (from.form == Form::kLambda)
    method.name =
        "lambda$" + from.name + "$" + std::to_string(from.number + ShiftOf(from.type, version));
  method.kind = from.kind;
  method.line = from.line;
  if (from.is_own) method.line = std::max(from.line + DriftOf(from.type, version), 5);
  if (from.kind == model::FrameKind::kJni) method.line = model::kLineNative;
  if (from.form == Form::kSyntheticLambda) {
    method.file = "D8$$SyntheticClass";
    method.line = 0;
  } else {
    method.file = SourceOf(from.type);
  }
  return method;
}

Template Framework(std::string type, std::string name, int32_t line) {
  return {.type = std::move(type), .name = std::move(name), .line = line};
}
Template Native(std::string type, std::string name) {
  return {.type = std::move(type), .name = std::move(name), .kind = model::FrameKind::kJni};
}
Template Own(std::string type, std::string name, Rng* rng) {
  const auto line = static_cast<int32_t>(40 + rng->Below(600));
  return {.type = std::move(type), .name = std::move(name), .line = line, .is_own = true};
}

// A message with its way to the application's code.
struct Way {
  Message message;
  Template callback;  // empty type: a name that does not change, or none
  std::string plain_callback;
  std::vector<Template> entry;                 // outermost first, ends in the application's code
  std::vector<std::vector<Template>> callers;  // below the entry
  std::vector<Template> others;                // other methods of the application
  std::vector<bool> has_inlined;               // by caller: one cause below it is inlined
};

void AddLoop(std::vector<Template>* entry) {
  entry->push_back(Framework("com.android.internal.os.ZygoteInit", "main", 947));
  entry->push_back(
      Framework("com.android.internal.os.RuntimeInit$MethodAndArgsCaller", "run", 548));
  entry->push_back(Native("java.lang.reflect.Method", "invoke"));
  entry->push_back(Framework("android.app.ActivityThread", "main", 8177));
  entry->push_back(Framework("android.os.Looper", "loop", 288));
  entry->push_back(Framework("android.os.Looper", "loopOnce", 201));
  entry->push_back(Framework("android.os.Handler", "dispatchMessage", 106));
}

void AddCallback(std::vector<Template>* entry) {
  entry->back().line = 99;
  entry->push_back(Framework("android.os.Handler", "handleCallback", 942));
}

Way MakeWay(const Names& names, Rng* rng) {
  Way way;
  const std::string host = names.Host(rng);
  const int number = static_cast<int>(rng->Below(6)) + 1;
  const std::string action = Pick(kActions, rng);
  std::vector<Template>& entry = way.entry;
  AddLoop(&entry);
  way.message.target = "android.os.Handler";
  way.message.scene = rng->Chance(0.8) ? host : "";
  const Template lambda_class = {
      .type = host, .name = "run", .form = Form::kSyntheticLambda, .number = number};
  Template lambda = Own(host, action, rng);
  lambda.form = Form::kLambda;
  lambda.number = number;
  switch (rng->Below(6)) {
    case 0:  // a lambda
      AddCallback(&entry);
      way.callback = lambda_class;
      entry.push_back(lambda_class);
      entry.push_back(lambda);
      break;
    case 1: {  // an anonymous class
      AddCallback(&entry);
      Template anonymous = Own(host, "run", rng);
      anonymous.form = Form::kAnonymous;
      anonymous.number = number;
      way.callback = anonymous;
      entry.push_back(anonymous);
      break;
    }
    case 2:  // a frame
      AddCallback(&entry);
      way.message.target = "android.view.Choreographer$FrameHandler";
      way.plain_callback = "android.view.Choreographer$FrameDisplayEventReceiver";
      way.message.stage = model::FrameStage::kTraversal;
      entry.push_back(
          Framework("android.view.Choreographer$FrameDisplayEventReceiver", "run", 1035));
      entry.push_back(Framework("android.view.Choreographer", "doFrame", 845));
      entry.push_back(Framework("android.view.Choreographer", "doCallbacks", 970));
      entry.push_back(Framework("android.view.ViewRootImpl$TraversalRunnable", "run", 9126));
      entry.push_back(Framework("android.view.ViewRootImpl", "doTraversal", 2432));
      entry.push_back(Framework("android.view.ViewRootImpl", "performTraversals", 3103));
      entry.push_back(Framework("android.view.View", "layout", 23753));
      entry.push_back(Framework("androidx.recyclerview.widget.RecyclerView", "onLayout", 4578));
      entry.push_back(Own(names.Type(rng), "onBindViewHolder", rng));
      break;
    case 3:  // a transaction of the system
      way.message.target = "android.app.ActivityThread$H";
      way.message.what = 159;
      entry.push_back(Framework("android.app.ActivityThread$H", "handleMessage", 2457));
      entry.push_back(
          Framework("android.app.servertransaction.TransactionExecutor", "execute", 97));
      entry.push_back(Framework("android.app.ActivityThread", "handleLaunchActivity", 3987));
      entry.push_back(Framework("android.app.Activity", "performCreate", 8595));
      entry.push_back(Own(host, action, rng));
      break;
    case 4: {  // a Handler of the application
      Template handler = Own(host + "$WorkHandler", "handleMessage", rng);
      way.message.target = handler.type;
      way.message.what = static_cast<int32_t>(1 + rng->Below(9));
      entry.push_back(handler);
      break;
    }
    default: {  // a click
      AddCallback(&entry);
      way.message.target = "android.view.ViewRootImpl$ViewRootHandler";
      way.plain_callback = "android.view.View$PerformClick";
      Template on_click = lambda_class;
      on_click.name = "onClick";
      entry.push_back(Framework("android.view.View$PerformClick", "run", 29660));
      entry.push_back(Framework("android.view.View", "performClick", 7506));
      entry.push_back(on_click);
      entry.push_back(lambda);
    }
  }
  for (int i = 0; i < 2; ++i) {
    std::vector<Template> callers;
    callers.push_back(Own(rng->Chance(0.5) ? host : names.Type(rng), names.MethodName(rng), rng));
    if (rng->Chance(0.6)) callers.push_back(Own(names.Type(rng), names.MethodName(rng), rng));
    way.callers.push_back(std::move(callers));
  }
  way.has_inlined.resize(way.callers.size());
  for (int i = 0; i < 4; ++i)
    way.others.push_back(Own(i < 2 ? host : names.Type(rng), names.MethodName(rng), rng));
  return way;
}

// Calls of the cause's own method.
struct Tail {
  double weight;
  std::vector<Template> below;
  ThreadState state;
};

std::vector<Tail> WorkTails(const std::string& type, const Names& names, Rng* rng) {
  const std::vector<std::vector<Template>> known = {
      {Framework("java.util.HashMap", "putVal", 654)},
      {Framework("java.util.HashMap", "getNode", 575)},
      {Framework("java.util.ArrayList", "add", 498)},
      {Framework("java.lang.StringBuilder", "append", 137)},
      {Framework("java.lang.String", "format", 2870),
       Framework("java.util.Formatter", "parse", 2600)},
      {Framework("org.json.JSONTokener", "nextValue", 116),
       Framework("org.json.JSONTokener", "readObject", 387)},
      {Framework("java.util.regex.Matcher", "find", 450),
       Native("com.android.icu.util.regex.MatcherNative", "findNextImpl")},
      {Framework("android.graphics.BitmapFactory", "decodeStream", 729),
       Native("android.graphics.BitmapFactory", "nativeDecodeStream")},
      {Framework("java.util.TimSort", "sort", 220),
       Framework("java.util.TimSort", "binarySort", 296)},
      {Framework("java.text.SimpleDateFormat", "format", 1008)}};
  std::vector<Tail> tails = {{0.25 + 0.4 * rng->Unit(), {}, ThreadState::kRunnable}};
  for (int i = 0; i < 3; ++i)
    tails.push_back({0.1 + 0.4 * rng->Unit(),
                     known[rng->Below(static_cast<uint32_t>(known.size()))],
                     ThreadState::kRunnable});
  if (rng->Chance(0.5))
    tails.push_back({0.2, {Own(type, names.MethodName(rng), rng)}, ThreadState::kRunnable});
  return tails;
}

std::vector<Tail> TailsOf(Kind kind, const std::string& type, const Names& names, Rng* rng) {
  std::vector<Tail> tails;
  switch (kind) {
    case Kind::kWork: return WorkTails(type, names, rng);
    case Kind::kLock: return {{1, {}, ThreadState::kBlocked}};
    case Kind::kWait:
      if (rng->Chance(0.4)) {
        tails.push_back(
            {1,
             {Framework("java.lang.Thread", "sleep", 442), Native("java.lang.Thread", "sleep")},
             ThreadState::kSleeping});
      } else {
        tails.push_back(
            {1,
             {Framework("java.util.concurrent.CountDownLatch", "await", 230),
              Framework("java.util.concurrent.locks.AbstractQueuedSynchronizer", "acquire", 715),
              Framework("java.util.concurrent.locks.LockSupport", "park", 194),
              Native("sun.misc.Unsafe", "park")},
             ThreadState::kWaiting});
      }
      return tails;
    case Kind::kBinder: {
      const char* const services[] = {"android.content.pm.IPackageManager$Stub$Proxy",
                                      "android.app.IActivityManager$Stub$Proxy",
                                      "android.content.IContentProvider$Stub$Proxy",
                                      "android.net.IConnectivityManager$Stub$Proxy"};
      const char* const calls[] = {"getPackageInfo", "getServices", "query", "getNetworkInfo"};
      const uint32_t service = rng->Below(4);
      tails.push_back({1,
                       {Framework(services[service], calls[service], 5'000),
                        Framework("android.os.BinderProxy", "transact", 584),
                        Native("android.os.BinderProxy", "transactNative")},
                       ThreadState::kNative});
      return tails;
    }
    case Kind::kRead:
      if (rng->Chance(0.5)) {
        tails.push_back({0.85,
                         {Framework("java.io.FileInputStream", "read", 313),
                          Framework("libcore.io.IoBridge", "read", 501),
                          Native("libcore.io.Linux", "readBytes")},
                         ThreadState::kNative});
      } else {
        tails.push_back(
            {0.85,
             {Framework("android.database.sqlite.SQLiteCursor", "fillWindow", 152),
              Framework("android.database.sqlite.SQLiteSession", "executeForCursorWindow", 848),
              Native("android.database.sqlite.SQLiteConnection", "nativeExecuteForCursorWindow")},
             ThreadState::kNative});
      }
      tails.push_back({0.15, {}, ThreadState::kRunnable});
      return tails;
    case Kind::kGc:
      tails.push_back(
          {0.65, {Framework("java.util.Arrays", "copyOf", 3136)}, ThreadState::kWaitingForGc});
      tails.push_back(
          {0.2, {Framework("java.util.Arrays", "copyOf", 3136)}, ThreadState::kRunnable});
      tails.push_back({0.15, {}, ThreadState::kRunnable});
      return tails;
  }
  return tails;
}

uint16_t IndexOf(const Template& method, int version, std::vector<Method>* methods) {
  methods->push_back(MethodIn(method, version));
  return static_cast<uint16_t>(methods->size() - 1);
}

// Small steps inside a loop of the method.
uint16_t NextLine(uint16_t index, int32_t by, std::vector<Method>* methods) {
  Method other = (*methods)[index];
  if (other.line > 0) other.line += by;
  methods->push_back(std::move(other));
  return static_cast<uint16_t>(methods->size() - 1);
}

Variant VariantOf(const Way& way, size_t caller, const Template& own,
                  const std::vector<Tail>& tails, bool is_inlined, bool has_common_code,
                  int version) {
  Variant variant;
  variant.is_inlined = is_inlined;
  variant.callback = way.callback.type.empty() ? way.plain_callback : TypeIn(way.callback, version);
  std::vector<Method>* methods = &variant.methods;
  std::vector<uint16_t> chain;
  for (const Template& method : way.entry) chain.push_back(IndexOf(method, version, methods));
  const std::vector<uint16_t> entry = chain;
  for (const Template& method : way.callers[caller])
    chain.push_back(IndexOf(method, version, methods));
  const std::vector<uint16_t> callers = chain;
  if (!is_inlined) chain.push_back(IndexOf(own, version, methods));
  const uint16_t next_line = NextLine(chain.back(), 2, methods);
  for (const Tail& tail : tails) {
    Stack stack = {tail.weight, chain, tail.state};
    for (const Template& method : tail.below)
      stack.methods.push_back(IndexOf(method, version, methods));
    if (tail.below.empty() && tail.state == ThreadState::kRunnable) {
      stack.weight *= 0.6;
      Stack other = stack;
      other.weight *= 2.0 / 3;
      other.methods.back() = next_line;
      variant.main.push_back(std::move(other));
    }
    variant.main.push_back(std::move(stack));
  }
  for (size_t i = 0; i < way.others.size(); ++i) {
    Stack stack = {1, i % 2 == 0 ? entry : callers, ThreadState::kRunnable};
    stack.methods.push_back(IndexOf(way.others[i], version, methods));
    if (i % 2 == 1)
      stack.methods.push_back(
          IndexOf(Framework("java.util.HashMap", "getNode", 575), version, methods));
    variant.noise.push_back(std::move(stack));
  }
  if (has_common_code) {
    const Template common[] = {
        {.type = "com.shop.base.Analytics", .name = "track", .line = 88, .is_own = true},
        {.type = "com.shop.base.Logger", .name = "write", .line = 31, .is_own = true}};
    for (const Template& method : common) {
      Stack stack = {0.7, callers, ThreadState::kRunnable};
      stack.methods.push_back(IndexOf(method, version, methods));
      variant.noise.push_back(std::move(stack));
    }
  }
  return variant;
}

void AddOwner(const Names& names, Rng* rng, Cause* cause) {
  const char* const threads[] = {"OkHttp Dispatch", "DefaultDispatch", "arch_disk_io_0",
                                 "shop-sync", "AsyncTask #1"};
  cause->lock_class = names.Type(rng);
  cause->owner = Pick(threads, rng);
  const Template outer[] = {Framework("java.lang.Thread", "run", 1012),
                            Framework("java.util.concurrent.ThreadPoolExecutor$Worker", "run", 644),
                            Framework("java.util.concurrent.ThreadPoolExecutor", "runWorker", 1145),
                            Own(names.Type(rng), "run", rng),
                            Own(names.Type(rng), names.MethodName(rng), rng),
                            Own(cause->lock_class, names.MethodName(rng), rng)};
  for (const Template& method : outer)
    cause->owner_stack.insert(cause->owner_stack.begin(), MethodIn(method, 0));
  const Template inner = rng->Chance(0.5) ? Native("libcore.io.Linux", "fsync")
                                          : Framework("java.util.HashMap", "putVal", 654);
  cause->owner_stack.insert(cause->owner_stack.begin(), MethodIn(inner, 0));
}

Kind DrawKind(Rng* rng) {
  const double at = rng->Unit();
  if (at < 0.60) return Kind::kWork;
  if (at < 0.70) return Kind::kLock;
  if (at < 0.76) return Kind::kWait;
  if (at < 0.84) return Kind::kBinder;
  if (at < 0.94) return Kind::kRead;
  return Kind::kGc;
}

Cause MakeCause(const Names& names, bool is_fresh, std::string type, std::string method, Rng* rng,
                Way* way) {
  Cause cause;
  cause.kind = DrawKind(rng);
  cause.message = way->message;
  cause.type = std::move(type);
  cause.method = std::move(method);
  cause.median_ms = kLeastMs * std::exp(1.4 * rng->Unit());
  const size_t caller = rng->Below(static_cast<uint32_t>(way->callers.size()));
  const Template own = Own(cause.type, cause.method, rng);
  const std::vector<Tail> tails = TailsOf(cause.kind, cause.type, names, rng);
  if (cause.kind == Kind::kLock) AddOwner(names, rng, &cause);
  if (!is_fresh && rng->Chance(0.15))
    cause.first_version = static_cast<int>(1 + rng->Below(kVersions - 1));
  else if (!is_fresh && rng->Chance(0.12))
    cause.last_version = static_cast<int>(rng->Below(kVersions - 1));
  // Not in its first version, or no record might have its method.
  const auto later = static_cast<uint32_t>(cause.last_version - cause.first_version);
  const bool may_inline =
      !is_fresh && later > 0 && cause.kind != Kind::kLock && !way->has_inlined[caller];
  const bool inlines = may_inline && rng->Chance(0.3);
  if (inlines) way->has_inlined[caller] = true;
  const int inlined_from =
      inlines ? cause.first_version + static_cast<int>(1 + rng->Below(later)) : kVersions;
  const int inlined_until = inlined_from + static_cast<int>(rng->Below(kVersions));
  for (int version = 0; version < kVersions; ++version) {
    if (is_fresh && version > 0) {
      cause.variants[static_cast<size_t>(version)] = cause.variants[0];
      continue;
    }
    const bool is_inlined = version >= inlined_from && version <= inlined_until;
    cause.variants[static_cast<size_t>(version)] =
        VariantOf(*way, caller, own, tails, is_inlined, !is_fresh, version);
  }
  return cause;
}

double Phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

void AppendRate(const char* name, const Rate& rate, std::string* text) {
  char line[128];
  snprintf(line, sizeof line, "\"%s\":{\"hangs_per_hour\":%.9g,\"ms_per_hour\":%.9g}", name,
           rate.hangs_per_hour, rate.ms_per_hour);
  *text += line;
}

}  // namespace

uint64_t SeedOf(uint64_t seed, uint64_t number) {
  Rng rng(seed ^ (number * 0x9E3779B97F4A7C15U));
  rng.Next();
  return rng.Next() ^ seed;
}

uint64_t Rng::Next() {
  state_ += 0x9E3779B97F4A7C15U;
  uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
  return mixed ^ mixed >> 31;
}

double Rng::Unit() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

uint32_t Rng::Below(uint32_t bound) { return static_cast<uint32_t>((Next() >> 32) * bound >> 32); }

double Rng::Normal() {
  const double radius = std::sqrt(-2 * std::log(1 - Unit()));
  return radius * std::cos(6.283185307179586 * Unit());
}

// In parts, since exp(-mean) may be too small.
uint64_t Rng::Poisson(double mean) {
  constexpr double kMost = 20;
  uint64_t count = 0;
  while (mean > 0) {
    const double part = std::min(mean, kMost);
    mean -= part;
    const double limit = std::exp(-part);
    for (double product = Unit(); product > limit; product *= Unit()) ++count;
  }
  return count;
}

const char* NameOf(Kind kind) {
  constexpr const char* kNames[] = {"work", "lock", "wait", "binder", "read", "gc"};
  return kNames[static_cast<size_t>(kind)];
}

double Cause::MeanMs() const {
  const double above = std::log(median_ms / kLeastMs) / kSigmaOfWait;
  const double mean = median_ms * std::exp(kSigmaOfWait * kSigmaOfWait / 2);
  return mean * Phi(above + kSigmaOfWait) / Phi(above) - 0.5;  // whole ms, rounded down
}

double Cause::DrawMs(Rng* rng) const {
  for (;;) {
    const double ms = median_ms * std::exp(kSigmaOfWait * rng->Normal());
    if (ms >= kLeastMs) return ms;
  }
}

Fleet::Fleet(const Options& the_options) : options(the_options) {
  MakeCauses();
  MakeInstalls();
}

Cause Fleet::FreshCause(uint64_t seed) {
  Rng rng(seed);
  const Names names(true);
  Way way = MakeWay(names, &rng);
  std::string type = names.Type(&rng);
  std::string method = names.MethodName(&rng);
  return MakeCause(names, true, std::move(type), std::move(method), &rng, &way);
}

void Fleet::MakeCauses() {
  for (std::vector<double>& weights : cumulative_) weights.clear();
  if (!options.has_causes) return;
  Rng rng(SeedOf(options.seed, 1));
  const Names names(false);
  const uint32_t count = std::max(options.causes, 1U);
  std::vector<Way> ways;
  for (uint32_t i = 0; i < std::max(count * 2 / 5, 2U); ++i) ways.push_back(MakeWay(names, &rng));
  std::vector<std::string> types;
  for (uint32_t i = 0; i < std::max(count * 3 / 5, 2U); ++i) types.push_back(names.Type(&rng));
  std::set<std::pair<std::string, std::string>> used;
  for (uint32_t i = 0; i < count; ++i) {
    const double at = rng.Unit();
    Way* way = &ways[static_cast<size_t>(at * at * static_cast<double>(ways.size()))];
    const std::string& type = types[rng.Below(static_cast<uint32_t>(types.size()))];
    std::string method;
    do method = names.MethodName(&rng) + (method.empty() ? "" : "Again");
    while (!used.insert({type, method}).second);
    causes.push_back(MakeCause(names, false, type, method, &rng, way));
    Cause& cause = causes.back();
    cause.weight = 1.0 / (i + 1);
    for (int version = 0; version < kVersions; ++version)
      cause.variants[static_cast<size_t>(version)].exists = cause.IsIn(version);
  }
  for (size_t version = 0; version < kVersions; ++version) {
    double sum = 0;
    for (const Cause& cause : causes) {
      if (cause.variants[version].exists) sum += cause.weight;
      cumulative_[version].push_back(sum);
    }
  }
}

void Fleet::MakeInstalls() {
  Rng rng(SeedOf(options.seed, 2));
  const char* const makers[] = {"SM-A", "SM-G", "Redmi Note ", "Pixel ", "moto g", "CPH2", "V2"};
  const char* const machines[] = {"BAD", "LOW", "MIDDLE", "HIGH", "BEST"};
  const uint64_t gib[] = {1, 2, 4, 6, 12};
  for (uint32_t i = 0; i < 40; ++i) {
    const uint32_t size = rng.Below(5);
    devices.push_back({Pick(makers, &rng) + std::to_string(100 + 10 * i + rng.Below(10)),
                       static_cast<int>(26 + rng.Below(10)), machines[size], gib[size] << 30});
  }
  std::vector<double> device_weights;
  double device_sum = 0;
  for (uint32_t i = 0; i < devices.size(); ++i)
    device_weights.push_back(device_sum += 1.0 / (i + 1));

  // Versions of sessions, as shares of the population.
  const uint32_t count = std::max(options.installs, 1U);
  const uint32_t session_count = std::max(options.sessions, 1U);
  const uint32_t updates_at = (session_count + 1) / 2;
  const double late = static_cast<double>(session_count - updates_at) / session_count;
  for (size_t version = 0; version < kVersions; ++version) {
    const bool is_last = version + 1 == kVersions;
    version_share_[version] += kBaseVersions[version] * (is_last ? 1 : 1 - kUpdates * late);
    if (!is_last) version_share_[version + 1] += kBaseVersions[version] * kUpdates * late;
  }
  double mean_weight = 1;
  if (options.has_causes) {
    mean_weight = 0;
    for (size_t version = 0; version < kVersions; ++version)
      mean_weight += version_share_[version] * cumulative_[version].back();
  }

  // Times in the foreground, so long that hangs are a small part of them.
  const bool has_loud = count > 1;
  const double all = static_cast<double>(options.records);
  const double loud_records = has_loud ? kLoudShare * all : 0;
  const double others = static_cast<double>(has_loud ? count - 1 : count) * session_count;
  const auto least_hours = [](double count_of_records, double of_sessions) {
    return count_of_records * kHangsPerRecord * kMeanMsAbout / 3.6e6 / kMostLostShare / of_sessions;
  };
  const double mean_of_lognormal = std::exp(kSigmaOfTime * kSigmaOfTime / 2);
  const double session_hours =
      std::max(kMedianHours * mean_of_lognormal, least_hours(all - loud_records, others));
  const double loud_session_hours =
      std::max(session_hours, least_hours(loud_records, session_count));
  const double records_per_hour = (all - loud_records) / (others * session_hours * mean_weight);

  if (has_loud) {
    loud_install = static_cast<int32_t>(rng.Below(count));
    if (options.has_causes) {
      loud_cause = static_cast<int32_t>(causes.size() / 10);
      while (!causes[static_cast<size_t>(loud_cause)].IsIn(kVersions - 1))
        loud_cause = (loud_cause + 1) % static_cast<int32_t>(causes.size());
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    Rng own(SeedOf(options.seed, 1'000 + i));
    Install install;
    char id[17];
    snprintf(id, sizeof id, "%016llx", static_cast<unsigned long long>(own.Next()));
    install.id = id;
    const double at = own.Unit() * device_sum;
    install.device =
        static_cast<uint32_t>(std::upper_bound(device_weights.begin(), device_weights.end(), at) -
                              device_weights.begin());
    install.api_level =
        std::min(devices[install.device].api_level + static_cast<int>(own.Below(2)), 35);
    installs.push_back(install);

    const bool is_loud = static_cast<int32_t>(i) == loud_install;
    const auto with_mean_1 = [&own](double sigma) {
      return std::exp(sigma * own.Normal() - sigma * sigma / 2);
    };
    const double factor = with_mean_1(kSigmaOfInstall);
    const double use = with_mean_1(kSigmaOfUse);
    const double at_version = own.Unit();
    int base = 0;
    for (double sum = kBaseVersions[0]; base + 1 < kVersions && at_version >= sum;)
      sum += kBaseVersions[static_cast<size_t>(++base)];
    const bool updates = base + 1 < kVersions && own.Chance(kUpdates);
    for (uint32_t s = 0; s < session_count; ++s) {
      PlannedSession session;
      session.install = i;
      session.version = is_loud ? kVersions - 1 : base + (updates && s >= updates_at ? 1 : 0);
      const double hours =
          is_loud ? loud_session_hours : session_hours * use * with_mean_1(kSigmaOfTime);
      session.foreground_ms = static_cast<uint64_t>(hours * 3.6e6) + 1;
      session.alive_ms =
          session.foreground_ms + 1'000 +
          static_cast<uint64_t>(2 * own.Unit() * static_cast<double>(session.foreground_ms));
      session.start_ms = kBeginMs + kDays * kDayMs / session_count * s +
                         own.Below(static_cast<uint32_t>(kDayMs / 2));
      session.pid = 2'000 + own.Below(28'000);
      const double weight =
          options.has_causes ? cumulative_[static_cast<size_t>(session.version)].back() : 1;
      const double mean = is_loud ? loud_records / session_count / (loud_cause >= 0 ? 2 : 1)
                                  : records_per_hour * factor * hours * weight;
      PlanSession(mean, is_loud && loud_cause >= 0 ? mean : 0, &own, &session);
    }
  }
  Expect(records_per_hour, others * session_hours,
         has_loud ? session_count * loud_session_hours : 0, loud_records);
}

void Fleet::PlanSession(double mean_of_all, double mean_of_loud_cause, Rng* rng,
                        PlannedSession* session) {
  session->first_record = records.size();
  const uint64_t usual = rng->Poisson(mean_of_all);
  const uint64_t loud = rng->Poisson(mean_of_loud_cause);
  for (uint64_t i = 0; i < usual + loud; ++i) {
    int32_t cause = -1;
    if (i >= usual) {
      cause = loud_cause;
    } else if (options.has_causes) {
      const std::vector<double>& weights = cumulative_[static_cast<size_t>(session->version)];
      const auto at =
          std::upper_bound(weights.begin(), weights.end(), rng->Unit() * weights.back());
      cause = static_cast<int32_t>(
          std::min<ptrdiff_t>(at - weights.begin(), static_cast<ptrdiff_t>(weights.size()) - 1));
    }
    AddRecord(cause, i, rng, session);
  }
  session->records = records.size() - session->first_record;
  session->alive_ms = std::max(session->alive_ms, session->foreground_ms + session->hang_ms);
  sessions.push_back(*session);
}

void Fleet::AddRecord(int32_t cause, uint64_t number, Rng* rng, PlannedSession* session) {
  PlannedRecord record;
  record.seed = rng->Next();
  record.session = static_cast<uint32_t>(sessions.size());
  record.cause = cause;
  record.token = static_cast<uint32_t>(100 + 37 * number + rng->Below(37));
  record.count = rng->Chance(0.9) ? 1 : 2 + rng->Below(4);
  Cause fresh;
  if (cause < 0) fresh.median_ms = kLeastMs * std::exp(1.4 * rng->Unit());
  const Cause& of = cause < 0 ? fresh : causes[static_cast<size_t>(cause)];
  for (uint32_t i = 0; i < record.count; ++i) {
    const auto ms = static_cast<uint32_t>(of.DrawMs(rng));
    record.total_ms += ms;
    record.longest_ms = std::max(record.longest_ms, ms);
  }
  session->hangs += record.count;
  session->hang_ms += record.total_ms;
  records.push_back(record);
}

void Fleet::Expect(double records_per_hour, double others_hours, double loud_hours,
                   double loud_records) {
  const double loud_weight = options.has_causes ? cumulative_[kVersions - 1].back() : 1;
  for (size_t i = 0; i < causes.size(); ++i) {
    const Cause& cause = causes[i];
    double share = 0;
    for (int version = 0; version < kVersions; ++version)
      if (cause.IsIn(version)) share += version_share_[static_cast<size_t>(version)];
    const double hangs = records_per_hour * cause.weight * kHangsPerRecord;
    double loud = 0;
    if (cause.IsIn(kVersions - 1)) loud = loud_records / 2 * cause.weight / loud_weight;
    if (static_cast<int32_t>(i) == loud_cause) loud += loud_records / 2;
    const double with =
        (hangs * share * others_hours + loud * kHangsPerRecord) / (others_hours + loud_hours);
    const double ms = cause.MeanMs();
    expected.push_back(
        {{hangs, hangs * ms}, {hangs * share, hangs * share * ms}, {with, with * ms}});
  }
}

std::string Fleet::IdOf(const PlannedSession& session) const {
  return installs[session.install].id + "-" + std::to_string(session.start_ms) + "p" +
         std::to_string(session.pid);
}

std::string Fleet::IdOf(const PlannedRecord& record) const {
  return IdOf(sessions[record.session]) + "-" + std::to_string(record.token);
}

std::string Fleet::Truth() const {
  std::string text = "{\"seed\":" + std::to_string(options.seed);
  text += ",\"loud_install\":";
  text += loud_install < 0 ? "null" : '"' + installs[static_cast<size_t>(loud_install)].id + '"';
  text += ",\"loud_cause\":" + (loud_cause < 0 ? "null" : std::to_string(loud_cause));
  text += ",\n\"causes\":[";
  for (size_t i = 0; i < causes.size(); ++i) {
    const Cause& cause = causes[i];
    text += i == 0 ? "\n" : ",\n";
    text += "{\"cause\":" + std::to_string(i) + ",\"kind\":\"" + NameOf(cause.kind);
    text += "\",\"method\":\"" + cause.type + "." + cause.method;
    text += "\",\"message\":{\"target\":\"" + cause.message.target + "\",\"callback\":[";
    for (size_t version = 0; version < kVersions; ++version)
      text += (version == 0 ? "\"" : ",\"") + cause.variants[version].callback + '"';
    text += "],\"what\":" + std::to_string(cause.message.what);
    text += "},\"first_version\":\"1." + std::to_string(cause.first_version);
    text += "\",\"last_version\":\"1." + std::to_string(cause.last_version);
    text += "\",\"inlined_in\":[";
    bool is_first = true;
    for (int version = 0; version < kVersions; ++version) {
      const Variant& variant = cause.variants[static_cast<size_t>(version)];
      if (!variant.is_inlined || !variant.exists) continue;
      text += (std::exchange(is_first, false) ? "\"1." : ",\"1.") + std::to_string(version) + '"';
    }
    char numbers[96];
    snprintf(numbers, sizeof numbers, "],\"median_ms\":%.6g,\"mean_ms\":%.6g,", cause.median_ms,
             cause.MeanMs());
    text += numbers;
    AppendRate("present", expected[i].present, &text);
    text += ',';
    AppendRate("without_loud", expected[i].without_loud, &text);
    text += ',';
    AppendRate("with_loud", expected[i].with_loud, &text);
    text += '}';
  }
  text += "],\n\"records\":{";
  for (size_t i = 0; i < records.size(); ++i) {
    const PlannedRecord& record = records[i];
    text.append(i == 0 ? "\n\"" : ",\n\"").append(IdOf(record)).append("\":");
    text += record.cause < 0 ? "null" : std::to_string(record.cause);
  }
  return text += "}}\n";
}

}  // namespace stillframe::fleet
