// Module: one compiled program without streams, remote buffers and host functions. A module can be stored and hashed.
// As in Poplar, an Engine cannot run a module.
#pragma once
#include <poplar/Executable.hpp>

namespace poplar {

class Module {
public:
  Module() = default;
  explicit Module(Executable &&executable) : executable_(std::move(executable)) {}
  bool isValid() const { return executable_.isValid(); }
  /// Writes the same bytes as Executable::serialize. Throws poplar_error for an empty module.
  void serialize(std::ostream &out) const { executable_.serialize(out); }
  static Module deserialize(std::istream &in) { return Module(Executable::deserialize(in)); }
  std::string getHash() const { return executable_.getHash(); }

private:
  Executable executable_;
};

} // namespace poplar
