// VertexIntrospector: the data about one vertex that a cycle estimator may read. These data are the vertex's compute
// set, the sizes and layouts of the vertex's fields, the initial values of the vertex's state, and the values of
// constants that are connected to the vertex's inputs. An estimator cannot read the values that edges have at run time.
#pragma once
#include <poplar/GraphElements.hpp>
#include <poplar/Target.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VectorLayout.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace popscope {
struct FieldView;
} // namespace popscope

namespace poplar {

class FieldData {
public:
  class SizeT {
  public:
    explicit SizeT(std::size_t size) : size_(size) {}
    std::size_t size() const { return size_; }
    operator std::size_t() const { return size_; }

  private:
    std::size_t size_;
  };
  FieldData(FieldData &&) noexcept;
  FieldData &operator=(FieldData &&) noexcept;
  ~FieldData();

  /// Returns the length of edge `i` of a nested field (0 if the edge is not connected), or 1 for element `i` of any
  /// other field. Throws index_error if `i` is not less than size().
  SizeT operator[](std::size_t i) const { return SizeT(getSizeAtIndex(i)); }
  unsigned getSizeAtIndex(std::size_t i) const;
  /// Returns the number of elements of a vector field, or the number of edges of a nested field. Returns 1 for a
  /// scalar, and 0 for a field without a size.
  std::size_t size() const;
  /// Returns the layout of the vector on a tile of the modelled machine. nestingLevel 0 is the outer vector, and 1 the
  /// inner vector. Throws index_error for any other level.
  layout::Vector getProfilerVectorLayout(std::size_t nestingLevel) const;
  layout::VectorList getProfilerVectorListLayout() const;
  /// Returns the initial value of a state field, or of an input connected to a constant; `index` selects an element of
  /// a vector. State without an initial value has the value 0. Throws poplar_error if the input is connected to a
  /// variable, or if the field has no value with the number `index`.
  template <class T> T getInitialValue(const Target &, std::size_t index = 0) const {
    T value = T();
    readValues(TypeTraits::make<T>(), &value, index, 1);
    return value;
  }
  /// Returns all initial values. With T = std::vector<U>, returns the values of a nested field row by row.
  template <class T> std::vector<T> getInitialValues(const Target &) const { return Reader<T>::read(*this); }

private:
  friend struct popscope::GraphAccess;
  explicit FieldData(std::unique_ptr<popscope::FieldView> view);
  void readValues(const TypeTraits &traits, void *out, std::size_t begin, std::size_t count) const;
  void readRow(const TypeTraits &traits, void *out, std::size_t row) const;

  template <class T> struct Reader {
    static std::vector<T> read(const FieldData &field) {
      std::vector<T> values(field.size());
      field.readValues(TypeTraits::make<T>(), values.data(), 0, values.size());
      return values;
    }
  };
  template <class U> struct Reader<std::vector<U>> {
    static std::vector<std::vector<U>> read(const FieldData &field) {
      std::vector<std::vector<U>> rows(field.size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].resize(field.getSizeAtIndex(i));
        field.readRow(TypeTraits::make<U>(), rows[i].data(), i);
      }
      return rows;
    }
  };
  std::unique_ptr<popscope::FieldView> view_;
};

class VertexIntrospector {
public:
  VertexIntrospector(VertexIntrospector &&) noexcept;
  /// Returns a field. Throws unknown_field if the class has no such field; the message lists the fields of the class.
  FieldData getFieldInfo(const std::string &name) const;
  ComputeSet getComputeSet() const;

private:
  friend struct popscope::GraphAccess;
  VertexIntrospector(const popscope::GraphShared *graph, unsigned vertex) : graph_(graph), vertex_(vertex) {}
  const popscope::GraphShared *graph_;
  unsigned vertex_;
};

} // namespace poplar
