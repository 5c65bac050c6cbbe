"""The lattice of faults: `matrix`, and the page that it writes."""

import json

from harness import SOURCE, CliTest, main


class Matrix(CliTest):
    def test_the_fewest_faults_of_a_store_that_compares(self) -> None:
        out = self.succeeds("matrix", "fenced-row").out
        self.assertIn("fenced-row (3 workers, 4 leases, at most 2 faults)\n", out)
        self.assertRegex(out, r"(?m)^  no-stale-write +issuer restore \(5\); lock loss \(5\); "
                              r"expiry \+ store restore \(6\);")
        self.assertRegex(out, r"(?m)^  successor-fences-at-issue +expiry \(4\); issuer restore \(4\);")
        self.assertRegex(out, r"(?m)^  no-foreign-release +holds under every 2 faults$")

    def test_what_needs_no_fault_at_all(self) -> None:
        self.assertRegex(self.succeeds("matrix", "refuse-equal-tokens").out,
                         r"(?m)^  newest-never-rejected +no fault \(3\)$")

    def test_the_sets_are_minimal_and_each_has_its_run(self) -> None:
        report = json.loads(self.succeeds("matrix", "fenced-row", "delete-by-name", "--format", "json").out)
        self.assertEqual([design["design"] for design in report["designs"]], ["fenced-row", "delete-by-name"])
        for design in report["designs"]:
            for each in design["properties"]:
                sets = [set(found["faults"]) for found in each["fewest_faults"]]
                for one in sets:
                    self.assertFalse([other for other in sets if other < one], each["name"])
                for found in each["fewest_faults"]:
                    self.assertEqual(len(found["trace"]), found["trace_length"])
                    self.assertIn(each["name"], found["trace"][-1]["violates"])

    def test_the_same_for_any_number_of_threads(self) -> None:
        designs = ["fenced-row", "delete-by-name", "unfenced-row"]
        self.assertEqual(self.succeeds("matrix", *designs, "--threads", "1").out,
                         self.succeeds("matrix", *designs, "--threads", "3").out)

    def test_bad_input(self) -> None:
        self.refused(["matrix", "fenced-rows"], "unknown design 'fenced-rows'; did you mean 'fenced-row'?")
        self.refused(["matrix", "--max-faults", "5"], "--max-faults is 5; it must be 0 to 4")
        self.refused(["matrix", "--max-faults", "x"], "--max-faults x: it must be a whole number, 0 to 4")


class MatrixPage(CliTest):
    def test_it_is_current(self) -> None:
        """docs/matrix.md is its own first paragraph and what `matrix --format markdown` prints today."""
        page = (SOURCE / "docs" / "matrix.md").read_text(encoding="utf-8")
        _, mark, tables = page.partition("<!-- below: build/fencecheck matrix --format markdown -->\n")
        self.assertTrue(mark)
        self.assertMultiLineEqual(tables, self.succeeds("matrix", "--format", "markdown", timeout=600).out)


if __name__ == "__main__":
    main()
