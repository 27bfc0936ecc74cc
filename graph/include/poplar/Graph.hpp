// Graph: the variables, vertices and streams of one program, and their places on the machine. A Graph object is a
// handle. A virtual graph is a second handle on the contents of another Graph, usually with fewer tiles. Members throw
// poplar_error, or a subclass of poplar_error, for wrong arguments. Const members may be called from several threads at
// once; other members may not.
#pragma once
#include <poplar/ArrayRef.hpp>
#include <poplar/CodeletFileType.hpp>
#include <poplar/CycleEstimateFunc.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/FunctionBufferMappingType.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/Program.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/SerializationFormat.hpp>
#include <poplar/StandardIncludes.hpp>
#include <poplar/StringRef.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/TensorRearranger.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/VariableRef.hpp>
#include <poplar/VertexIntrospector.hpp>
#include <poplar/exceptions.hpp>
#include <poplar/replication_factor.hpp>

namespace popscope {
struct GraphHandle;
struct GraphAccess;
} // namespace popscope

namespace poplar {

class Graph {
public:
  /// The mapping of a tensor: for each tile, half-open intervals of elements of the flattened tensor.
  using TileToTensorMapping = std::vector<std::vector<Interval>>;
  using HostFunctionArgument = std::tuple<Type, std::size_t>;

  /// One connection in a call of addVertex: {"field", tensor}, {"field", tensors} or {"field", value}.
  struct ConnectionDesc {
    std::string field;
    Tensor tensor;
    std::vector<Tensor> tensors;
    bool is2D;
    ConnectionDesc(StringRef f, Tensor t);
    // A list in braces converts to an ArrayRef. Only an argument of type std::vector selects the overload for a vector.
    // The same rule holds for setInitialValue.
    template <class Memory>
    ConnectionDesc(StringRef f, const std::vector<Tensor, Memory> &ts) : ConnectionDesc(f, ArrayRef<Tensor>(ts)) {}
    ConnectionDesc(StringRef f, ArrayRef<Tensor> ts);
    template <class T, class = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
    ConnectionDesc(StringRef f, T v) : ConnectionDesc(f, TypeTraits::make<T>(), &v) {}

  private:
    friend class Graph;
    ConnectionDesc(StringRef f, const TypeTraits &traits, const void *value);
    TypeTraits traits_;
    std::array<unsigned char, 16> value_;
    bool isValue_;
  };

  explicit Graph(const Target &target, replication_factor r = replication_factor(1));
  explicit Graph(const Device &device, replication_factor r = replication_factor(1));
  /// Creates a graph for a CPU target.
  Graph();
  explicit Graph(replication_factor r);
  Graph(const Graph &) = delete;
  Graph(Graph &&) noexcept;
  Graph &operator=(const Graph &) = delete;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();
  const Target &getTarget() const;

  // ---- codelets
  /// Compiles codelets, or loads them from a graph object. Returns false if the graph already has the file with the
  /// same contents, type, flags and target. For a list, returns false if the graph already has every file of the list
  /// with these four properties. Skips files of assembly and of IR, because only a tile can run the instructions of
  /// these files. The type of a file is `type`. If `type` is Auto, the extension of the file gives the type. Throws
  /// file_load_error if a file cannot be read or has an unknown type, and graph_program_compilation_error if a source
  /// does not compile. Throws graph_object_load_error for a graph object that is damaged or has no code for the target.
  /// Throws graph_object_creation_error if another file, or this file with other contents or flags, already defined the
  /// same vertex class. A class in a header that several files include counts as one class. `compileOutput` receives
  /// the messages of the compiler, also if the codelets do not compile.
  bool addCodelets(StringRef src, CodeletFileType type = CodeletFileType::Auto, StringRef compileFlags = "",
                   StringRef targetName = "");
  // A std::string names one file. Without this overload, a std::string would also convert to a list of one file.
  template <class S, class = typename std::enable_if<std::is_same<S, std::string>::value>::type>
  bool addCodelets(const S &src, CodeletFileType type = CodeletFileType::Auto, StringRef compileFlags = "",
                   StringRef targetName = "") {
    return addCodelets(StringRef(src), type, compileFlags, targetName);
  }
  bool addCodelets(StringRef src, CodeletFileType type, StringRef compileFlags, std::ostream &compileOutput,
                   StringRef targetName = "");
  bool addCodelets(StringRef src, std::ostream &compileOutput, CodeletFileType type = CodeletFileType::Auto,
                   StringRef compileFlags = "", StringRef targetName = "");
  bool addCodelets(ArrayRef<std::string> xs, StringRef compileFlags = "", StringRef targetName = "");
  void addCodelets(std::stringstream &stream, StringRef compileFlags = "",
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  void addCodelets(std::stringstream &stream, std::ostream &compileOutput, StringRef compileFlags = "",
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  void addCodelets(std::stringstream &stream, StringRef compileFlags, std::ostream &compileOutput,
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  bool hasCodelet(StringRef codeletName) const;
  /// Adds the vertex classes of a graph object. `in` has the contents of a .gp file that popc wrote; for anything else,
  /// throws graph_object_load_error.
  void addCodeletPlaceholder(std::istream &in);

  // ---- vertices
  ComputeSet addComputeSet(const DebugContext &dc = {});
  VertexRef addVertex(ComputeSet cs, StringRef vertexType);
  VertexRef addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections);
  /// Always throws poplar_error. Use program::Copy to move data between IPUs. An external exchange vertex drives the
  /// links between IPUs. A model does not simulate such vertices.
  VertexRef addExternalExchangeVertex(ComputeSet cs, StringRef vertexType, unsigned inCount, unsigned outCount);
  /// Connects a tensor to a field. In a vector of scalar edges, each element of the tensor becomes an edge. In a nested
  /// field, each row of a matrix, or each tensor of a list, becomes an edge. Throws type_error if tensor and field have
  /// different element types, and index_error for an element past the size of the field. Throws graph_connection_error
  /// for any other mismatch, for a field that is already connected, and for 8-bit floats without metadata.
  void connect(FieldRef field, const Tensor &tensor);
  void connect(FieldRef field, ArrayRef<Tensor> tensors);
  /// Connects the field to a new constant, which is mapped to the vertex's tile. For a state field, sets the initial
  /// value instead.
  template <class T>
  void connect(FieldRef field, T v, typename std::enable_if<TypeTraits::isSimpleType<T>()>::type * = nullptr) {
    connectValue(field, TypeTraits::make<T>(), &v);
  }
  template <class T>
  void setInitialValue(FieldRef field, T val,
                       typename std::enable_if<TypeTraits::isSimpleType<T>()>::type * = nullptr) {
    setFieldValues(field, TypeTraits::make<T>(), &val, 1, false);
  }
  template <class T> void setInitialValue(FieldRef field, ArrayRef<T> val) {
    setFieldValues(field, TypeTraits::make<T>(), val.data(), val.size(), true);
  }
  template <class T, class Memory> void setInitialValue(FieldRef field, const std::vector<T, Memory> &v) {
    setFieldValues(field, TypeTraits::make<T>(), v.data(), v.size(), true);
  }
  /// Sets the contents that a tensor has when the program is loaded: one value for all elements, or one value per
  /// element. Throws overflow_error for a value outside the range of the element type, and for a fraction if the type
  /// is an integer type.
  template <class T>
  void setInitialValue(const Tensor &t, T val,
                       typename std::enable_if<TypeTraits::isSimpleType<T>()>::type * = nullptr) {
    setTensorValues(t, TypeTraits::make<T>(), &val, 1, true);
  }
  template <class T> void setInitialValue(const Tensor &t, ArrayRef<T> values) {
    setTensorValues(t, TypeTraits::make<T>(), values.data(), values.size(), false);
  }
  template <class T, class Memory> void setInitialValue(const Tensor &t, const std::vector<T, Memory> &values) {
    setTensorValues(t, TypeTraits::make<T>(), values.data(), values.size(), false);
  }
  // The next functions take values as bit patterns of halves (IEEE 754).
  void setInitialValueHalf(FieldRef field, std::uint16_t val);
  void setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> val);
  void setInitialValueHalf(const Tensor &t, std::uint16_t val);
  void setInitialValueHalf(const Tensor &t, ArrayRef<std::uint16_t> val);
  /// Sets the number of elements of an unconnected vector field, or the number of edges of a nested field. For one edge
  /// of a nested field (v["in"][3]), sets the number of elements that the connection of this edge must have (0: the
  /// edge stays unconnected). Throws graph_connection_error if a tile cannot hold a field of this size. Also throws
  /// graph_connection_error if the field is already connected with more elements. For one edge of a nested field,
  /// throws graph_connection_error if this edge is already connected with another number of elements. Throws
  /// poplar_error for a scalar field and for one element of a field that is not nested. Throws index_error for an
  /// element past the size of the field.
  void setFieldSize(FieldRef field, std::size_t size);
  std::size_t getFieldSize(FieldRef field) const;
  /// Returns the largest size that the field's representation on the tile can hold in dimension `dimIndex`. In a nested
  /// field, dimension 0 counts edges, and dimension 1 counts the elements of an edge. Throws index_error if the field
  /// has no such dimension.
  std::size_t getMaxFieldDim(StringRef vertexName, StringRef fieldName, unsigned dimIndex) const;
  /// Returns the largest finite value of the field's type, rounded to double. For QUARTER, the format is F143 and the
  /// scale is 0.
  double getMaxVertexFieldValue(StringRef vertexName, StringRef fieldName) const;
  /// Returns the largest finite value of the field's type, converted to T. Throws overflow_error if T is an integer
  /// type that cannot hold this value. A floating-point T may round the value.
  template <class T> T getMaxVertexFieldValueAs(StringRef vertexName, StringRef fieldName) const {
    static_assert(TypeTraits::isSimpleType<T>(), "T is an arithmetic type");
    T value;
    maxFieldValue(vertexName, fieldName, TypeTraits::make<T>(), &value);
    return value;
  }
  std::size_t numVertices() const;
  std::size_t getNumVertices() const { return numVertices(); }
  std::size_t numComputeSets() const;

  // ---- estimates. An estimate of one vertex has priority over the estimator of its type. If `flops` is 0 (the
  // default), a run counts the floating-point operations of the vertex. Functions that set an estimate throw
  // overflow_error for more than 2^48 cycles or operations; Engine::run throws overflow_error if all timed runs of the
  // engine together take more than 2^48 cycles.
  void setPerfEstimate(const VertexRef &v, std::uint64_t cycles, std::uint64_t flops = 0);
  void setPerfEstimate(const VertexRef &v, const VertexPerfEstimate &estimate);
  /// Returns the vertex's estimate, or else the result of the estimator of the vertex type. Throws
  /// missing_perf_estimate if the vertex has no estimate and its type has no estimator.
  VertexPerfEstimate getPerfEstimate(const VertexRef &v) const;
  void setCycleEstimate(const VertexRef &v, std::uint64_t cycles);
  /// Returns the cycles of the vertex's estimate, or else the cycles that the estimator of the vertex type returns.
  /// Throws missing_cycle_estimate if the vertex has no estimate and its type has no estimator.
  std::uint64_t getCycleEstimate(const VertexRef &v) const;
  /// Registers an estimator of a vertex type. Replaces an earlier estimator of this type, even if only one of the two
  /// estimators also estimates floating-point operations. The vertex type may be added later.
  void registerCycleEstimator(StringRef vertexTypeName, CycleEstimateFunc f);
  void registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f);

  // ---- variables and constants
  Tensor addVariable(const Type &type, ArrayRef<std::size_t> shape, const DebugContext &dc = {});
  Tensor addVariable(const Type &type, ArrayRef<std::size_t> shape, VariableMappingMethod mappingMethod,
                     const DebugContext &dc = {});
  /// Adds a constant. Converts values to `type` as C++ converts numbers, because PopLibs relies on this conversion. For
  /// an integer type, cuts off a fraction. In an unsigned type, a negative number wraps around. For BOOL, each value
  /// but 0 is true. A number too large for a float or half becomes infinite. For an integer type, throws overflow_error
  /// for NaN, and for a number that does not fit the bits of the type. Throws tensor_creation_error if the number of
  /// values differs from the number of elements. By contrast, setInitialValue, connect and the extension
  /// popscope::addExactConstant throw overflow_error for a fraction in an integer type, a number outside the range of
  /// the type, and a BOOL other than 0 and 1.
  template <class T>
  Tensor addConstant(const Type &type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext &dc = {"<const>"}) {
    checkConstantSize(shape, values.size());
    return addConstant(type, shape, static_cast<const void *>(values.data()), TypeTraits::make<T>(), false, dc);
  }
  template <class T>
  Tensor addConstant(const Type &type, ArrayRef<std::size_t> shape, T val, const DebugContext &dc = {"<const>"},
                     typename std::enable_if<TypeTraits::isSimpleType<T>()>::type * = nullptr) {
    return addConstant(type, shape, static_cast<const void *>(&val), TypeTraits::make<T>(), true, dc);
  }
  // Without this overload, a call addConstant<bool>(BOOL, {}, true, "name") is ambiguous: {} could be the metadata of
  // an overload below, and "name" could be a BOOL.
  template <class T>
  Tensor addConstant(const Type &type, ArrayRef<std::size_t> shape, T val, const char *name,
                     typename std::enable_if<std::is_same<T, bool>::value>::type * = nullptr) {
    return addConstant(type, shape, val, DebugContext(name));
  }
  /// Adds a constant. `values` points at as many values as the shape has elements.
  template <class T>
  Tensor addConstant(const Type &type, ArrayRef<std::size_t> shape, const T *values,
                     const DebugContext &dc = {"<const>"}) {
    return addConstant(type, shape, static_cast<const void *>(values), TypeTraits::make<T>(), false, dc);
  }
  Tensor addConstant(const Type &type, ArrayRef<std::size_t> shape, const void *val, const TypeTraits &traits,
                     bool broadcast, const DebugContext &dc = {"<const>"});
  Tensor addConstantHalf(const Type &type, ArrayRef<std::size_t> shape, std::uint16_t val,
                         const DebugContext &dc = {"<const>"});
  Tensor addConstantHalf(const Type &type, ArrayRef<std::size_t> shape, const std::uint16_t *val,
                         const DebugContext &dc = {"<const>"});
  /// Creates variables with the tile mapping of `t`. Returns a tensor of these variables; the tensor has the shape of
  /// `t`. A clone of type QUARTER shares the metadata of `t`, if `t` has metadata.
  Tensor clone(const Type &type, const Tensor &t, const DebugContext &dc = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  Tensor clone(const Tensor &t, const DebugContext &dc = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  /// Creates N clones, and returns the clones joined along a new first dimension.
  Tensor cloneN(const Tensor &t, std::size_t N, const DebugContext &dc = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod dup = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTERMOST_DIMENSION);
  Tensor cloneN(const Type &type, const Tensor &t, std::size_t N, const DebugContext &dc = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod dup = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTERMOST_DIMENSION);
  // The next functions add and clone tensors of 8-bit floats, with metadata (<poplar/MetadataCreation.hpp>). An invalid
  // tensor {} means no metadata. Types other than QUARTER have no metadata.
  Tensor addVariable(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                     const DebugContext &dc = {}) {
    return addVariable(type, metadata, shape, VariableMappingMethod::NONE, dc);
  }
  Tensor addVariable(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                     VariableMappingMethod mappingMethod, const DebugContext &dc = {}) {
    return metadata.valid() ? addQuarterVariable(type, metadata, shape, mappingMethod, dc)
                            : addVariable(type, shape, mappingMethod, dc);
  }
  /// Adds a variable without metadata. With these overloads, a list in braces is a shape. Without these overloads, {}
  /// could also be the metadata.
  Tensor addVariable(const Type &type, std::initializer_list<std::size_t> shape, const DebugContext &dc = {}) {
    return addVariable(type, ArrayRef<std::size_t>(shape.begin(), shape.size()), dc);
  }
  Tensor addVariable(const Type &type, std::initializer_list<std::size_t> shape, VariableMappingMethod mappingMethod,
                     const DebugContext &dc = {}) {
    return addVariable(type, ArrayRef<std::size_t>(shape.begin(), shape.size()), mappingMethod, dc);
  }
  /// Adds a constant of 8-bit floats. Throws type_error unless the value of `metadata` is known: `metadata` must be a
  /// constant, or a variable with an initial value.
  template <class T>
  Tensor addConstant(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape, T val,
                     const DebugContext &dc = {"<const>"},
                     typename std::enable_if<TypeTraits::isSimpleType<T>()>::type * = nullptr) {
    return addQuarterConstant(type, metadata, shape, &val, TypeTraits::make<T>(), true, dc);
  }
  template <class T>
  Tensor addConstant(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext &dc = {"<const>"}) {
    checkConstantSize(shape, values.size());
    return addQuarterConstant(type, metadata, shape, values.data(), TypeTraits::make<T>(), false, dc);
  }
  // The metadata's type is a template parameter, so that an argument {} does not select this overload. Otherwise a call
  // addConstant(type, {}, value, "name") could select this overload, with {} as the metadata and the debug name as
  // `values`.
  template <class T, class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor addConstant(const Type &type, const M &metadata, ArrayRef<std::size_t> shape, const T *values,
                     const DebugContext &dc = {"<const>"}) {
    return addQuarterConstant(type, metadata, shape, values, TypeTraits::make<T>(), false, dc);
  }
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor addConstant(const Type &type, const M &metadata, ArrayRef<std::size_t> shape, const void *val,
                     const TypeTraits &traits, bool broadcast, const DebugContext &dc = {"<const>"}) {
    return addQuarterConstant(type, metadata, shape, val, traits, broadcast, dc);
  }
  // The cloned tensor's type is a template parameter, so that an argument {} is not ambiguous between metadata and a
  // debug context.
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor clone(const Type &type, const Tensor &metadata, const M &t, const DebugContext &dc = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return metadata.valid() ? cloneQuarter(type, metadata, t, dc, method) : clone(type, t, dc, method);
  }
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor clone(const Tensor &metadata, const M &t, const DebugContext &dc = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    return metadata.valid() ? cloneQuarter(t.elementType(), metadata, t, dc, method) : clone(t, dc, method);
  }
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor cloneN(const Type &type, const Tensor &metadata, const M &t, std::size_t N, const DebugContext &dc = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod dup = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTERMOST_DIMENSION) {
    const Tensor clones = cloneN(type, t, N, dc, method, dup);
    return metadata.valid() ? clones.associateMetadata(metadata) : clones;
  }
  template <class M, class = typename std::enable_if<std::is_same<M, Tensor>::value>::type>
  Tensor cloneN(const Tensor &metadata, const M &t, std::size_t N, const DebugContext &dc = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod dup = TensorCloneDuplicationMethod::DUPLICATE_BY_OUTERMOST_DIMENSION) {
    return cloneN(t.elementType(), metadata, t, N, dc, method, dup);
  }
  /// Returns the whole variable as a flat tensor.
  Tensor getVariable(VariableRef v) const;
  bool isConstant(VariableRef v) const;

  // ---- tile mapping
  void setTileMapping(VertexRef v, unsigned tileNum);
  void setTileMapping(const Tensor &t, unsigned tileNum);
  /// Maps elements to tiles. `mapping` may have fewer entries than there are tiles; elements that `mapping` leaves out
  /// keep their tile. If `t` names an element more than once, the element gets the highest of the tiles that `mapping`
  /// gives it.
  void setTileMapping(const Tensor &t, const TileToTensorMapping &mapping);
  /// Returns, for each tile of getTarget(), the intervals of flattened `t` that are mapped to this tile. The intervals
  /// are sorted and merged. If `requireComplete` is true, throws invalid_tile_mapping for an element without a tile of
  /// this graph.
  TileToTensorMapping getTileMapping(const Tensor &t, bool requireComplete = true) const;
  TileToTensorMapping getTileMapping(const Tensor &t, bool *isComplete) const;
  // Popscope has no external variables, so `allowExternal` has no effect.
  TileToTensorMapping getTileMapping(const Tensor &t, bool requireComplete, bool allowExternal) const {
    return (void)allowExternal, getTileMapping(t, requireComplete);
  }
  TileToTensorMapping getTileMapping(const Tensor &t, bool *isComplete, bool allowExternal) const {
    return (void)allowExternal, getTileMapping(t, isComplete);
  }
  /// Returns the mapping of the variable that contains `t`, in elements of that variable. For a tensor without
  /// elements, returns no intervals. Throws poplar_error if `t` has elements of several variables.
  TileToTensorMapping getVariableTileMapping(const Tensor &t) const;

  // ---- host access
  /// createHostWrite makes `t` accessible to Engine::writeTensor under `handle`. createHostRead makes `t` accessible to
  /// Engine::readTensor. Two host writes must have different handles, and so must two host reads. Streams, remote
  /// buffers and host functions must all have different handles. Throws poplar_error for an empty handle or a handle in
  /// use, and for a host write of a constant. If `t` has metadata, both functions also make the metadata accessible,
  /// under "handle/metadata". The host cannot write constant metadata: createHostWrite makes such metadata readable,
  /// under "handle/constantMetadata".
  void createHostWrite(StringRef handle, const Tensor &t, bool rearrangeOnHost = false, const DebugContext &dc = {});
  void createHostRead(StringRef handle, const Tensor &t, bool rearrangeOnHost = false, const DebugContext &dc = {});
  /// Adds a stream. Each transfer of the stream moves `numElements` elements. Options: bufferingDepth (the number of
  /// transfers that the host may prefetch, at least 1) and splitLimit (no effect). Throws invalid_option for any other
  /// option and for a bad value. Throws poplar_error for an empty handle, a handle in use, a default-constructed type,
  /// or more than 2^48 elements.
  DataStream addHostToDeviceFIFO(StringRef handle, const Type &elementType, std::size_t numElements,
                                 ReplicatedStreamMode mode = ReplicatedStreamMode::REPLICATE,
                                 const OptionFlags &options = {}, const DebugContext &dc = {});
  DataStream addDeviceToHostFIFO(StringRef handle, const Type &elementType, std::size_t numElements,
                                 const OptionFlags &options = {}, const DebugContext &dc = {});
  /// Adds a buffer in host memory. The buffer has `repeats` rows of `numElements` elements. `optimiseMemory` has no
  /// effect. Throws poplar_error for an empty handle, a handle in use, a default-constructed type, or more than 2^48
  /// elements in all rows together.
  RemoteBuffer addRemoteBuffer(StringRef handle, const Type &elementType, std::size_t numElements,
                               std::size_t repeats = 1, bool rearrangeOnHost = false, bool optimiseMemory = false,
                               const DebugContext &dc = {});
  Function addFunction(const program::Program &program);
  /// Adds a function on the host. program::Call calls the function, and Engine::connectHostFunction connects the
  /// callback of the function. Each input and output has an element type and a number of elements; both lists may be
  /// empty. Throws poplar_error if the handle is empty or in use, and for an argument without a type or with more than
  /// 2^32 bytes.
  HostFunction addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                               ArrayRef<HostFunctionArgument> outputs);
  /// Adds a buffer for the code of `f`. The buffer has no effect, because code is always on the tiles of a simulated
  /// machine.
  FunctionBuffer addFunctionBuffer(const Function &f, FunctionBufferMappingType type);

  // ---- analysis
  /// Divides the elements of `regions` into intervals, and returns these intervals, sorted by variable and element. All
  /// intervals are intervals of the flattened tensor `t`. Intervals that are contiguous in one variable form a group.
  /// If `t` contains a part of memory several times (in a broadcast), all intervals of one occurrence precede the
  /// intervals of the next occurrence. With `removeAliasedIntervals`, each part of memory occurs only once in the
  /// result. If `regions` is empty, the result has no groups. If `regions` has only intervals without elements, the
  /// result has one empty group. If `aliases` is not null, `aliases` receives one number for each interval of the
  /// result, in the order of the result. If several intervals contain the same memory, one of these intervals
  /// represents all of them. The number of an interval is the position in flattened `t` at which the representative
  /// contains the interval's first element. The function cuts intervals so that each interval has exactly one
  /// representative.
  std::vector<std::vector<Interval>> getSortedContiguousRegions(const Tensor &t, ArrayRef<Interval> regions,
                                                                bool removeAliasedIntervals = false,
                                                                std::vector<std::size_t> *aliases = nullptr) const;
  /// Flattens `t` and all of `ts`, and applies one permutation to the elements of each of these tensors, so that `t`
  /// has few contiguous regions. Always finds the simplest order, even if `requireSimplestOrder` is false.
  void reorderToSimplify(Tensor *t, ArrayRef<Tensor *> ts, bool requireSimplestOrder = true) const;
  /// Returns a rearranger for the order that reorderToSimplify gives `t`. The rearranger puts tensors and intervals
  /// into this order, and also restores the previous order.
  TensorRearranger getSimplifyingRearranger(const Tensor &t) const;
  /// Returns the tensor from which broadcasts made `t`. If a dimension of `t` consists of repetitions of its first
  /// elements, the result has only the shortest repeated part of this dimension.
  Tensor findUnbroadcastTensor(const Tensor &t) const;
  /// Both functions write DOT text for the compute sets that `progs` execute, in the order of execution. Without
  /// programs, the functions write all compute sets, in the order of their creation. outputVertexGraph makes one node
  /// for each vertex of these compute sets, and outputComputeGraph makes one node for each compute set. Both functions
  /// also make one node for each variable that these vertices use.
  void outputVertexGraph(std::ostream &os, ArrayRef<program::Program> progs = {}) const;
  void outputComputeGraph(std::ostream &os, ArrayRef<program::Program> progs = {}) const;

  // ---- files: a binary format of this library, with a version
  /// Writes variables, vertices, streams, functions and the given programs. The output contains the names of codelets,
  /// but not the code of the codelets. Throws graph_replication_error if createReplicatedGraph divided the graph into
  /// replicas.
  void serialize(std::ostream &out, SerializationFormat format) const;
  void serialize(std::ostream &out, ArrayRef<program::Program> progs, SerializationFormat format) const;
  /// Writes the tensors, and the mapping and contents of the variables that the tensors view.
  void serializeTensors(std::ostream &out, ArrayRef<Tensor> ts, SerializationFormat format) const;
  /// Reads the tensors and creates their variables in this graph. Throws invalid_tile_mapping if the device lacks a
  /// tile to which a variable is mapped. Leaves later data in the stream unread. Throws poplar_error for data that
  /// serializeTensors of this version did not write.
  std::vector<Tensor> deserializeTensors(std::istream &in, SerializationFormat format);

  // ---- replicas and virtual graphs
  /// Returns the product of the replication factor of the whole graph and the replication factor that was passed to
  /// createReplicatedGraph. The second factor also applies to virtual graphs of the replicated graph. For any other
  /// graph, the second factor is 1.
  unsigned getReplicationFactor() const;
  Tensor addReplicationIndexConstant(const DebugContext &dc = {});
  /// Returns a handle on `replicationFactor` equal parts of this graph's tiles (whole IPUs, or equal parts of each
  /// IPU). Everything that the user adds through the handle exists in every part, and programs that use these objects
  /// run in every part. For a factor of 1, returns another handle on this graph. For any other factor, throws
  /// graph_replication_error if the tiles cannot be divided into `replicationFactor` equal parts, or if this graph
  /// already has replicas.
  Graph createReplicatedGraph(unsigned replicationFactor);
  /// Returns the tensors of all replicas that correspond to `t`, joined along a new first dimension. `t` is a tensor of
  /// a replicated graph.
  Tensor getNonReplicatedTensor(const Tensor &t) const;
  /// These three functions create a virtual graph: on the first numTilesPerIPU tiles of each IPU, on the tiles
  /// [lowerTile, upperTile), or on the given tiles of each IPU. Throws invalid_tile_mapping for a tile that this graph
  /// does not have, for a tile that is listed twice, and if the new graph would have no tile. Also throws
  /// invalid_tile_mapping for a range that has more tiles than one IPU, unless the range consists of whole IPUs.
  Graph createVirtualGraph(unsigned numTilesPerIPU);
  Graph createVirtualGraph(unsigned lowerTile, unsigned upperTile);
  Graph createVirtualGraph(const std::vector<unsigned> &perIpuTiles);
  Graph getTopLevelGraph();
  /// These two functions convert a tile of this graph to a tile of getTopLevelGraph(), and back. Both functions throw
  /// invalid_tile_mapping for a tile that this graph does not have.
  unsigned convertTileToTopLevelGraphTile(unsigned tile) const { return convertVirtualTileToPhysicalTile(tile); }
  unsigned convertTopLevelGraphTileToTile(unsigned tile) const { return convertPhysicalTileToVirtualTile(tile); }
  /// Converts a tile of this graph to a tile of the device. Throws invalid_tile_mapping if this graph has no such tile.
  unsigned convertVirtualTileToPhysicalTile(unsigned virtualTileId) const;
  /// Converts a tile of one IPU of the device to a tile of this graph. Throws invalid_tile_mapping if this graph has no
  /// such tile.
  unsigned convertPhysicalTileToVirtualTile(unsigned ipuId, unsigned physicalTileId) const;
  unsigned convertPhysicalTileToVirtualTile(unsigned physicalTileId) const;

private:
  friend struct popscope::GraphAccess;
  explicit Graph(std::unique_ptr<popscope::GraphHandle> handle);
  void connectNoEdges(const FieldRef &field);
  void connectValue(const FieldRef &field, const TypeTraits &traits, const void *value);
  void setFieldValues(const FieldRef &field, const TypeTraits &traits, const void *values, std::size_t count,
                      bool isArray);
  void setTensorValues(const Tensor &t, const TypeTraits &traits, const void *values, std::size_t count,
                       bool broadcast);
  void maxFieldValue(StringRef vertexName, StringRef fieldName, const TypeTraits &traits, void *value) const;
  Tensor addQuarterVariable(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape,
                            VariableMappingMethod mappingMethod, const DebugContext &dc);
  Tensor addQuarterConstant(const Type &type, const Tensor &metadata, ArrayRef<std::size_t> shape, const void *values,
                            const TypeTraits &traits, bool broadcast, const DebugContext &dc);
  Tensor cloneQuarter(const Type &type, const Tensor &metadata, const Tensor &t, const DebugContext &dc,
                      TensorCloneMethod method);
  static void checkConstantSize(ArrayRef<std::size_t> shape, std::size_t numValues);
  std::unique_ptr<popscope::GraphHandle> handle_;
};

/// Returns the version of Poplar whose interface this library follows, and the version of Popscope: "3.4.0 (popscope
/// 1.0.0)".
std::string versionString();
/// Returns the version of Popscope, e.g. "popscope-1.0.0". Two builds of one version return the same text.
std::string packageHash();

} // namespace poplar
