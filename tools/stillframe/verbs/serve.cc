// SPDX-License-Identifier: Apache-2.0
// stillframe serve DIR --token-file FILE [--cert FILE --key FILE] [--port N]
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "tools/stillframe/upload/receiver.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/upload_files.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

struct ServeOptions {
  upload::ReceiverOptions receiver;
  std::string token_file;
  std::string certificate_file;
  std::string key_file;
};

int Run(ServeOptions options) {
  upload::ReceiverOptions& receiver = options.receiver;
  if (options.certificate_file.empty() != options.key_file.empty()) {
    Complain("serve", "--cert and --key belong together");
    return kExitUsage;
  }
  if (!ReadToken(options.token_file, &receiver.token)) return kExitBadData;
  if (!options.certificate_file.empty() &&
      (!ReadPem(options.certificate_file, &receiver.certificate) ||
       !ReadPem(options.key_file, &receiver.key)))
    return kExitBadData;
  std::string error;
  const auto ready = [](uint16_t port) {
    std::cout << fmt::format("takes records at port {}\n", port) << std::flush;
  };
  if (upload::Receive(receiver, ready, &error)) return kExitFine;
  const bool is_six = receiver.address.find(':') != std::string::npos;
  const std::string host = is_six ? "[" + receiver.address + "]" : receiver.address;
  Complain(error.starts_with("cannot be served") || error.starts_with("is ")
               ? fmt::format("{}:{}", host, receiver.port)
               : receiver.folder,
           error);
  return kExitBadData;
}

}  // namespace

void AddServe(CLI::App* app, Action* action) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* verb =
      app->add_subcommand("serve", "Receive records of janks that 'push' or an application sends");
  verb->add_option("DIR", options->receiver.folder, "Where they are stored, each once")->required();
  verb->add_option("--token-file", options->token_file, "A file with the token that senders show")
      ->required()
      ->option_text("FILE");
  verb->add_option("--cert", options->certificate_file, "The certificate chain, as PEM")
      ->option_text("FILE");
  verb->add_option("--key", options->key_file, "Its key, as PEM")->option_text("FILE");
  verb->add_option(
          "--address", options->receiver.address,
          "Of this machine, such as ::1; 127.0.0.1 if not given. Without --cert loopback only")
      ->option_text("IP");
  verb->add_option("--port", options->receiver.port, "8443 if not given; 0: any")->option_text("N");
  verb->add_option("--per-minute", options->receiver.per_minute,
                   "Records taken a minute; 600 if not given")
      ->check(CLI::Range(1U, 1'000'000U))
      ->option_text("N");
  verb->add_option("--most", options->receiver.max_records,
                   "Records stored; 1,000,000 if not given")
      ->option_text("N");
  verb->footer(
      "GET / shows what came, GET /records lists it; a browser gives the token as password.\n"
      "Example:\n  stillframe serve records/ --token-file token --cert cert.pem --key key.pem");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
