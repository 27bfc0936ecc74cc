// The vertex classes of Poplar's runtime that PopLibs 2.5 and later add to a graph by name. The classes transpose
// matrices that are stored one after another, row by row. A graph compiles this source when a program first names one
// of the classes.
//
// Cycles: PopLibs 2.3 published estimates of its own classes for the same work, and getCycleEstimate repeats these
// estimates. PopLibs had no class for bytes. Popscope assumes that the fast path for bytes moves a block of 8 x 8 bytes
// with the accesses of two blocks of halves.
#include <poplar/Vertex.hpp>

#include <type_traits>

namespace poplar_rt {

using namespace poplar;

/// Elements along one side of the blocks that the fast paths move.
template <typename T> constexpr unsigned kBlock = std::is_same<T, unsigned char>::value ? 8 : 4;

/// Transposes `rows` x `columns` elements, whose rows are `srcStride` elements apart in `src` and `dstStride` in `dst`.
template <typename T>
void transpose(const T *src, T *dst, unsigned rows, unsigned columns, unsigned srcStride, unsigned dstStride) {
  for (unsigned column = 0; column != columns; ++column)
    for (unsigned row = 0; row != rows; ++row)
      dst[column * dstStride + row] = src[row * srcStride + column];
}

/// Returns the cycles of one worker that transposes `matrices` matrices of `rowBlocks` x `columnBlocks` blocks.
template <typename T> unsigned fastCycles(unsigned rowBlocks, unsigned columnBlocks, unsigned matrices) {
  constexpr unsigned kOfBlock = kBlock<T>; // each load and store moves one row of a block
  if (rowBlocks == 1 && columnBlocks == 1)
    return matrices == 1 ? 17 + 12 : 17 + 20 + (matrices - 2) * kOfBlock;
  if (columnBlocks == 1)
    return 27 + matrices * (15 + 20 + kOfBlock * (rowBlocks - 2));
  const unsigned more = columnBlocks < 2 ? 0 : columnBlocks - 2;
  return 29 + matrices * (18 + rowBlocks * (12 + kOfBlock * more));
}

/// Returns the cycles of a supervisor that starts a worker of `workerCycles` cycles in every context.
inline unsigned supervisedCycles(unsigned workerCycles) { return 7 + MultiVertex::numWorkers() * (workerCycles - 7); }

template <typename T> class [[poplar::constraint("elem(*src) != elem(*dst)")]] Transpose1DSingleWorker : public Vertex {
public:
  Input<Vector<T, VectorLayout::COMPACT_PTR, 8>> src;
  Output<Vector<T, VectorLayout::COMPACT_PTR, 8>> dst;
  const unsigned short numSrcRowsD4Or8;
  const unsigned short numSrcColumnsD4Or8;
  const unsigned short numTranspositionsM1;

  bool compute() {
    const unsigned rows = numSrcRowsD4Or8 * kBlock<T>, columns = numSrcColumnsD4Or8 * kBlock<T>;
    for (unsigned i = 0; i != numTranspositionsM1 + 1u; ++i)
      transpose(&src[0] + i * rows * columns, &dst[0] + i * rows * columns, rows, columns, columns, rows);
    return true;
  }
  unsigned long long getCycleEstimate() const {
    return fastCycles<T>(numSrcRowsD4Or8, numSrcColumnsD4Or8, numTranspositionsM1 + 1u);
  }
};

/// The first `workerCount` workers transpose `numTranspositions` matrices each. The other workers transpose one matrix
/// less.
template <typename T> class [[poplar::constraint("elem(*src) != elem(*dst)")]] Transpose1D : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::COMPACT_PTR, 8>> src;
  Output<Vector<T, VectorLayout::COMPACT_PTR, 8>> dst;
  const unsigned short numSrcRowsD4Or8;
  const unsigned short numSrcColumnsD4Or8;
  const unsigned short numTranspositions;
  const unsigned short workerCount;

  bool compute(unsigned worker) {
    const unsigned rows = numSrcRowsD4Or8 * kBlock<T>, columns = numSrcColumnsD4Or8 * kBlock<T>;
    const unsigned full = worker < workerCount ? worker : workerCount;
    const unsigned first = full * numTranspositions + (worker - full) * (numTranspositions - 1u);
    const unsigned end = first + numTranspositions - (worker < workerCount ? 0 : 1);
    for (unsigned i = first; i != end; ++i)
      transpose(&src[0] + i * rows * columns, &dst[0] + i * rows * columns, rows, columns, columns, rows);
    return true;
  }
  unsigned long long getCycleEstimate() const {
    return supervisedCycles(fastCycles<T>(numSrcRowsD4Or8, numSrcColumnsD4Or8, numTranspositions));
  }
};

/// Each worker transposes a part of one matrix. `workList` has four numbers for each worker: where the part begins in
/// `src` and in `dst`, in units of one block's side, and its rows and columns in blocks.
template <typename T> class [[poplar::constraint("elem(*src) != elem(*dst)")]] SplitTranspose1D : public MultiVertex {
public:
  Input<Vector<T, VectorLayout::COMPACT_PTR, 8>> src;
  Output<Vector<T, VectorLayout::SPAN, 8>> dst;
  const unsigned short numSrcRowsD4Or8;
  const unsigned short numSrcColumnsD4Or8;
  Input<Vector<unsigned short, VectorLayout::SPAN>> workList;

  bool compute(unsigned worker) {
    if (4 * worker >= workList.size())
      return true;
    const unsigned short *part = &workList[4 * worker];
    transpose(&src[0] + part[0] * kBlock<T>, &dst[0] + part[1] * kBlock<T>, part[2] * kBlock<T>, part[3] * kBlock<T>,
              numSrcColumnsD4Or8 * kBlock<T>, numSrcRowsD4Or8 * kBlock<T>);
    return true;
  }
  /// The largest part determines the cycles. The sizes alone, without the values of `workList`, determine this part:
  /// rows are split first, then columns.
  unsigned long long getCycleEstimate() const {
    const unsigned rows = numSrcRowsD4Or8, columns = numSrcColumnsD4Or8;
    const unsigned elements = rows * columns * kBlock<T> * kBlock<T>; // number of elements of a matrix
    if (elements == 0 || dst.size() < elements)
      return supervisedCycles(fastCycles<T>(1, 1, 1)); // there is no matrix, and each worker finds that it has no work
    const unsigned matrices = static_cast<unsigned>(dst.size()) / elements;
    const unsigned workers = numWorkers() > matrices ? numWorkers() / matrices : 1;
    const unsigned partRows = (rows + workers - 1) / workers;
    const unsigned sharers = workers / ((rows + partRows - 1) / partRows);
    return supervisedCycles(fastCycles<T>(partRows, (columns + sharers - 1) / sharers, 1));
  }
};

template <typename T> class [[poplar::constraint("elem(**src) != elem(**dst)")]] Transpose2D : public Vertex {
public:
  Vector<Input<Vector<T, VectorLayout::ONE_PTR, 8>>> src;
  Vector<Output<Vector<T, VectorLayout::ONE_PTR, 8>>, VectorLayout::ONE_PTR> dst;
  const unsigned short numSrcRows;
  const unsigned short numSrcColumns;

  bool compute() {
    for (unsigned i = 0; i != src.size(); ++i)
      transpose(&src[i][0], &dst[i][0], numSrcRows, numSrcColumns, numSrcColumns, numSrcRows);
    return true;
  }
  unsigned long long getCycleEstimate() const {
    constexpr unsigned kMaxRepeats = 0x1000, kMaxStride = 512;
    constexpr bool isWord =
        std::is_same<T, float>::value || std::is_same<T, int>::value || std::is_same<T, unsigned>::value;
    const unsigned rows = numSrcRows, columns = numSrcColumns, block = kBlock<T>, matrices = src.size();
    if (isWord) {
      const bool fast = rows % 2 == 0 && columns % 2 == 0 && columns / 2 < kMaxRepeats &&
                        rows * (columns - 2) / 2 < kMaxStride && rows < kMaxStride;
      return fast ? 27 + matrices * (11 + rows / 2 * (6 + 3 * (columns / 2 - 1)))
                  : 13 + matrices * (8 + columns * (5 + rows * 4 / 2));
    }
    const bool blocks = rows % block == 0 && columns % block == 0;
    const auto inReach = [](unsigned n) { return n < kMaxRepeats && 1 + 3 * n < kMaxStride; };
    if (blocks && columns >= 2 * block && inReach(columns / block))
      return 39 + matrices * (12 + rows / block * (15 + block * (columns / block - 2)));
    if (blocks && columns == block && inReach(rows / block))
      return rows == block ? 34 + 15 * matrices : 30 + matrices * (17 + 20 + block * (rows / block - 2));
    return 15 + matrices * (8 + columns * (5 + rows * 5 / 2));
  }
};

template class Transpose1DSingleWorker<half>;
template class Transpose1DSingleWorker<unsigned short>;
template class Transpose1DSingleWorker<short>;
template class Transpose1DSingleWorker<unsigned char>;
template class Transpose1D<half>;
template class Transpose1D<unsigned short>;
template class Transpose1D<short>;
template class Transpose1D<unsigned char>;
template class SplitTranspose1D<half>;
template class SplitTranspose1D<unsigned short>;
template class SplitTranspose1D<short>;
template class SplitTranspose1D<unsigned char>;
template class Transpose2D<float>;
template class Transpose2D<unsigned int>;
template class Transpose2D<int>;
template class Transpose2D<half>;
template class Transpose2D<unsigned short>;
template class Transpose2D<short>;
template class Transpose2D<unsigned char>;

} // namespace poplar_rt
