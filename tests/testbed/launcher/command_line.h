// SPDX-License-Identifier: Apache-2.0
// The command line of art-run: what the user gives, and what the front passes on to the launcher of
// one ART.
#pragma once

#include <string>
#include <vector>

namespace stillframe::testbed {

struct CommandLine {
  std::string art_release = "11";
  std::string cpu = "amd64";     // Debian's name of it.
  std::string core = "testbed";  // Whose class library: testbed or android.
  std::string interpreter;       // mterp, nterp or switch; the release's usual one if it is empty.
  std::string mode;              // The front only: a name of modes.h, or empty.
  bool show_help = false;
  std::string framework_jars;  // Before the framework's own; the front only.
  std::string core_jar;        // The boot class path, separated by colons; the launcher only.
  std::string class_path;      // Absolute paths, separated by colons.
  std::string main_class;
  std::vector<std::string> preloads;         // Absolute paths.
  std::vector<std::string> libraries;        // Absolute paths, loaded before main.
  std::vector<std::string> runtime_options;  // -X and -D options for ART.
  std::vector<std::string> arguments;        // The application's.
};

// Parses what the user gives. On a mistake returns false and says in `problem` what is wrong.
bool ParseUserArguments(int argc, char** argv, CommandLine* command, std::string* problem);

// Parses the output of ToLauncherArguments: the same options, with the core library's jar.
bool ParseLauncherArguments(int argc, char** argv, CommandLine* command, std::string* problem);

// The arguments, without the program, that carry `command` to the launcher.
std::vector<std::string> ToLauncherArguments(const CommandLine& command);

}  // namespace stillframe::testbed
