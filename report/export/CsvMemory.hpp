// Writes the rows of the CSV files about memory, and about the phases and passes of the compilation.
#pragma once
#include "report/export/CsvSet.hpp"

namespace popscope {

/// Returns the number of bytes that writeMemoryRecord writes.
[[nodiscard]] std::uint64_t sizeOfMemoryRecord(const pva::Report &report);
void writeMemoryRecord(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeMemoryOfIpus(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeMemorySamples(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeToolUsage(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeMemoryByCategory(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeVariables(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writePasses(std::ostream &out, const pva::Report &report, const CsvOptions &options);

} // namespace popscope
