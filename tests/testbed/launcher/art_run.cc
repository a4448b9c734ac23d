// SPDX-License-Identifier: Apache-2.0
// art-run: runs a program on a real ART. Sets up what the release needs and replaces itself by the
// launcher, so that the process id stays the same.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ahead.h"
#include "command_line.h"
#include "modes.h"

namespace stillframe::testbed {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kBrokenStatus = 3;

constexpr char kUsage[] =
    R"(usage: art-run [options] -cp APP.jar MainClass [arguments...]

Runs MainClass.main of a dex jar (see tools/art-compile) on the real Android Runtime.

  --art 10|11|14           the release; 11 by default
  --cpu NAME               amd64 (default), i386; arm64 and armhf under qemu-user
  --core testbed|android   the class library and android.os: the test bed's own (default), or Android's
                           (10 and 14 on amd64; tools/setup/build-android builds it)
  --framework PATH         with --core android: dex jars with classes that replace the framework's
  --interpreter NAME       10: mterp; 11: mterp (default), on amd64 nterp; 14: nterp (default),
                           switch
  --mode MODE              how code runs; see below
  --preload LIB            preloads a library into the ART process; may be repeated
  --library LIB            loads a library and calls its JNI_OnLoad before main; may be repeated
  -cp, -classpath PATH     dex jars, separated by colons
  -Xoption, -Dname=value, -verbose:what, -agentpath:LIB=options
                           for ART; the heap is -Xms16m -Xmx64m unless given

Modes; all but the interpreters need tools/setup/build-art-compiler RELEASE or RELEASE-arm64:
%s
Exit codes: the program's own, 1 after an uncaught exception, 2 for wrong usage, 3 if ART does not start.

Examples: build/bin/art-run -cp app.jar Main one two
          build/bin/art-run --art 11 --mode jit -cp app.jar Main
)";

void PrintUsage(std::FILE* file) { std::fprintf(file, kUsage, DescribeModes().c_str()); }

std::string BuildFolder() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  for (int i = 0; i < 2; ++i) program.resize(program.rfind('/'));
  return program;
}

std::string FirstLine(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

// ART looks for its data below these folders; they may be empty but must exist.
void SetAndroidFolders(const std::string& folder) {
  const char* const variables[] = {"ANDROID_ROOT",        "ANDROID_DATA",
                                   "ANDROID_ART_ROOT",    "ANDROID_I18N_ROOT",
                                   "ANDROID_TZDATA_ROOT", "ANDROID_RUNTIME_ROOT"};
  mkdir(folder.c_str(), 0777);
  for (const char* variable : variables) setenv(variable, folder.c_str(), 1);
}

void PrependToVariable(const char* name, const std::string& value) {
  const char* previous = std::getenv(name);
  const bool has_previous = previous != nullptr && *previous != '\0';
  setenv(name, (has_previous ? value + ":" + previous : value).c_str(), 1);
}

// The dynamic linker splits LD_PRELOAD at blanks and colons before it expands $ORIGIN, the folder
// of the launcher. So a path there need not have them even if the clone's path does.
std::string Preloadable(const std::string& path, const std::string& bed) {
  if (path.find_first_of(": \t\n") == std::string::npos) return path;
  return "$ORIGIN/" +
         std::filesystem::path(path).lexically_normal().lexically_relative(bed).string();
}

// The first file named on the command line that cannot be read, with errno set, or an empty string.
std::string MissingFile(const CommandLine& command) {
  std::vector<std::string> files = command.preloads;
  files.insert(files.end(), command.libraries.begin(), command.libraries.end());
  std::istringstream class_path(command.class_path);
  for (std::string file; std::getline(class_path, file, ':');) files.push_back(file);
  for (const std::string& file : files)
    if (access(file.c_str(), R_OK) != 0) return file;
  return {};
}

// Does what a mode needs before the program starts. False, with `problem` saying why, if it cannot
// run.
bool PrepareMode(const std::string& bed, CommandLine* command, std::string* problem) {
  const Mode* mode = FindMode(command->mode);
  if (mode == nullptr || !mode->needs_compiler) return true;
  const std::string compiler = FirstLine(bed + "/compiler");
  if (access((compiler + "/libart-compiler.so").c_str(), R_OK) != 0) {
    *problem = "the compiler of ART " + command->art_release + " for " + command->cpu +
               " is not built: tools/setup/build-art-compiler " + command->art_release +
               (command->cpu == "amd64" ? "" : "-" + command->cpu);
    return false;
  }
  if (mode->ahead == Ahead::kNothing) return true;
  const std::string own = command->core == "testbed" ? "" : command->core + "-";
  AheadRequest request = {compiler + "/dex2oat",
                          FirstLine(bed + "/emulator"),
                          command->cpu == "amd64" ? "x86_64" : command->cpu,
                          command->core_jar,
                          "/nonexistent/boot.art",
                          bed + "/" + own + mode->name,
                          mode->dex2oat_options};
  if (mode->ahead == Ahead::kApplicationOnBootImage) {
    request.boot_image = bed + "/" + own + "boot/boot.art";
    command->runtime_options.insert(command->runtime_options.begin(),
                                    "-Ximage:" + request.boot_image);
  }
  return CompileAhead(request, &command->class_path, problem);
}

// Chooses the boot class path and the natives of its classes. False, with `problem` saying why, if
// they are not there.
bool SetCore(const std::string& art, const std::string& bed, CommandLine* command,
             std::string* problem) {
  std::string natives = bed + "/libandroid_testbed.so";
  command->core_jar = art + "/core.jar";
  if (command->core == "android") {
    const std::string android = FirstLine(bed + "/android");
    natives = android + "/libandroid_runtime.so";
    command->core_jar = android + "/core.jar:" + android + "/icu4j.jar:" +
                        (command->framework_jars.empty() ? "" : command->framework_jars + ":") +
                        android + "/framework.jar";
    if (access(natives.c_str(), R_OK) != 0) {
      *problem = "Android " + command->art_release + " is not built: tools/setup/build-android " +
                 command->art_release;
      return false;
    }
    std::istringstream jars(command->framework_jars);
    for (std::string jar; std::getline(jars, jar, ':');) {
      if (access(jar.c_str(), R_OK) == 0) continue;
      *problem = "cannot read " + jar;
      return false;
    }
    PrependToVariable("LD_LIBRARY_PATH", android);
  }
  if (access(natives.c_str(), R_OK) == 0)
    command->libraries.insert(command->libraries.begin(), natives);
  return true;
}

int Start(CommandLine command) {
  const std::string art = BuildFolder() + "/art/" + command.art_release;
  const std::string bed = art + "/" + command.cpu;
  const std::string launcher = bed + "/launcher";
  const std::string library_path = FirstLine(bed + "/library-path");
  if (access(launcher.c_str(), X_OK) != 0 || library_path.empty()) {
    std::fprintf(stderr,
                 "art-run: ART %s for %s is not set up here: %s is missing; it is built by %s\n",
                 command.art_release.c_str(), command.cpu.c_str(), launcher.c_str(),
                 command.cpu == "amd64" ? "./tools/test --quick" : "./tools/test --full cpus");
    return kUsageStatus;
  }
  if (const std::string missing = MissingFile(command); !missing.empty()) {
    std::fprintf(stderr, "art-run: %s: %s\n", missing.c_str(), std::strerror(errno));
    return kUsageStatus;
  }
  SetAndroidFolders(art + "/root");
  PrependToVariable("LD_LIBRARY_PATH", library_path);
  if (std::string problem;
      !SetCore(art, bed, &command, &problem) || !PrepareMode(bed, &command, &problem)) {
    std::fprintf(stderr, "art-run: %s\n", problem.c_str());
    return kUsageStatus;
  }
  for (auto preload = command.preloads.rbegin(); preload != command.preloads.rend(); ++preload)
    PrependToVariable("LD_PRELOAD", Preloadable(*preload, bed));
  std::vector<std::string> arguments = ToLauncherArguments(command);
  arguments.insert(arguments.begin(), launcher);
  const std::string emulator = FirstLine(bed + "/emulator");
  if (!emulator.empty()) arguments.insert(arguments.begin(), emulator);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  std::fprintf(stderr, "art-run: %s: %s\n", pointers[0], std::strerror(errno));
  return kBrokenStatus;
}

}  // namespace
}  // namespace stillframe::testbed

int main(int argc, char** argv) {
  namespace testbed = stillframe::testbed;
  testbed::CommandLine command;
  std::string problem;
  if (!testbed::ParseUserArguments(argc, argv, &command, &problem)) {
    std::fprintf(stderr, "art-run: %s\n", problem.c_str());
    testbed::PrintUsage(stderr);
    return testbed::kUsageStatus;
  }
  if (command.show_help) {
    testbed::PrintUsage(stdout);
    return EXIT_SUCCESS;
  }
  return testbed::Start(command);
}
