"""The catalogue as the command tells of it: list, show, explain, check --all, and the files of designs/."""

import json
import re
from typing import Any

from harness import PROPERTIES, SOURCE, CliTest, main, verdicts

DESIGNS = sorted(path.parent.name for path in (SOURCE / "designs").glob("*/expected.json"))


def expected(design: str) -> Any:
    return json.loads((SOURCE / "designs" / design / "expected.json").read_text(encoding="utf-8"))


class Catalogue(CliTest):
    def test_thirty_and_more(self) -> None:
        self.assertGreaterEqual(len(DESIGNS), 30)
        self.assertIn("core", DESIGNS)

    def test_every_design_is_as_expected(self) -> None:
        out = self.succeeds("check", "--all").out
        self.assertIn(f"All {len(DESIGNS)} designs are as expected.", out)
        self.assertNotIn("!!", out.partition("\n\n")[0])

    def test_the_table(self) -> None:
        """A line for each design: states, how many properties hold, how many vacuously, and what breaks."""
        head, *lines = self.succeeds("check", "--all").out.partition("\n\n")[0].splitlines()
        self.assertEqual(re.split(r"  +", head), ["design", "states", "hold", "vacuous", "breaks, in how many steps"])
        rows: dict[str, list[str]] = {}
        for line in lines:
            self.assertLessEqual(len(line), 118)
            if line[0] != " ":
                name, states, holds, vacuous, breaks = re.split(r"  +", line)
                rows[name] = [states, holds, vacuous, breaks]
            else:
                rows[name][-1] += " " + line.strip()
        self.assertEqual(list(rows), DESIGNS)
        for name, row in rows.items():
            verdicts_expected = expected(name)["properties"]
            holding = [each for each in verdicts_expected.values() if each["verdict"] == "holds"]
            breaking = [f"{key} in {each['trace_length']}" for key, each in verdicts_expected.items()
                        if each["verdict"] == "violated"]
            self.assertEqual(row, [str(expected(name)["states"]), str(len(holding)),
                                   str(sum(each["vacuous"] for each in holding)), ", ".join(breaking) or "-"], name)

    def test_every_design_has_its_files(self) -> None:
        for path in (SOURCE / "designs").iterdir():
            if path.is_dir():
                for file in ("README.md", "design.h", "expected.json"):
                    self.assertTrue((path / file).is_file(), f"{path.name}/{file}")

    def test_every_expectation_is_claimed_within_the_bounds_that_are_used(self) -> None:
        for report in self.report("--all")["designs"]:
            claim = expected(report["design"])
            standard = {"issuer_restores": 0, "store_restores": 0, "expiry": True}
            self.assertEqual(report["bounds"], {**standard, **claim["bounds"]})
            judged = {name: verdict for name, verdict in verdicts(report).items() if verdict != "not-applicable"}
            claimed = {name: each["verdict"] for name, each in claim["properties"].items()
                       if each["verdict"] != "not-applicable"}
            self.assertEqual(judged, claimed)
            self.assertTrue(claim["source"])


class List(CliTest):
    def test_one_line_for_each(self) -> None:
        designs, properties = self.succeeds("list").out.split("\n\n")
        head, *lines = designs.splitlines()
        self.assertEqual(head, "designs (fencecheck show DESIGN)")
        self.assertEqual([line.split()[0] for line in lines], DESIGNS)
        for line in lines:
            self.assertRegex(line, r"^  [a-z-]+  +\S.{20,}$")
        head, *lines = properties.splitlines()
        self.assertEqual(head, "properties (fencecheck explain PROPERTY)")
        self.assertEqual([line.split()[0] for line in lines[:5]], PROPERTIES)
        self.assertGreaterEqual(len(lines), 19)
        for line in lines:
            self.assertRegex(line, r"^  [a-z-]+  +[A-Z].{20,}\.$")

    def test_scenarios(self) -> None:
        head, *lines = self.succeeds("list", "scenarios").out.splitlines()
        self.assertEqual(head, "scenarios (fencecheck check --scenario NAME)")
        names = [line.split()[0] for line in lines if re.match(r"  [a-z]", line)]
        wanted = [each["name"] for each in json.loads((SOURCE / "designs" / "scenarios.json").read_text())]
        self.assertEqual(names, wanted)
        self.assertGreaterEqual(len(names), 50)


class Show(CliTest):
    def test_every_design(self) -> None:
        for name in DESIGNS:
            with self.subTest(name):
                out = self.succeeds("show", name).out
                self.assertTrue(out.startswith(f"{name}: "))
                for part in ("components", "what each worker does, over and over", "what else may happen at any time",
                             "checked within: ", "properties", "source: "):
                    self.assertIn(f"\n  {part}", out)
                self.assertRegex(out, r"(?m)^     1\. ")
                for each in expected(name)["properties"]:
                    self.assertRegex(out, rf"(?m)^    {each} +\S")
                # What is shown is what fires.
                fired = self.shown_actions(self.run_in_folder("check", name, "--format", "json").json()["actions"])
                shown = re.findall(r"(?m)^ +(?:\d+\.|-) (.+?) \[(.+?)\]", out)
                self.assertEqual([f"{action} ({where})" for action, where in shown], fired)

    # How a step can be taken in another than the common way: `show` names the fault, and not every step again.
    OTHER_WAYS = (", its reply lost", ", given up and still under way", ", a copy still under way",
                  ", answered by a replica that lags", "a request that was under way arrives")

    def shown_actions(self, fired: dict[str, int]) -> list[str]:
        common = [name for name in self.without_numbers(fired) if not any(way in name for way in self.OTHER_WAYS)]
        return [re.sub(r" \(\)$", " (itself)", name).replace("dies, and starts anew (itself)",
                                                             "dies, and starts anew (a worker)")
                .replace("only this clock ticks (itself)", "only this clock ticks (a worker)") for name in common]

    @staticmethod
    def without_numbers(actions: dict[str, int]) -> list[str]:
        """Two actions of one name are told apart by a number, which `show` has no need of."""
        return [re.sub(r", \d+\)$", ")", name) for name in actions]

    def test_a_step_over_two_components_is_a_claim(self) -> None:
        self.assertIn("claims that the real system has one transaction over issuer + store\n",
                      self.succeeds("show", "register-with-grant").out)
        self.assertNotIn("one transaction", self.succeeds("show", "fenced-row").out)

    def test_a_property_that_does_not_apply(self) -> None:
        self.assertIn("tokens-increase                does not apply: needs an issuer whose grants carry a Token\n",
                      self.succeeds("show", "first-version-wins").out)

    def test_switches(self) -> None:
        out = self.succeeds("show", "core").out
        for switch, values in (("stores", "1 (standard) | 2 | 3 | 4"),
                               ("check", "none | lease | separate | atomic (standard)"),
                               ("equal", "accept (standard) | reject"), ("release", "name | compare (standard)"),
                               ("register", "no (standard) | yes")):
            self.assertIn(f"\n    {switch}: {values}\n", out)

    def test_switches_that_are_set(self) -> None:
        out = self.succeeds("show", "core", "--set", "stores=2", "--set", "check=separate").out
        self.assertIn("    store 2: highest (token), value\n", out)
        steps = re.findall(r"(?m)^    ( \d\. .*)$", out)
        self.assertEqual(steps, [" 1. acquire [issuer]", " 2. compare [store 1]",
                                 " 3. write [store 1] (same visit, a later step)", " 4. compare [store 2]",
                                 " 5. write [store 2] (same visit, a later step)", " 6. release [issuer] (finally)"])


class Explain(CliTest):
    LABELS = ("claim", "source", "needs", "situation", "does not say", "broken by", "held by")

    def all_properties(self) -> list[str]:
        """Those of the library; a design's own need no example."""
        names = [line.split()[0] for line in self.succeeds("list").out.split("\n\n")[1].splitlines()[1:]]
        return [name for name in names if "  broken by" in self.succeeds("explain", name).out]

    def test_there_are_enough_of_them(self) -> None:
        self.assertGreaterEqual(len(self.all_properties()), 19)

    def explained(self, name: str) -> dict[str, str]:
        head, *lines = self.succeeds("explain", name).out.splitlines()
        self.assertEqual(head, name)
        parts: dict[str, str] = {}
        for line in lines:
            self.assertLessEqual(len(line), 120)
            label, text = line[2:17].strip(), line[17:].strip()
            if label:
                parts[label] = text
            else:
                parts[list(parts)[-1]] += " " + text
        return parts

    def test_every_property(self) -> None:
        listed = self.succeeds("list").out
        for name in self.all_properties():
            with self.subTest(name):
                parts = self.explained(name)
                self.assertEqual(tuple(parts), self.LABELS)
                self.assertRegex(listed, rf"(?m)^  {name} +{re.escape(parts['claim'])}$")
                self.assertRegex(parts["claim"], r"^[A-Z].*\.$")

    def test_the_design_that_breaks_it_does(self) -> None:
        for name in self.all_properties():
            with self.subTest(name):
                design, length = re.fullmatch(r"([a-z-]+), in (\d+) steps?", self.explained(name)["broken by"]).groups()
                self.assertEqual(expected(design)["properties"][name],
                                 {"verdict": "violated", "trace_length": int(length)})

    def test_the_design_that_holds_does_and_not_vacuously(self) -> None:
        for name in self.all_properties():
            with self.subTest(name):
                design, length = re.fullmatch(r"([a-z-]+); witness of (\d+) steps?",
                                              self.explained(name)["held by"]).groups()
                self.assertEqual(expected(design)["properties"][name],
                                 {"verdict": "holds", "vacuous": False, "witness_length": int(length)})


if __name__ == "__main__":
    main()
