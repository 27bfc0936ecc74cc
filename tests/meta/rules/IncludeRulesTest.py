"""Plants violations in a small tree, and expects IncludeRules.py to report each with its reason, and nothing else."""

import os
import sys
import tempfile
import unittest

import IncludeRules
import RoomTable


class IncludeRulesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        # One header per room, so that there is something to include.
        for room in RoomTable.ROOMS:
            self.write(room + "/Thing.hpp", "#pragma once\n")
        self.write("base/include/poplar/Type.hpp", "#pragma once\n")
        self.write("graph/include/poplar/Graph.hpp", "#include <poplar/Type.hpp>\n")
        self.write("engine/include/poplar/Engine.hpp", "#include <poplar/Graph.hpp>\n")
        self.write("report/include/pva/pva.hpp", "#pragma once\n")

        # The small tree needs no exceptions.
        self.exceptions = dict(RoomTable.EXCEPTIONS)
        RoomTable.EXCEPTIONS.clear()

    def tearDown(self):
        RoomTable.EXCEPTIONS.clear()
        RoomTable.EXCEPTIONS.update(self.exceptions)
        self.folder.cleanup()

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as out:
            out.write(text)

    def findings(self):
        return IncludeRules.Checker(self.folder.name).run()

    def expectOne(self, path, text, reason, line=1):
        self.write(path, text)
        findings = self.findings()
        self.assertEqual(len(findings), 1, findings)
        self.assertTrue(findings[0].startswith("%s:%d: " % (path, line)), findings[0])
        self.assertIn(reason, findings[0])

    def test_a_tree_that_keeps_the_rules_has_no_findings(self):
        self.write("liveness/analysis/Analyse.cpp", '#include "graph/steps/Thing.hpp"\n#include "Thing.hpp"\n'
                                                    '#include <boost/graph/adjacency_list.hpp>\n#include <vector>\n')
        self.write("engine/Engine.cpp", '#include "report/pop/Thing.hpp"\n#include <poplar/Engine.hpp>\n')
        self.write("examples/one/one.cpp", '#include "Own.hpp"\n#include <poplar/Engine.hpp>\n')
        self.write("examples/one/Own.hpp", "#pragma once\n")
        self.assertEqual(self.findings(), [])

    def test_a_room_that_reads_the_environment_by_itself_is_found(self):
        self.write("base/Environment.cpp", 'auto v = std::getenv("A");\n')
        self.expectOne("liveness/layout/Pack.cpp", '#include <cstdlib>\nauto v = std::getenv("A");\n', "environmentVariable()", 2)

    def test_every_room_is_refused_every_room_that_it_may_not_include(self):
        planted = 0
        for room, rule in RoomTable.ROOMS.items():
            for other in RoomTable.ROOMS:
                public = room in RoomTable.PUBLIC_ONLY
                if other == room or "*" in rule.may or IncludeRules.longestFolder(other, rule.may + [room]) or (
                        public and other.endswith("include")):
                    continue
                self.write(room + "/Planted.cpp", '#include "%s/Thing.hpp"\n' % other)
                findings = self.findings()
                os.remove(os.path.join(self.folder.name, room, "Planted.cpp"))
                self.assertEqual(len(findings), 1, "%s -> %s: %s" % (room, other, findings))
                self.assertIn(rule.reason if other != "engine" or public else "nobody but tests", findings[0])
                planted += 1
        self.assertGreater(planted, 200)

    def test_a_public_header_belongs_to_the_room_that_holds_it(self):
        self.expectOne("base/Bad.cpp", "\n#include <poplar/Graph.hpp>\n", "base is the leaf", line=2)

    def test_a_header_beside_the_file_is_resolved_before_the_root(self):
        self.expectOne("liveness/check/Bad.cpp", '#include "../layout/Thing.hpp"\n', "shares no algorithm")

    def test_the_engine_is_included_by_nobody(self):
        self.expectOne("report/tool/Bad.cpp", '#include "engine/Thing.hpp"\n', "nobody but tests, bench and examples")

    def test_an_example_includes_public_headers_only(self):
        self.expectOne("examples/one/one.cpp", '#include "base/Thing.hpp"\n', "public headers only")

    def test_spdlog_outside_the_seam(self):
        self.expectOne("graph/lowering/Bad.cpp", "#include <spdlog/logger.h>\n", "one seam")

    def test_tbb_outside_the_seam(self):
        self.expectOne("liveness/layout/Bad.cpp", "#include <tbb/parallel_for.h>\n", "one seam")

    def test_a_third_party_header_in_a_header(self):
        self.expectOne("report/pop/Bad.hpp", "#include <sqlite3.h>\n", ".cpp files of report/pop")

    def test_a_quoted_name_that_is_not_ours(self):
        self.expectOne("base/Bad.cpp", '#include "nlohmann/json.hpp"\n', "no such file")

    def test_a_folder_that_is_no_room(self):
        self.expectOne("liveness/misc/Bad.cpp", "int x;\n", "belongs to no room")

    def test_comments_and_raw_strings_do_not_count(self):
        self.write("base/Good.cpp", '/*\n#include "engine/Thing.hpp"\n*/\n// #include "engine/Thing.hpp"\n'
                                    'const char *s = R"(\n#include "engine/Thing.hpp"\n)";\n')
        self.assertEqual(self.findings(), [])

    def test_an_exception_permits_its_include_and_is_a_finding_when_not_needed(self):
        RoomTable.EXCEPTIONS[("liveness/layout", "graph/steps")] = "planted"
        self.assertTrue(any("is not needed any more" in f for f in self.findings()))
        self.write("liveness/layout/Needs.cpp", '#include "graph/steps/Thing.hpp"\n')
        self.assertEqual(self.findings(), [])

    def test_the_exit_code_tells(self):
        self.write("base/Bad.cpp", '#include "engine/Thing.hpp"\n')
        out, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
        try:
            self.assertEqual(IncludeRules.main(["", self.folder.name]), 1)
            os.remove(os.path.join(self.folder.name, "base/Bad.cpp"))
            self.assertEqual(IncludeRules.main(["", self.folder.name]), 0)
        finally:
            sys.stdout.close()
            sys.stdout = out


if __name__ == "__main__":
    unittest.main()
