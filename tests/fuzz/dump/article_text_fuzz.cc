// Drives the reader of the article's text; what it accepts must write and read to the same text
// again.
#include <cstdint>
#include <cstdlib>

#include "src/trace/article_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stillframe::trace;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  FrameTable frames({4096, 4096, 1 << 20});
  const ArticleResult read = ReadArticleText(text, 1, &frames, 10'000, {4096, 4096, 512});
  if (!read.ok()) {
    return 0;
  }
  const std::string written = WriteArticleText(read.tree, frames);
  FrameTable frames_again({4096, 4096, 1 << 20});
  const ArticleResult again = ReadArticleText(written, 1, &frames_again, 10'000, {4096, 4096, 512});
  if (!again.ok() || WriteArticleText(again.tree, frames_again) != written) {
    std::abort();
  }
  return 0;
}
