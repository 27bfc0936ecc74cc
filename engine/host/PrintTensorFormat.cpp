#include "engine/host/PrintTensorFormat.hpp"

#include "base/Half.hpp"
#include "base/ShownText.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace popscope {
namespace {

template <class T> T load(const void *data, std::size_t i) {
  T value;
  std::memcpy(&value, static_cast<const unsigned char *>(data) + i * sizeof(T), sizeof(T));
  return value;
}

std::string formatFloat(double value, const PrintFormat &format) {
  constexpr unsigned kDefaultDigits = 7; // after the decimal point, as in the output of the tutorials
  switch (format.floatFormat) {
  case 1: return fmt::format("{:.{}f}", value, format.digits);
  case 2: return fmt::format("{:.{}e}", value, format.digits);
  default: return fmt::format("{:.{}f}", value, kDefaultDigits);
  }
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
  case ElementType::Half: return formatFloat(halfToFloat(load<std::uint16_t>(data, i)), format);
  case ElementType::Float: return formatFloat(load<float>(data, i), format);
  case ElementType::Invalid: break;
  }
  return "?";
}

class TensorPrinter {
public:
  TensorPrinter(ElementType type, const std::vector<std::size_t> &shape, const PrintFormat &format, const void *data)
      : type_(type), shape_(shape), format_(format), data_(data) {
    std::size_t elements = 1;
    for (const std::size_t d : shape)
      elements *= d;
    summarise_ = elements > format.summariseThreshold;
  }

  std::string print() {
    if (shape_.empty())
      return formatElement(type_, data_, 0, format_);
    printDim(0, 0);
    return std::move(text_);
  }

private:
  void printDim(std::size_t dim, std::size_t first) {
    std::size_t stride = 1;
    for (std::size_t d = dim + 1; d < shape_.size(); ++d)
      stride *= shape_[d];
    const bool innermost = dim + 1 == shape_.size();
    const std::size_t n = shape_[dim];
    const bool cut = summarise_ && n > 2 * std::size_t(format_.edgeItems);
    text_ += format_.open;
    for (std::size_t i = 0; i < n; ++i) {
      if (i != 0)
        separate(innermost, dim);
      if (cut && i == format_.edgeItems) {
        text_ += "...";
        separate(innermost, dim);
        i = n - format_.edgeItems;
      }
      if (innermost)
        text_ += formatElement(type_, data_, first + i, format_);
      else
        printDim(dim + 1, first + i * stride);
    }
    if (!innermost)
      text_ += '\n';
    text_ += format_.close;
  }
  void separate(bool innermost, std::size_t dim) {
    if (innermost) {
      text_ += format_.separator;
    } else {
      text_ += '\n';
      text_.append(dim + 1, ' ');
    }
  }

  ElementType type_;
  const std::vector<std::size_t> &shape_;
  const PrintFormat &format_;
  const void *data_;
  bool summarise_ = false;
  std::string text_;
};

} // namespace

std::string formatTensor(const std::string &title, ElementType type, const std::vector<std::size_t> &shape,
                         const PrintFormat &format, const void *data) {
  std::string text = title.empty() ? std::string() : shownText(title, LineEnds::Kept) + ": ";
  // The tests of the public tutorials expect a separator after the first bracket of a matrix.
  std::string body = TensorPrinter(type, shape, format, data).print();
  if (shape.size() > 1 && body.size() > 1)
    body.insert(1, "\n ");
  return text + body + "\n";
}

} // namespace popscope
