"""Plants each restricted operation in its place and elsewhere, and checks that other lines are not reported."""

import os
import tempfile
import unittest

import OnePlace

PLANTED = (
    "std::ofstream out(path);", "std::ofstream(path) << text;", "std::fstream file{path};", "FILE *f = fopen(path, mode);",
    "::open(path, O_CREAT | O_WRONLY, 0666);", "fs::rename(part, path);", "std::rename(a, b);", "mkstemp(name);",
    "const Json value = Json::parse(text);", "nlohmann::json::parse(text, nullptr, false);", "Json::sax_parse(text, &r);",
    "auto v = nlohmann::ordered_json::parse(in);", "} catch (const Json::exception &e) {",
    "} catch (const nlohmann::json::parse_error &e) {", "std::ofstream file_;",
)
NONE = ("std::ifstream in(path);", "// std::ofstream out(path);", "} catch (const Json::exception &) {",
        "const OptionValues v = table.parse(flags);", "void parse() { impl_->begin(); }", "columns.rename(a, b);")


class OnePlaceTest(unittest.TestCase):
    def found(self, text, file="report/tool/Main.cpp", allowed=()):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, os.path.dirname(file)))
            with open(os.path.join(root, file), "w", encoding="utf-8") as out:
                out.write(text)
            return OnePlace.check(root, allowed)

    def testEachForm(self):
        for line in PLANTED:
            with self.subTest(line):
                _, findings = self.found("\n%s\n" % line)
                self.assertEqual(len(findings), 1, findings)
                self.assertTrue(findings[0].startswith("report/tool/Main.cpp:2: "))

    def testWhatIsNone(self):
        for line in NONE:
            with self.subTest(line):
                self.assertEqual(self.found(line)[1], [])

    def testThePlacesThemselves(self):
        self.assertEqual(self.found(PLANTED[4], "base/WholeFile.cpp")[1], [])
        self.assertEqual(self.found(PLANTED[8], "base/JsonText.cpp")[1], [])
        self.assertEqual(len(self.found(PLANTED[8], "base/WholeFile.cpp")[1]), 1)
        self.assertEqual(self.found(PLANTED[0], "tests/unit/Test.cpp"), (0, []))

    def testAllowances(self):
        row = ("report/tool/Main.cpp", "ofstream", "why")
        self.assertEqual(self.found(PLANTED[0], allowed=(row,))[1], [])
        self.assertEqual(len(self.found(NONE[0], allowed=(row,))[1]), 1)


if __name__ == "__main__":
    unittest.main()
