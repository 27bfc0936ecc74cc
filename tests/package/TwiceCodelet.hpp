// A codelet for the programs of these tests: `out` = 2 * `in`, element by element.
#pragma once

inline const char *const kTwiceCodelet =
    "#include <poplar/Vertex.hpp>\n"
    "struct Twice : poplar::Vertex {\n"
    "  poplar::Input<poplar::Vector<float>> in; poplar::Output<poplar::Vector<float>> out;\n"
    "  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i]; return true; }\n"
    "};\n";
