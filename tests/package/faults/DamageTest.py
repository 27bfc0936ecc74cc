"""Profiles whose numbers are damaged: every command reads or refuses them, and none ends by a signal."""

import shutil
import sqlite3
import unittest

from Support import FaultCase

VALUES = (-1, 0, 2**31, 2**53, 2**63 - 1)
EXPORT = ["export", "--format", "chrome,csv,folded,dot,svg,jsonl,speedscope,perfetto,md,msprof", "--overwrite", "-o", "out"]
VIEWS = ("info", "top", "top --of steps", "top --of vertices", "top --of variables", "top --of tiles", "operators", "stats",
         "stats --report vertices", "stats --report tile-cycles", "tree", "runs", "peak", "live", "vars", "tile 1", "exchange",
         "loss", "why", "oom", "gap", "advise", "sources", "overhead", "numbers", "whatif --sync-delay 60", "sensitivity",
         "html -o out.html")


class DamageTest(FaultCase):
    def integerColumns(self):
        database = sqlite3.connect(self.path("profile.pop"))
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for column in database.execute(f"PRAGMA table_info({table})").fetchall():
                if column[2] == "INTEGER" and database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] > 0:
                    yield table, column[1]
        database.close()

    def testEachIntegerColumn(self):
        self.client("often", "3")
        columns = list(self.integerColumns())
        self.assertGreater(len(columns), 100)
        refused = 0
        for number, (table, column) in enumerate(columns):
            for place, value in enumerate(VALUES):
                shutil.copy(self.path("profile.pop"), self.path("bad.pop"))
                self.sql("bad.pop", f"UPDATE OR IGNORE {table} SET {column} = {value}")
                first, *rest = VIEWS[(number * len(VALUES) + place) % len(VIEWS)].split()
                commands = [[first, "bad.pop"] + rest]
                if value in (VALUES[0], VALUES[-1]):
                    commands.append(EXPORT[:1] + ["bad.pop"] + EXPORT[1:])
                for command in commands:
                    with self.subTest(table=table, column=column, value=value, command=command[0]):
                        done = self.tool(*command)
                        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
                        self.assertNotIn("internal", done.stderr.lower())
                        refused += done.returncode == 2 and f"{column} of the table {table} is -1" in done.stderr
        self.assertGreater(refused, 50)

    def testAMessageNamesTheNumber(self):
        self.client("often", "3")
        for sql, command, says in (
                ("UPDATE target SET tiles_per_ipu = 0", "top", "tiles_per_ipu of the table target is 0; valid values are 1 to "),
                ("UPDATE execution_cycle_totals SET total_cycles = -1", "export --format chrome -o out",
                 "total_cycles of the table execution_cycle_totals is -1; valid values are 0 to "),
                ("UPDATE memory_by_tile SET total = -1 WHERE tile = 1", "export --format svg -o out",
                 "total of the table memory_by_tile is -1; valid values are 0 to ")):
            with self.subTest(sql):
                shutil.copy(self.path("profile.pop"), self.path("bad.pop"))
                self.sql("bad.pop", sql)
                first, *rest = command.split()
                self.assertSays(self.tool(first, "bad.pop", *rest), 2, says)


if __name__ == "__main__":
    unittest.main()
