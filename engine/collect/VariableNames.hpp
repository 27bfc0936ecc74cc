// VariableNames: the names of a StepProgram's variables in records.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

class VariableNames {
public:
  /// Makes the table. of() adds a name to `records` at the first call for this name. `program` and `records` must
  /// outlive the table.
  VariableNames(const StepProgram &program, StringTable &records)
      : program_(program), records_(records), known_(program.names.size()) {}
  /// Returns the variable's name, or "<anon>" for a variable without a name.
  NameId of(const StepVar &var) {
    if (!var.name.valid())
      return anonymous();
    NameId &known = known_[var.name.index()];
    if (!known.valid())
      known = program_.names[var.name].empty() ? anonymous() : records_.intern(program_.names[var.name]);
    return known;
  }

private:
  NameId anonymous() { return records_.intern("<anon>"); }

  const StepProgram &program_;
  StringTable &records_;
  std::vector<NameId> known_; // ids in records_, by the name's id in the program; invalid if not requested yet
};

} // namespace popscope
