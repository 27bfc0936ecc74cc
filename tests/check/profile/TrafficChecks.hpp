// Identities of the traffic between tiles in exchanges (tests/README.md, "Identities").
#pragma once
#include "tests/check/profile/Findings.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace profile_check {

struct TrafficFacts { // of one DoExchange
  std::string name;
  std::uint64_t tilesPerGroup = 1;
  std::vector<std::uint64_t> from, to, bytes;      // of each pair of groups
  std::vector<std::uint64_t> sentBy, receivedBy{}; // per tile, from the program's other figures
};

/// Checks that the `bytes` of all pairs to a group add up to the `receivedBy` of the tiles of the group. The `bytes` of
/// all pairs from a group are at least the `sentBy` of its tiles, because a message may have several receivers. These
/// bytes are 0 if the tiles send nothing. Also checks that each pair occurs once, and that the pairs are sorted by
/// sender, then receiver.
Findings checkTraffic(const std::vector<TrafficFacts> &exchanges);

/// Reads the traffic of every DoExchange of a saved profile.
std::vector<TrafficFacts> readTrafficFacts(const std::string &profile);

} // namespace profile_check
