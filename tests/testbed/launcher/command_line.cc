// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "modes.h"

namespace stillframe::testbed {
namespace {

std::string Absolute(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  char* folder = getcwd(nullptr, 0);
  const std::string result = std::string(folder == nullptr ? "." : folder) + "/" + path;
  std::free(folder);
  return result;
}

std::string AbsoluteClassPath(const std::string& path) {
  std::string result;
  size_t start = 0;
  while (start <= path.size()) {
    const size_t colon = path.find(':', start);
    const size_t end = colon == std::string::npos ? path.size() : colon;
    result += (start == 0 ? "" : ":") + Absolute(path.substr(start, end - start));
    start = end + 1;
  }
  return result;
}

// Usual interpreter first. -Xint selects mterp in 11. In 14, which has no mterp, it selects the one
// written in C++. nterp runs without -Xint: not in 10, and in 11 on x86-64 only (runtime/Android.bp
// of 11.0.0_r48).
std::vector<std::string> InterpretersOf(const std::string& release, const std::string& cpu) {
  if (release == "14") return {"nterp", "switch"};
  if (release == "11" && cpu == "amd64") return {"mterp", "nterp"};
  return {"mterp"};
}

bool HasCore(const std::string& core, const std::string& release, const std::string& cpu) {
  return core == "testbed" ||
         (core == "android" && (release == "10" || release == "14") && cpu == "amd64");
}

bool IsRelease(const std::string& name) { return name == "10" || name == "11" || name == "14"; }

bool Contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Settles what the user left open; false if the release or its interpreter does not exist.
bool SettleInterpreter(CommandLine* command, std::string* problem) {
  if (!IsRelease(command->art_release)) {
    *problem = "there is no ART " + command->art_release + " here";
    return false;
  }
  if (!HasCore(command->core, command->art_release, command->cpu)) {
    *problem =
        "ART " + command->art_release + " for " + command->cpu + " has no core " + command->core;
    return false;
  }
  if (!command->framework_jars.empty() && command->core != "android") {
    *problem = "--framework needs --core android";
    return false;
  }
  const auto interpreters = InterpretersOf(command->art_release, command->cpu);
  if (command->interpreter.empty()) command->interpreter = interpreters.front();
  *problem = "ART " + command->art_release + " for " + command->cpu + " has no interpreter " +
             command->interpreter;
  return Contains(interpreters, command->interpreter);
}

// The mode's options come before the user's, so that the user's win.
bool SettleMode(CommandLine* command, std::string* problem) {
  if (command->mode.empty()) return SettleInterpreter(command, problem);
  const Mode* mode = FindMode(command->mode);
  if (mode == nullptr || !HasMode(*mode, command->art_release)) {
    *problem = "ART " + command->art_release + " has no mode " + command->mode;
    return false;
  }
  if (!mode->interpreter.empty()) {
    if (!command->interpreter.empty()) {
      *problem = "--mode " + mode->name + " chooses the interpreter itself";
      return false;
    }
    command->interpreter = mode->interpreter;
  }
  if (command->interpreter == kCompiledInterpreter) {
    const auto interpreters = InterpretersOf(command->art_release, command->cpu);
    command->interpreter = Contains(interpreters, "nterp") ? "nterp" : interpreters.front();
  }
  std::vector<std::string> options = mode->runtime_options;
  // ART 11 rounds thresholds up to a multiple of 512, and code without nterp must grow warm a step
  // before it grows hot (runtime/jit/jit.cc, kJitThresholdStep, Jit::MaybeCompileMethod).
  if (command->art_release == "11" && command->interpreter == "mterp")
    std::replace(options.begin(), options.end(), std::string(kLowThreshold),
                 std::string("-Xjitthreshold:1000"));
  command->runtime_options.insert(command->runtime_options.begin(), options.begin(), options.end());
  return SettleInterpreter(command, problem);
}

// Options with a value; false if there is no such option or the value is wrong.
bool SetOption(const std::string& name, const std::string& value, CommandLine* command) {
  if (name == "--art")
    command->art_release = value;
  else if (name == "--cpu")
    command->cpu = value;
  else if (name == "--core")
    command->core = value;
  else if (name == "--interpreter")
    command->interpreter = value;
  else if (name == "--mode")
    command->mode = value;
  else if (name == "--preload")
    command->preloads.push_back(Absolute(value));
  else if (name == "--library")
    command->libraries.push_back(Absolute(value));
  else if (name == "--framework")
    command->framework_jars = AbsoluteClassPath(value);
  else if (name == "--core-jar")
    command->core_jar = AbsoluteClassPath(value);
  else if (name == "-cp" || name == "-classpath")
    command->class_path = AbsoluteClassPath(value);
  else
    return false;
  return true;
}

bool Parse(int argc, char** argv, CommandLine* command, std::string* problem) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; ++i) {
    const std::string option = argv[i];
    if (option == "--help" || option == "-h") {
      command->show_help = true;
      return true;
    }
    if (option.rfind("-X", 0) == 0 || option.rfind("-D", 0) == 0 ||
        option.rfind("-verbose:", 0) == 0 || option.rfind("-agentpath:", 0) == 0) {
      command->runtime_options.push_back(option);
      if (option == "-Xcompiler-option" && i + 1 < argc)
        command->runtime_options.push_back(argv[++i]);
      continue;
    }
    if (i + 1 == argc || !SetOption(option, argv[i + 1], command)) {
      *problem = "unknown option, or wrong value: " + option +
                 (i + 1 < argc ? " " + std::string(argv[i + 1]) : "");
      return false;
    }
    ++i;
  }
  if (i == argc) {
    *problem = "the main class is missing";
    return false;
  }
  command->main_class = argv[i++];
  command->arguments.assign(argv + i, argv + argc);
  return true;
}

}  // namespace

bool ParseUserArguments(int argc, char** argv, CommandLine* command, std::string* problem) {
  return Parse(argc, argv, command, problem) &&
         (command->show_help || SettleMode(command, problem));
}

bool ParseLauncherArguments(int argc, char** argv, CommandLine* command, std::string* problem) {
  if (!Parse(argc, argv, command, problem)) return false;
  *problem = "start art-run, not the launcher itself";
  return !command->core_jar.empty();
}

namespace {

// Where there is one interpreter -Xint would only keep it from calling compiled methods.
bool SelectsInterpreter(const CommandLine& command) {
  return InterpretersOf(command.art_release, command.cpu).size() > 1 &&
         command.interpreter != "nterp";
}

}  // namespace

std::vector<std::string> ToLauncherArguments(const CommandLine& command) {
  std::vector<std::string> arguments = {"--core-jar", command.core_jar};
  if (!command.class_path.empty()) arguments.insert(arguments.end(), {"-cp", command.class_path});
  for (const std::string& library : command.libraries)
    arguments.insert(arguments.end(), {"--library", library});
  arguments.push_back("-Dtestbed.art.release=" + command.art_release);
  if (SelectsInterpreter(command)) arguments.push_back("-Xint");
  arguments.insert(arguments.end(), command.runtime_options.begin(), command.runtime_options.end());
  arguments.push_back(command.main_class);
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  return arguments;
}

}  // namespace stillframe::testbed
