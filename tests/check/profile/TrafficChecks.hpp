// Identities of who sends to whom in exchanges (docs/DESIGN, "Identities that always hold").
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
  std::vector<std::uint64_t> sentBy, receivedBy{}; // by tile, as the program says elsewhere
};

/// What goes to a group of tiles is what they receive; what leaves it is at least what they send, as one message may
/// have several receivers, and nothing leaves a group that sends nothing. Each pair is named once, by sender, then
/// receiver.
Findings checkTraffic(const std::vector<TrafficFacts> &exchanges);

/// Of every DoExchange of a saved profile.
std::vector<TrafficFacts> readTrafficFacts(const std::string &profile);

} // namespace profile_check
