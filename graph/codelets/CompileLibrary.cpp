#include "graph/codelets/CompileLibrary.hpp"

#include "base/FileErrors.hpp"
#include "base/Log.hpp"

#include "graph/codelets/CompileSource.hpp"
#include "graph/codelets/ContentHash.hpp"
#include "graph/codelets/Process.hpp"
#include "graph/codelets/TellTargets.hpp"
#include "graph/codelets/TileOnly.hpp"
#include "graph/codelets/standin/CompileStandIn.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <poplar/exceptions.hpp>

namespace popscope {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The progress of one job: the known result of each target. A target without a library is not compiled yet.
struct Progress {
  Words keys;
  std::vector<std::optional<CompiledLibrary>> libraries;
  struct Known {
    Words headers; // the user's
    FoundClasses found;
  };
  std::vector<std::optional<Known>> known; // results of targets that were compiled in this call
  // not empty: the target has halves of two bytes, because the source does not compile with halves of four bytes
  std::vector<std::string> whyNoFloats;
  std::exception_ptr error;
  std::optional<SourceForHost> forHost; // no value until the compiler reports an error
  [[nodiscard]] const CodeletSource &sourceOf(const CodeletJob &job) const {
    return forHost ? forHost->source : job.source;
  }

  /// Returns the first target without a library. Returns the number of targets if all have a library or the source does
  /// not compile.
  [[nodiscard]] std::size_t next() const {
    const auto none = [](const std::optional<CompiledLibrary> &library) { return !library.has_value(); };
    return error ? libraries.size()
                 : static_cast<std::size_t>(std::find_if(libraries.begin(), libraries.end(), none) - libraries.begin());
  }
  [[nodiscard]] bool isDone() const { return next() == libraries.size(); }
};

CodeletOptions optionsOf(const CodeletJob &job, std::size_t target) {
  return {job.flags, job.targets[target].name, job.standIn, job.targets[target].halfAsFloat};
}
/// Returns the options with which the target is compiled.
CodeletOptions optionsOf(const CodeletJob &job, std::size_t target, const Progress &progress) {
  CodeletOptions options = optionsOf(job, target);
  options.halfAsFloat = options.halfAsFloat && progress.whyNoFloats[target].empty();
  return options;
}

std::string keyOfLibrary(const CompileTools &tools, const CodeletJob &job, const CodeletOptions &options) {
  ContentHash hash;
  std::error_code none; // a process whose working folder was removed can still compile
  hash.add(tools.version).add(job.source.file).add(job.source.text).add(fs::current_path(none).string());
  hash.add(job.standIn ? standInCompilerVersion() : "");
  for (const std::string &word : languageArguments(job.source, options, tools.toolchain))
    hash.add(word);
  return hash.hex();
}

/// Returns `target`, which must be compiled, and the targets without a library that would compile to the same result.
std::vector<std::size_t> sameAs(std::size_t target, bool tellsHalves, const CompileTools &tools, const CodeletJob &job,
                                const Progress &progress, const CompiledUnits &units, const Words &known,
                                const WorkFolder &work) {
  const CodeletOptions options = optionsOf(job, target, progress);
  std::vector<std::size_t> same = {target}, others;
  for (std::size_t other = target + 1; other < job.targets.size(); ++other) {
    if (progress.libraries[other] ||
        (tellsHalves && optionsOf(job, other, progress).halfAsFloat != options.halfAsFloat))
      continue;
    (job.targets[other].name == options.target ? same : others).push_back(other);
  }
  if (others.empty())
    return same;
  if (!tools.toolchain.devicePaths && !mayTellTargets(job.source.text, job.flags, units.files, known)) {
    same.insert(same.end(), others.begin(), others.end());
    return same;
  }
  const auto preprocessed = [&](const std::string &name) {
    CodeletOptions its = options;
    its.target = name;
    return preprocessedUnits(tools, job.source, its, work);
  };
  const std::string text = preprocessed(options.target);
  std::map<std::string, bool> isSame; // by name, so that each target is preprocessed once
  for (const std::size_t other : others) {
    const std::string &name = job.targets[other].name;
    const auto [at, added] = isSame.insert({name, false});
    if (added)
      at->second = !text.empty() && preprocessed(name) == text;
    if (at->second)
      same.push_back(other);
  }
  return same;
}

/// Returns the index of the same target with halves of two bytes, if that target has a library.
std::optional<std::size_t> withTwoBytes(const CodeletJob &job, std::size_t target, const Progress &progress) {
  for (std::size_t other = 0; other != job.targets.size(); ++other)
    if (job.targets[other].name == job.targets[target].name && !job.targets[other].halfAsFloat &&
        progress.libraries[other])
      return other;
  return std::nullopt;
}

/// Returns the target that differs from the next target only in its halves, if this call compiled it.
std::optional<std::size_t> earlierOf(const CodeletJob &job, const Progress &progress) {
  const std::size_t target = progress.next();
  if (!hasHalfAsFloat(job.source, optionsOf(job, target, progress)))
    return std::nullopt;
  const auto other = withTwoBytes(job, target, progress);
  return other && progress.known[*other] ? other : std::nullopt;
}

/// A source that is compiled for its next target.
struct Next {
  std::size_t target;
  CodeletOptions options;
  std::optional<std::size_t> earlier; // a target
  fs::file_time_type begin = fs::file_time_type::clock::now();
  WorkFolder work;
  SourceCompilation compilation;

  Next(const CompileTools &tools, const CodeletJob &job, const Progress &progress, const UnitHeads &heads)
      : target(progress.next()), options(optionsOf(job, target, progress)), earlier(earlierOf(job, progress)),
        work(tools.cache.folder()),
        compilation(tools, progress.sourceOf(job), options, heads, work,
                    earlier ? EarlierUnits{&*progress.libraries[*earlier], &progress.known[*earlier]->found}
                            : EarlierUnits{}) {}
};

void finishNext(const CompileTools &tools, const CodeletJob &job, const Words &known, Threads threads, Next &next,
                Progress &progress) {
  const std::size_t target = next.target;
  const CompiledUnits units = next.compilation.finish(threads);
  const bool tellsHalves = mayTellHalves(job.source.text, job.flags, units.files, known);
  const std::vector<std::size_t> same = sameAs(target, tellsHalves, tools, job, progress, units, known, next.work);
  Words keys, headers;
  for (const std::size_t t : same)
    keys.push_back(progress.keys[t]);
  if (!tellsHalves) // requests for either kind of half then find this library
    for (const std::size_t t : same) {
      CodeletOptions other = optionsOf(job, t);
      other.halfAsFloat = !other.halfAsFloat;
      keys.push_back(keyOfLibrary(tools, job, other));
    }
  std::copy_if(units.files.begin(), units.files.end(), std::back_inserter(headers),
               [&](const std::string &file) { return !liesIn(file, known); });
  if (next.earlier)
    headers.insert(headers.end(), progress.known[*next.earlier]->headers.begin(),
                   progress.known[*next.earlier]->headers.end());
  CompiledLibrary library = units.library;
  library.whyNoFloats = progress.whyNoFloats[target];
  if (progress.forHost)
    library.warnings = progress.forHost->warnings + library.warnings;
  const CompiledLibrary stored = tools.cache.store(keys, library, headers, next.begin);
  for (const std::size_t t : same) {
    progress.libraries[t] = stored;
    progress.known[t] = {headers, units.found};
  }
}

/// Notes why a target does not compile with halves of four bytes. Gives the target the library with halves of two
/// bytes, if such a library exists, and shares the cache entry of this library.
void giveUpFloats(std::size_t target, const std::string &why, const CompileTools &tools, const CodeletJob &job,
                  Progress &progress) {
  progress.whyNoFloats[target] = why;
  if (const auto other = withTwoBytes(job, target, progress)) {
    progress.libraries[target] = progress.libraries[*other];
    progress.libraries[target]->whyNoFloats = why;
    tools.cache.share(progress.keys[*other], progress.keys[target], why);
  }
}

/// Runs `body`. Stores an exception of `body` as the error of the job.
template <class Body> void guarded(Progress &progress, const Body &body) {
  try {
    body();
  } catch (const fs::filesystem_error &e) {
    progress.error = std::make_exception_ptr(poplar::file_load_error(messageOf(e)));
  } catch (...) {
    progress.error = std::current_exception();
  }
}

/// Returns the text before the units of each job in `open`. Prepares the text once for equal flags.
std::vector<UnitHeads> headsOf(const CompileTools &tools, const Words &known, const std::vector<CodeletJob> &jobs,
                               const std::vector<std::size_t> &open, const std::vector<Progress> &progress,
                               Threads threads) {
  struct Use {
    std::size_t first = 0; // position in `open`
    bool often = false, parses = true;
    UnitHeads heads;
  };
  std::map<Words, Use> uses;
  std::vector<Use *> useOf;
  for (std::size_t i = 0; i != open.size(); ++i) {
    const CodeletJob &job = jobs[open[i]];
    const CodeletOptions options = optionsOf(job, progress[open[i]].next(), progress[open[i]]);
    const bool parses = !earlierOf(job, progress[open[i]]);
    const auto [at, added] = uses.insert({{job.flags, options.target, job.source.isC ? "c" : "",
                                           options.halfAsFloat ? "float" : "", parses ? "" : "known"},
                                          {i, false, parses, {}}});
    at->second.often = at->second.often || !added;
    useOf.push_back(&at->second);
  }
  std::vector<Use *> each;
  for (auto &[key, use] : uses)
    each.push_back(&use);
  parallelFor(threads, each.size(), [&](std::size_t i) {
    const std::size_t j = open[each[i]->first];
    each[i]->heads = prepareHeads(tools, known, jobs[j].source, optionsOf(jobs[j], progress[j].next(), progress[j]),
                                  each[i]->often, each[i]->parses, threads);
  });
  std::vector<UnitHeads> heads;
  for (const Use *use : useOf)
    heads.push_back(use->heads);
  return heads;
}

} // namespace

// Compiles all sources for all their targets, with as few compilations as possible. First looks up every (source,
// target) in the cache. Then works in rounds: each round compiles every unfinished source for one more target, and
// finds out for which other targets the result is the same. So a source that ignores its target is compiled once. Units
// of all sources in a round run in parallel and share prepared headers. A timeout ends a job at once, because another
// attempt would take as long.
std::vector<CompiledSource> compileLibraries(const std::vector<CodeletJob> &jobs, Threads threads) {
  const CompileTools tools = findCompileTools();
  std::vector<Progress> progress(jobs.size());
  parallelFor(threads, jobs.size(), [&](std::size_t j) {
    guarded(progress[j], [&] {
      for (std::size_t t = 0; t != jobs[j].targets.size(); ++t) {
        progress[j].keys.push_back(keyOfLibrary(tools, jobs[j], optionsOf(jobs[j], t)));
        progress[j].libraries.push_back(tools.cache.find(progress[j].keys.back()));
      }
      progress[j].known.resize(jobs[j].targets.size());
      progress[j].whyNoFloats.resize(jobs[j].targets.size());
    });
  });
  const LogChannel log("codelets");
  std::size_t asked = 0, found = 0;
  for (std::size_t j = 0; j != jobs.size(); ++j) {
    const auto inCache = std::count_if(progress[j].libraries.begin(), progress[j].libraries.end(),
                                       [](const auto &library) { return library.has_value(); });
    log.debug("source {} of {}: {} of {} targets are in the cache", j + 1, jobs.size(), inCache,
              jobs[j].targets.size());
    asked += jobs[j].targets.size();
    found += static_cast<std::size_t>(inCache);
  }
  log.info("{} sources, {} libraries, {} of them in the cache {}", jobs.size(), asked, found, tools.cache.folder());
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
        Progress &its = progress[open[i]];
        const CodeletJob &job = jobs[open[i]];
        if (its.error)
          return;
        guarded(its, [&] {
          try {
            body(i, job, its);
          } catch (const ProcessTimeout &) { // another attempt would take as long
            throw;
          } catch (const poplar::graph_program_compilation_error &error) {
            if (!its.forHost)
              its.forHost = SourceForHost{job.source};
            if (nexts[i] && its.forHost->takeTileOnlyOut(error.what(), nexts[i]->options, tools.toolchain)) {
              nexts[i].reset(); // the target is tried again
              return;
            }
            if (!nexts[i] || !hasHalfAsFloat(job.source, nexts[i]->options))
              throw;
            giveUpFloats(nexts[i]->target, error.what(), tools, job, its);
            nexts[i].reset();
          }
        });
      });
    };
    each([&](std::size_t i, const CodeletJob &job, const Progress &its) {
      nexts[i] = std::make_unique<Next>(tools, job, its, heads[i]);
      nexts[i]->compilation.parse();
    });
    std::vector<WaitingUnit *> waiting;
    for (std::size_t i = 0; i != open.size(); ++i)
      if (!progress[open[i]].error && nexts[i])
        for (WaitingUnit *unit : nexts[i]->compilation.waiting())
          waiting.push_back(unit);
    compileTogether(waiting, threads);
    each([&](std::size_t i, const CodeletJob &job, Progress &its) {
      if (!nexts[i])
        return;
      finishNext(tools, job, known, threads, *nexts[i], its);
      nexts[i].reset(); // removes its work folder
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
      compileLibraries({{source, options.flags, {{options.target, options.halfAsFloat}}, options.standIn}}, threads);
  if (compiled.front().error)
    std::rethrow_exception(compiled.front().error);
  return std::move(compiled.front().libraries.front());
}

} // namespace popscope
