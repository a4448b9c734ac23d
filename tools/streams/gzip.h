// Gzip (RFC 1952) in memory, with a bound on what compressed input may grow to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stillframe::streams {

// The bytes begin as a gzip file does.
bool IsGzip(std::string_view bytes);

// Without name and time, so that equal input gives equal output.
std::string Gzip(std::string_view bytes);

// Appends the content to `*out`, of all members if there are several. On failure returns false,
// says why in `*error` with the offset in the compressed bytes, and leaves what could be read in
// `*out`.
bool Gunzip(std::string_view bytes, uint64_t max_bytes, std::string* out, std::string* error);

}  // namespace stillframe::streams
