// One line of docs/ACCURACY.md: a published figure beside ours.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace compare {

struct Row {
  std::string quantity;
  double published = 0;
  double ours = 0;
  bool calibrated = false; // a constant was chosen to meet it: no evidence
  double input = 0;        // of our figure the part, from 0 to 1, that the program brought along: no evidence either
};

struct Comparison {
  std::string title, program, source;
  std::vector<Row> rows;
  std::vector<std::string> explanations; // of misses
};

/// Each builds its program, runs it and compares. Every cycle estimate that a program gives its vertices is multiplied
/// by `estimateFactor`: 1 for the page; another factor shows which figures depend on them.
Comparison compareMatVec(unsigned estimateFactor);
Comparison compareMatVecOnIpu2(unsigned estimateFactor);
Comparison compareHalo(unsigned estimateFactor);
Comparison compareTimeline(unsigned estimateFactor);

} // namespace compare
