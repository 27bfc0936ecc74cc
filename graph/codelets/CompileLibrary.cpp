#include "graph/codelets/CompileLibrary.hpp"

#include "graph/codelets/CompileSource.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Of one job: what of each target is known. A target without a library is still to be compiled.
struct Progress {
  Words keys;
  std::vector<std::optional<CompiledLibrary>> libraries;
  std::exception_ptr error;

  /// The first target without a library; their number when all have one or the source does not compile.
  [[nodiscard]] std::size_t next() const {
    const auto none = [](const std::optional<CompiledLibrary> &library) { return !library.has_value(); };
    return error ? libraries.size()
                 : static_cast<std::size_t>(std::find_if(libraries.begin(), libraries.end(), none) - libraries.begin());
  }
  [[nodiscard]] bool isDone() const { return next() == libraries.size(); }
};

CodeletOptions optionsOf(const CodeletJob &job, std::size_t target) {
  return {job.flags, job.targets[target], job.standIn};
}

std::string keyOfLibrary(const CompileTools &tools, const CodeletJob &job, std::size_t target) {
  ContentHash hash;
  hash.add(tools.version).add(job.source.file).add(job.source.text).add(fs::current_path().string());
  hash.add(job.standIn ? standInCompilerVersion() : "");
  for (const std::string &word : languageArguments(job.source, optionsOf(job, target), tools.toolchain))
    hash.add(word);
  return hash.hex();
}

/// `target` has been compiled: it and those of the targets without a library that would be compiled to the same.
std::vector<std::size_t> sameAs(std::size_t target, const CompileTools &tools, const CodeletJob &job,
                                const Progress &progress, const CompiledUnits &units, const Words &known,
                                const WorkFolder &work) {
  std::vector<std::size_t> same = {target}, others;
  for (std::size_t other = target + 1; other < job.targets.size(); ++other)
    if (!progress.libraries[other])
      others.push_back(other);
  if (others.empty())
    return same;
  if (!mayTellTargets(job.source.text, job.flags, units.files, known)) {
    same.insert(same.end(), others.begin(), others.end());
    return same;
  }
  const auto preprocessed = [&](std::size_t t) {
    return preprocessedUnits(tools, job.source, optionsOf(job, t), work);
  };
  const std::string text = preprocessed(target);
  for (const std::size_t other : others)
    if (!text.empty() && preprocessed(other) == text)
      same.push_back(other);
  return same;
}

/// A source that is compiled for its next target.
struct Next {
  std::size_t target;
  CodeletOptions options;
  fs::file_time_type begin = fs::file_time_type::clock::now();
  WorkFolder work;
  SourceCompilation compilation;

  Next(const CompileTools &tools, const CodeletJob &job, std::size_t nextTarget, const UnitHeads &heads)
      : target(nextTarget), options(optionsOf(job, nextTarget)), work(tools.cache.folder()),
        compilation(tools, job.source, options, heads, work) {}
};

void finishNext(const CompileTools &tools, const CodeletJob &job, const Words &known, Threads threads, Next &next,
                Progress &progress) {
  const std::size_t target = next.target;
  const CompiledUnits units = next.compilation.finish(threads);
  const std::vector<std::size_t> same = sameAs(target, tools, job, progress, units, known, next.work);
  Words keys, headers;
  for (const std::size_t t : same)
    keys.push_back(progress.keys[t]);
  std::copy_if(units.files.begin(), units.files.end(), std::back_inserter(headers),
               [&](const std::string &file) { return !liesIn(file, known); });
  const CompiledLibrary stored = tools.cache.store(keys, units.library, headers, next.begin);
  for (const std::size_t t : same)
    progress.libraries[t] = stored;
}

/// What `body` throws is the job's.
template <class Body> void guarded(Progress &progress, const Body &body) {
  try {
    body();
  } catch (...) {
    progress.error = std::current_exception();
  }
}

/// What stands before the units of each job in `open`, prepared once for equal flags.
std::vector<UnitHeads> headsOf(const CompileTools &tools, const Words &known, const std::vector<CodeletJob> &jobs,
                               const std::vector<std::size_t> &open, const std::vector<Progress> &progress,
                               Threads threads) {
  struct Use {
    std::size_t first = 0; // of `open`
    bool often = false;
    UnitHeads heads;
  };
  std::map<Words, Use> uses;
  std::vector<Use *> useOf;
  for (std::size_t i = 0; i != open.size(); ++i) {
    const CodeletJob &job = jobs[open[i]];
    const auto [at, added] =
        uses.insert({{job.flags, job.targets[progress[open[i]].next()], job.source.isC ? "c" : ""}, {i, false, {}}});
    at->second.often = at->second.often || !added;
    useOf.push_back(&at->second);
  }
  std::vector<Use *> each;
  for (auto &[key, use] : uses)
    each.push_back(&use);
  parallelFor(threads, each.size(), [&](std::size_t i) {
    const std::size_t j = open[each[i]->first];
    each[i]->heads =
        prepareHeads(tools, known, jobs[j].source, optionsOf(jobs[j], progress[j].next()), each[i]->often, threads);
  });
  std::vector<UnitHeads> heads;
  for (const Use *use : useOf)
    heads.push_back(use->heads);
  return heads;
}

} // namespace

std::vector<CompiledSource> compileLibraries(const std::vector<CodeletJob> &jobs, Threads threads) {
  const CompileTools tools = findCompileTools();
  std::vector<Progress> progress(jobs.size());
  parallelFor(threads, jobs.size(), [&](std::size_t j) {
    guarded(progress[j], [&] {
      for (std::size_t t = 0; t != jobs[j].targets.size(); ++t) {
        progress[j].keys.push_back(keyOfLibrary(tools, jobs[j], t));
        progress[j].libraries.push_back(tools.cache.find(progress[j].keys.back()));
      }
    });
  });
  // Each round compiles every source for one more target, and finds out for which others that is the same.
  for (;;) {
    std::vector<std::size_t> open;
    for (std::size_t j = 0; j != jobs.size(); ++j)
      if (!progress[j].isDone())
        open.push_back(j);
    if (open.empty())
      break;
    const Words known = knownFolders(tools);
    const std::vector<UnitHeads> heads = headsOf(tools, known, jobs, open, progress, threads);
    std::vector<std::unique_ptr<Next>> nexts(open.size());
    const auto each = [&](const auto &body) {
      parallelFor(threads, open.size(), [&](std::size_t i) {
        if (Progress &its = progress[open[i]]; !its.error)
          guarded(its, [&] { body(i, jobs[open[i]], its); });
      });
    };
    each([&](std::size_t i, const CodeletJob &job, const Progress &its) {
      nexts[i] = std::make_unique<Next>(tools, job, its.next(), heads[i]);
      nexts[i]->compilation.parse();
    });
    std::vector<WaitingUnit *> waiting;
    for (std::size_t i = 0; i != open.size(); ++i)
      if (!progress[open[i]].error)
        for (WaitingUnit *unit : nexts[i]->compilation.waiting())
          waiting.push_back(unit);
    compileTogether(waiting, threads);
    each([&](std::size_t i, const CodeletJob &job, Progress &its) {
      finishNext(tools, job, known, threads, *nexts[i], its);
      nexts[i].reset(); // its work folder
    });
  }
  std::vector<CompiledSource> compiled(jobs.size());
  for (std::size_t j = 0; j != jobs.size(); ++j) {
    compiled[j].error = progress[j].error;
    compiled[j].libraries.resize(jobs[j].targets.size());
    for (std::size_t t = 0; t != progress[j].libraries.size(); ++t)
      if (progress[j].libraries[t])
        compiled[j].libraries[t] = std::move(*progress[j].libraries[t]);
  }
  return compiled;
}

CompiledLibrary compileLibrary(const CodeletSource &source, const CodeletOptions &options, Threads threads) {
  std::vector<CompiledSource> compiled =
      compileLibraries({{source, options.flags, {options.target}, options.standIn}}, threads);
  if (compiled.front().error)
    std::rethrow_exception(compiled.front().error);
  return std::move(compiled.front().libraries.front());
}

} // namespace popscope
