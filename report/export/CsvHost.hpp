// Writes tables of the host resources that the process used. Popscope does not know how many processors and how much
// memory the host has, and gives no recommendation. The columns "Total..." and "Recommend..." are therefore empty.
#pragma once
#include "report/export/CsvSet.hpp"

namespace popscope {

void writeHostCpu(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostMemory(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostDisk(std::ostream &out, const pva::Report &report, const CsvOptions &options);

} // namespace popscope
