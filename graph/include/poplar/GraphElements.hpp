// Handles on the elements of a graph: compute sets, vertices, their fields, functions. Handles are plain values. A
// handle stays valid as long as the graph exists, unless popscope::NewVertices removes the vertex of the handle.
#pragma once
#include <poplar/DataStream.hpp>
#include <poplar/StringRef.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace popscope {
struct FunctionData;
struct GraphAccess;
struct GraphShared;
} // namespace popscope

namespace poplar {

class ComputeSet {
public:
  ComputeSet() : ComputeSet(std::numeric_limits<unsigned>::max()) {}
  /// Makes a handle that belongs to no graph. For each graph, the handle stands for the compute set with this number.
  explicit ComputeSet(unsigned id) : graph_(std::numeric_limits<unsigned>::max()), id_(id) {}
  unsigned getId() const { return id_; }
  bool operator==(const ComputeSet &other) const { return id_ == other.id_; }
  bool operator!=(const ComputeSet &other) const { return id_ != other.id_; }
  bool operator<(const ComputeSet &other) const { return id_ < other.id_; }

private:
  friend struct popscope::GraphAccess;
  unsigned graph_; // the graph's number, unique within the process; the largest unsigned = no graph
  unsigned id_;
};

/// A field of a vertex, v["in"], or one element of a field, v["in"][3].
class FieldRef {
public:
  FieldRef();
  /// Returns element `index` of the field. Throws index_error if this object is already an element.
  FieldRef operator[](std::size_t index) const;
  bool isIndexed() const { return indexed_; }
  std::size_t getIndex() const { return index_; }

private:
  friend class VertexRef;
  friend struct popscope::GraphAccess;
  unsigned graphNumber_; // the number of the graph; the largest unsigned = no graph
  unsigned vertex_;
  unsigned field_;
  bool indexed_;
  std::size_t index_;
};

class VertexRef {
public:
  VertexRef();
  /// Returns a field. Throws unknown_field if the class has no such field; the message lists the fields of the class.
  /// Throws poplar_error for a default-constructed VertexRef.
  FieldRef operator[](StringRef fieldName) const;
  std::size_t getId() const { return id_; }
  bool operator==(const VertexRef &other) const { return id_ == other.id_; }
  bool operator!=(const VertexRef &other) const { return id_ != other.id_; }
  bool operator<(const VertexRef &other) const { return id_ < other.id_; }

private:
  friend struct popscope::GraphAccess;
  const popscope::GraphShared *graph_;
  unsigned graphNumber_;
  unsigned id_;
};

/// A program that the graph stores once, and that program::Call runs. Graph::addFunction creates functions.
class Function {
public:
  Function() : Function(std::numeric_limits<unsigned>::max()) {}
  /// Makes a handle that belongs to no graph. For each graph, the handle stands for the function with this number.
  explicit Function(unsigned id) : graph_(std::numeric_limits<unsigned>::max()), id_(id) {}
  unsigned getId() const { return id_; }
  bool operator==(const Function &other) const { return id_ == other.id_; }
  bool operator!=(const Function &other) const { return id_ != other.id_; }
  bool operator<(const Function &other) const { return id_ < other.id_; }

private:
  friend struct popscope::GraphAccess;
  unsigned graph_; // the graph's number, unique within the process; the largest unsigned = no graph
  unsigned id_;
};

/// A function on the host that program::Call runs. Graph::addHostFunction creates host functions.
class HostFunction {
public:
  HostFunction() : id_(std::numeric_limits<unsigned>::max()) {}
  unsigned getId() const { return id_; }
  std::string handle() const { return handle_; }
  bool operator==(const HostFunction &other) const { return id_ == other.id_ && graph_ == other.graph_; }
  bool operator!=(const HostFunction &other) const { return !(*this == other); }

private:
  friend struct popscope::GraphAccess;
  unsigned id_;
  std::string handle_;
  std::shared_ptr<popscope::GraphShared> graph_;
};

/// Memory for the code of one function. Graph::addFunctionBuffer creates function buffers.
class FunctionBuffer {
public:
  FunctionBuffer() : id_(std::numeric_limits<unsigned>::max()) {}
  unsigned getId() const { return id_; }

private:
  friend struct popscope::GraphAccess;
  unsigned id_;
  Function function_; // the function whose code the buffer holds
};

} // namespace poplar
