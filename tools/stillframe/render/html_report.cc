// SPDX-License-Identifier: Apache-2.0
#include "tools/stillframe/render/html_report.h"

#include <fmt/format.h>
#include <zlib.h>

#include <iterator>
#include <new>
#include <string_view>
#include <vector>

#include "tools/stillframe/render/markup.h"

// Defined in page_bundle.S.
extern "C" const char stillframe_page_script[];
extern "C" const char stillframe_page_script_end[];
extern "C" const char stillframe_page_style[];
extern "C" const char stillframe_page_style_end[];

namespace stillframe::render {
namespace {

// Script and style of the report page, built by tools/page/build.

std::string_view PageScript() {
  return {stillframe_page_script,
          static_cast<size_t>(stillframe_page_script_end - stillframe_page_script)};
}

std::string_view PageStyle() {
  return {stillframe_page_style,
          static_cast<size_t>(stillframe_page_style_end - stillframe_page_style)};
}

std::string Deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(), 6) != Z_OK)
    throw std::bad_alloc();  // the only possible failure
  out.resize(size);
  return out;
}

// An icon of three flame graph bars.
constexpr std::string_view kIcon =
    "<link rel=\"icon\" href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' "
    "viewBox='0 0 16 16'%3E%3Cpath fill='%23b3410e' d='M1 11h14v4H1z'/%3E%3Cpath fill='%23f2a154' "
    "d='M1 6h10v4H1z'/%3E%3Cpath fill='%238cb8e8' d='M1 1h6v4H1z'/%3E%3C/svg%3E\">\n";

// For readers without scripts: the verdict, or the causes.
std::string PlainVerdicts(const PageData& data) {
  const words::Words& words = data.first().words;
  std::string out = "<noscript>\n";
  if (data.dumps() == 1) {
    out += fmt::format("<h1>{}</h1>\n{}<p>{}</p>\n<p>Next step: {}</p>\n<ul>\n",
                       Escape(words.headline),
                       data.first().is_partial ? "<p>This report is partial.</p>\n" : "",
                       Escape(words.sentence), Escape(words.next_step));
    for (const std::string& line : words.evidence)
      out += fmt::format("<li>{}</li>\n", Escape(line));
  } else {
    out += fmt::format("<h1>{} dumps</h1>\n<ul>\n", data.dumps());
    for (const auto& [dumps, headline] : data.Causes())
      out += fmt::format("<li>{} of them like: {}</li>\n", dumps, Escape(headline));
  }
  return out + "</ul>\n<p>The rest of this page needs JavaScript.</p>\n</noscript>\n";
}

}  // namespace

std::string HtmlReport(const PageData& data) {
  std::string title = Escape(data.first().title);
  if (data.dumps() > 1) title += fmt::format(" and {} more", data.dumps() - 1);
  // The page may run only its own script and may fetch nothing.
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{}'; "
      "script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n{}<title>{} \u2013 Stillframe</title>\n",
      ContentHash(PageStyle()), ContentHash(PageScript()), kIcon, title);
  out += fmt::format("<style>{}</style>\n</head>\n<body>\n{}", PageStyle(), PlainVerdicts(data));
  out += fmt::format(
      "<div id=\"page\"></div>\n<script type=\"application/octet-stream\" id=\"data\">{}</script>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      Base64(Deflated(data.Json())), PageScript());
  return out;
}

}  // namespace stillframe::render
