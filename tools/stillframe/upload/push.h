// SPDX-License-Identifier: Apache-2.0
// Sends the records of a folder to a receiver, each until it is taken, and marks what was: its name
// ends with .sent instead of .json then. What was begun before goes on where it ended; what was
// taken and not marked yet is known to the receiver by its content.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace stillframe::upload {

struct PushOptions {
  std::string folder;
  std::string url;  // https://HOST[:PORT]/records
  std::string token;
  std::string ca;  // PEM file of whom to trust; "": the system's
  // Any answer of success is believed. Else a receiver shows that it has a record by the record's
  // SHA-256, as `serve` does: a page that answers everything takes none.
  bool trusts_status = false;
  uint32_t tries = 5;      // of one record
  uint32_t wait_ms = 500;  // before the second try, twice as long before each further one
};

struct Pushed {
  uint64_t sent = 0;
  uint64_t refused = 0;   // the receiver has taken them for no records, or too large
  uint64_t unmarked = 0;  // of those sent: the next push sends them again
  uint64_t left = 0;
  std::string error;  // why the rest is left, in one line
};

// `tell` gets one line for each record that is refused or cannot be marked, and before a long wait.
Pushed Push(const PushOptions& options, const std::function<void(const std::string&)>& tell);

}  // namespace stillframe::upload
