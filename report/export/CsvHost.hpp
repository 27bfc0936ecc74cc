// Tables of what the process used of its host. What the host as a whole has, and what would be enough, is not sampled:
// those cells are empty.
#pragma once
#include "report/export/CsvSet.hpp"

namespace popscope {

void writeHostCpu(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostMemory(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostDisk(std::ostream &out, const pva::Report &report, const CsvOptions &options);

} // namespace popscope
