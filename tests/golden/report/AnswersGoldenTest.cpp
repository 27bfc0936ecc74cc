// The answers of popscope's views on the sample profile, and on one with a run and addresses, at 100 columns.
// tests/golden/update.py rewrites them; review the difference.
#include "SampleRecords.hpp"

#include "report/answers/PrintRows.hpp"
#include "report/answers/View.hpp"
#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

constexpr const char *kGolden = POPSCOPE_SOURCE_DIR "/tests/golden/report/answers.txt";

pva::Report sampleReport() {
  popscope::PopWriter writer("");
  writer.compilation(sample::compilation());
  sample::writeRun(writer);
  writer.finish();
  return pva::makeReport(writer.file());
}

/// Returns the same profile with estimates of floating-point operations: of all vertices of one compute set, and of
/// some of another.
pva::Report computingReport() {
  popscope::CompilationRecord record = sample::compilation();
  record.computeSets[0].vertices = {{0, {{0, 1000}}, 1000, 4000}, {1, {{1, 20}}, 5, 100}};
  record.computeSets[1].vertices = {{0, {{0, 50}, {1, 70}}, 120, 5000000}};
  record.machineCosts = {{"tile.floatFlopsPerCycle", 16, "operations per cycle"},
                         {"tile.halfFlopsPerCycle", 64, "operations per cycle"}};
  popscope::PopWriter writer("");
  writer.compilation(record);
  sample::writeRun(writer);
  writer.finish();
  return pva::makeReport(writer.file());
}

std::string answer(const popscope::ViewRow &view, const pva::Report &report,
                   const std::map<std::string, std::string> &options) {
  popscope::Request request;
  request.report = report;
  request.profile = "sample.pop";
  if (view.twoProfiles)
    request.other = report;
  for (const popscope::ViewOption &option : view.options)
    request.options[popscope::keyOf(option)] = option.usual;
  for (const auto &[key, value] : options)
    request.options[key] = value;
  request.selection.count = 8;
  std::ostringstream out;
  try {
    popscope::printText(out, view.collect(request), popscope::Style(false), 100);
  } catch (const popscope::AnswerError &e) {
    out << "error: " << e.what() << "\n";
  }
  return out.str();
}

std::string allAnswers() {
  const pva::Report report = sampleReport();
  std::string text;
  for (const popscope::ViewRow &view : popscope::views()) {
    if (view.folder || view.name == std::string("measured")) // these read files, which the sample lacks
      continue;
    text += std::string("$ popscope ") + view.name + " sample.pop -n 8\n" + answer(view, report, {}) + "\n";
    if (view.name == std::string("top"))
      for (const char *of : {"steps", "vertex-types", "variables", "tiles"})
        text +=
            std::string("$ popscope top sample.pop -n 8 --of ") + of + "\n" + answer(view, report, {{"of", of}}) + "\n";
  }
  const pva::Report computing = computingReport();
  const std::map<std::string, std::map<std::string, std::string>> asked = {{"top", {{"by", "flops"}}}, {"loss", {}}};
  for (const popscope::ViewRow &view : popscope::views())
    if (const auto options = asked.find(view.name); options != asked.end())
      text += std::string("$ popscope ") + view.name + " computing.pop -n 8" +
              (options->second.empty() ? "" : " --by flops") + "\n" + answer(view, computing, options->second) + "\n";
  return text;
}

} // namespace

TEST_SUITE("report.golden answers") {
  TEST_CASE("the answers about the sample are the golden text, line by line") {
    const std::string text = allAnswers();
    if (const char *write = std::getenv("POPSCOPE_WRITE_GOLDEN"); write != nullptr) {
      std::ofstream(write, std::ios::binary) << text;
      return;
    }
    std::ifstream in(kGolden, std::ios::binary);
    REQUIRE(in.good());
    std::istringstream wanted{std::string(std::istreambuf_iterator<char>(in), {})}, got(text);
    std::string a, b;
    for (std::size_t line = 1;; ++line) {
      const bool more = bool(std::getline(wanted, a)), has = bool(std::getline(got, b));
      CAPTURE(line);
      REQUIRE(more == has);
      if (!more)
        break;
      CHECK(b == a);
    }
  }
}
