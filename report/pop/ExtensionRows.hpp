// Writes and reads rows in addition to the steps: control flow, executions, memory samples, phases of the compilation,
// recorded categories, vertices and sources of cycles. Some of these rows come only from the simulator, because a
// device cannot record them.
#pragma once
#include "instrument/profile/Records.hpp"
#include "report/pop/PopReader.hpp"

#include <vector>

namespace popscope {

void writeControlFlow(PopFile &file, std::uint64_t run, const std::vector<ControlFlowRecord> &records);
void writeExecutions(PopFile &file, std::uint64_t run, const ExecutionsRecord &record);
/// writeMemorySamples, writeCompilePhases and writeRunCategories each create their table if the file lacks this table.
void writeMemorySamples(PopFile &file, std::uint64_t run, const std::vector<MemorySampleRecord> &records);
void writeCompilePhases(PopFile &file, const std::vector<CompilePhaseRecord> &records);
void writeRunCategories(PopFile &file, std::uint64_t run, StepKindsMask kinds);
/// Writes the sources of cycles in place of the existing rows. Also stores in vertex_types, for each vertex type in
/// `records`, the least direct source of its cycles. ExtensionRows.cpp lists the sources from the most to the least
/// direct.
void writeCycleSources(PopFile &file, const std::vector<CycleSourceRecord> &records);
/// Writes the vertices in place of the existing rows. Creates the table if the file lacks this table.
void writeVertices(PopFile &file, const std::vector<VertexRecord> &records);
/// Removes the rows that the functions above write, except phases of the compilation. Also removes the sources in
/// vertex_types.
void clearExtensions(PopFile &file);

/// Reads the loops and conditionals of a run, sorted by program.
[[nodiscard]] std::vector<ControlFlowRecord> readControlFlow(PopFile &file, const ProfileLimits &limits,
                                                             std::uint64_t run);
/// Reads one record for each program with recorded executions in the run, sorted by program.
[[nodiscard]] std::vector<ExecutionsRecord> readExecutions(PopFile &file, const ProfileLimits &limits,
                                                           std::uint64_t run);
/// Returns the samples of a run, in the order of time, or an empty list if the file has no table of samples.
[[nodiscard]] std::vector<MemorySampleRecord> readMemorySamples(PopFile &file, const ProfileLimits &limits,
                                                                std::uint64_t run);
[[nodiscard]] std::vector<CompilePhaseRecord> readCompilePhases(PopFile &file);
[[nodiscard]] StepKindsMask readRunCategories(PopFile &file, std::uint64_t run);
/// Returns the vertices in the order in which they were written, or an empty list if the file has no table of vertices.
[[nodiscard]] std::vector<VertexRecord> readVertices(PopFile &file, const ProfileLimits &limits);
/// Reads the sources of cycles, sorted by compute set, then vertex type, then source.
[[nodiscard]] std::vector<CycleSourceRecord> readCycleSources(PopFile &file, const ProfileLimits &limits);

} // namespace popscope
