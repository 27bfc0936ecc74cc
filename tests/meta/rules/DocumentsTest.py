"""Plants faults in a small tree of documents, and expects Documents.py to find them."""

import os
import tempfile
import unittest

import Documents


class DocumentsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        for path in Documents.REQUIRED:
            self.write(path, "# A heading\n")
        self.write("examples/first_steps/first_steps.cpp", "int main() {}\n")
        self.write("README.md", "# Popscope\n\n```cpp\nint main() {}\n```\n")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def expectOne(self, words):
        findings = Documents.check(self.folder.name)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(words, findings[0])

    def test_a_good_tree_has_no_findings(self):
        self.write("docs/PAGE.md", "[a](DESIGN.md#a-heading) [b](../README.md) [c](https://example.org/x) "
                                   "[d](#here)\n## Here\n```\n[not a](link.md)\n```\n")
        self.assertEqual(Documents.check(self.folder.name), [])

    def test_a_missing_document(self):
        os.remove(os.path.join(self.folder.name, "LICENSE"))
        self.expectOne("LICENSE: missing")

    def test_a_link_to_no_file(self):
        self.write("docs/PAGE.md", "\nsee [it](MISSING.md)\n")
        self.expectOne("docs/PAGE.md:2: the link MISSING.md leads nowhere")

    def test_a_link_to_no_heading(self):
        self.write("docs/PAGE.md", "[it](DESIGN.md#another)\n")
        self.expectOne("has no heading for")

    def test_a_link_out_of_the_tree(self):
        self.write("docs/PAGE.md", "[it](../../etc)\n")
        self.expectOne("leads nowhere")

    def test_a_page_that_is_too_long(self):
        self.write("docs/PAGE.md", "line\n" * 300)
        self.write("docs/ACCURACY.md", "line\n" * 301)
        self.assertEqual(Documents.check(self.folder.name), [])
        self.write("docs/PAGE.md", "line\n" * 301)
        self.expectOne("docs/PAGE.md: has 301 lines")

    def test_a_path_into_somebodys_home(self):
        self.write("scripts/x.sh", "cd /" + "home/somebody/popscope\n")
        self.expectOne("scripts/x.sh:1: names an absolute path")

    def test_a_linked_checkout_may_say_where_its_repository_is(self):
        self.write(".git", "gitdir: /" + "home/somebody/tree/.git\n")
        self.assertEqual(Documents.check(self.folder.name), [])

    def test_the_program_of_the_readme_is_the_example(self):
        self.write("examples/first_steps/first_steps.cpp", "int main() { return 0; }\n")
        self.expectOne("its program is no part of")


if __name__ == "__main__":
    unittest.main()
