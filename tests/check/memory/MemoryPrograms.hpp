// Small programs compiled to a layout, which the independent checkers then check. The machine is ipu1 with few tiles.
// On this machine, an instruction takes 4 bytes, a packet header 8 bytes, the stack 6 * 512 + 96 = 3,168 bytes, and the
// vertex runtime 56 bytes.
#pragma once
#include "engine/compile/Compile.hpp"

#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>

#include <memory>
#include <string>
#include <vector>

namespace memory_tests {

using Compiled = std::shared_ptr<const popscope::CompiledProgram>;
using popscope::StorageCategory;

/// Returns a model of ipu1 with IPU code.
poplar::Target modelTarget(unsigned tilesPerIpu = 4, unsigned ipus = 1, bool ipuCode = true);
/// Returns a simulated IPU of the same kind and size.
poplar::Target ipuTarget(unsigned tilesPerIpu = 4, unsigned ipus = 1);

/// Adds the codelets Copy (out = in), Scale (InOut, state), Rows (Vector<Input<Vector>>), List (VectorList), ExpA, ExpB
/// (both call expf), Table (const state vector), Mixed (a 4-byte pointer and a halfword).
void addCodelets(poplar::Graph &graph);

/// Compiles the programs, and checks the layout with the independent checkers (doctest CHECK).
Compiled compile(const poplar::Graph &graph, const std::vector<poplar::program::Program> &programs,
                 const poplar::OptionFlags &options = {});
/// Returns the sum of the sizes of a tile's allocations of this category.
std::uint64_t bytes(const Compiled &compiled, unsigned tile, StorageCategory category);

poplar::Tensor onTile(poplar::Graph &graph, std::size_t floats, unsigned tile, const std::string &name);
/// Adds a vertex of the class to the compute set on the tile.
poplar::VertexRef vertexOn(poplar::Graph &graph, poplar::ComputeSet cs, const std::string &type, unsigned tile);

} // namespace memory_tests
