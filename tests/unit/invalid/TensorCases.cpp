#include "tests/unit/invalid/InvalidUse.hpp"

#include <limits>

using namespace poplar;

namespace invalid_use {

namespace {
const std::size_t k2To32 = std::size_t(1) << 32;
const std::size_t kMax = std::numeric_limits<std::size_t>::max();
} // namespace

std::vector<Case> tensorCases() {
  return {
      {"a shape whose product wraps to 4",
       [](Rig &r) {
         r.variable(INT, {k2To62 + 1, 4});
       },
       {"4611686018427387905", "281474976710656"}},
      {"a shape whose product wraps to 0",
       [](Rig &r) {
         r.variable(INT, {k2To32, k2To32});
       },
       {"4294967296", "281474976710656"}},
      {"a shape with 0 and a product that wraps",
       [](Rig &r) {
         r.variable(INT, {0, k2To32, k2To32});
       },
       {"{0,4294967296,4294967296}"}},
      {"2^62 elements", [](Rig &r) { r.variable(INT, {k2To62}); }, {"4611686018427387904"}},
      {"2^64 - 1 elements", [](Rig &r) { r.variable(CHAR, {kMax}); }, {"18446744073709551615"}},
      {"one element more than the limit",
       [](Rig &r) { r.variable(INT, {(std::size_t(1) << 48) + 1}); },
       {"281474976710657"}},
      {"no element type", [](Rig &r) { r.variable(Type(), {2}); }, {"element type"}},
      {"reshape of nothing to 2^64",
       [](Rig &r) {
         r.variable(INT, {0}).reshape({k2To32, k2To32});
       },
       {"4294967296"}},
      {"reshape by a wrapping product",
       [](Rig &r) {
         r.ints.reshape({k2To62 + 1, 4});
       },
       {"4611686018427387905"}},
      {"reshape to another number", [](Rig &r) { r.ints.reshape({5}); }, {"{5}", "4"}},
      {"reshapePartial to another number", [](Rig &r) { r.matrix.reshapePartial(0, 1, {5}); }, {"{5,3}"}},
      {"reshapePartial of dimensions that are not there",
       [](Rig &r) { r.matrix.reshapePartial(1, 5, {3}); },
       {"5", "rank 2"}},
      {"flatten of reversed dimensions", [](Rig &r) { r.matrix.flatten(2, 1); }, {"[2,1)"}},
      {"index past the end", [](Rig &r) { r.ints[4]; }, {"index 4", "4 elements"}},
      {"index of a scalar", [](Rig &r) { r.number[0]; }, {"rank 0"}},
      {"index with too many",
       [](Rig &r) {
         r.ints.index({0, 0});
       },
       {"rank 1"}},
      {"slice past the end", [](Rig &r) { r.ints.slice(2, 5); }, {"[2,5)"}},
      {"slice that ends before it begins", [](Rig &r) { r.ints.slice(3, 1); }, {"[3,1)"}},
      {"slice to 2^64 - 1", [](Rig &r) { r.ints.slice(0, kMax); }, {"18446744073709551615"}},
      {"slice of a dimension that is not there", [](Rig &r) { r.ints.slice(0, 1, 1); }, {"dimension 1", "rank 1"}},
      {"slices with unequal bounds",
       [](Rig &r) {
         r.matrix.slice(std::vector<std::size_t>{0, 0}, std::vector<std::size_t>{1});
       },
       {"2 begins", "1 ends"}},
      {"slices by an index past the end",
       [](Rig &r) { r.ints.slices(ArrayRef<unsigned>(std::vector<unsigned>{9})); },
       {"9"}},
      {"subSample by 0", [](Rig &r) { r.ints.subSample(0, 0); }, {"stride", "0"}},
      {"subSample of no dimension", [](Rig &r) { r.ints.subSample(2, 3); }, {"dimension 3"}},
      {"upsample of no dimension", [](Rig &r) { r.ints.upsample(2, 1, UpsampleMethod::REPEAT); }, {"dimension 1"}},
      {"broadcast of no dimension", [](Rig &r) { r.number.broadcast(2, 0); }, {"dimension 0"}},
      {"broadcasts past 2^48",
       [](Rig &r) { r.number.reshape({1}).broadcast(4000000000u, 0).broadcast(4000000000u, 0); },
       {"4000000000", "281474976710656"}},
      {"broadcasts past 2^64",
       [](Rig &r) {
         r.number.reshape({1, 1, 1}).broadcast(~0u, 0).broadcast(~0u, 1).broadcast(~0u, 2);
       },
       {"4294967295"}},
      {"regions of a broadcast of several elements into too many runs",
       [](Rig &r) { r.ints.slice(0, 2).broadcast(4000000000u, 0).getContiguousRegions(); },
       {"runs", "67108864"}},
      {"upsample past 2^48",
       [](Rig &r) {
         r.number.reshape({1}).upsample(~0u, 0, UpsampleMethod::REPEAT).upsample(~0u, 0, UpsampleMethod::REPEAT);
       },
       {"281474976710656"}},
      {"reverse of no dimension", [](Rig &r) { r.ints.reverse(2); }, {"dimension 2"}},
      {"dimShuffle with a dimension twice",
       [](Rig &r) {
         r.matrix.dimShuffle({0, 0});
       },
       {"{2,3}"}},
      {"dimShuffle with too few", [](Rig &r) { r.matrix.dimShuffle({0}); }, {"{2,3}"}},
      {"dimShufflePartial with unequal lists",
       [](Rig &r) {
         r.matrix.dimShufflePartial({0, 1}, {0});
       },
       {"2", "1"}},
      {"dimShufflePartial twice to a place",
       [](Rig &r) {
         r.matrix.dimShufflePartial({0, 1}, {0, 0});
       },
       {"twice"}},
      {"dimRoll of no dimension", [](Rig &r) { r.matrix.dimRoll(5); }, {"dimRoll:", "5"}},
      {"transpose of a vector", [](Rig &r) { r.ints.transpose(); }, {"matrix"}},
      {"reinterpret to another size", [](Rig &r) { r.ints.reinterpret(HALF); }, {"4 bytes", "half"}},
      {"expand past the end", [](Rig &r) { r.ints.expand({3}); }, {"3"}},
      {"squeeze of a dimension of 4", [](Rig &r) { r.ints.squeeze({0}); }, {"4 elements"}},
      {"concat of nothing", [](Rig &) { concat(std::vector<Tensor>{}); }, {"empty"}},
      {"concat of types", [](Rig &r) { concat(r.ints, r.variable(FLOAT, {4})); }, {"element types"}},
      {"concat of shapes",
       [](Rig &r) {
         concat(r.matrix, r.variable(FLOAT, {3, 4}), 0);
       },
       {"dimension 0"}},
      {"concat along no dimension", [](Rig &r) { concat(r.ints, r.ints, 1); }, {"dimension 1"}},
      {"concat of two graphs",
       [](Rig &r) {
         Rig other;
         concat(r.ints, other.ints);
       },
       {"different graphs"}},
      {"concat past 2^48",
       [](Rig &r) {
         Tensor t = r.variable(INT, {std::size_t(1) << 47});
         concat({t, t, t});
       },
       {"281474976710656"}},
      {"append of the wrong shape", [](Rig &r) { append(r.matrix, r.ints); }, {"concat"}},
      {"a default-constructed tensor", [](Rig &) { Tensor().numElements(); }, {"invalid tensor"}},
      {"dim past the rank", [](Rig &r) { r.ints.dim(1); }, {"1"}},
      {"a copy of metadata that a tensor does not have",
       [](Rig &r) { program::Copy(r.ints.getMetadata(), r.ints); },
       {"invalid"}},
      {"a clone without a type",
       [](Rig &r) { r.graph.clone(Type(), r.ints, "copy"); },
       {"\"copy\"", "{4}", "default-constructed Type"}},
      {"a clone in view order without a type",
       [](Rig &r) { r.graph.clone(Type(), r.ints, "copy", TensorCloneMethod::CREATE_NEW_ORDER); },
       {"\"copy\"", "{4}", "default-constructed Type"}},
      {"clones without a type",
       [](Rig &r) {
         r.graph.cloneN(Type(), r.ints, 2, "copy", TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                        TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION);
       },
       {"\"copy\"", "{4}", "default-constructed Type"}},
      {"slices outside that have 2^63 elements",
       [](Rig &r) {
         r.ints.slices(std::vector<std::vector<Interval>>{{{0, k2To62}, {0, k2To62}}});
       },
       {"4611686018427387904"}},
      {"slices outside that together have 2^64 + 2 elements",
       [](Rig &r) {
         r.ints.slices(std::vector<std::vector<Interval>>{{{0, ~std::size_t(0)}, {0, 3}}});
       },
       {"18446744073709551615"}},
      {"slices outside that have 2^49 elements",
       [](Rig &r) {
         const std::size_t most = std::size_t(1) << 48;
         r.ints.slices(std::vector<std::vector<Interval>>{{{0, most}, {0, most}}});
       },
       {"slices", "562949953421312"}},
      {"slices inside that have 2^49 elements",
       [](Rig &r) {
         const std::size_t most = std::size_t(1) << 48;
         r.variable(INT, {most}).slices(std::vector<std::vector<Interval>>{{{0, most}, {0, most}}});
       },
       {"slices", "562949953421312"}},
      {"cloneN 2^60 times", [](Rig &r) { r.graph.cloneN(r.ints, std::size_t(1) << 60); }, {"1152921504606846976"}},
      {"cloneN of nothing 2^40 times",
       [](Rig &r) { r.graph.cloneN(r.variable(INT, {0}), std::size_t(1) << 40); },
       {"1099511627776"}},
      {"a constant of 2^40 elements",
       [](Rig &r) { r.graph.addConstant<float>(FLOAT, {std::size_t(1) << 40}, 1.0f, "big"); },
       {"big", "4294967296"}},
      {"a constant with too few values",
       [](Rig &r) {
         r.graph.addConstant<int>(INT, {3}, {1, 2});
       },
       {"{3}", "3 values", "2"}},
      {"a constant of no values at all",
       [](Rig &r) { r.graph.addConstant<int>(INT, {3}, static_cast<const int *>(nullptr), "null"); },
       {"null"}},
      {"a constant whose shape wraps to the number of its values",
       [](Rig &r) {
         r.graph.addConstant<int>(INT, {k2To62 + 1, 4}, {1, 2, 3, 4});
       },
       {"4611686018427387905"}},
      {"halves for a constant of floats",
       [](Rig &r) { r.graph.addConstantHalf(FLOAT, {1}, std::uint16_t(1)); },
       {"float"}},
      {"a constant of 2^32 for unsigned",
       [](Rig &r) { r.graph.addConstant<std::uint64_t>(UNSIGNED_INT, {1}, std::uint64_t(1) << 32, "c"); },
       {"\"c\"", "4294967296", "unsigned int"}},
  };
}

} // namespace invalid_use
