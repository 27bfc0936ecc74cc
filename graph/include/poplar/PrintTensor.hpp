// PrintTensorFmt: how program::PrintTensor writes a tensor.
#pragma once

namespace poplar {

class PrintTensorFmt {
public:
  /// The form of printed floats. Auto is Scientific if any printed value is finite, is not 0, and has a magnitude of at
  /// least 1e8 or below 1e-4. Otherwise Auto is Fixed. With the enumerator None, this rule applies to each element
  /// separately.
  enum class FloatFormat { Auto = 0, Fixed = 1, Scientific = 2, None = 3 };
  /// \param summariseThreshold  Number of elements above which a tensor is shortened (see edgeItems); 0 means never.
  /// \param edgeItems           Number of elements that a shortened tensor keeps at each end of a dimension.
  /// \param maxLineWidth        Maximum number of characters of a line; 0 means no maximum. A longer row continues on
  ///                            the next line, behind one blank for each open bracket.
  /// \param digits              Number of digits of a float after the decimal point. With 0, each float has the fewest
  ///                            digits that identify its value, for every FloatFormat. PrintTensor throws
  ///                            control_program_error for more than 149 digits. A PrintTensor without a format prints
  ///                            7 digits.
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
