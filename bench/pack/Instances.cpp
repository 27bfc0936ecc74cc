#include "bench/pack/Instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>

using popscope::PackItem;
using popscope::PackProblem;
using popscope::PackSpan;

namespace bench {
namespace {

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> out;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');)
    out.push_back(field.substr(0, field.find_last_not_of("\r ") + 1));
  return out;
}

// Returns the rows of a CSV file as numbers, in the order of `columns`.
std::vector<std::vector<std::uint64_t>> readColumns(const std::string &path, const std::vector<std::string> &columns) {
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line))
    throw std::runtime_error(fmt::format("{}: cannot be read, or is empty", path));
  const std::vector<std::string> header = split(line);
  std::vector<std::size_t> at;
  for (const std::string &name : columns) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end())
      throw std::runtime_error(fmt::format("{}: no column '{}' in the first line", path, name));
    at.push_back(static_cast<std::size_t>(found - header.begin()));
  }
  std::vector<std::vector<std::uint64_t>> rows;
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> fields = split(line);
    std::vector<std::uint64_t> row;
    for (const std::size_t column : at) {
      if (column >= fields.size() || fields[column].empty() ||
          fields[column].find_first_not_of("0123456789") != std::string::npos || fields[column].size() > 18)
        throw std::runtime_error(fmt::format("{}:{}: '{}' is no number in column {}", path, number, line, column + 1));
      row.push_back(std::stoull(fields[column]));
    }
    rows.push_back(row);
  }
  return rows;
}

} // namespace

PackProblem makeTile(std::size_t numItems, double live, std::uint32_t steps, Lives lives, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53; };
  const double mean = live * steps / static_cast<double>(numItems);
  constexpr double shape = 1.2;
  PackProblem out;
  for (std::size_t i = 0; i < numItems; ++i) {
    const auto begin = static_cast<std::uint32_t>(uniform() * steps);
    const double u = 1 - uniform();
    const double life =
        lives == Lives::Exponential ? -std::log(u) * mean : mean * (shape - 1) / shape * std::pow(u, -1 / shape);
    const double end = std::min<double>(steps, begin + std::max(1.0, std::floor(life)));
    const double units = std::floor(std::exp(uniform() * std::log(8192.0)));
    out.add(8 * static_cast<std::uint64_t>(units), 8, {begin, std::max(begin + 1, static_cast<std::uint32_t>(end))});
  }
  return out;
}

PackProblem readCsv(const std::string &path) {
  PackProblem out;
  for (const auto &row : readColumns(path, {"lower", "upper", "size"})) {
    if (row[0] >= row[1] || row[1] > ~std::uint32_t(0) || row[2] == 0)
      throw std::runtime_error(fmt::format("{}: [{}, {}) with {} bytes is no item", path, row[0], row[1], row[2]));
    out.add(row[2], 1, {static_cast<std::uint32_t>(row[0]), static_cast<std::uint32_t>(row[1])});
  }
  return out;
}

void writeCsv(const PackProblem &problem, const std::string &path) {
  std::ofstream out(path);
  out << "id,lower,upper,size,alignment\n";
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    const PackSpan span = problem.spansOf(problem.items[i])[0];
    out << fmt::format("{},{},{},{},{}\n", i, span.begin, span.end, problem.items[i].bytes, problem.items[i].alignment);
  }
  if (!out.flush())
    throw std::runtime_error(fmt::format("{}: cannot be written", path));
}

std::vector<std::uint64_t> readOffsets(const std::string &path, std::size_t numItems) {
  std::vector<std::uint64_t> out(numItems, ~std::uint64_t(0) / 2);
  for (const auto &row : readColumns(path, {"id", "offset"}))
    out.at(row[0]) = row[1];
  return out;
}

PackProblem permuted(const PackProblem &problem, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  PackProblem out = problem;
  for (std::size_t i = out.items.size(); i > 1; --i)
    std::swap(out.items[i - 1], out.items[engine() % i]);
  return out;
}

PackProblem mirrored(const PackProblem &problem) {
  PackProblem out;
  std::uint32_t end = 0;
  for (const PackSpan &span : problem.spans)
    end = std::max(end, span.end);
  for (const PackItem &item : problem.items) {
    const PackSpan span = problem.spansOf(item)[0];
    out.add(item.bytes, item.alignment, {end - span.end, end - span.begin});
  }
  return out;
}

PackProblem scaled(const PackProblem &problem, std::uint64_t factor) {
  PackProblem out = problem;
  for (PackItem &item : out.items)
    item.bytes *= factor;
  return out;
}

std::string findOverlap(const PackProblem &problem, const std::vector<std::uint64_t> &addresses) {
  std::vector<std::uint32_t> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto spanOf = [&](std::uint32_t i) { return problem.spansOf(problem.items[i])[0]; };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return spanOf(a).begin < spanOf(b).begin; });
  std::vector<std::uint32_t> now;
  for (const std::uint32_t i : order) {
    if (addresses[i] % problem.items[i].alignment != 0)
      return fmt::format("item {} at {} is not aligned to {}", i, addresses[i], problem.items[i].alignment);
    std::erase_if(now, [&](std::uint32_t j) { return spanOf(j).end <= spanOf(i).begin; });
    for (const std::uint32_t j : now)
      if (addresses[i] < addresses[j] + problem.items[j].bytes && addresses[j] < addresses[i] + problem.items[i].bytes)
        return fmt::format("items {} and {} overlap", j, i);
    now.push_back(i);
  }
  return "";
}

std::vector<std::uint64_t> greedyBestFit(const PackProblem &problem) {
  struct Placed {
    std::uint64_t at, end;
    PackSpan span;
  };
  std::vector<std::uint32_t> order(problem.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return problem.items[a].bytes > problem.items[b].bytes; });
  std::vector<Placed> placed;
  std::vector<std::uint64_t> addresses(order.size());
  for (const std::uint32_t i : order) {
    const PackItem &item = problem.items[i];
    const PackSpan span = problem.spansOf(item)[0];
    std::uint64_t free = 0, best = ~std::uint64_t(0), smallest = ~std::uint64_t(0);
    for (const Placed &p : placed) {
      if (p.span.begin >= span.end || span.begin >= p.span.end)
        continue;
      if (p.at >= free + item.bytes && p.at - free < smallest) {
        smallest = p.at - free;
        best = free;
      }
      free = std::max(free, popscope::roundUpTo(p.end, item.alignment));
    }
    addresses[i] = best == ~std::uint64_t(0) ? free : best;
    const Placed here{addresses[i], addresses[i] + item.bytes, span};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), here,
                                   [](const Placed &a, const Placed &b) { return a.at < b.at; }),
                  here);
  }
  return addresses;
}

} // namespace bench
