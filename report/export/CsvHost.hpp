// Writes tables of the host resources that the process used. Popscope does not know the total resources of the host or
// recommended amounts, so the cells for these figures are empty.
#pragma once
#include "report/export/CsvSet.hpp"

namespace popscope {

void writeHostCpu(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostMemory(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeHostDisk(std::ostream &out, const pva::Report &report, const CsvOptions &options);

} // namespace popscope
