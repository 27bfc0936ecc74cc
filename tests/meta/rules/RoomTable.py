"""The permitted includes between rooms: the table of docs/DESIGN.md, "Rooms", as data.

Room             a folder of the source tree. A file belongs to the room with the longest matching folder.
may              rooms whose headers its files may include; its own are always allowed. Public headers
                 (<poplar/X.hpp>, <pva/X.hpp>) belong to the room whose include folder contains them.
reason           the message if another room is included.
"""

import collections

Room = collections.namedtuple("Room", "may reason")

ROOMS = {
    "base": Room([], "base is the leaf: it includes no other room"),
    "base/settings": Room(["base"], "settings are texts and numbers that users give: they know no machine and no graph"),
    "target-models": Room(
        ["base"], "target-models describes machines: it knows nothing of graphs or of anything downstream"),
    "target-models/timing": Room(["base"], "the rules of time are about numbers by tile: they know no machine"),
    "graph/include": Room(
        ["base", "target-models"], "public graph headers show neither the lowering nor anything downstream"),
    # ir, include and codelets are one row of the design; within it, ir names vertex classes and run-time codelets are
    # compiled against the public device headers.
    "graph/ir": Room(
        ["base", "target-models", "graph/codelets"], "ir is what the user asked for: it knows no lowering, no cycles and no addresses"),
    "graph/codelets": Room(
        ["base", "target-models", "graph/include"], "codelets knows vertex classes only: no ir, no lowering, nothing downstream"),
    "graph/api": Room(
        ["base", "target-models", "graph/include", "graph/ir", "graph/codelets"],
        "the public classes write the ir: they know no lowering and nothing downstream"),
    "graph/steps": Room(["base"], "steps are understandable alone: no ir"),
    "graph/lowering": Room(
        ["base", "target-models", "graph/ir", "graph/steps", "graph/codelets"],
        "lowering ends at the steps: it knows no liveness, no machine and no report"),
    "liveness/data": Room(["base", "graph/steps"], "liveness/data holds results: nothing that computes"),
    "liveness/analysis": Room(
        ["base", "graph/steps", "liveness/data"], "analysis works on steps alone: no ir and no cost tables"),
    "liveness/layout": Room(
        ["base", "target-models", "liveness/data"], "layout gives addresses: it executes, times and prints nothing"),
    "liveness/explain": Room(
        ["base", "graph/steps", "liveness/data", "liveness/analysis"], "explain answers in data: no report"),
    "liveness/check": Room(
        ["base", "graph/steps", "liveness/data"],
        "a checker shares no algorithm with what it checks: neither analysis nor layout"),
    "instrument/machine": Room(
        ["base", "target-models", "graph/steps", "graph/codelets", "liveness/data"],
        "the machine runs and emits events: it knows no listener and no report"),
    "instrument/counters": Room(
        ["base", "instrument/machine", "instrument/profile"], "counters turn events into numbers: no files, no text"),
    "instrument/profile": Room(["base", "instrument/machine"], "records are plain data: no files, no text"),
    "report/include": Room(
        ["base", "instrument/profile"], "the profile's public headers know no machine, graph or liveness"),
    "report/pop": Room(
        ["base", "instrument/profile", "report/include"], "the file is written from records: no machine, graph or liveness"),
    "report/pvti": Room(["base", "report/include"], "tracepoints know nothing of profiles, graphs or machines"),
    "report/pva": Room(
        ["base", "instrument/profile", "report/include", "report/pop"], "pva reads the file: no machine, graph or liveness"),
    "report/summary": Room(["base", "report/include"], "a view reads pva only: no records, engine or database"),
    "report/answers": Room(
        ["base", "target-models/timing", "report/include"], "a view reads pva only, and replays with the rules of time: no records, engine or database"),
    "report/export": Room(["base", "report/include"], "a view reads pva only: no records, engine or database"),
    "report/html": Room(["base", "report/include"], "a view reads pva only: no records, engine or database"),
    "report/whatif": Room(
        ["base", "target-models", "report/include", "report/answers"], "whatif replays a profile with other costs: no engine"),
    "report/tool": Room(
        ["base", "report/include", "report/summary", "report/answers", "report/export", "report/html", "report/whatif"],
        "a tool's main has no logic of its own: it calls views"),
    "python": Room(
        ["base", "target-models", "graph/include", "report/include", "report/pop", "report/answers", "report/export", "report/summary", "report/whatif", "engine"],
        "python binds public headers, views and SQL on the file itself: no logic of its own, no second reader"),
    # The engine, and the rooms that test it, may include all rooms.
    "engine": Room(["*"], ""),
    "tests": Room(["*"], ""),
    "bench": Room(["*"], ""),
    "examples": Room([], "an example includes public headers only, as a user's program does"),
}

# Examples are programs of users: they include public headers and their own files only.
PUBLIC_ONLY = {"examples": ROOMS["examples"].reason}

# Only these rooms may include the engine; rooms in PUBLIC_ONLY may include its public headers, too.
MAY_INCLUDE_ENGINE = {"engine", "tests", "bench", "python"}

# Permitted deviations from the table: (file's room, included room) -> reason. An entry that no include needs fails the test.
EXCEPTIONS = {
    ("liveness/layout", "graph/steps"): "placement reads homes, vertices and code sizes straight from the StepProgram",
    ("report/answers", "report/summary"): "one way to write a number, one Style for all text and one reason why a run is missing: Format.hpp, Style.hpp, WhyNoRun.hpp",
    ("report/export", "report/answers"): "one meaning of --runs, --steps and --tiles, and the same tables as the answers",
    ("report/export", "report/summary"): "one way to write a number: Format.hpp",
    ("report/tool", "report/pop"): "popscope sql and popscope schema are about the file itself, which pva hides; a tool says how files are read",
    ("liveness/check", "target-models"): "the layout checker needs the memory regions, which are facts, not an algorithm",
}

ThirdParty = collections.namedtuple("ThirdParty", "pattern where headers reason")

# A file may include a third-party header if a matching row permits it. `where`: permitted folders or files; `headers`: whether headers
# may include it, too.
THIRD_PARTY = [
    ThirdParty(r"spdlog/", ["base/Log.cpp"], False, "spdlog is seen by base/Log.cpp only: one seam"),
    ThirdParty(r"tbb/|oneapi/tbb", ["base/Parallel.cpp"], False, "TBB is seen by base/Parallel.cpp only: one seam"),
    ThirdParty(r"clang-c/", ["graph/codelets/Libclang.hpp"], True, ""),
    ThirdParty(r"clang-c/|clang/|llvm", ["graph/codelets"], False, "libclang belongs to the codelets' .cpp files"),
    ThirdParty(r"boost/(asio|beast)", ["report/tool/LoopbackServer.cpp"], False,
               "HTTP is spoken by report/tool/LoopbackServer.cpp only"),
    ThirdParty(r"boost/(?!asio|beast)", ["graph", "liveness/analysis"], False,
               "Boost.Graph belongs to .cpp files of graph and liveness/analysis"),
    ThirdParty(r"sqlite3", ["report/pop"], False, "the database belongs to the .cpp files of report/pop"),
    ThirdParty(r"zlib\.h", ["report/html", "base", "tests"], False,
               "compression belongs to the .cpp files of report/html; blobs of a profile to report/pop/BlobBytes.cpp"),
    ThirdParty(r"xxhash", ["graph/codelets"], False, "bytes are hashed by graph/codelets/ContentHash.cpp"),
    ThirdParty(r"libdeflate", ["report/pop"], False, "blobs are packed and opened by report/pop/BlobBytes.cpp"),
    ThirdParty(r"nlohmann/json_fwd", ["base/JsonText.hpp"], True, ""),
    ThirdParty(r"nlohmann/", ["base", "target-models", "report", "engine", "graph/codelets"], False,
               "JSON is read and written in .cpp files at the borders"),
    ThirdParty(r"CLI/", ["report/tool", "graph/codelets"], False, "CLI11 belongs to the tools' mains"),
    ThirdParty(r"fmt/", ["base"], True, ""),
    ThirdParty(r"fmt/", ["base", "target-models", "graph", "liveness", "instrument", "report", "engine"], False,
               "fmt belongs to .cpp files"),
    ThirdParty(r"pybind11/", ["python"], True, "pybind11 belongs to the bindings"),
    ThirdParty(r"doctest/", ["tests"], True, "doctest belongs to the tests"),
    ThirdParty(r"benchmark/", ["bench"], True, "Google Benchmark belongs to bench"),
]
# Tests and benchmarks may include any third-party library.
ANY_THIRD_PARTY = ("tests", "bench")

# Files that call getenv(), with the reason.
READS_ENVIRONMENT = {
    "base/Environment.cpp": "the function that all others call",
    "report/pvti/Tracepoints.cpp": "a library without base, with one variable of its own",
}
