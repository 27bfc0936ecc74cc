// replication_factor: a type of its own for a number of replicas, so that a caller cannot confuse Graph's constructors.
#pragma once

namespace poplar {

struct replication_factor {
  unsigned val;
  explicit replication_factor(unsigned v) : val(v) {}
};

} // namespace poplar
