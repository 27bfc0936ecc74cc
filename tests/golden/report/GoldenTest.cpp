// Compares the sample report of the user guide, section 10.5, byte for byte. SampleFactsTest.cpp lists the
// inconsistencies within the sample and the inputs that were chosen to fit it.
#include "SampleRecords.hpp"

#include "report/pop/PopFile.hpp"
#include "report/pva/MakeReport.hpp"
#include "report/summary/Summary.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

namespace {

std::string summaryText(const pva::Report &report, bool colours = false) {
  popscope::SummaryOptions options;
  options.showVarStorage = options.showExecutionSteps = true;
  options.colours = colours;
  std::ostringstream out;
  popscope::printSummary(out, report, options);
  return out.str();
}

std::vector<std::string> lines(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.good());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string goldenText() { return readFile(POPSCOPE_SOURCE_DIR "/tests/golden/report/seed003.txt"); }

std::string withoutEscapes(const std::string &text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033')
      i = text.find('m', i);
    else
      plain += text[i];
  }
  return plain;
}

std::shared_ptr<popscope::PopFile> writeSample(const std::string &path) {
  popscope::PopWriter writer(path);
  writer.compilation(sample::compilation());
  sample::writeRun(writer);
  writer.finish();
  return writer.file();
}

} // namespace

TEST_SUITE("report.golden") {
  TEST_CASE("the sample's figures print as the sample report of the user guide, line by line") {
    const auto golden = lines(goldenText());
    const auto text = lines(summaryText(pva::makeReport(writeSample(""))));
    REQUIRE(text.size() >= golden.size());
    for (std::size_t i = 0; i < golden.size(); ++i) {
      CAPTURE(i);
      CHECK(text[i] == golden[i]);
    }
    // The sample stops in the middle of the steps; our report continues with the step that holds the remaining cycles.
    REQUIRE(text.size() > golden.size());
    CHECK(text[golden.size()].find("  OnTileExecute (cycles 13,580 - 54,202): rest") == 0);
  }

  TEST_CASE("a summary of the saved file is the summary of the profile in memory") {
    const auto path =
        (std::filesystem::temp_directory_path() / ("popscope-golden-" + std::to_string(::getpid()) + ".pop")).string();
    writeSample(path);
    CHECK(summaryText(pva::openReport(path)) == summaryText(pva::makeReport(writeSample(""))));
    std::filesystem::remove(path);
  }

  TEST_CASE("coloured and plain text differ in escape sequences only") {
    const auto report = pva::makeReport(writeSample(""));
    CHECK(summaryText(report, true) != summaryText(report, false));
    CHECK(withoutEscapes(summaryText(report, true)) == summaryText(report, false));
  }
}
