"""Compares popc with plain clang: Measure.py POPC INCLUDE [--files N] [--targets cpu,ipu1,ipu2] [--classes N] [--jobs N]

Writes N small codelet files from a fixed seed. popc compiles these files into one graph object with an empty cache (cold) and again (warm),
first for the first target, then for the first two targets, and so on. `clang++ -O2 -c` compiles the same files with the same flags, as many
times as there are targets. Prints CPU time (of all processes) and wall time; the ratio is popc's time divided by clang's time.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import time

# One class each. {0} is its number, {1} and {2} are constants.
ELEMENTWISE = """
class Scale{0} : public MultiVertex {{
public:
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> in;
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> out;
  const unsigned size;
  float factor;
  bool compute(unsigned worker) {{
    for (unsigned i = worker; i < size; i += numWorkers())
      out[i] = in[i] * factor + {1}.5f;
    return true;
  }}
}};
"""
REDUCTION = """
template <class T> class Reduce{0} : public Vertex {{
public:
  Vector<Input<Vector<T>>> in;
  Output<Vector<T>> out;
  bool compute() {{
    for (unsigned i = 0; i < out.size(); ++i) {{
      T sum = T({1});
      for (unsigned j = 0; j < in.size(); ++j)
        sum += in[j][i] > T({2}) ? in[j][i] : T(0);
      out[i] = sum;
    }}
    return true;
  }}
}};
template class Reduce{0}<float>;
template class Reduce{0}<int>;
"""
FUNCTION = """
template <class T, bool inPlace> class Apply{0} : public Vertex {{
public:
  InOut<Vector<T>> data;
  bool compute() {{
    for (auto &x : data)
      x = inPlace ? T(std::tanh(float(x) * {1}.25f)) : T(std::sqrt(float(x) + {2}.0f));
    return true;
  }}
}};
template class Apply{0}<float, true>;
template class Apply{0}<half, false>;
"""
TABLE = """
class Lookup{0} : public Vertex {{
public:
  Input<Vector<unsigned short>> index;
  Input<Vector<float>> table;
  Output<Vector<float>> out;
  bool compute() {{
    const unsigned last = table.size() - 1;
    for (unsigned i = 0; i != index.size(); ++i)
      out[i] = table[index[i] < last ? index[i] : last] * {1}.0f - {2}.0f;
    return true;
  }}
}};
"""
KINDS = [ELEMENTWISE, REDUCTION, FUNCTION, TABLE]

# The flags that popc passes to the compiler, in addition to flags of code generation.
FLAGS = ["-std=c++17", "-D__POPC__", "-DPOPSCOPE_NATIVE_HALF", "-Xclang", "-fnative-half-type", "-Xclang",
         "-fallow-half-arguments-and-returns", "-include", "stdint.h", "-Wno-unknown-attributes",
         "-Wno-ignored-attributes"]


def write_sources(folder, files, classes):
    rng = random.Random(20)
    paths = []
    for f in range(files):
        text = "#include <cmath>\n#include <poplar/HalfFloat.hpp>\n#include <poplar/Vertex.hpp>\nusing namespace poplar;\n"
        for c in range(classes):
            text += rng.choice(KINDS).format(f"{f}_{c}", rng.randrange(1, 9), rng.randrange(1, 9))
        path = folder / f"codelet{f}.cpp"
        path.write_text(text)
        paths.append(str(path))
    return paths


def measured(work):
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    work()
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def run_clang(compiler, include, paths, folder, times, jobs):
    def one(path):
        output = str(folder / (pathlib.Path(path).stem + ".o"))
        subprocess.run([compiler, "-O2", *FLAGS, "-isystem", include, "-c", path, "-o", output], check=True)

    def work():
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, paths * times))

    return measured(work)


def run_popc(popc, include, paths, folder, targets, cache, more):
    environment = dict(os.environ, POPSCOPE_INCLUDE_DIR=include, POPSCOPE_CACHE_DIR=str(cache))
    command = [popc, "--target", ",".join(targets), "-o", str(folder / "all.gp"), *more, *paths]
    return measured(lambda: subprocess.run(command, check=True, env=environment))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("popc")
    parser.add_argument("include")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--classes", type=int, default=2, help="in each file")
    parser.add_argument("--targets", default="ipu1,ipu2,ipu21")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes of clang at a time")
    parser.add_argument("--compiler", default="clang++-14")
    parser.add_argument("--popc-flag", action="append", default=[])
    arguments = parser.parse_args()
    include = str(pathlib.Path(arguments.include).resolve())
    targets = arguments.targets.split(",")
    print(f"{arguments.files} files of {arguments.classes} classes; CPU s, wall s, popc/clang")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = write_sources(folder, arguments.files, arguments.classes)
        for count in range(1, len(targets) + 1):
            clang = run_clang(arguments.compiler, include, paths, folder, count, arguments.jobs)
            print(f"{count} target{'s' if count > 1 else ''}: clang {clang[0]:7.2f} {clang[1]:7.2f}")
            for state in ("cold", "warm"):
                popc = run_popc(arguments.popc, include, paths, folder, targets[:count], folder / f"cache{count}",
                                arguments.popc_flag)
                print(f"  popc {state}: {popc[0]:7.2f} {popc[1]:7.2f}   {popc[0] / clang[0]:5.2f} {popc[1] / clang[1]:5.2f}")


if __name__ == "__main__":
    main()
