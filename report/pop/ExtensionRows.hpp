// Rows in addition to the steps, some of which a device cannot record: control flow, the sources of cycles, every
// execution.
#pragma once
#include "instrument/profile/Records.hpp"
#include "report/pop/PopReader.hpp"

#include <vector>

namespace popscope {

void writeControlFlow(PopFile &file, std::uint64_t run, const std::vector<ControlFlowRecord> &records);
void writeExecutions(PopFile &file, std::uint64_t run, const ExecutionsRecord &record);
/// These three functions create their table if it is missing.
void writeMemorySamples(PopFile &file, std::uint64_t run, const std::vector<MemorySampleRecord> &records);
void writeCompilePhases(PopFile &file, const std::vector<CompilePhaseRecord> &records);
void writeRunCategories(PopFile &file, std::uint64_t run, StepKindsMask kinds);
/// Replaces earlier rows, and stores the least direct source of each type in vertex_types.
void writeCycleSources(PopFile &file, const std::vector<CycleSourceRecord> &records);
/// Replaces earlier rows; creates a missing table.
void writeVertices(PopFile &file, const std::vector<VertexRecord> &records);
/// Removes the rows of all these tables.
void clearExtensions(PopFile &file);

/// Reads records by program.
[[nodiscard]] std::vector<ControlFlowRecord> readControlFlow(PopFile &file, const ProfileLimits &limits,
                                                             std::uint64_t run);
/// Reads one record for each program with recorded executions, by program.
[[nodiscard]] std::vector<ExecutionsRecord> readExecutions(PopFile &file, const ProfileLimits &limits,
                                                           std::uint64_t run);
/// Reads samples in their order; none if the file has no such table.
[[nodiscard]] std::vector<MemorySampleRecord> readMemorySamples(PopFile &file, const ProfileLimits &limits,
                                                                std::uint64_t run);
[[nodiscard]] std::vector<CompilePhaseRecord> readCompilePhases(PopFile &file);
[[nodiscard]] StepKindsMask readRunCategories(PopFile &file, std::uint64_t run);
/// Reads vertices in the order of writing; none if the file has no such table.
[[nodiscard]] std::vector<VertexRecord> readVertices(PopFile &file, const ProfileLimits &limits);
/// Reads records by compute set, vertex type and source.
[[nodiscard]] std::vector<CycleSourceRecord> readCycleSources(PopFile &file, const ProfileLimits &limits);

} // namespace popscope
