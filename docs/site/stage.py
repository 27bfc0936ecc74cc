"""stage.py ROOT OUT [API]: copies the pages of the documentation to OUT so that each of their links leads to a file in OUT.

README.md becomes index.md; CONTRIBUTING.md, CHANGELOG.md and docs/ keep their places. A link to a source file leads to a page that shows
the file; a link to a folder of the tree becomes plain text. The output of reference.py in the folder API is copied, too, and docs/API.md
links to it. OUT/mkdocs.yml configures MkDocs: `mkdocs build -f OUT/mkdocs.yml`.
An installation contains OUT/pages unchanged. Exits with 1, and prints one line per finding, if a page is not in NAV or a link is dead.
"""

import os
import re
import shutil
import sys

# The four kinds of pages. A page of docs/ that is not listed here is a finding.
NAV = [
    ("Home", "index.md"),
    ("Start", ["docs/start/README.md", "docs/start/0-tile-machine.md", "docs/start/1-first-graph.md",
               "docs/start/2-mapping-and-exchange.md", "docs/start/3-reading-the-summary.md", "docs/start/4-why-is-it-live.md",
               "docs/start/5-out-of-memory.md", "docs/start/6-where-cycles-go.md", "docs/start/7-guard-in-ci.md",
               "docs/start/8-own-machine.md", "docs/start/9-python.md", "docs/STUDY.md", "docs/FROM-POPLAR.md", "docs/CLIENTS.md", "docs/COMPARED.md"]),
    ("How to", ["docs/howto/README.md", "docs/howto/install.md", "docs/howto/profile-a-program.md", "docs/howto/does-not-fit.md",
                "docs/howto/use-less-memory.md", "docs/howto/is-slow.md", "docs/howto/what-changed.md",
                "docs/howto/use-other-tools.md", "docs/howto/share-a-profile.md", "docs/howto/read-a-profile.md",
                "docs/howto/another-machine.md", "docs/howto/port-a-poplar-program.md", "docs/howto/troubleshooting.md",
                "docs/TOOLS.md", "docs/TOOLS-repair.md"]),
    ("Reference", ["docs/API.md", "docs/COMMANDS.md", "docs/OPTIONS.md", "docs/ENVIRONMENT.md", "docs/CONFIGURATION.md", "docs/BUDGET.md",
                   "docs/EXPORT.md", "docs/VIEWER.md", "docs/MEMORY.md", "docs/CATEGORIES.md", "docs/CYCLES.md", "docs/LIVENESS.md", "docs/MACHINES.md",
                   "docs/PROFILE.md", "docs/TRACES.md", "docs/SECURITY.md", "docs/RELIABILITY.md", "docs/FORMAT-pop.md", "docs/PYTHON.md",
                   "docs/PVA.md", "docs/COMPATIBILITY.md", "docs/ENGINE.md",
                   "docs/FEATURES.md", "docs/GLOSSARY.md", "CHANGELOG.md"]),
    ("Inside", ["CONTRIBUTING.md", "docs/DESIGN.md", "docs/inside/graph.md", "docs/inside/lowering.md", "docs/inside/liveness-and-layout.md",
                "docs/PACKING.md", "docs/inside/cost-model.md", "docs/inside/issue-slots.md", "docs/inside/releases.md",
                "docs/inside/cycles-by-hand.md", "docs/inside/memory-rules.md", "docs/inside/profile-file.md", "docs/inside/limits.md",
                "docs/inside/measurements.md", "docs/ACCURACY.md", "docs/SAMPLE.md", "docs/SOURCES.md", "TESTS.md"]),
]
FOLDERS_IN_NAV = {"docs/decisions/": "Inside"}  # pages that the navigation adds automatically
CONFIGURATION = """site_name: Popscope
docs_dir: pages
site_dir: site
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.indexes, search.suggest]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default, primary: indigo, toggle: {icon: material/weather-night, name: Dark}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, primary: indigo, toggle: {icon: material/weather-sunny, name: Light}}
plugins: [search]
markdown_extensions: [tables, admonition, toc, pymdownx.superfences]
"""
REFERENCES = (("cpp", "C++ reference"), ("python", "Python reference"))
REFERENCE_HERE = "<!-- reference -->\n"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```\s*?$", re.DOTALL | re.MULTILINE)
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".json": "json", ".sh": "sh", ".ts": "ts"}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def pagesOf(root):
    """Returns {place in OUT/pages: place in the tree} of all pages."""
    pages = {"index.md": "README.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md", "TESTS.md": "tests/README.md"}
    for folder, _, names in os.walk(os.path.join(root, "docs")):
        for name in names:
            if name.endswith(".md") and os.path.basename(folder) != "site":
                place = os.path.relpath(os.path.join(folder, name), root)
                pages[place] = place
    return pages


class Stage:
    def __init__(self, root, out):
        self.root, self.out, self.findings = root, os.path.join(out, "pages"), []
        self.placeOf = {source: place for place, source in pagesOf(root).items()}

    def copyFile(self, source):
        """Returns the place in OUT of a file that is not a page."""
        extension = os.path.splitext(source)[1]
        if extension in (".png", ".svg"):
            os.makedirs(os.path.dirname(os.path.join(self.out, source)), exist_ok=True)
            shutil.copyfile(os.path.join(self.root, source), os.path.join(self.out, source))
            return source
        place = "source/" + source.replace("/", "-") + ".md"
        text = read(os.path.join(self.root, source)).rstrip("\n")
        fence = "````" if "```" in text else "```"
        write(os.path.join(self.out, place), "# %s\n\n%s%s\n%s\n%s\n" % (source, fence, LANGUAGES.get(extension, "text"), text, fence))
        return place

    def link(self, page, place, match):
        picture, text, link = match.groups()
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not target:
            return match[0]
        source = os.path.normpath(os.path.join(os.path.dirname(page), target))
        full = os.path.join(self.root, source)
        if source.startswith("..") or not os.path.exists(full):
            self.findings.append("%s: the link %s leads nowhere" % (page, link))
            return text
        if os.path.isdir(full):
            if not os.path.isfile(os.path.join(full, "README.md")):
                return text
            source = os.path.join(source, "README.md")
        to = self.placeOf.get(source) or self.copyFile(source)
        relative = os.path.relpath(to, os.path.dirname(place) or ".")
        return "%s[%s](%s%s)" % (picture, text, relative, "#" + anchor if anchor else "")

    def page(self, place, source):
        text, parts, last = read(os.path.join(self.root, source)), [], 0
        for fence in list(FENCE.finditer(text)) + [None]:  # links are outside of code
            end = fence.start() if fence else len(text)
            parts.append(LINK.sub(lambda match: self.link(source, place, match), text[last:end]))
            if fence:
                parts.append(fence[0])
                last = fence.end()
        write(os.path.join(self.out, place), "".join(parts))


def navOf(places):
    """Returns the lines of MkDocs' nav, and findings."""
    listed, lines, findings = set(), ["nav:"], []
    for title, pages in NAV:
        if isinstance(pages, str):
            listed.add(pages)
            lines.append("  - %s: %s" % (title, pages))
            continue
        own = sorted(place for place in places for folder, of in FOLDERS_IN_NAV.items() if of == title and place.startswith(folder))
        lines.append("  - %s:" % title)
        lines += ["    - %s" % page for page in pages + own]
        listed |= set(pages) | set(own)
    findings += ["docs/site/stage.py: NAV has no %s" % place for place in sorted(set(places) - listed)]
    findings += ["docs/site/stage.py: NAV has %s, which does not exist" % place for place in sorted(listed - set(places))]
    return lines, findings


def addReference(pages, api):
    """Copies the existing parts of the reference, and links to them."""
    lines = []
    for name, title in REFERENCES:
        if os.path.isfile(os.path.join(api, name, "index.html")):
            shutil.copytree(os.path.join(api, name), os.path.join(pages, "docs", "api", name))
            lines.append("- [%s](api/%s/index.html)\n" % (title, name))
        else:
            lines.append("- %s: not part of this build\n" % title)
    path = os.path.join(pages, "docs", "API.md")
    write(path, read(path).replace(REFERENCE_HERE, "".join(lines)))


def stage(root, out, api=""):
    shutil.rmtree(os.path.join(out, "pages"), ignore_errors=True)
    work, pages = Stage(root, out), pagesOf(root)
    for place, source in sorted(pages.items()):
        work.page(place, source)
    addReference(work.out, api)
    lines, findings = navOf(pages)
    write(os.path.join(out, "mkdocs.yml"), CONFIGURATION + "\n".join(lines) + "\n")
    return work.findings + findings


def main(arguments):
    if len(arguments) not in (3, 4) or not os.path.isdir(arguments[1]):
        print("usage: stage.py ROOT OUT [API]", file=sys.stderr)
        return 2
    findings = stage(*arguments[1:])
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
