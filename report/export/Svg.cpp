#include "report/export/Svg.hpp"

#include "report/export/Text.hpp"
#include "report/summary/Format.hpp"

#include <cmath>
#include <fmt/format.h>
#include <ostream>
#include <utility>

namespace popscope {
namespace {

constexpr double kAxisRoom = 52, kLegendRow = 20, kLegendCell = 216;
constexpr std::size_t kLegendColumns = 4;

/// Returns the distance between ticks: 1, 2 or 5 times a power of ten; for bytes, a power of two.
double tickStep(double span, AxisUnit unit) {
  const double rough = span / 8;
  if (unit == AxisUnit::Bytes)
    return std::max(1.0, std::exp2(std::ceil(std::log2(std::max(rough, 1.0)))));
  const double power = std::pow(10.0, std::floor(std::log10(std::max(rough, 1e-9))));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough)
      return std::max(1.0, factor * power);
  return std::max(1.0, 10 * power);
}

} // namespace

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string tickText(double value, AxisUnit unit) {
  const auto whole = static_cast<std::uint64_t>(std::llround(value));
  if (unit == AxisUnit::Number)
    return commas(whole);
  std::string text = binarySize(whole);
  if (const auto at = text.find(".0 "); at != std::string::npos)
    text.erase(at, 2);
  return text;
}

const char *categoryColour(const std::string &category) {
  static constexpr std::pair<const char *, const char *> kColours[] = {{"variable", "#4477aa"},
                                                                       {"constant", "#66ccee"},
                                                                       {"controlId", "#ccbb44"},
                                                                       {"outputEdge", "#88bbdd"},
                                                                       {"rearrangement", "#228833"},
                                                                       {"message", "#ee7733"},
                                                                       {"globalMessage", "#cc6644"},
                                                                       {"hostMessage", "#ddaa33"},
                                                                       {"multiple", "#999933"},
                                                                       {"vertexInstanceState", "#aa3377"},
                                                                       {"vertexFieldData", "#cc6699"},
                                                                       {"vectorListDescriptor", "#bb88aa"},
                                                                       {"copyDescriptor", "#995588"},
                                                                       {"vertexCode", "#555555"},
                                                                       {"controlCode", "#777777"},
                                                                       {"internalExchangeCode", "#8f8f8f"},
                                                                       {"globalExchangeCode", "#a5a5a5"},
                                                                       {"hostExchangeCode", "#b9b9b9"},
                                                                       {"sharedCodeStorage", "#cccccc"},
                                                                       {"stack", "#885522"},
                                                                       {"instrumentationResults", "#cc3311"},
                                                                       {"always live", "#bbbbbb"},
                                                                       {"hostExchangePacketHeader", "#eedd88"},
                                                                       {"globalExchangePacketHeader", "#dd9966"},
                                                                       {"controlTable", "#9fa03a"},
                                                                       {"sharedDataStorage", "#77aadd"}};
  for (const auto &entry : kColours)
    if (category == entry.first)
      return entry.second;
  return "#ccbb44";
}

namespace {

/// Widens an axis without length, and calls mark(value) for each of its ticks.
template <class Mark> void eachTick(Axis &axis, const Mark &mark) {
  if (!(axis.max > axis.min))
    axis.max = axis.min + 1;
  const double step = tickStep(axis.max - axis.min, axis.unit);
  for (double at = std::ceil(axis.min / step) * step; at <= axis.max + step / 1000; at += step)
    mark(at);
}

std::string lineText(const char *style, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", style, coordinate(x1),
                     coordinate(y1), coordinate(x2), coordinate(y2));
}

} // namespace

Picture::Picture(std::ostream &out, const std::string &title, const std::string &subtitle, double height,
                 const std::vector<LegendEntry> &legend)
    : out_(out), height_(height) {
  const std::size_t rows = (legend.size() + kLegendColumns - 1) / kLegendColumns;
  const double all = kTop + height + kAxisRoom + static_cast<double>(rows) * kLegendRow + 8;
  out_ << fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n"
      "<style>text{{font-family:'DejaVu "
      "Sans',Verdana,sans-serif;font-size:11px;fill:#333}}.title{{font-size:16px;font-weight:bold}}.sub{{font-size:"
      "12px;fill:#555}}"
      ".label{{font-size:12px}}.grid{{stroke:#e4e4e4;stroke-width:1}}.axis{{stroke:#666;stroke-width:1}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      coordinate(kWidth), coordinate(all), xmlText(title), xmlText(subtitle));
  text(24, 26, title, "start", "title");
  text(24, 46, subtitle, "start", "sub");
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const double x = 24 + static_cast<double>(i % kLegendColumns) * kLegendCell,
                 y = bottom() + kAxisRoom + static_cast<double>(i / kLegendColumns) * kLegendRow;
    rect(x, y, 12, 12, legend[i].colour, "");
    text(x + 18, y + 10, legend[i].text);
  }
}

Picture::~Picture() { out_ << "</svg>\n"; }

void Picture::xAxis(const Axis &x) {
  x_ = x;
  eachTick(x_, [&](double at) {
    const double px = this->x(at);
    out_ << lineText("grid", px, kTop, px, bottom());
    const auto position = static_cast<std::size_t>(std::llround(at));
    if (x.names.empty() || position < x.names.size())
      text(px, bottom() + 16, x.names.empty() ? tickText(at, x.unit) : std::to_string(x.names[position]), "middle");
  });
  out_ << lineText("axis", kLeft, bottom(), kWidth - kRight, bottom());
  text(kLeft + plotWidth() / 2, bottom() + 36, x.label, "middle", "label");
}

void Picture::axes(const Axis &x, const Axis &y) {
  xAxis(x);
  y_ = y;
  eachTick(y_, [&](double at) {
    const double py = this->y(at);
    out_ << lineText("grid", kLeft, py, kWidth - kRight, py);
    text(kLeft - 8, py + 4, tickText(at, y.unit), "end");
  });
  out_ << lineText("axis", kLeft, kTop, kLeft, bottom());
  out_ << fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(18 {}) rotate(-90)\">{}</text>\n",
      coordinate(kTop + height_ / 2), xmlText(y.label));
}

void Picture::rect(double x, double y, double width, double height, const std::string &colour, const std::string &tip,
                   const std::string &more) {
  out_ << fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}", coordinate(x), coordinate(y),
                      coordinate(width), coordinate(height), colour, more);
  if (tip.empty())
    out_ << "/>\n";
  else
    out_ << "><title>" << xmlText(tip) << "</title></rect>\n";
}

void Picture::line(double x1, double y1, double x2, double y2, const std::string &colour, bool dashed) {
  out_ << fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n",
                      coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), colour,
                      dashed ? " stroke-dasharray=\"6 4\"" : "");
}

void Picture::text(double x, double y, const std::string &text, const char *anchor, const char *style) {
  out_ << fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", style, coordinate(x),
                      coordinate(y), anchor, xmlText(text));
}

void Picture::path(const std::string &d, const std::string &colour, const std::string &tip) {
  out_ << "<path d=\"" << d << "\" fill=\"" << colour << "\"><title>" << xmlText(tip) << "</title></path>\n";
}

} // namespace popscope
