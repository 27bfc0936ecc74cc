#include "tests/unit/codelets/Edges.hpp"

namespace popscope_test {

int EdgeVertex::compare() const {
  const half h = in;
  const bool right[] = {both > h,
                        h<both, both>
                            in,
                        in<both, in == h, h == in, both> 1.0f,
                        1.5f > in,
                        both > 1,
                        both > 1.0,
                        in > single,
                        single<h, h> sum - 100,
                        both != in,
                        !(in > both),
                        -in < single,
                        both * in == 2,
                        in + both == 3,
                        h + both == 3,
                        in ? true : false};
  for (unsigned i = 0; i != sizeof right; ++i)
    if (!right[i])
      return static_cast<int>(i) + 1;
  return 0;
}

void EdgeVertex::assign() const {
  half h = both; // 2
  h += in;       // 3
  const float f = in;
  const double d = in;
  both = h;
  both += in;     // 4
  both *= single; // 2
  out = single;
  out = both;
  *out += f; // 3
  sum = in;
  sum += both;                                         // 3
  sum += static_cast<float>(d) + half(in) + float(in); // 6
  h = single;
  sum -= h; // 5.5
}

} // namespace popscope_test
