// One line of docs/ACCURACY.md: a published figure next to the figure of Popscope.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace compare {

struct Row {
  std::string quantity;
  double published = 0;
  double ours = 0;
  bool calibrated = false; // true: a constant was chosen so that `ours` meets the published figure, so the row is no
                           // evidence
  double input = 0;        // the fraction (0 to 1) of `ours` that the program sets itself; this fraction is no evidence
};

struct Comparison {
  std::string title, program, source;
  std::vector<Row> rows;
  std::vector<std::string> explanations; // explanations of differences
};

/// Each function builds its program, runs it and compares the figures. Every cycle estimate that a program sets for its
/// vertices is multiplied by `estimateFactor`. The figures of docs/ACCURACY.md use the factor 1; another factor shows
/// which figures depend on the estimates.
Comparison compareMatVec(unsigned estimateFactor);
Comparison compareMatVecOnIpu2(unsigned estimateFactor);
Comparison compareHalo(unsigned estimateFactor);
Comparison compareTimeline(unsigned estimateFactor);

} // namespace compare
