// SPDX-License-Identifier: Apache-2.0
#include "src/settings/config.h"

#include <errno.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <type_traits>
#include <utility>

extern char** environ;

namespace stillframe::settings {
namespace {

constexpr const char* kTaps[] = {"auto", "observer", "printer", "probe", "none"};
constexpr const char* kTimers[] = {"cpu", "wall"};
constexpr const char* kNativeWords[] = {"libunwind", "files"};
constexpr bool Config::*kNativeFields[] = {&Config::native_libunwind, &Config::native_files};

// When a setting may change: before the profiler starts, or also while it runs.
enum class Change { kAtStart, kAnyTime };

// Rights of documents over a privacy setting. Calls and the environment may change all.
enum class Reach {
  kAnywhere,  // as calls may
  kNarrows,   // may not restore what a call left out
  kLocal,     // may only switch it off
};

// Each row sets one kind of field. The default is the field's initial value in Config.
struct Setting {
  const char* name = nullptr;
  const char* unit = nullptr;
  Change change = Change::kAtStart;
  Reach reach = Reach::kAnywhere;
  bool Config::*on_off = nullptr;
  std::string Config::*text = nullptr;
  Omissions Config::*words = nullptr;
  // Switch with words: the field that each of `names` sets.
  bool Config::*const* also = nullptr;
  // Choice: its values.
  const char* const* names = nullptr;
  size_t count = 0;
  // Number: in its unit. Choice: the index in `names`.
  uint32_t (*number)(const Config&) = nullptr;
  void (*set_number)(Config*, uint32_t) = nullptr;
  uint32_t least = 0;
  uint32_t most = 0;
};

template <auto kField>
using ValueOf = std::remove_reference_t<decltype(Config{}.*kField)>;

template <auto kField>
constexpr Setting Number(const char* name, const char* unit, Change change, uint32_t least,
                         uint32_t most) {
  return {.name = name,
          .unit = unit,
          .change = change,
          .number = [](const Config& config) -> uint32_t { return config.*kField; },
          .set_number = [](Config* config, uint32_t number) { config->*kField = number; },
          .least = least,
          .most = most};
}

constexpr const char* NameOf(Microseconds) { return "us"; }
constexpr const char* NameOf(Milliseconds) { return "ms"; }
constexpr const char* NameOf(Seconds) { return "s"; }

// A time in the unit of its type.
template <auto kField>
constexpr Setting Span(const char* name, Change change, uint32_t least, uint32_t most) {
  using Value = ValueOf<kField>;
  return {.name = name,
          .unit = NameOf(Value()),
          .change = change,
          .number = [](const Config& config) { return (config.*kField).count(); },
          .set_number = [](Config* config, uint32_t number) { config->*kField = Value(number); },
          .least = least,
          .most = most};
}

constexpr Setting Switch(const char* name, Change change, bool Config::*field,
                         Reach reach = Reach::kAnywhere) {
  return {.name = name, .unit = "", .change = change, .reach = reach, .on_off = field};
}

template <size_t kCount>
constexpr Setting OrWords(Setting setting, const char* const (&names)[kCount],
                          bool Config::*const (&fields)[kCount]) {
  setting.also = fields;
  setting.names = names;
  setting.count = kCount;
  return setting;
}

constexpr Setting Text(const char* name, Change change, std::string Config::*field,
                       Reach reach = Reach::kAnywhere) {
  return {.name = name, .unit = "", .change = change, .reach = reach, .text = field};
}

constexpr Setting Words(const char* name, Change change, Omissions Config::*field) {
  return {.name = name, .unit = "", .change = change, .reach = Reach::kNarrows, .words = field};
}

template <auto kField, size_t kCount>
constexpr Setting Choice(const char* name, Change change, const char* const (&names)[kCount]) {
  return {
      .name = name,
      .unit = "",
      .change = change,
      .names = names,
      .count = kCount,
      .number = [](const Config& config) { return static_cast<uint32_t>(config.*kField); },
      .set_number = [](Config* config,
                       uint32_t place) { config->*kField = static_cast<ValueOf<kField>>(place); }};
}

// A setting with its description, which only Table() uses and the device does not contain.
struct Row {
  Setting setting;
  const char* what;
};

// Source of docs/reference/settings.md.
constexpr Row kRows[] = {
    {Span<&Config::slow_ms>("slow_ms", Change::kAtStart, 1, 60'000),
     "A message that runs this long is slow: it is listed and sampled"},
    {Span<&Config::interval_us>("interval_us", Change::kAnyTime, 300, 10'000'000),
     "Time between two samples"},
    {Span<&Config::tree_min_ms>("tree_min_ms", Change::kAnyTime, 1, 600'000),
     "Trees of shorter messages are dropped"},
    {Number<&Config::trees>("trees", "trees", Change::kAnyTime, 1, 1'000),
     "Trees kept, the newest; each needs 38.4 KiB of memory on average"},
    {Span<&Config::long_ms>("long_ms", Change::kAnyTime, 0, 600'000),
     "A dump is written, without a signal, when a message runs this long or the Looper does not "
     "answer for so long; 0: never"},
    {Number<&Config::dumps>("dumps", "files", Change::kAnyTime, 1, 10'000),
     "Dumps kept in the folder; the oldest are deleted"},
    {Span<&Config::jank_ms>("jank_ms", Change::kAnyTime, 1, 600'000),
     "A message of the main thread that runs this long leaves a record, if it is slow as well "
     "(`slow_ms`)"},
    {Number<&Config::jank_kib_per_day>("jank_kib_per_day", "KiB", Change::kAnyTime, 1, 1'048'576),
     "Records written a day (UTC), by all processes together"},
    {Span<&Config::cpu_s_per_day>("cpu_s_per_day", Change::kAnyTime, 0, 86'400),
     "CPU time of the profiler in a day (UTC), in all processes of the folder; beyond it nothing "
     "is sampled until the next day; 0: no bound"},
    {Number<&Config::control_percent>("control_percent", "percent", Change::kAtStart, 0, 100),
     "Share of the enrolled installs in the control group, in which the profiler stays off"},
    {Switch("janks", Change::kAnyTime, &Config::janks),
     "Each long message of the main thread leaves a record when it ends"},
    {Switch("enabled", Change::kAnyTime, &Config::enabled),
     "0 at the start: the profiler does nothing; later: it takes no samples and writes nothing"},
    {Switch("dump_at_exit", Change::kAnyTime, &Config::dump_at_exit),
     "A dump is written when the program ends through `exit`; on Android none does"},
    {Switch("dump_on_sigquit", Change::kAtStart, &Config::dump_on_sigquit),
     "A dump is written on SIGQUIT; the Signal Catcher has the signal 20 ms later in any case"},
    {Switch("copy_traces", Change::kAtStart, &Config::copy_traces, Reach::kNarrows),
     "The Signal Catcher's traces are copied into the dump"},
    {Switch("live", Change::kAtStart, &Config::live, Reach::kLocal),
     "`stillframe live` of the same user (or root; of adb's shell where the process is debuggable) "
     "is sent messages over a local socket; on Android in debuggable applications only"},
    {OrWords(Switch("native", Change::kAtStart, &Config::native), kNativeWords, kNativeFields),
     "Samples have native frames, dumps have those of threads that stand still and the libraries; "
     "`libunwind` finds more of them where code is described, `files` names functions by the "
     "libraries' files"},
    {Switch("file_names", Change::kAtStart, &Config::file_names, Reach::kLocal),
     "Stacks name the file that a system call waits for, or the peer of a socket: `fsync file "
     "/data/...`; else its kind alone"},
    {Switch("sections", Change::kAtStart, &Config::sections, Reach::kNarrows),
     "Dumps have what watched threads write to the trace marker"},
    {Switch("message_objects", Change::kAtStart, &Config::message_objects, Reach::kLocal),
     "Dumps have `arg1`, `arg2`, the class of `obj` and its `toString()` of pending messages; this "
     "runs code of the application, so on Android only of debuggable ones"},
    {Choice<&Config::tap>("tap", Change::kAtStart, kTaps),
     "How messages are seen: `observer` needs API 29, `printer` sees the main Looper only, `probe` "
     "sees hangs alone and uses public API alone"},
    {Choice<&Config::timer>("timer", Change::kAtStart, kTimers),
     "Clock of the sampling timer; `wall` interrupts sleeping threads as well, for stress tests; "
     "on Android in debuggable applications only"},
    {Text("loopers", Change::kAtStart, &Config::loopers),
     "Loopers watched beside the main one: `all`, or names of threads separated by commas, with "
     "`*` at the end (`js,mqt_*`); at most 15, of which four at a time are sampled"},
    {Words("omit", Change::kAtStart, &Config::omit),
     "What dumps and records leave out, words separated by commas"},
    {Text("dump_dir", Change::kAtStart, &Config::dump_dir, Reach::kLocal),
     "Folder for dumps and records; without it nothing is written"},
    {Text("config", Change::kAtStart, &Config::config, Reach::kLocal),
     "File with a document of settings, which is read and watched"},
#ifdef STILLFRAME_TUNABLE  // tests set these constants: they cannot wait for a day
    {Span<&Config::dump_gap_ms>("dump_gap_ms", Change::kAtStart, 0, 600'000), ""},
    {Number<&Config::guard_deaths>("guard_deaths", "deaths", Change::kAtStart, 0, 100), ""},
    {Span<&Config::guard_healthy_s>("guard_healthy_s", Change::kAtStart, 1, 86'400), ""},
    {Span<&Config::guard_back_off_s>("guard_back_off_s", Change::kAtStart, 1, 86'400), ""},
    {Number<&Config::jank_files>("jank_files", "files", Change::kAnyTime, 1, 10'000), ""},
    {Number<&Config::ring_kib>("ring_kib", "KiB", Change::kAtStart, 64, 16'384), ""},
    {Span<&Config::wait_vm_ms>("wait_vm_ms", Change::kAtStart, 0, 600'000), ""},
    {Number<&Config::watchdog_handler_percent>("watchdog_handler_percent", "percent",
                                               Change::kAnyTime, 0, 100),
     ""},
    {Span<&Config::watchdog_lag_ms>("watchdog_lag_ms", Change::kAnyTime, 0, 600'000), ""},
    {Number<&Config::watchdog_lost_percent>("watchdog_lost_percent", "percent", Change::kAnyTime, 0,
                                            100),
     ""},
    {Number<&Config::watchdog_memory_kib>("watchdog_memory_kib", "KiB", Change::kAnyTime, 0,
                                          1'048'576),
     ""},
    {Span<&Config::watchdog_dump_ms>("watchdog_dump_ms", Change::kAnyTime, 0, 600'000), ""},
    {Switch("pending_by_dump", Change::kAtStart, &Config::pending_by_dump), ""},
#endif
};

constexpr auto kSettings = [] {
  std::array<Setting, std::size(kRows)> settings = {};
  for (size_t i = 0; i < settings.size(); ++i) settings[i] = kRows[i].setting;
  return settings;
}();

bool IsChoice(const Setting& setting) {
  return setting.number != nullptr && setting.names != nullptr;
}

bool IsNumber(const Setting& setting) {
  return setting.number != nullptr && setting.names == nullptr;
}

constexpr std::string_view kVariablePrefix = "STILLFRAME_";

const Setting* Find(std::string_view name) {
  for (const Setting& setting : kSettings)
    if (name == setting.name) return &setting;
  return nullptr;
}

// STILLFRAME_SLOW_MS gives "slow_ms"; a variable with small letters gives "".
std::string NameOfVariable(std::string_view variable) {
  std::string name(variable.substr(kVariablePrefix.size()));
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') return "";
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

std::string Unknown(std::string_view name) { return Shown(name) + " is ignored: unknown setting"; }

std::string Complaint(std::string_view name, std::string_view value, const std::string& wanted) {
  return Shown(name) + "=" + Shown(value) + " is ignored: it must be " + wanted;
}

bool ParseNumber(std::string_view value, uint32_t least, uint32_t most, uint32_t* number) {
  const std::string text(value);
  errno = 0;
  char* end = nullptr;
  const long long parsed = strtoll(text.c_str(), &end, 10);
  if (errno != 0 || end == text.c_str() || *end != '\0' || parsed < least || parsed > most)
    return false;
  *number = static_cast<uint32_t>(parsed);
  return true;
}

std::string Choose(const Setting& setting, std::string_view value, Config* config) {
  std::string wanted = "one of";
  for (size_t i = 0; i < setting.count; ++i) {
    if (value == setting.names[i]) {
      setting.set_number(config, static_cast<uint32_t>(i));
      return "";
    }
    wanted += std::string(" ") + setting.names[i];
  }
  return wanted;
}

// A word switches the setting on, and sets the word's field too.
std::string SwitchBy(const Setting& setting, std::string_view value, Config* config) {
  std::string wanted = "0, 1, true or false";
  bool is_on = true;
  uint32_t also = 0;
  if (!ReadSwitch(value, &is_on)) {
    for (size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
      end = value.find(',', begin);
      const std::string_view word = value.substr(begin, end - begin);
      size_t i = 0;
      while (i < setting.count && word != setting.names[i]) ++i;
      if (i == setting.count) {
        for (i = 0; i < setting.count; ++i)
          wanted += std::string(i == 0 ? ", or words joined by commas: " : " ") + setting.names[i];
        return wanted;
      }
      also |= 1U << i;
    }
  }
  config->*setting.on_off = is_on;
  for (size_t i = 0; i < setting.count; ++i) config->*setting.also[i] = (also >> i & 1U) != 0;
  return "";
}

// Known words apply even beside unknown ones: omitting less than intended would be worse.
void AddOmissions(std::string_view name, std::string_view value, Config* config,
                  std::vector<std::string>* complaints) {
  config->omit = {};
  for (const std::string& word : config->omit.AddWords(value))
    complaints->push_back(Complaint(name, word, "some of " + KnownParts()));
}

// `name`: as written. Returns what the value must be; "" if it is valid.
std::string WantedInstead(const Setting& setting, std::string_view value, Config* config) {
  if (IsNumber(setting)) {
    uint32_t number = 0;
    if (ParseNumber(value, setting.least, setting.most, &number)) {
      setting.set_number(config, number);
      return "";
    }
    return "a number from " + std::to_string(setting.least) + " to " +
           std::to_string(setting.most) + " (" + setting.unit + ")";
  }
  if (setting.on_off != nullptr) return SwitchBy(setting, value, config);
  if (setting.text != nullptr) {
    config->*setting.text = std::string(value);
    return "";
  }
  return Choose(setting, value, config);
}

void Apply(const Setting& setting, std::string_view name, std::string_view value, Config* config,
           std::vector<std::string>* complaints) {
  if (setting.words != nullptr) return AddOmissions(name, value, config, complaints);
  const std::string wanted = WantedInstead(setting, value, config);
  if (!wanted.empty()) complaints->push_back(Complaint(name, value, wanted));
}

bool IsNamed(std::string_view name, const std::vector<model::NamedText>& items) {
  return std::any_of(
      items.begin(), items.end(), [&](const model::NamedText& item) { return item.name == name; });
}

// Why a document may not set this; "" if it may. `config`: as set by calls.
std::string Forbidden(const Setting& setting, std::string_view value,
                      const std::vector<model::NamedText>& calls, const Config& config) {
  if (setting.reach == Reach::kAnywhere || setting.words != nullptr) return "";
  bool is_on = true;
  if (setting.on_off != nullptr && ReadSwitch(value, &is_on) && !is_on) return "";
  if (setting.reach == Reach::kLocal)
    return setting.on_off != nullptr ? "a document may only switch it off"
                                     : "a document cannot set it";
  return IsNamed(setting.name, calls) && !(config.*setting.on_off)
             ? "the application has switched it off"
             : "";
}

// Sets all settings of a document. The caller merges the omissions.
void SetAll(const std::vector<model::NamedText>& document,
            const std::vector<model::NamedText>& calls, Config* config,
            std::vector<std::string>* complaints) {
  for (const model::NamedText& item : document) {
    const Setting* setting = Find(item.name);
    const std::string why =
        setting == nullptr ? "" : Forbidden(*setting, item.value, calls, *config);
    if (why.empty())
      Set(item.name, item.value, config, complaints);
    else
      complaints->push_back(Shown(item.name) + "=" + Shown(item.value) + " is ignored: " + why);
  }
}

void SetVariable(std::string_view name, std::string_view value, Config* config,
                 std::vector<std::string>* complaints) {
  const std::string plain = NameOfVariable(name);
  const Setting* setting = Find(plain);
  if (setting == nullptr)
    complaints->push_back(Unknown(name));
  else
    Apply(*setting, name, value, config, complaints);
}

std::string Show(const Setting& setting, const Config& config) {
  if (IsNumber(setting)) return std::to_string(setting.number(config));
  if (setting.on_off != nullptr) {
    std::string words;
    for (size_t i = 0; i < setting.count; ++i)
      if (config.*setting.also[i]) words.append(words.empty() ? "" : ",").append(setting.names[i]);
    return !words.empty() ? words : config.*setting.on_off ? "1" : "0";
  }
  if (setting.text != nullptr) return config.*setting.text;
  if (setting.words != nullptr) return (config.*setting.words).Words();
  return setting.names[setting.number(config)];
}

}  // namespace

std::string Shown(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return shown;
}

bool ReadSwitch(std::string_view value, bool* is_on) {
  std::string lower(value.substr(0, 8));
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower == "1" || lower == "true")
    *is_on = true;
  else if (lower == "0" || lower == "false")
    *is_on = false;
  else
    return false;
  return true;
}

Result Set(std::string_view name, std::string_view value, Config* config,
           std::vector<std::string>* complaints) {
  const Setting* setting = Find(name);
  if (setting == nullptr) {
    complaints->push_back(Unknown(name));
    return Result::kUnknown;
  }
  const size_t before = complaints->size();
  Apply(*setting, name, value, config, complaints);
  return complaints->size() == before ? Result::kSet : Result::kBadValue;
}

bool IsSetting(std::string_view name) { return Find(name) != nullptr; }

bool IsFixedAtStart(std::string_view name) {
  const Setting* setting = Find(name);
  return setting != nullptr && setting->change == Change::kAtStart;
}

bool IsBoolean(std::string_view name) {
  const Setting* setting = Find(name);
  return setting == nullptr || setting->on_off != nullptr;
}

std::string FileToRead(const std::vector<model::NamedText>& calls) {
  std::string path;
  for (const model::NamedText& item : calls)
    if (item.name == "config") path = item.value;
  const char* variable = getenv("STILLFRAME_CONFIG");
  return variable != nullptr ? variable : path;
}

std::vector<model::NamedText> ReadVariables() {
  std::vector<model::NamedText> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!text.starts_with(kVariablePrefix)) continue;
    const std::string_view name = text.substr(0, text.find('='));
    variables.push_back(
        {std::string(name), std::string(text.substr(std::min(text.size(), name.size() + 1)))});
  }
  return variables;
}

Config Assemble(const Layers& layers, const Complaints& complaints) {
  Config config;
  SetAll(layers.file, {}, &config, complaints.file);
  const bool is_off = !config.enabled;
  Omissions asked = std::exchange(config.omit, {});  // by documents; the newest counts
  for (const model::NamedText& item : layers.calls)
    Set(item.name, item.value, &config, complaints.calls);
  // A file that switches off overrides calls.
  if (is_off) config.enabled = false;
  Omissions left_out = std::exchange(config.omit, {});  // by calls or the environment
  SetAll(layers.document, layers.calls, &config, complaints.document);
  if (IsNamed("omit", layers.document)) asked = config.omit;
  config.omit = left_out;
  for (const model::NamedText& item : layers.variables)
    SetVariable(item.name, item.value, &config, complaints.calls);
  for (const model::NamedText& item : layers.changes)
    Set(item.name, item.value, &config, complaints.calls);
  left_out = config.omit;
  const bool is_by_document = IsNamed("omit", layers.document);
  if ((is_by_document || IsNamed("omit", layers.file)) && left_out.Covers(asked) &&
      !asked.Covers(left_out))
    (is_by_document ? complaints.document : complaints.file)
        ->push_back("omit in a document leaves out more, never less, than the application does");
  config.omit.Add(asked);
  // The Signal Catcher's traces hold all of these.
  for (const Part part : {Part::kStacks, Part::kThreads, Part::kProcess})
    if (config.omit.Has(part)) config.copy_traces = false;
  return config;
}

void KeepFixed(const Config& in_force, const std::vector<model::NamedText>& asked, Config* config,
               std::vector<std::string>* complaints) {
  std::vector<std::string> none;
  for (const Setting& setting : kSettings) {
    const std::string value = Show(setting, in_force);
    if (setting.change == Change::kAnyTime || Show(setting, *config) == value) continue;
    if (IsNamed(setting.name, asked))
      complaints->push_back(std::string(setting.name) +
                            " is ignored: it can be set before the start only");
    Apply(setting, setting.name, value, config, &none);
  }
}

std::vector<SettingFacts> Table() {
  std::vector<SettingFacts> table;
  constexpr const char* kReaches[] = {"set it", "narrow it", "not set it"};
  for (const auto& [setting, what] : kRows) {
    const bool is_switch = setting.on_off != nullptr;
    SettingFacts facts = {.name = setting.name,
                          .unit = setting.unit,
                          .is_fixed_at_start = setting.change == Change::kAtStart,
                          .is_local = setting.reach == Reach::kLocal,
                          .by_document = setting.reach == Reach::kLocal && is_switch
                                             ? "switch it off"
                                             : kReaches[static_cast<size_t>(setting.reach)],
                          .value = Show(setting, Config()),
                          .what = what,
                          .kind = "text",
                          .least = setting.least,
                          .most = setting.most,
                          .names = {}};
    if (IsNumber(setting)) facts.kind = "number";
    if (is_switch) facts.kind = "switch";
    if (setting.words != nullptr) facts.kind = "words";
    if (IsChoice(setting)) facts.kind = "choice";
    for (size_t i = 0; i < setting.count; ++i) facts.names.emplace_back(setting.names[i]);
    table.push_back(std::move(facts));
  }
  return table;
}

std::vector<model::NamedText> ParseOptions(std::string_view options) {
  std::vector<model::NamedText> items;
  while (!options.empty()) {
    const std::string_view item = options.substr(0, options.find(','));
    options.remove_prefix(std::min(options.size(), item.size() + 1));
    const size_t equals = item.find('=');
    if (equals != std::string_view::npos)
      items.push_back({std::string(item.substr(0, equals)), std::string(item.substr(equals + 1))});
    else if (!items.empty())
      items.back().value.append(",").append(item);
    else if (!item.empty())
      items.push_back({std::string(item), ""});
  }
  return items;
}

std::string Fingerprint(const Config& config) {
  std::string text;
  for (const Setting& setting : kSettings) {
    const std::string_view name = setting.name;
    if (name == "dump_dir" || name == "config" || name.starts_with("guard_")) continue;
    text.append(name).append("=").append(Show(setting, config)).append("\n");
  }
  return text;
}

std::vector<model::NamedText> Describe(const Config& config) {
  std::vector<model::NamedText> items;
  items.reserve(kSettings.size());
  for (const Setting& setting : kSettings) items.push_back({setting.name, Show(setting, config)});
  return items;
}

std::string DropDeskSettings(Config* config) {
  std::string dropped;
  if (std::exchange(config->timer, TimerChoice::kCpu) != TimerChoice::kCpu) dropped += ", timer";
  if (std::exchange(config->message_objects, false)) dropped += ", message_objects";
  if (std::exchange(config->live, false)) dropped += ", live";
  return dropped.empty() ? "" : dropped.substr(2);
}

}  // namespace stillframe::settings
