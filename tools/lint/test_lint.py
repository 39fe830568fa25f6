#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of lint.py finds what it is for, and nothing in a clean tree."""

import contextlib
import io
import re
import tempfile
import unittest
from pathlib import Path

import lint

CPP = "// SPDX-License-Identifier: MIT\n"
CMAKE = "# SPDX-License-Identifier: MIT\n"

CLEAN = {
    "CMakeLists.txt": CMAKE,
    "libs/core/CMakeLists.txt": CMAKE + "thalweg_add_module(core)\n",
    "libs/core/README.md": "# core\n",
    "libs/core/include/thalweg/core/box.hpp": CPP + "#pragma once\n",
    "libs/core/include/thalweg/core/vec.hpp": CPP + "#pragma once\n",
    "libs/core/src/box.cpp": CPP,
    "libs/core/test/CMakeLists.txt": CMAKE + "thalweg_add_test(box_test.cpp)\n",
    "libs/core/test/box_test.cpp": CPP + "#include <thalweg/core/vec.hpp>\n",
    "libs/deep/CMakeLists.txt": CMAKE + "add_subdirectory(plan)\n",
    "libs/deep/plan/CMakeLists.txt": CMAKE + "thalweg_add_module(deep_plan)\n",
    "libs/deep/plan/README.md": "# plan\n",
}


def findings(changes: dict[str, str | None]) -> list[lint.Finding]:
    """Lint the clean tree with some files changed, or left out where the text is None."""
    texts = {path: text for path, text in (CLEAN | changes).items() if text is not None}
    return lint.lint(lint.Tree(texts))


class Lint(unittest.TestCase):
    def expect(self, changes, path, line, part, severity="error"):
        found = findings(changes)
        self.assertEqual(len(found), 1, [str(finding) for finding in found])
        self.assertEqual((found[0].path, found[0].line, found[0].severity), (path, line, severity))
        self.assertIn(part, found[0].message)

    def test_formatting_compiled_again(self):
        text = CPP + 'std::string f(V v) {\n  return fmt::format("{}", fmt::join(v, " "));\n}\n'
        self.expect({"libs/core/src/box.cpp": text}, "libs/core/src/box.cpp", 3, "take joined_text")

    def test_clean_tree_has_no_findings(self):
        self.assertEqual(findings({}), [])

    def test_long_files_warn_then_fail(self):
        path = "libs/core/src/box.cpp"
        self.assertEqual(findings({path: CPP + 399 * "\n"}), [])
        self.expect({path: CPP + 400 * "\n"}, path, 0, "401 lines", "warning")
        self.expect({path: CPP + 600 * "\n"}, path, 0, "601 lines")

    def test_what_a_run_leaves_in_the_root_is_found(self):
        self.expect({"hpccg-2026.yaml": "rows: 1\n"}, "hpccg-2026.yaml", 0, "in the root")
        self.assertEqual(findings({"README.md": "a\n", ".clang.yaml": "a\n", "docs/hpccg.yaml": "a\n"}), [])

    def test_licence_line_is_wanted_in_every_source(self):
        for path in (
            "libs/core/src/box.cpp",
            "python/a.py",
            "cmake/a.cmake",
            "apps/CMakeLists.txt",
        ):
            self.expect({path: "\n"}, path, 1, "SPDX")
        self.assertEqual(findings({"tools/a.py": "#!/usr/bin/env python3\n" + CMAKE}), [])
        self.expect({"tools/make": "#!/bin/sh\n"}, "tools/make", 1, "SPDX")
        self.expect({"packaging/Containerfile": "FROM a\n"}, "packaging/Containerfile", 1, "SPDX")
        self.assertEqual(findings({"tools/make.txt": "nothing\n"}), [])

    def test_headers_guard_themselves(self):
        path = "libs/core/include/thalweg/core/vec.hpp"
        self.expect({path: CPP + "#ifndef VEC\n"}, path, 2, "#pragma once")

    def test_paths_of_a_machine_are_found_in_texts_too(self):
        for place in ("/ho" + "me/me/x", "/wo" + "rk/x", "/ro" + "ot/x", "/Us" + "ers/me"):
            self.expect({"docs/a.md": "first\nsee " + place + "\n"}, "docs/a.md", 2, "machine")

    def test_versions_agree(self):
        root = {"CMakeLists.txt": CMAKE + "project(a VERSION 1.2.3 LANGUAGES CXX)\n"}
        places = {
            "CITATION.cff": "cff-version: 1.2.0\nversion: {}\n",
            "pyproject.toml": '[project]\nversion = "{}"\n',
            "python/thalweg/__init__.py": CMAKE + '__version__ = "{}"\n',
        }
        for path, text in places.items():
            self.assertEqual(findings(root | {path: text.format("1.2.3")}), [])
            self.expect(root | {path: text.format("1.2.4")}, path, 0, "1.2.4 (1.2.3")
            self.expect(root | {path: CMAKE}, path, 0, "none (1.2.3")

    def test_modules_need_a_readme(self):
        self.expect({"libs/core/README.md": None}, "libs/core", 0, "README")
        self.expect({"libs/deep/plan/README.md": None}, "libs/deep/plan", 0, "README")
        self.expect({"apps/demo/README.md": "line\n" * 81}, "apps/demo/README.md", 0, "81 lines")

    def test_the_list_of_records_has_their_dates(self):
        index = "docs/adr/README.md"
        row = "| [0001](0001-layers.md) | Layers | They are. | accepted | 2026-11-22 |\n"
        record = {"docs/adr/0001-layers.md": "# Layers\n\n- Date: 2026-11-21, changed 2026-11-23\n"}
        self.expect(record | {index: "# Records\n" + row}, index, 2, "2026-11-23")
        self.assertEqual(findings(record | {index: row.replace("-22", "-23")}), [])

    def test_public_headers_need_a_test(self):
        path = "libs/core/include/thalweg/core/hash.hpp"
        header = {path: CPP + "#pragma once\n"}
        self.expect(header, path, 0, "hash_test.cpp")
        elsewhere = {"tests/all.cpp": CPP + "#include <thalweg/core/hash.hpp>\n"}
        self.assertEqual(findings(header | elsewhere), [])
        detail = {"libs/core/include/thalweg/core/detail/deep.hpp": CPP + "#pragma once\n"}
        self.assertEqual(findings(detail), [])

    def test_header_of_another_module_of_the_same_name_is_no_test(self):
        path = "libs/deep/plan/include/thalweg/deep/box.hpp"
        self.expect({path: CPP + "#pragma once\n"}, path, 0, "libs/deep/plan/test/box_test.cpp")

    def test_tests_must_be_registered(self):
        path = "libs/core/test/lost_test.cpp"
        self.expect({path: CPP}, path, 0, "libs/core/test/CMakeLists.txt")
        lists = "libs/core/test/CMakeLists.txt"
        loop = (
            CMAKE + "foreach(stem box lost)\n  thalweg_add_test(${stem}_test.cpp)\nendforeach()\n"
        )
        self.assertEqual(findings({path: CPP, lists: loop}), [])
        self.expect({path: CPP, lists: loop.replace("lost", "loster")}, path, 0, "not registered")

    def test_cases_of_a_folder_have_names_of_their_own(self):
        case = CPP + "TEST(Box, is_empty) {}\n"
        one, other = "tests/mesh/box_test.cpp", "tests/mesh/cut_test.cpp"
        files = {one: case, other: case}
        self.expect(files, other, 2, "Box.is_empty is a case of box_test.cpp")
        self.assertEqual(findings(files | {other: case.replace("Box", "Cut")}), [])

    def test_things_to_do_carry_an_issue(self):
        word = "TO" + "DO"
        path = "libs/core/src/box.cpp"
        self.expect({path: CPP + f"// {word}: later\n"}, path, 2, word)
        self.assertEqual(findings({path: CPP + f"// {word}(#12): later\n"}), [])

    def test_quoted_code_stands_in_its_file(self):
        code = "int main() {\n}\n"
        quote = "# Title\n\n<!-- from demo/main.cpp -->\n```cpp\n" + code + "```\n"
        files = {"demo/main.cpp": CPP + "// more\n" + code, "README.md": quote}
        self.assertEqual(findings(files), [])
        self.expect(files | {"README.md": quote.replace("()", "(int)")}, "README.md", 3, "demo/")
        self.expect({"README.md": quote}, "README.md", 3, "demo/main.cpp")
        inner = {"demo/main.cpp": CPP + "namespace a {\n\n  int main() {\n  }\n}\n", "README.md": quote}
        self.assertEqual(findings(inner), [])
        self.expect({"README.md": quote.replace("<!-- from demo/main.cpp -->\n", "")}, "README.md", 3, "which test")

    def test_identifiers_have_the_fields_words(self):
        path = "libs/core/src/box.cpp"
        self.expect({path: CPP + "int keeper = 0;\n"}, path, 2, "directory rank")
        self.expect({path: CPP + "\nint n_keepers(Box);\n"}, path, 3, "'n_keepers'")
        self.expect({path: CPP + "class KeeperMap;\n"}, path, 2, "'KeeperMap'")
        others = "// A keeper.\n" + 'const char* a = "keeper";\n' + "int bookkeeper = 1'000;\n"
        self.assertEqual(findings({path: CPP + others}), [])
        self.assertEqual(findings({"tools/box.cpp": CPP + "int keeper = 0;\n"}), [])

    def test_table_of_words_is_sorted_and_has_each_once(self):
        text = lint.WORDS.read_text(encoding="utf-8")
        words = lint.read_words(text)
        self.assertEqual(list(words), sorted(words))
        lines = [line for line in text.split("\n") if line and line[0] != "#"]
        self.assertEqual(len(words), len(lines))

    def test_public_headers_include_the_standard_headers_of_what_they_use(self):
        path = "libs/core/include/thalweg/core/box.hpp"
        header = CPP + "#pragma once\n"
        vector = "// std::map\nstd::vector<int> some;\n"
        self.expect({path: header + vector}, path, 4, "std::vector without #include <vector>")
        self.assertEqual(findings({path: header + "#include <vector>\n" + vector}), [])
        self.assertEqual(findings({"libs/core/src/box.cpp": CPP + vector}), [])
        sorts = "#include <vector>\nvoid f() { std::ranges::sort(v); }\n"
        self.expect({path: header + sorts}, path, 4, "std::sort without #include <algorithm>")
        prints = "void f() { fmt::format({}); }\n"
        self.expect({path: header + prints}, path, 3, "fmt without #include <fmt/format.h>")

    def test_table_of_standard_names_has_the_precompiled_headers_and_each_name_once(self):
        text = lint.STANDARD_NAMES.read_text(encoding="utf-8")
        names = [
            name
            for line in text.split("\n")
            if not line.startswith("#")
            for name in line.partition(": ")[2].split()
        ]
        self.assertEqual(len(names), len(set(names)))
        module = (Path(lint.__file__).parents[2] / "cmake/ThalwegModule.cmake").read_text()
        listed = module.partition("target_precompile_headers(")[2].partition(")")[0]
        headers = set(re.findall(r"<([^>]+)>", listed))
        table = set(lint.read_standard_names(text).values())
        self.assertEqual(headers - table, {"fmt/format.h"})

    def test_reading_a_tree_skips_what_is_generated(self):
        with tempfile.TemporaryDirectory() as name:
            for path in ("a.cpp", "build/b.cpp", "out1/c.md", "d.bin", "e/__pycache__/f.py"):
                file = Path(name) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("x\n")
            self.assertEqual(set(lint.Tree.read(Path(name)).texts), {"a.cpp"})

    def test_reading_a_tree_finds_scripts_of_any_name(self):
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "make").write_text("#!/bin/sh\n")
            (Path(name) / "Containerfile").write_text("FROM a\n")
            (Path(name) / "program").write_bytes(b"\x7fELF\xff")
            (Path(name) / "empty").write_bytes(b"")
            self.assertEqual(set(lint.Tree.read(Path(name)).texts), {"make", "Containerfile"})

    def test_exit_status_counts_errors_only(self):
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(
            io.StringIO()
        ) as out:
            (Path(name) / "src").mkdir()
            (Path(name) / "src/a.cpp").write_text(CPP + 400 * "\n")
            self.assertEqual(lint.main([name]), 0)
            (Path(name) / "src/b.cpp").write_text("\n")
            self.assertEqual(lint.main([name]), 1)
        self.assertIn("lint: 1 errors, 1 warnings", out.getvalue())


if __name__ == "__main__":
    unittest.main()
