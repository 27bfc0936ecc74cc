// replication_factor: an unsigned with a name, so that Graph's constructors cannot be mixed up.
#pragma once

namespace poplar {

struct replication_factor {
  unsigned val;
  explicit replication_factor(unsigned v) : val(v) {}
};

} // namespace poplar
