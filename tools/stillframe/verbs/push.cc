// SPDX-License-Identifier: Apache-2.0
// stillframe push DIR --to URL --token-file FILE [--ca FILE] [--tries N] [--trust-status]
#include "tools/stillframe/upload/push.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "tools/stillframe/streams/byte_source.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/upload_files.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct PushVerbOptions {
  upload::PushOptions push;
  std::string token_file;
};

int Run(PushVerbOptions options) {
  if (!options.push.url.starts_with("https://")) {
    Complain("push", "--to takes an address that begins with https://");
    return kExitUsage;
  }
  if (!ReadToken(options.token_file, &options.push.token)) return kExitBadData;
  const upload::Pushed pushed = upload::Push(
      options.push, [](const std::string& line) { std::cerr << "stillframe: " << line << "\n"; });
  std::cout << fmt::format("{} sent, {} refused, {} left\n", pushed.sent, pushed.refused,
                           pushed.left);
  if (!pushed.error.empty())
    Complain(options.push.url, pushed.error + "; what is left is sent by the next push");
  const bool is_done = pushed.error.empty() && pushed.refused == 0 && pushed.unmarked == 0;
  return is_done ? kExitFine : kExitBadData;
}

}  // namespace

void AddPush(CLI::App* app, Action* action) {
  auto options = std::make_shared<PushVerbOptions>();
  CLI::App* verb = app->add_subcommand("push", "Send records of janks to a receiver over HTTPS");
  verb->add_option("DIR", options->push.folder, "The folder with the records")->required();
  verb->add_option("--to", options->push.url, "Such as https://janks.example/records")
      ->required()
      ->option_text("URL");
  verb->add_option("--token-file", options->token_file, "A file with the receiver's token")
      ->required()
      ->option_text("FILE");
  verb->add_option("--ca", options->push.ca,
                   "Certificates to trust instead of the system's, as PEM")
      ->option_text("FILE");
  verb->add_option("--tries", options->push.tries, "Of one record; 5 if not given")
      ->check(CLI::Range(1U, 100U))
      ->option_text("N");
  verb->add_flag(
      "--trust-status", options->push.trusts_status,
      "Believe a receiver that answers with success alone, not with the record's SHA-256");
  verb->footer(
      "What was taken ends with .sent and is not sent again.\n"
      "Example:\n  stillframe push records/ --to https://janks.example/records --token-file token");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
