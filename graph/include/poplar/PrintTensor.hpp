// PrintTensorFmt: how program::PrintTensor writes a tensor.
#pragma once

namespace poplar {

class PrintTensorFmt {
public:
  enum class FloatFormat { Auto = 0, Fixed = 1, Scientific = 2, None = 3 };
  /// \param summariseThreshold  Number of elements above which a tensor is shortened to its edges.
  /// \param edgeItems           Number of elements that a shortened tensor keeps at each end of a dimension.
  /// \param maxLineWidth        Number of characters after which a row continues on the next line.
  /// \param digits              Number of digits after the decimal point.
  PrintTensorFmt(unsigned summariseThreshold = 1000, unsigned edgeItems = 3, unsigned maxLineWidth = 75,
                 unsigned digits = 4, FloatFormat floatFormat = FloatFormat::Auto, char separator = ' ',
                 char openBracket = '[', char closeBracket = ']')
      : summariseThreshold_(summariseThreshold), edgeItems_(edgeItems), maxLineWidth_(maxLineWidth), digits_(digits),
        floatFormat_(floatFormat), separator_(separator), openBracket_(openBracket), closeBracket_(closeBracket) {}

  unsigned summariseThreshold() const { return summariseThreshold_; }
  unsigned edgeItems() const { return edgeItems_; }
  unsigned maxLineWidth() const { return maxLineWidth_; }
  unsigned digits() const { return digits_; }
  FloatFormat floatFormat() const { return floatFormat_; }
  char separator() const { return separator_; }
  char openBracket() const { return openBracket_; }
  char closeBracket() const { return closeBracket_; }

private:
  unsigned summariseThreshold_, edgeItems_, maxLineWidth_, digits_;
  FloatFormat floatFormat_;
  char separator_, openBracket_, closeBracket_;
};

} // namespace poplar
