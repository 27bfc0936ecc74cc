// TrafficCollector: from which tiles to which an exchange moves how much.
#pragma once
#include "graph/steps/StepProgram.hpp"
#include "instrument/profile/Records.hpp"

#include <cstddef>

namespace popscope {

class TrafficCollector {
public:
  /// `program` must outlive this.
  explicit TrafficCollector(const StepProgram &program);
  /// Empty for what is no exchange within a replica. Threads may ask at once.
  [[nodiscard]] TrafficRecord of(const Step &step) const;

private:
  const StepProgram &program_;
  std::size_t most_ = 0; // pairs of tiles that an exchange may have
};

} // namespace popscope
