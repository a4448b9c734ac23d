// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd's one thread: a connection is looked at when it has something.
#include "tools/stillframe/upload/receiver.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <strings.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/stillframe/janks/jank_records.h"
#include "tools/stillframe/janks/jank_text.h"
#include "tools/stillframe/upload/connections.h"
#include "tools/stillframe/upload/record_store.h"
#include "tools/stillframe/upload/wrong_tokens.h"

namespace stillframe::upload {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMaxConnections = 64;
constexpr unsigned kMaxOfOneAddress = 32;
constexpr size_t kHeadBytes = 16 * 1024;
constexpr unsigned kSilenceS = 10;
constexpr std::chrono::seconds kWhole{30};  // that a request may last
constexpr size_t kMostListed = 1'000;

// Of one request, from its first line to its end.
struct Request {
  unsigned refused = 0;  // a status; 0: its body is taken
  std::string body;
};

class Receiver {
 public:
  explicit Receiver(const ReceiverOptions& options)
      : options_(options), token_hash_(Sha256Of(options.token)) {}

  RecordStore& store() { return store_; }
  Connections& connections() { return connections_; }

  MHD_Result Answer(MHD_Connection* connection, const char* path, const char* method,
                    const char* data, size_t* bytes, void** state);

 private:
  unsigned WhyRefused(MHD_Connection* connection, const std::string& path,
                      const std::string& method);
  bool HasToken(MHD_Connection* connection) const;
  // How long the answer to a wrong one is to wait.
  std::chrono::seconds CountWrongToken(MHD_Connection* connection);
  bool TakesOneMore();
  MHD_Result Take(MHD_Connection* connection, const std::string& body);
  MHD_Result Give(MHD_Connection* connection, const std::string& path) const;
  std::string List() const;
  std::string Page() const;

  const ReceiverOptions& options_;
  std::string token_hash_;
  RecordStore store_;
  Connections connections_;
  WrongTokens wrong_tokens_;
  Clock::time_point minute_ = Clock::now();
  uint32_t taken_ = 0;  // since then
};

MHD_Result Send(MHD_Connection* connection, unsigned status, const std::string& text,
                const char* type = "text/plain; charset=utf-8") {
  // libmicrohttpd only reads what it is to copy.
  MHD_Response* response = MHD_create_response_from_buffer(
      text.size(), const_cast<char*>(text.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, "Content-Type", type);
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(response, "Content-Security-Policy", "default-src 'none'");
  MHD_add_response_header(response, "Cache-Control", "no-store");
  if (status == MHD_HTTP_UNAUTHORIZED)
    MHD_add_response_header(response, "WWW-Authenticate", "Basic realm=\"stillframe\"");
  if (status == MHD_HTTP_TOO_MANY_REQUESTS) MHD_add_response_header(response, "Retry-After", "5");
  // A refused body is not read to its end.
  if (status >= 400) MHD_add_response_header(response, "Connection", "close");
  const MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

std::string Header(MHD_Connection* connection, const char* name) {
  const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? "" : value;
}

const char* ReasonOf(unsigned status) {
  switch (status) {
    case MHD_HTTP_UNAUTHORIZED: return "the token is missing or wrong\n";
    case MHD_HTTP_LENGTH_REQUIRED: return "a length is needed\n";
    case MHD_HTTP_CONTENT_TOO_LARGE: return "too large for a record\n";
    case MHD_HTTP_UNSUPPORTED_MEDIA_TYPE: return "records are application/json\n";
    case MHD_HTTP_TOO_MANY_REQUESTS: return "too many, try later\n";
    case MHD_HTTP_METHOD_NOT_ALLOWED: return "GET, or POST to /records\n";
    default: return "there is nothing\n";
  }
}

// Bearer, as `push` has it, or the password of a browser. Hashes are compared: the time tells
// nothing of the token.
bool Receiver::HasToken(MHD_Connection* connection) const {
  const std::string given = Header(connection, "Authorization");
  if (strncasecmp(given.c_str(), "Bearer ", 7) == 0)
    return Sha256Of(given.substr(7)) == token_hash_;
  char* password = nullptr;
  char* user = MHD_basic_auth_get_username_password(connection, &password);
  const bool is_right = password != nullptr && Sha256Of(password) == token_hash_;
  MHD_free(user);
  MHD_free(password);
  return is_right;
}

// Who shows none, as browsers do at first, does not guess.
std::chrono::seconds Receiver::CountWrongToken(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == nullptr || info->client_addr == nullptr ||
      Header(connection, "Authorization").empty())
    return {};
  return wrong_tokens_.Count(info->client_addr, Clock::now());
}

bool Receiver::TakesOneMore() {
  const Clock::time_point now = Clock::now();
  if (now - minute_ >= std::chrono::minutes(1)) {
    minute_ = now;
    taken_ = 0;
  }
  if (taken_ >= options_.per_minute) return false;
  ++taken_;
  return true;
}

// By its head alone.
unsigned Receiver::WhyRefused(MHD_Connection* connection, const std::string& path,
                              const std::string& method) {
  if (!HasToken(connection)) return MHD_HTTP_UNAUTHORIZED;
  if (method == "GET") return 0;
  if (method != "POST") return MHD_HTTP_METHOD_NOT_ALLOWED;
  if (path != "/records") return MHD_HTTP_NOT_FOUND;
  const std::string type = Header(connection, "Content-Type");
  if (strcasecmp(type.substr(0, type.find(';')).c_str(), "application/json") != 0)
    return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
  const std::string length = Header(connection, "Content-Length");
  if (length.empty()) return MHD_HTTP_LENGTH_REQUIRED;
  if (length.size() > 6 || std::strtoul(length.c_str(), nullptr, 10) > janks::kMaxRecordBytes)
    return MHD_HTTP_CONTENT_TOO_LARGE;
  return TakesOneMore() ? 0 : MHD_HTTP_TOO_MANY_REQUESTS;
}

MHD_Result Receiver::Answer(MHD_Connection* connection, const char* path, const char* method,
                            const char* data, size_t* bytes, void** state) {
  auto* request = static_cast<Request*>(*state);
  if (request == nullptr) {
    request = new Request;
    *state = request;
    request->refused = WhyRefused(connection, path, method);
    if (request->refused == MHD_HTTP_UNAUTHORIZED) {
      const std::chrono::seconds delay = CountWrongToken(connection);
      if (delay.count() > 0 && connections_.LetWait(connection, Clock::now() + delay))
        return MHD_YES;
    }
    // Before a body is asked for.
    if (request->refused != 0)
      return Send(connection, request->refused, ReasonOf(request->refused));
    return MHD_YES;
  }
  // It has waited.
  if (request->refused != 0) return Send(connection, request->refused, ReasonOf(request->refused));
  if (*bytes > 0) {
    if (request->body.size() + *bytes > janks::kMaxRecordBytes) return MHD_NO;
    request->body.append(data, *bytes);
    *bytes = 0;
    return MHD_YES;
  }
  return strcasecmp(method, "POST") == 0 ? Take(connection, request->body) : Give(connection, path);
}

MHD_Result Receiver::Take(MHD_Connection* connection, const std::string& body) {
  std::string hash;
  switch (store_.Add(body, &hash)) {
    case RecordStore::Result::kStored: return Send(connection, MHD_HTTP_CREATED, hash + "\n");
    case RecordStore::Result::kKnown: return Send(connection, MHD_HTTP_OK, hash + "\n");
    case RecordStore::Result::kNoRecord:
      return Send(connection, MHD_HTTP_UNPROCESSABLE_CONTENT, "is no record of a jank\n");
    case RecordStore::Result::kNoRoom: break;
  }
  return Send(connection, MHD_HTTP_INSUFFICIENT_STORAGE, "there is no room\n");
}

MHD_Result Receiver::Give(MHD_Connection* connection, const std::string& path) const {
  constexpr std::string_view kOne = "/records/";
  if (path == "/") return Send(connection, MHD_HTTP_OK, Page(), "text/html; charset=utf-8");
  if (path == "/records") return Send(connection, MHD_HTTP_OK, List(), "application/json");
  const std::string record =
      path.starts_with(kOne) ? store_.Read(path.substr(kOne.size())) : std::string();
  if (record.empty()) return Send(connection, MHD_HTTP_NOT_FOUND, "there is nothing\n");
  return Send(connection, MHD_HTTP_OK, record, "application/json");
}

std::string Receiver::List() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const StoredRecord& record : store_.List(kMostListed))
    list.push_back(
        {{"hash", record.hash}, {"bytes", record.bytes}, {"received_s", record.received_s}});
  return nlohmann::ordered_json{{"records", store_.records()}, {"newest", std::move(list)}}.dump(
             1) +
         "\n";
}

// The table of `stillframe janks`, whose texts are clean, over the newest.
std::string Receiver::Page() const {
  janks::JankRecords records;
  std::string error;
  for (const StoredRecord& record : store_.List(kMostListed))
    records.Add(store_.Read(record.hash), &error);
  std::string table;
  for (const char c : janks::JankText(records, 100))
    if (c == '<')
      table += "&lt;";
    else if (c == '&')
      table += "&amp;";
    else
      table += c;
  return fmt::format(
      "<!doctype html><meta charset=utf-8><title>Janks</title><h1>Janks</h1>"
      "<p>{} records; of the newest {}:</p><pre>{}</pre>\n",
      store_.records(), records.records(), table);
}

MHD_Result OnRequest(void* receiver, MHD_Connection* connection, const char* path,
                     const char* method, const char*, const char* data, size_t* bytes,
                     void** state) {
  return static_cast<Receiver*>(receiver)->Answer(connection, path, method, data, bytes, state);
}

void OnEnd(void* receiver, MHD_Connection* connection, void** state, MHD_RequestTerminationCode) {
  static_cast<Receiver*>(receiver)->connections().EndRequest(connection);
  delete static_cast<Request*>(*state);
  *state = nullptr;
}

// An address of this machine, of either kind.
class Address {
 public:
  bool Parse(const std::string& text, uint16_t port) {
    four_.sin_family = AF_INET;
    six_.sin6_family = AF_INET6;
    four_.sin_port = six_.sin6_port = htons(port);
    is_six_ = text.find(':') != std::string::npos;
    return is_six_ ? inet_pton(AF_INET6, text.c_str(), &six_.sin6_addr) == 1
                   : inet_pton(AF_INET, text.c_str(), &four_.sin_addr) == 1;
  }
  bool IsLoopback() const {
    return is_six_ ? IN6_IS_ADDR_LOOPBACK(&six_.sin6_addr)
                   : (ntohl(four_.sin_addr.s_addr) >> 24) == 127;
  }
  // All of IPv6 is all of IPv4 as well.
  unsigned Flags() const {
    if (!is_six_) return 0;
    return IN6_IS_ADDR_UNSPECIFIED(&six_.sin6_addr) ? MHD_USE_DUAL_STACK : MHD_USE_IPv6;
  }
  const sockaddr* get() const {
    return is_six_ ? reinterpret_cast<const sockaddr*>(&six_)
                   : reinterpret_cast<const sockaddr*>(&four_);
  }

 private:
  bool is_six_ = false;
  sockaddr_in four_ = {};
  sockaddr_in6 six_ = {};
};

uint16_t PortOf(MHD_Daemon* daemon) {
  const MHD_DaemonInfo* info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == nullptr ? 0 : info->port;
}

}  // namespace

bool Receive(const ReceiverOptions& options, void (*ready)(uint16_t port), std::string* error) {
  Receiver receiver(options);
  if (!receiver.store().Open(options.folder, options.max_records, error)) return false;
  Address address;
  if (!address.Parse(options.address, options.port)) {
    *error = "is no address; give one like 127.0.0.1 or ::1";
    return false;
  }
  const bool has_tls = !options.certificate.empty();
  if (!has_tls && !address.IsLoopback()) {
    *error = "is not this machine alone; give --cert and --key";
    return false;
  }
  // What is written beyond a limit is an error like any other; the end is waited for below.
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  const MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, const_cast<char*>(options.certificate.c_str())},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, const_cast<char*>(options.key.c_str())},
      {MHD_OPTION_END, 0, nullptr}};
  const unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_ALLOW_SUSPEND_RESUME |
                         address.Flags() | (has_tls ? static_cast<unsigned>(MHD_USE_TLS) : 0U);
  MHD_Daemon* daemon = MHD_start_daemon(
      flags, options.port, nullptr, nullptr, OnRequest, &receiver, MHD_OPTION_SOCK_ADDR,
      address.get(), MHD_OPTION_CONNECTION_LIMIT, kMaxConnections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, kMaxOfOneAddress, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      kHeadBytes, MHD_OPTION_CONNECTION_TIMEOUT, kSilenceS, MHD_OPTION_NOTIFY_COMPLETED, OnEnd,
      &receiver, MHD_OPTION_NOTIFY_CONNECTION, Connections::OnChange, &receiver.connections(),
      MHD_OPTION_ARRAY, has_tls ? tls : tls + 2, MHD_OPTION_END);
  if (daemon == nullptr) {
    *error = "cannot be served at; the port may be taken, or the certificate wrong";
    return false;
  }
  ready(PortOf(daemon));
  const timespec look = {1, 0};
  while (sigtimedwait(&ends, nullptr, &look) < 0) {
    receiver.connections().Resume(Clock::now());
    receiver.connections().CutOlderThan(kWhole);
  }
  receiver.connections().Resume(Clock::time_point::max());
  MHD_stop_daemon(daemon);
  return true;
}

}  // namespace stillframe::upload
