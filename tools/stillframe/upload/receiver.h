// SPDX-License-Identifier: Apache-2.0
// Takes records over HTTP: POST /records has one, GET / shows what came, GET /records lists it as
// JSON, GET /records/HASH gives one back.
//
// Problem: whoever can connect may send anything, slowly, for ever. Rule: connections, bytes of a
// head and of a body, time, and requests a minute are bounded before anything is kept; a body is
// kept when the token and the length were right; wrong tokens are answered ever later. Surviving
// risk: who holds all connections open keeps others away until the time-out.
#pragma once

#include <cstdint>
#include <string>

namespace stillframe::upload {

struct ReceiverOptions {
  std::string folder;
  std::string address = "127.0.0.1";
  uint16_t port = 8443;       // 0: any that is free
  std::string token;          // not empty
  std::string certificate;    // PEM; "": HTTP without TLS, for loopback alone
  std::string key;            // PEM
  uint32_t per_minute = 600;  // records that are taken a minute
  uint64_t max_records = 1'000'000;
};

// Serves until SIGINT or SIGTERM. `ready(port)` is called when it takes connections. False, with
// one line, when it cannot.
bool Receive(const ReceiverOptions& options, void (*ready)(uint16_t port), std::string* error);

}  // namespace stillframe::upload
