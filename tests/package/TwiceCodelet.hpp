// A codelet for the programs of these tests: each element of `out` is twice that of `in`.
#pragma once

inline const char *const kTwiceCodelet =
    "#include <poplar/Vertex.hpp>\n"
    "struct Twice : poplar::Vertex {\n"
    "  poplar::Input<poplar::Vector<float>> in; poplar::Output<poplar::Vector<float>> out;\n"
    "  bool compute() { for (unsigned i = 0; i < in.size(); ++i) out[i] = 2 * in[i]; return true; }\n"
    "};\n";
