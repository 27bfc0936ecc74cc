// One line of docs/ACCURACY.md: a published figure beside ours.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace compare {

struct Row {
  std::string quantity;
  double published = 0;
  double ours = 0;
  bool calibrated = false; // a constant was chosen to meet it: no evidence
  std::string remark;
};

struct Comparison {
  std::string title, program, source;
  std::vector<Row> rows;
  std::vector<std::string> explanations; // of misses
};

/// Each builds its program, runs it and compares.
Comparison compareMatVec();
Comparison compareMatVecOnIpu2();
Comparison compareHalo();
Comparison compareTimeline();

} // namespace compare
