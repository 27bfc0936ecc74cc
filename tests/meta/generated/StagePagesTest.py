"""stage.py keeps links valid, and finds a page outside the navigation and a dead link."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "site"))
import stage


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root, self.out = os.path.join(self.folder.name, "root"), os.path.join(self.folder.name, "out")
        for _, pages in stage.NAV:
            for page in [pages] if isinstance(pages, str) else pages:
                self.write({"index.md": "README.md", "TESTS.md": "tests/README.md"}.get(page, page), "# T\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        stage.write(os.path.join(self.root, path), text)

    def page(self, place):
        return stage.read(os.path.join(self.out, "pages", place))

    def testLinksLeadToPagesSourcesAndPictures(self):
        self.write("base/A.hpp", "int a;\n")
        self.write("docs/viewer/a.png", "png")
        self.write("docs/DESIGN.md", "[r](../README.md#t) [o](OPTIONS.md) [s](../base/A.hpp) ![p](viewer/a.png) [f](../base) [w](https://w.org)\n"
                                     "```\n[code](nowhere.md)\n```\n")
        self.assertEqual(stage.stage(self.root, self.out), [])
        self.assertEqual(self.page("docs/DESIGN.md"), "[r](../index.md#t) [o](OPTIONS.md) [s](../source/base-A.hpp.md) ![p](viewer/a.png) f "
                                                      "[w](https://w.org)\n```\n[code](nowhere.md)\n```\n")
        self.assertIn("int a;", self.page("source/base-A.hpp.md"))
        self.assertTrue(os.path.isfile(os.path.join(self.out, "pages", "docs", "viewer", "a.png")))

    def testALinkThatLeadsNowhereIsFound(self):
        self.write("docs/DESIGN.md", "[n](nowhere.md)\n")
        self.assertEqual(stage.stage(self.root, self.out), ["docs/DESIGN.md: the link nowhere.md leads nowhere"])

    def testTheReferenceGoesAlong(self):
        self.write("docs/API.md", "# A\n<!-- reference -->\n")
        api = os.path.join(self.folder.name, "api")
        stage.write(os.path.join(api, "cpp", "index.html"), "C++")
        self.assertEqual(stage.stage(self.root, self.out, api), [])
        self.assertEqual(self.page("docs/API.md"), "# A\n- [C++ reference](api/cpp/index.html)\n- Python reference: not part of this build\n")
        self.assertEqual(self.page("docs/api/cpp/index.html"), "C++")

    def testAPageOutsideTheNavigationIsFound(self):
        self.write("docs/NEW.md", "# N\n")
        self.assertEqual(stage.stage(self.root, self.out), ["docs/site/stage.py: NAV has no docs/NEW.md"])

    def testAPageOfTheNavigationThatIsNotThereIsFound(self):
        os.remove(os.path.join(self.root, "docs", "MEMORY.md"))
        self.assertEqual(stage.stage(self.root, self.out), ["docs/site/stage.py: NAV has docs/MEMORY.md, which does not exist"])


if __name__ == "__main__":
    unittest.main()
