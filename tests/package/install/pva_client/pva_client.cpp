// pva_client PROFILE: reads a profile of poplar_client and checks that it has the data of that program.
#include <pva/pva.hpp>

#include <iostream>
#include <string>

static int fail(const std::string &what) {
  std::cerr << "pva_client: " << what << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: pva_client PROFILE\n";
    return 2;
  }
  try {
    const pva::Report report = pva::openReport(argv[1]);
    if (report.compilation().target().numTiles() != 4)
      return fail("the target has " + std::to_string(report.compilation().target().numTiles()) + " tiles, not 4");
    if (report.compilation().tiles().size() != 4)
      return fail("there are " + std::to_string(report.compilation().tiles().size()) + " tiles in the report, not 4");
    if (report.execution().steps().empty())
      return fail("no executed steps");
  } catch (const std::exception &error) {
    return fail(error.what());
  }
  // A missing file must give an exception, not an empty report.
  try {
    pva::openReport(std::string(argv[1]) + ".missing");
  } catch (const std::exception &) {
    return 0;
  }
  return fail("opening a file that does not exist did not throw");
}
