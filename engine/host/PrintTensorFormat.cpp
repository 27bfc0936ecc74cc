#include "engine/host/PrintTensorFormat.hpp"

#include "base/Half.hpp"
#include "base/ReadNumber.hpp"
#include "base/ShownText.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace popscope {
namespace {

template <class T> T load(const void *data, std::size_t i) {
  T value;
  std::memcpy(&value, static_cast<const unsigned char *>(data) + i * sizeof(T), sizeof(T));
  return value;
}

/// The choices of PrintTensorFmt::FloatFormat.
enum FloatStyle : unsigned { kAuto, kFixed, kScientific, kEachElement };

/// Returns the form of a value under FloatFormat::Auto. A value is scientific if its fixed form has digits that a float
/// does not hold, or would lose the leading digits. NumPy has the same limits.
FloatStyle autoStyle(double value) {
  const double magnitude = std::abs(value);
  return std::isfinite(value) && value != 0 && (magnitude >= 1e8 || magnitude < 1e-4) ? kScientific : kFixed;
}

/// Returns the number with the fewest digits that rounds to the same half.
double shortestOfHalf(float half) {
  const std::uint16_t bits = floatToHalf(half);
  double number = half;
  for (int digits = 1; digits <= 5; ++digits) // 5 digits identify each half
    if (number = readReal(fmt::format("{:.{}e}", half, digits - 1)).value_or(half); doubleToHalf(number) == bits)
      break;
  return number;
}

std::string formatFloat(ElementType type, float value, const PrintFormat &format) {
  if (format.digits == 0) // the shortest text that reads back as the same value
    return type == ElementType::Half && std::isfinite(value) ? fmt::format("{}", shortestOfHalf(value))
                                                             : fmt::format("{}", value);
  const unsigned style = format.floatFormat == kEachElement ? unsigned(autoStyle(value)) : format.floatFormat;
  return style == kScientific ? fmt::format("{:.{}e}", value, format.digits)
                              : fmt::format("{:.{}f}", value, format.digits);
}

std::string formatElement(ElementType type, const void *data, std::size_t i, const PrintFormat &format) {
  switch (type) {
  case ElementType::Bool: return load<std::uint8_t>(data, i) != 0 ? "1" : "0";
  case ElementType::Char:
  case ElementType::SignedChar: return std::to_string(int(load<std::int8_t>(data, i)));
  case ElementType::UnsignedChar:
  case ElementType::Quarter:
  case ElementType::QuarterMetadata: return std::to_string(unsigned(load<std::uint8_t>(data, i)));
  case ElementType::Short: return std::to_string(load<std::int16_t>(data, i));
  case ElementType::UnsignedShort: return std::to_string(load<std::uint16_t>(data, i));
  case ElementType::Int: return std::to_string(load<std::int32_t>(data, i));
  case ElementType::UnsignedInt: return std::to_string(load<std::uint32_t>(data, i));
  case ElementType::Long:
  case ElementType::LongLong: return std::to_string(load<std::int64_t>(data, i));
  case ElementType::UnsignedLong:
  case ElementType::UnsignedLongLong: return std::to_string(load<std::uint64_t>(data, i));
  case ElementType::Half: return formatFloat(type, halfToFloat(load<std::uint16_t>(data, i)), format);
  case ElementType::Float: return formatFloat(type, load<float>(data, i), format);
  case ElementType::Invalid: break;
  }
  return "?";
}

/// Writes one tensor. A row that would pass the maximum width of a line continues on the next line, below its first
/// element. An element that is wider than a line has a line of its own.
class TensorPrinter {
public:
  TensorPrinter(ElementType type, const std::vector<std::size_t> &shape, const PrintFormat &format, const void *data)
      : type_(type), shape_(shape), format_(format), data_(data) {
    std::size_t elements = 1;
    for (const std::size_t d : shape)
      elements *= d;
    summarise_ = format.summariseThreshold != 0 && elements > format.summariseThreshold;
  }

  std::string print(const std::string &title) {
    text_ = title;
    if (format_.floatFormat == kAuto)
      format_.floatFormat = anyScientific(0, 0) ? kScientific : kFixed;
    if (shape_.empty())
      text_ += formatElement(type_, data_, 0, format_);
    else
      printDim(0, 0);
    return std::move(text_);
  }

private:
  /// The printed indices of a dimension: [0, head) and [tail, n).
  struct Printed {
    std::size_t head, tail, n;
  };
  [[nodiscard]] Printed printed(std::size_t dim) const {
    const std::size_t n = shape_[dim], edge = format_.edgeItems;
    return summarise_ && n > 2 * edge ? Printed{edge, n - edge, n} : Printed{n, n, n};
  }
  [[nodiscard]] std::size_t stride(std::size_t dim) const {
    std::size_t elements = 1;
    for (std::size_t d = dim + 1; d < shape_.size(); ++d)
      elements *= shape_[d];
    return elements;
  }
  /// Returns whether FloatFormat::Auto writes a printed element in the scientific form.
  [[nodiscard]] bool anyScientific(std::size_t dim, std::size_t first) const {
    if (dim == shape_.size())
      return (type_ == ElementType::Float && autoStyle(load<float>(data_, first)) == kScientific) ||
             (type_ == ElementType::Half && autoStyle(halfToFloat(load<std::uint16_t>(data_, first))) == kScientific);
    const Printed range = printed(dim);
    for (std::size_t i = 0; i < range.n; ++i) {
      if (i == range.head)
        i = range.tail;
      if (i < range.n && anyScientific(dim + 1, first + i * stride(dim)))
        return true;
    }
    return false;
  }

  void printDim(std::size_t dim, std::size_t first) {
    text_ += format_.open;
    if (dim + 1 == shape_.size())
      printRow(dim, first);
    else
      printRows(dim, first);
    text_ += format_.close;
  }
  void printRows(std::size_t dim, std::size_t first) {
    const std::string indent(dim + 1, ' ');
    const Printed range = printed(dim);
    // The tests of the public tutorials expect a separator after the first bracket of a matrix.
    std::string before = dim == 0 ? "\n " : "";
    for (std::size_t i = 0; i < range.n; ++i) {
      text_ += std::exchange(before, "\n" + indent);
      if (i == range.head) {
        text_ += "...";
        i = range.tail - 1;
      } else {
        printDim(dim + 1, first + i * stride(dim));
      }
    }
    text_ += '\n';
  }
  void printRow(std::size_t dim, std::size_t first) {
    const Printed range = printed(dim);
    for (std::size_t i = 0; i < range.n; ++i) {
      const bool atCut = i == range.head;
      const std::string word = atCut ? "..." : formatElement(type_, data_, first + i, format_);
      const bool starts = i == 0;
      if (atCut)
        i = range.tail - 1;
      if (!starts)
        separate(dim, word.size(), i + 1 == range.n);
      text_ += word;
    }
  }
  /// Separates two elements of a row. Ends the line if it has no space for the next word and for the separator or
  /// bracket after the word.
  void separate(std::size_t dim, std::size_t wordSize, bool last) {
    const bool blank = format_.separator == ' ';
    if (fits(1 + wordSize + (last || !blank ? 1 : 0))) { // after the word: the bracket or the separator
      text_ += format_.separator;
      return;
    }
    if (!blank)
      text_ += format_.separator;
    text_ += '\n';
    text_.append(dim + 1, ' ');
  }
  [[nodiscard]] bool fits(std::size_t more) {
    for (; searched_ < text_.size(); ++searched_)
      if (text_[searched_] == '\n')
        lineBegin_ = searched_ + 1;
    return format_.maxLineWidth == 0 || text_.size() - lineBegin_ + more <= format_.maxLineWidth;
  }

  ElementType type_;
  const std::vector<std::size_t> &shape_;
  PrintFormat format_;
  const void *data_;
  bool summarise_ = false;
  std::string text_;
  std::size_t searched_ = 0, lineBegin_ = 0; // the bytes of text_ in which fits() has found the last line end
};

} // namespace

std::string formatTensor(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                         const PrintFormat &format, const void *data) {
  const std::string start = title.empty() ? std::string() : shownText(title, LineEnds::Kept) + ": ";
  return TensorPrinter(type, shape, format, data).print(start) + "\n";
}

} // namespace popscope
