"""Runs Categories.py on a tree with one category, and on the same tree with one fault."""

import os
import tempfile
import unittest

import Categories

GOOD = {
    "base/StorageCategory.hpp": '{{{StorageCategory::ControlId, "controlId", "Control IDs", CategoryHolds::System,\n'
                                '  "lowering/Control.cpp"},}};',
    "lowering/Control.cpp": "make(StorageCategory::ControlId);",
    "docs/CATEGORIES.md": "| controlId | 4 bytes |",
    "report/include/pva/Memory.hpp": "class Categories {\n  Category controlId() const;\n};",
    "report/viewer/src/derived/names.ts": "const kCategoryLabels = new Map([\n  ['controlId', 'Control IDs'],\n]);",
    "report/viewer/src/theme.ts": "['controlId', '#875a87', '#964b69'],",
    "report/export/Svg.cpp": '{"controlId", "#ccbb44"},',
}


class CategoriesTest(unittest.TestCase):
    def found(self, **changes):
        with tempfile.TemporaryDirectory() as root:
            for path, text in GOOD.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text.replace(*changes[os.path.basename(path).split(".")[0]])
                               if os.path.basename(path).split(".")[0] in changes else text)
            return Categories.check(root)

    def testAGoodTree(self):
        self.assertEqual(self.found(), [])

    def testATableWithoutRows(self):
        self.assertIn("no row", self.found(StorageCategory=("StorageCategory::ControlId", "ControlId"))[0])

    def testEachThingBesideTheTable(self):
        for file, change, words in (("StorageCategory", ('"controlId"', '"controlIds"'), "the key of ControlId"),
                                    ("Control", ("ControlId", "ControlCode"), "does not produce it"),
                                    ("CATEGORIES", ("controlId", "control ids"), "docs/CATEGORIES.md"),
                                    ("Memory", ("controlId", "stack"), "accessors"),
                                    ("names", ("controlId", "stack"), "viewer"),
                                    ("theme", ("controlId", "stack"), "theme.ts has no colour"),
                                    ("Svg", ("controlId", "stack"), "Svg.cpp has no colour")):
            with self.subTest(file):
                findings = self.found(**{file: change})
                self.assertTrue(any(words in f for f in findings), findings)


if __name__ == "__main__":
    unittest.main()
