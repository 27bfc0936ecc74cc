// Writers of the CSV files about time.
#pragma once
#include "report/export/CsvSet.hpp"

namespace popscope {

TimelineResult writeMemoryRate(std::ostream &out, const pva::Report &report, const CsvOptions &options);
TimelineResult writeOpSummary(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeOpStatistic(std::ostream &out, const pva::Report &report, const CsvOptions &options);
TimelineResult writeTaskTime(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeStepTrace(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeCommunication(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeApiStatistic(std::ostream &out, const pva::Report &report, const CsvOptions &options);
void writeMarks(std::ostream &out, const pva::Report &report, const CsvOptions &options);

} // namespace popscope
