// SPDX-License-Identifier: Apache-2.0
#include "ahead.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace stillframe::testbed {
namespace {

namespace fs = std::filesystem;

// A jar as ART shall see it, and its code where ART looks for it
// (OatFileAssistant::DexLocationToOdexFilename).
struct Place {
  fs::path link;
  fs::path code;
};

Place PlaceOf(const AheadRequest& request, const std::string& jar) {
  std::string name = jar;
  std::replace(name.begin(), name.end(), '/', '@');
  const fs::path folder = fs::path(request.folder) / name;
  const fs::path file = fs::path(jar).filename();
  return {folder / file,
          folder / "oat" / request.instruction_set / fs::path(file).replace_extension(".odex")};
}

bool IsNewerThan(const fs::path& made, const std::vector<std::string>& sources) {
  std::error_code error;
  const auto time = fs::last_write_time(made, error);
  return !error && std::all_of(sources.begin(), sources.end(), [&](const std::string& source) {
    std::error_code missing;
    return fs::last_write_time(source, missing) <= time;
  });
}

// The program's output goes to a file. Returns whether it ended well.
bool Run(std::vector<std::string> arguments, const std::string& log) {
  const pid_t child = fork();
  if (child == 0) {
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    unsetenv("LD_PRELOAD");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool CompileJar(const AheadRequest& request, const Place& place, const std::string& loaded_before,
                std::string* problem) {
  // Others may compile the same jar now: each writes files of its own and puts them in place
  // complete.
  const fs::path own = place.code.parent_path() / ("being-made." + std::to_string(getpid()));
  fs::create_directories(own);
  std::vector<std::string> arguments = {
      request.dex2oat,
      "--dex-file=" + place.link.string(),
      "--dex-location=" + place.link.string(),
      "--oat-file=" + (own / "code.odex").string(),
      "--output-vdex=" + (own / "code.vdex").string(),
      "--instruction-set=" + request.instruction_set,
      "--boot-image=" + request.boot_image,
      "--class-loader-context=PCL[" + loaded_before + "]",
  };
  for (const std::string& option :
       {std::string("-Xms16m"), std::string("-Xmx64m"), "-Xbootclasspath:" + request.core_jar,
        "-Xbootclasspath-locations:" + request.core_jar})
    arguments.insert(arguments.end(), {"--runtime-arg", option});
  arguments.insert(arguments.end(), request.options.begin(), request.options.end());
  const std::string log = fs::path(place.code).replace_extension(".log").string();
  if (!request.emulator.empty()) arguments.insert(arguments.begin(), request.emulator);
  const bool ran = Run(std::move(arguments), log);
  if (ran) {
    fs::rename(own / "code.vdex", fs::path(place.code).replace_extension(".vdex"));
    fs::rename(own / "code.odex", place.code);
  } else {
    *problem = "dex2oat cannot compile " + place.link.string() + ", see " + log;
  }
  fs::remove_all(own);
  return ran;
}

}  // namespace

bool CompileAhead(const AheadRequest& request, std::string* class_path, std::string* problem) {
  const std::string core = request.core_jar.substr(0, request.core_jar.find(':'));
  std::istringstream jars(*class_path);
  std::string linked;
  for (std::string jar; std::getline(jars, jar, ':');) {
    const Place place = PlaceOf(request, jar);
    std::error_code there_already;
    fs::create_directories(place.link.parent_path());
    fs::create_symlink(jar, place.link, there_already);
    if (!IsNewerThan(place.code, {jar, core, request.dex2oat}) &&
        !CompileJar(request, place, linked, problem))
      return false;
    linked += (linked.empty() ? "" : ":") + place.link.string();
  }
  *class_path = linked;
  return true;
}

}  // namespace stillframe::testbed
