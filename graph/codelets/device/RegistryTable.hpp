// The table that the loader of a compiled codelet library reads. The symbol popscope_codelets refers to the table. The
// loader includes this file, and every registration unit contains the text of this file. Different compilers must give
// the rows the same layout, so the rows have plain C types only. If the layout changes, change kRegistryVersion, too.
#ifndef POPSCOPE_REGISTRY_TABLE_HPP
#define POPSCOPE_REGISTRY_TABLE_HPP

namespace popscope_device {

constexpr unsigned kRegistryVersion = 3;
constexpr unsigned kNotAVertex = 255;

// The tile and worker on which a vertex runs, and the registers that the builtins of <ipu_builtins.h> read and write.
// The header <ipu_builtins.h> repeats this definition. Each thread has its own Place.
#ifndef POPSCOPE_PLACE_TYPE
#define POPSCOPE_PLACE_TYPE
struct Place {
  unsigned tile, worker;
  void *vertex;                 // the vertex's state
  unsigned long long cycles;    // the value that the last read of the tile's counter returned
  unsigned long long random[2]; // state of the random number generator
  unsigned numPuts;
  struct {
    unsigned index, value;
  } puts[512];            // registers that this call of compute() wrote: the first numPuts rows
  float accumulators[16]; // accumulators of the matrix unit
  float scale;            // the register $TAS
};
#endif
// The exception that the host's version of a function throws if only a tile can run the function. <poplar/Vertex.hpp>
// declares the same type.
#ifndef POPSCOPE_TILE_ONLY_TYPE
#define POPSCOPE_TILE_ONLY_TYPE
struct TileOnly {
  const char *why;
};
#endif

/// The row of a field. The codes in a row are the values of popscope::FieldDirection, FieldShape, ElementType,
/// PtrLayout and ListLayout.
struct FieldRow {
  const char *name;
  unsigned present; // 0: the row has no data, because the class is no vertex
  unsigned direction, shape, type, outer, inner, list, minAlign, flags /*1 interleaved, 2 const*/, elementBytes, bytes;
  unsigned long offset;
};

struct ClassRow {
  const void *type; // the std::type_info
  unsigned kind;    // popscope::VertexClassKind, or kNotAVertex
  unsigned long size, align;
  unsigned numFields, numConstraints;
  const FieldRow *fields;
  const char *const *constraints;
  const char *definedIn; // the file that contains the definition
  bool (*run)(void *vertex, unsigned worker);
  unsigned long long (*cycleEstimate)(const void *vertex); // null if the class has no getCycleEstimate()
};

/// An enumerator that may be a template argument of a vertex class.
struct EnumeratorRow {
  const char *literal; // the value in the form of demangled type names, "(ns::E)1"
  const char *name;    // "ns::E::B"
};

struct Table {
  unsigned version, numClasses;
  const ClassRow *const *classes;
  unsigned numEnumerators;
  const EnumeratorRow *enumerators;
  Place *(*place)(); // returns the calling thread's Place; null if the source does not include the builtins' header
};

} // namespace popscope_device
#endif
