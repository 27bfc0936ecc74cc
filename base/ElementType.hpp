// Element types as plain data. The public class poplar::Type stores an ElementType.
#pragma once
#include <cstddef>
#include <cstdint>

namespace popscope {

enum class ElementType : std::uint8_t {
  Invalid,
  Bool,
  Char,
  UnsignedChar,
  SignedChar,
  Short,
  UnsignedShort,
  Int,
  UnsignedInt,
  Long,
  UnsignedLong,
  LongLong,
  UnsignedLongLong,
  Half,
  Float,
  Quarter,
  QuarterMetadata,
};

/// Returns the size of an element on the device in bytes, or 0 for Invalid.
constexpr std::uint32_t elementBytes(ElementType t) {
  switch (t) {
  case ElementType::Invalid: return 0;
  case ElementType::Bool:
  case ElementType::Char:
  case ElementType::UnsignedChar:
  case ElementType::SignedChar:
  case ElementType::Quarter:
  case ElementType::QuarterMetadata: return 1;
  case ElementType::Short:
  case ElementType::UnsignedShort:
  case ElementType::Half: return 2;
  case ElementType::Int:
  case ElementType::UnsignedInt:
  case ElementType::Float: return 4;
  case ElementType::Long:
  case ElementType::UnsignedLong:
  case ElementType::LongLong:
  case ElementType::UnsignedLongLong: return 8;
  }
  return 0;
}

/// Returns the name of the type in names of vertex types and in messages, for example "unsigned int".
constexpr const char *elementTypeName(ElementType t) {
  switch (t) {
  case ElementType::Invalid: return "invalid";
  case ElementType::Bool: return "bool";
  case ElementType::Char: return "char";
  case ElementType::UnsignedChar: return "unsigned char";
  case ElementType::SignedChar: return "signed char";
  case ElementType::Short: return "short";
  case ElementType::UnsignedShort: return "unsigned short";
  case ElementType::Int: return "int";
  case ElementType::UnsignedInt: return "unsigned int";
  case ElementType::Long: return "long";
  case ElementType::UnsignedLong: return "unsigned long";
  case ElementType::LongLong: return "long long";
  case ElementType::UnsignedLongLong: return "unsigned long long";
  case ElementType::Half: return "half";
  case ElementType::Float: return "float";
  case ElementType::Quarter: return "quarter";
  case ElementType::QuarterMetadata: return "quarter_metadata";
  }
  return "invalid";
}

} // namespace popscope
