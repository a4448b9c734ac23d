// SPDX-License-Identifier: Apache-2.0
// stillframe report DUMP... [--open] [--examples N] [--source-url URL] [-o FILE]

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/stillframe/index/clean_text.h"
#include "tools/stillframe/judge/judge.h"
#include "tools/stillframe/phone/adb.h"
#include "tools/stillframe/render/html_report.h"
#include "tools/stillframe/render/page_data.h"
#include "tools/stillframe/verbs/dump_input.h"
#include "tools/stillframe/verbs/output.h"
#include "tools/stillframe/verbs/verbs.h"

namespace stillframe::verbs {
namespace {

// Browsers accept a scheme in any case and after blanks, so only small letters pass.
std::string CheckSourceUrl(const std::string& url) {
  const size_t scheme = url.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (scheme == 0 || scheme == std::string::npos || url.compare(scheme, 3, "://") != 0 ||
      url.starts_with("javascript:") || url.find("{file}") == std::string::npos)
    return "expected a URL with {file} and {line}, such as https://host/src/{file}#L{line}";
  return "";
}

struct ReportOptions {
  std::vector<std::string> inputs;
  DumpOptions dumps;
  Page page;
  size_t examples = render::PageData::kExamples;
};

}  // namespace

int WriteReportOf(const DumpOptions& options, const std::vector<std::string>& inputs,
                  const Page& page) {
  render::PageData data(STILLFRAME_VERSION, page.examples.value_or(render::PageData::kExamples),
                        page.source_url);
  const int exit_code =
      ForEachDump(options, inputs, [&](const std::string& input, const model::Document& document) {
        // Names below a single folder are often equal, so their path is shown.
        const std::filesystem::path path = input;
        const std::string below =
            inputs.size() == 1 ? path.lexically_relative(inputs[0]).string() : "";
        const index::DumpIndex index(document, options.packages);
        data.Add(index::CleanText(below.empty() || below == "." ? path.filename().string() : below),
                 index, judge::Judge(index));
        return kExitFine;
      });
  if (data.dumps() == 0) return exit_code;
  const int written = WriteOutput(page.path, render::HtmlReport(data));
  if (written != kExitFine) return written;
  if (page.is_printed) fmt::print("{}\n", page.path);
  if (!page.opens || phone::RunProgram({"xdg-open", page.path}, phone::kCommandTimeout).is_fine())
    return exit_code;
  Complain(page.path, "xdg-open does not show it");
  return kExitBadData;
}

namespace {

int Run(const ReportOptions& options) {
  Page page = options.page;
  page.examples = options.examples;
  if (page.opens && page.path == "-") {
    Complain("wrong usage", "--open shows a file; leave -o - out");
    return kExitUsage;
  }
  page.is_printed = page.path.empty();
  if (page.is_printed) page.path = PageName(options.inputs, "report", ".html");
  return WriteReportOf(options.dumps, options.inputs, page);
}

}  // namespace

void AddReport(CLI::App* app, Action* action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app->add_subcommand("report", "Write one self-contained HTML page");
  verb->add_option("DUMP", options->inputs, "The dumps, or folders of them; - is standard input")
      ->required();
  AddDumpOptions(verb, &options->dumps);
  AddSymbolsOption(verb, &options->dumps);
  AddAppOption(verb, &options->dumps);
  verb->add_flag("--open", options->page.opens, "Show the page in the browser (xdg-open)");
  verb->add_option(
          "--examples", options->examples,
          "With more than 1,000 dumps: how many of each cause can be opened, the costliest")
      ->capture_default_str()
      ->check([](const std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos &&
                       std::atoi(text.c_str()) > 0
                   ? std::string()
                   : "'" + text + "' is not a whole number of 1 or more";
      })
      ->option_text("N");
  verb->add_option("--source-url", options->page.source_url,
                   "Where source files are, to link lines to; {file} is com/shop/Cart.java")
      ->check(CheckSourceUrl)
      ->option_text("URL");
  verb->add_option("-o,--output", options->page.path,
                   "The page; - is standard output (default: the dump's name with .html, or "
                   "report.html, in this folder)");
  verb->footer("Example:\n  stillframe report anr.sfdump --open");
  verb->callback([options, action] { *action = [options] { return Run(*options); }; });
}

}  // namespace stillframe::verbs
