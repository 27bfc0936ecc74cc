// The vertices of random programs for the device; RandomVertices.cpp computes the same in plain loops.
#include "tests/property/programs/RandomProgram.hpp"

#include <sstream>

namespace random_programs {

namespace {

const char *const kSource = R"(
#include <poplar/HalfFloat.hpp>
#include <poplar/QuarterFloat.hpp>
#include <poplar/Vertex.hpp>
using namespace poplar;
template <class T> struct Mod;
template <> struct Mod<int> { using Wide = long long; static constexpr long long value = 4000037; };
template <> struct Mod<unsigned> { using Wide = long long; static constexpr long long value = 4000037; };
template <> struct Mod<float> { using Wide = float; static constexpr float value = 4000037; };
template <> struct Mod<half> { using Wide = float; static constexpr float value = 997; };
template <> struct Mod<unsigned char> { using Wide = int; static constexpr int value = 127; };
template <> struct Mod<short> { using Wide = int; static constexpr int value = 16001; };
template <> struct Mod<unsigned long long> { using Wide = unsigned long long; static constexpr unsigned long long value = 1000000000039ull; };
template <> struct Mod<bool> { using Wide = int; static constexpr int value = 2; };
template <> struct Mod<quarter> { using Wide = float; static constexpr float value = 13; };
template <class T> struct Plain { using Type = T; };
template <> struct Plain<quarter> { using Type = float; };
template <class T> using Number = typename Plain<T>::Type;
// `edge` has the metadata of the 8-bit float `stored`.
template <class E, class T> T read(const E &, const T &stored) { return stored; }
template <class E> float read(const E &edge, const quarter &stored) { return toFloat(stored, unpackMetadata(edge.getMetadata())); }
template <class E, class T> void write(const E &, T &stored, const T &number) { stored = number; }
template <class E> void write(const E &edge, quarter &stored, float number) { stored = toQuarter(number, unpackMetadata(edge.getMetadata())); }
template <class T> Number<T> fold(Number<T> a, Number<T> b) {
  using Wide = typename Mod<T>::Wide;
  const Wide sum = Wide(a) + Wide(b);
  return Number<T>(sum >= Mod<T>::value ? sum - Mod<T>::value : sum);
}

template <class T> class Add : public Vertex {
public:
  Input<Vector<T>> a, b;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      write(out, out[i], fold<T>(read(a, a[i]), read(b, b[i])));
    return true;
  }
};
template class Add<int>;
template class Add<unsigned>;
template class Add<float>;
template class Add<half>;
template class Add<unsigned char>;
template class Add<short>;
template class Add<unsigned long long>;
template class Add<bool>;
template class Add<quarter>;

template <class T> class Prefix : public Vertex {
public:
  InOut<Vector<T>> x;
  T by;
  bool compute() {
    T s = by;
    for (unsigned i = 0; i < x.size(); ++i) {
      s = fold<T>(s, T(x[i]));
      x[i] = s;
    }
    return true;
  }
};
template class Prefix<int>;
template class Prefix<float>;
template class Prefix<half>;
template class Prefix<unsigned char>;

template <class T> class Rows : public Vertex {
public:
  Vector<Input<Vector<T>>> in;
  Output<Vector<T>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i) {
      Number<T> s = Number<T>(i % 2);
      for (unsigned j = 0; j < in[i].size(); ++j)
        s = fold<T>(s, read(in, in[i][j]));
      write(out, out[i], s);
    }
    return true;
  }
};
template class Rows<int>;
template class Rows<half>;
template class Rows<short>;
template class Rows<quarter>;

template <class T> class Spread : public Vertex {
public:
  Input<T> in;
  Vector<Output<Vector<T>>> out;
  bool compute() {
    Number<T> s = read(in, *in);
    for (unsigned i = 0; i < out.size(); ++i)
      for (unsigned j = 0; j < out[i].size(); ++j) {
        s = fold<T>(s, Number<T>(1));
        write(out, out[i][j], s);
      }
    return true;
  }
};
template class Spread<float>;
template class Spread<unsigned char>;
template class Spread<quarter>;

template <class T> class Turn : public Vertex {
public:
  Vector<InOut<T>> in;
  bool compute() {
    for (unsigned i = 0, j = in.size(); i + 1 < j; ++i) {
      --j;
      const T t = in[i];
      in[i] = in[j];
      in[j] = t;
    }
    return true;
  }
};
template class Turn<unsigned>;
template class Turn<half>;
template class Turn<quarter>;

template <class A, class B> class Cast : public Vertex {
public:
  Input<Vector<A>> in;
  Output<Vector<B>> out;
  bool compute() {
    for (unsigned i = 0; i < out.size(); ++i)
      write(out, out[i], Number<B>((long long)(read(in, in[i])) % (long long)(Mod<B>::value)));
    return true;
  }
};
template class Cast<int, half>;
template class Cast<half, float>;
template class Cast<float, unsigned char>;
template class Cast<unsigned char, int>;
template class Cast<half, quarter>;
template class Cast<quarter, float>;

class Shares : public MultiVertex {
public:
  Input<Vector<int>> in;
  Output<Vector<int>> out;
  void compute(unsigned worker) {
    for (unsigned i = worker; i < out.size(); i += numWorkers())
      out[i] = fold<int>(in[i], int(i));
  }
};
class Step : public Vertex {
public:
  InOut<int> left;
  Output<bool> done;
  bool compute() {
    if (*left > 0)
      *left = *left - 1;
    *done = *left <= 0;
    return true;
  }
};
class Even : public Vertex {
public:
  Input<int> in;
  Output<int> out;
  bool compute() {
    *out = *in % 2 == 0 ? 1 : 0;
    return *in % 2 == 0;
  }
};
)";

} // namespace

void addCodelets(poplar::Graph &graph) {
  std::stringstream source(kSource);
  graph.addCodelets(source);
}

} // namespace random_programs
