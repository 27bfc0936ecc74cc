// The results of a check: one sentence per violated identity. Checks are functions over plain data, so that a test can
// insert a fault and see that the check finds it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace profile_check {

using Findings = std::vector<std::string>;

inline void expectEqual(Findings &findings, const std::string &what, std::uint64_t left, std::uint64_t right) {
  if (left != right)
    findings.push_back(what + ": " + std::to_string(left) + " is not " + std::to_string(right));
}

inline void expectAtLeast(Findings &findings, const std::string &what, std::uint64_t left, std::uint64_t right) {
  if (left < right)
    findings.push_back(what + ": " + std::to_string(left) + " is less than " + std::to_string(right));
}

inline void append(Findings &findings, const Findings &more) {
  findings.insert(findings.end(), more.begin(), more.end());
}

/// Returns the number of findings and the first five of them, for a test's message.
inline std::string describe(const Findings &findings) {
  std::string text = std::to_string(findings.size()) + " findings";
  for (std::size_t i = 0; i < findings.size() && i < 5; ++i)
    text += "\n  " + findings[i];
  return text;
}

} // namespace profile_check
