// VariableNames: the names that records give to variables of a StepProgram.
#pragma once
#include "graph/steps/StepProgram.hpp"

#include <vector>

namespace popscope {

class VariableNames {
public:
  /// Names are added to `records` when they are first asked for. Both must outlive this.
  VariableNames(const StepProgram &program, StringTable &records)
      : program_(program), records_(records), known_(program.names.size()) {}
  /// "<anon>" of a variable without a name.
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
  std::vector<NameId> known_; // by name of the program; invalid = not asked for
};

} // namespace popscope
