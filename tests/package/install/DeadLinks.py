"""DeadLinks.py FOLDER: names each link of the .md and .html pages below FOLDER that leads to no file of FOLDER. Exits with 1 if there are
findings."""

import os
import re
import sys
import urllib.parse

MARKDOWN = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HTML = re.compile(r"""(?:href|src)=["']?([^"'\s>]+)""")
CODE = re.compile(r"^(```+).*?^\1|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def linksOf(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return MARKDOWN.findall(CODE.sub("", text)) if path.endswith(".md") else HTML.findall(text)


def deadLinks(folder):
    """Returns [(page, link)], and the number of links that were checked."""
    dead, looked = [], 0
    folder = os.path.realpath(folder)
    for where, _, names in os.walk(folder):
        for page in (os.path.join(where, name) for name in sorted(names) if name.endswith((".md", ".html"))):
            for link in linksOf(page):
                target = urllib.parse.unquote(urllib.parse.urlsplit(link).path)
                if re.match(r"[a-z]+:|//", link) or not target:
                    continue
                looked += 1
                full = os.path.realpath(os.path.join(os.path.dirname(page), target))
                if target.startswith("/") or not full.startswith(folder) or not os.path.exists(full):
                    dead.append((os.path.relpath(page, folder), link))
    return dead, looked


if __name__ == "__main__":
    dead, looked = deadLinks(sys.argv[1])
    for page, link in dead:
        print("%s: %s leads to no file" % (page, link))
    print("%d links, %d dead" % (looked, len(dead)))
    sys.exit(1 if dead or not looked else 0)
