#include "graph/lowering/BuildControlTables.hpp"

namespace popscope {

void buildControlTables(StepProgram &p, const CodeModel &code) {
  const std::size_t before = p.storage.size();
  std::vector<std::uint8_t> seen(p.executes.size(), 0);
  for (std::size_t s = 0; s < p.steps.size(); ++s) {
    const Step &step = p.steps[p.steps.idAt(s)];
    if (step.kind != StepKind::OnTileExecute || seen[step.payload] != 0)
      continue;
    seen[step.payload] = 1;
    forEachLaunchingTile(p, p.executes[step.payload], [&](TileId tile, std::uint32_t launches) {
      p.storage.push_back({p.steps.idAt(s), tile, StorageCategory::ControlTable,
                           Bytes32(code.tableHeaderBytes + launches * code.tableEntryBytes), 0});
    });
  }
  if (p.storage.size() != before)
    p.tableRunnerBytes = Bytes32(code.tableRunnerInstr * code.instructionBytes);
}

} // namespace popscope
