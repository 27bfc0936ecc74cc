// Draws pictures as SVG. All pictures have the same width and font. Axes have ticks, and labels with units. Text is
// written as text, not as outlines. When the mouse rests on a part of a picture, the picture shows the figures of this
// part. Two pictures of the same profile with the same options have the same bytes.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace popscope {

enum class AxisUnit : std::uint8_t { Number, Bytes };
struct Axis {
  std::string label; // text with the unit: "address (bytes)"
  double min = 0, max = 1;
  AxisUnit unit = AxisUnit::Number;
  std::vector<std::size_t> names = {}; // labels (whole numbers) of the positions 0, 1, ...; if empty, the positions are
                                       // the labels
};
struct LegendEntry {
  std::string colour, text;
};

/// A picture. The constructor writes the beginning of the file, and the destructor writes the end of the file.
class Picture {
public:
  static constexpr double kWidth = 960, kLeft = 112, kRight = 24, kTop = 64;
  /// Begins a picture. `height` is the height of the drawing without title, axes and legend. `subtitle` is a second
  /// line, which describes the data.
  Picture(std::ostream &out, const std::string &title, const std::string &subtitle, double height,
          const std::vector<LegendEntry> &legend);
  ~Picture();
  Picture(const Picture &) = delete;
  Picture &operator=(const Picture &) = delete;

  void axes(const Axis &x, const Axis &y);
  /// Draws only the x axis, for pictures with lanes.
  void xAxis(const Axis &x);
  /// Draws a rectangle. Coordinates are those of the picture, as x() and y() return them. `tip` is the text that
  /// appears at the mouse, or "" for no text. `more` is the text of further SVG attributes.
  void rect(double x, double y, double width, double height, const std::string &colour, const std::string &tip,
            const std::string &more = "");
  void line(double x1, double y1, double x2, double y2, const std::string &colour, bool dashed = false);
  void text(double x, double y, const std::string &text, const char *anchor = "start", const char *style = "tick");
  void path(const std::string &d, const std::string &colour, const std::string &tip);

  [[nodiscard]] double x(double value) const { return kLeft + (value - x_.min) / (x_.max - x_.min) * plotWidth(); }
  [[nodiscard]] double y(double value) const { return kTop + height_ - (value - y_.min) / (y_.max - y_.min) * height_; }
  [[nodiscard]] static double plotWidth() { return kWidth - kLeft - kRight; }
  [[nodiscard]] double bottom() const { return kTop + height_; }

private:
  std::ostream &out_;
  double height_;
  Axis x_, y_;
};

/// Returns the label of a tick, for example "1,024" or "64 kB".
[[nodiscard]] std::string tickText(double value, AxisUnit unit);
/// Returns the colour of a storage category; related categories have similar colours.
[[nodiscard]] const char *categoryColour(const std::string &category);
/// Returns a coordinate as text: "123.4".
[[nodiscard]] std::string coordinate(double value);

} // namespace popscope
