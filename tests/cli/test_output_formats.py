"""What other programs read: JSON on standard output, JUnit files. docs/json.md is the promise that is checked here."""

import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

from harness import PROPERTIES, UNKNOWN, USAGE, VIOLATED, CliTest, main, verdicts

SCHEMA = Path(__file__).resolve().parent / "junit.xsd"

REPORT = {"design": str, "bounds": dict, "switches": dict, "symmetry": str, "complete": bool,
          "stopped_by": (str, type(None)), "states": int, "transitions": int, "depth": int, "full_states": int,
          "full_transitions": int, "actions": dict, "properties": list, "run": dict}
BOUNDS = {"workers": int, "leases": int, "issuer_restores": int, "store_restores": int, "expiry": bool}
RUN = {"seconds": float, "threads": int, "peak_memory_bytes": int}
PROPERTY = {"name": str, "verdict": str, "vacuous": bool, "trace_length": (int, type(None)),
            "trace": (list, type(None)), "witness_length": (int, type(None)), "witness": (list, type(None))}
ONLY_WITH_A_TRACE = {"why_bad": str, "boundary": str, "held": list}
STEP = {"step": int, "worker": (str, type(None)), "action": str, "component": str, "grant": (dict, type(None)),
        "token": (int, type(None)), "sent": dict, "before": dict, "after": dict, "guards": list,
        "answer": (str, type(None)), "wrote": list, "violates": list, "handles": list}
ONLY_OF_WORKERS = {"memory": dict}
GRANT = {"name": str, "lease": int, "issued_at_step": int}
GUARD = {"name": str, "passed": bool}


class Json(CliTest):
    def has_members(self, value: Any, members: dict[str, Any], what: str) -> None:
        """Sees that an object has exactly these members, each of its type."""
        self.assertEqual(list(value), list(members), what)
        for name, kind in members.items():
            right = isinstance(value[name], kind) and (kind is not int or not isinstance(value[name], bool))
            self.assertTrue(right, f"{what}: {name} is {value[name]!r}")

    def check_step(self, step: Any, number: int, known: dict[str, Any]) -> None:
        what = f"step {number}: {step}"
        self.assertEqual(step["step"], number, what)
        members = dict(STEP)
        if "arrived" in step:  # a request that was under way: nobody waits for it, and it has a lease and an answer
            names = list(members)
            names.insert(names.index("component"), "arrived")
            members = {name: {**STEP, "arrived": str}[name] for name in names}
        elif step["worker"] is None:
            self.assertEqual((step["grant"], step["token"], step["sent"], step["answer"], step["guards"]),
                             (None, None, {}, None, []), what)
        else:
            self.assertRegex(step["worker"], "^([A-F]|[a-z][a-z ]+)$")
            self.assertIn(step["answer"], ("next", "accepted", "granted", "stale", "refused", "unknown", "again", None),
                          what)
            names = list(members)
            names.insert(names.index("guards"), "memory")
            members = {name: {**STEP, **ONLY_OF_WORKERS}[name] for name in names}
            if step["grant"] is not None:  # a worker may do something before it is granted anything
                self.has_members(step["grant"], GRANT, what)
                self.assertLessEqual(step["grant"]["issued_at_step"], number)
                self.assertTrue(step["grant"]["name"].endswith(f"#{step['grant']['lease']}"))
                # A lease is told with the same words wherever it comes up.
                grant = (step["grant"], step["token"])
                self.assertEqual(known.setdefault(step["grant"]["name"], grant), grant)
        self.has_members(step, members, what)
        self.assertEqual(list(step["before"]), (step["component"].split(" + ") if step["component"] else []), what)
        self.assertEqual(list(step["after"]), list(step["before"]), what)
        for guard in step["guards"]:
            self.has_members(guard, GUARD, what)
        for name in step["violates"] + step["handles"]:
            self.assertRegex(name, "^[a-z-]+$")

    def check_steps(self, steps: Any, length: int, name: str, last: str) -> None:
        self.assertEqual(len(steps), length)
        known: dict[str, Any] = {}
        for number, step in enumerate(steps, 1):
            self.check_step(step, number, known)
        if name in ("lock-becomes-free", "settles-in-the-end") and last == "violates":
            return  # no step breaks it: what counts is where the states after the run can lead
        self.assertIn(name, steps[-1][last])
        for step in steps[:-1]:
            self.assertNotIn(name, step[last], "a shorter run would have done")

    def check_property(self, each: Any) -> None:
        traced = each["trace"] is not None
        self.has_members(each, {**PROPERTY, **(ONLY_WITH_A_TRACE if traced else {})}, each["name"])
        self.assertIn(each["verdict"], ("holds", "violated", "unknown", "not-applicable"))
        self.assertEqual(traced, each["verdict"] == "violated")
        self.assertEqual(each["witness"] is not None, each["verdict"] == "holds" and not each["vacuous"])
        self.assertFalse(each["vacuous"] and each["verdict"] != "holds")
        for kind, last in (("trace", "violates"), ("witness", "handles")):
            if each[kind] is None:
                self.assertIsNone(each[f"{kind}_length"])
            else:
                self.check_steps(each[kind], each[f"{kind}_length"], each["name"], last)

    def check_report(self, report: Any) -> None:
        self.has_members(report, REPORT, "report")
        others = {name: int for name in report["bounds"] if name not in BOUNDS}
        self.has_members(report["bounds"], {**BOUNDS, **others}, "bounds")
        self.assertNotIn(0, [report["bounds"][name] for name in others])
        self.has_members(report["run"], RUN, "run")
        self.assertIn(report["symmetry"], ("on", "off"))
        self.assertTrue(all(isinstance(each, str) for each in report["switches"].values()))
        self.assertTrue(all(isinstance(each, int) for each in report["actions"].values()))
        self.assertEqual([each["name"] for each in report["properties"]][:5], PROPERTIES)
        for each in report["properties"]:
            self.check_property(each)

    def test_every_design(self) -> None:
        reports = self.report("--all")["designs"]
        self.assertGreaterEqual(len(reports), 12)
        for report in reports:
            with self.subTest(report["design"]):
                self.check_report(report)
                self.assertEqual((report["complete"], report["stopped_by"]), (True, None))

    def test_one_design_is_no_list(self) -> None:
        for limit, code in ((), VIOLATED), (("--max-depth", "3"), UNKNOWN), (("--symmetry", "off"), VIOLATED):
            self.check_report(self.report("fixed-path-file", *limit, code=code))

    def test_a_grant_is_named_with_when_it_was_issued(self) -> None:
        report = self.report("unfenced-row", "--property", "no-stale-write", code=VIOLATED)
        last = report["properties"][0]["trace"][-1]
        self.assertEqual((last["worker"], last["grant"], last["token"]),
                         ("A", {"name": "A#1", "lease": 1, "issued_at_step": 1}, 1))
        self.assertEqual(last["sent"], {"token": 1, "handle": "A#1", "value": "A#1"})
        self.assertEqual((last["before"], last["after"]), ({"store": {"value": "B#2"}}, {"store": {"value": "A#1"}}))
        self.assertEqual((last["answer"], last["wrote"]), ("accepted", ["store"]))

    def test_actions_add_up_to_transitions(self) -> None:
        for symmetry in ("on", "off"):
            report = self.report("issuer-restored-as-is", "--symmetry", symmetry, code=VIOLATED)
            self.assertEqual(sum(report["actions"].values()), report["transitions"])

    def test_it_ends_with_a_line_break_and_is_alone_on_standard_output(self) -> None:
        result = self.run_in_folder("check", "unfenced-row", "--format", "json", "--trace", "run.json",
                                    "--junit", "out.xml", "--color", "always", "--witness")
        self.check_report(result.json())
        self.assertTrue(result.out.endswith("}\n"))
        self.assertNotIn("\x1b", result.out)


class JUnit(CliTest):
    def suites(self, *arguments: str, code: int) -> list[ElementTree.Element]:
        result = self.run_in_folder("check", *arguments, "--junit", "out.xml")
        self.assertEqual(result.code, code, str(result))
        root = ElementTree.parse(self.folder / "out.xml").getroot()
        self.assertEqual((root.tag, root.get("name")), ("testsuites", "fencecheck"))
        for suite in root:
            kinds = [child.tag for case in suite for child in case]
            self.assertEqual([suite.get(name) for name in ("tests", "failures", "errors", "skipped")],
                             [str(len(suite))] + [str(kinds.count(kind)) for kind in ("failure", "error", "skipped")])
            for case in suite:
                self.assertEqual(case.get("classname"), suite.get("name"))
        return list(root)

    def outcomes(self, *arguments: str, code: int) -> dict[str, str]:
        """The outcome of each case of the only suite."""
        suite, = self.suites(*arguments, code=code)
        return {str(case.get("name")): case[0].tag if len(case) else "passed" for case in suite}

    def test_a_case_for_each_property(self) -> None:
        self.assertEqual(self.outcomes("unfenced-row", code=VIOLATED),
                         {"no-stale-write": "failure", "no-foreign-release": "passed",
                          "successor-fences-at-issue": "failure", "newest-never-rejected": "passed",
                          "tokens-increase": "passed"})

    def test_a_failure_tells_the_story(self) -> None:
        suite, = self.suites("unfenced-row", "--property", "no-stale-write", code=VIOLATED)
        failure = suite[0][0]
        self.assertEqual(failure.get("message"), "violated in 5 steps: The store accepted A's write under A#1, "
                                                 "although it had accepted one under the newer B#2 in step 4.")
        self.assertIn("  5 !!  write", str(failure.text))
        text = self.succeeds("check", "unfenced-row", "--property", "no-stale-write", code=VIOLATED).out
        self.assertIn(str(failure.text), text)

    def test_unknown_is_an_error(self) -> None:
        self.assertEqual(self.outcomes("fenced-row", "--max-depth", "3", "--property", "no-stale-write", code=UNKNOWN),
                         {"no-stale-write": "error"})
        text = (self.folder / "out.xml").read_text(encoding="utf-8")
        self.assertIn('message="unknown: stopped by max-depth"', text)

    def test_walks_are_no_pass(self) -> None:
        self.assertEqual(self.outcomes("register-with-grant", "--simulate", "5", "--property", "no-stale-write",
                                       code=UNKNOWN), {"no-stale-write": "error"})

    def test_not_applicable_is_skipped(self) -> None:
        self.assertEqual(self.outcomes("first-version-wins", "--property", "tokens-increase", code=0),
                         {"tokens-increase": "skipped"})

    def test_expectations_decide_as_they_decide_on_the_exit_code(self) -> None:
        outcomes = self.outcomes("unfenced-row", "--expect", "no-stale-write=violated", code=0)
        self.assertEqual(outcomes, {"no-stale-write": "passed", "no-foreign-release": "passed",
                                    "successor-fences-at-issue": "skipped", "newest-never-rejected": "passed",
                                    "tokens-increase": "passed"})
        suite, = self.suites("fenced-row", "--expect", "no-stale-write=violated", "--property", "no-stale-write",
                             code=USAGE)
        self.assertEqual(suite[0][0].get("message"), "holds, but expected violated")

    def test_the_catalogue_passes(self) -> None:
        suites = self.suites("--all", code=0)
        self.assertEqual([suite.get("name") for suite in suites],
                         [each["design"] for each in self.report("--all")["designs"]])
        for suite in suites:
            self.assertEqual((suite.get("failures"), suite.get("errors")), ("0", "0"), suite.get("name"))

    def test_it_comes_beside_text_and_json(self) -> None:
        for form in ("text", "json"):
            alone = self.run_in_folder("check", "fixed-path-file", "--format", form).out.partition('"run"')[0]
            beside = self.run_in_folder("check", "fixed-path-file", "--format", form, "--junit", "out.xml").out
            self.assertEqual(beside.partition('"run"')[0], alone)


class JUnitSchema(CliTest):
    """The schema is tried with xmllint (Debian: libxml2-utils), which is not everywhere."""

    def setUp(self) -> None:
        super().setUp()
        if shutil.which("xmllint") is None:
            self.skipTest("no xmllint: install libxml2-utils to have JUnit files checked with junit.xsd")

    def lint(self, name: str) -> tuple[int, str]:
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", str(SCHEMA), name], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, encoding="utf-8")
        return done.returncode, done.stdout

    def test_what_is_written_fits(self) -> None:
        for number, arguments in enumerate((["--all"], ["unfenced-row", "first-version-wins"],
                                            ["fenced-row", "--max-depth", "3"], ["core", "--simulate", "10"],
                                            ["unfenced-row", "--expect", "no-stale-write=violated"],
                                            ["fenced-row", "--expect", "no-stale-write=violated"])):
            self.run_in_folder("check", *arguments, "--junit", f"{number}.xml")
            self.assertEqual(self.lint(f"{number}.xml"), (0, f"{number}.xml validates\n"))

    def test_the_schema_refuses_what_is_wrong(self) -> None:
        self.run_in_folder("check", "unfenced-row", "--junit", "good.xml")
        self.assertEqual(self.lint("good.xml"), (0, "good.xml validates\n"))
        good = (self.folder / "good.xml").read_text(encoding="utf-8")
        for right, wrong in ((' tests="5"', ""), (' tests="5"', ' tests="five"'), ("<failure ", "<broken "),
                             ("</failure>", "<b/></failure>"), (' time="0"', ' time="-1"'),
                             (' name="tokens-increase"', ' name="no-stale-write"'), ("</testsuite>", "")):
            broken = good.replace(right, wrong, 1)
            if right == "<failure ":
                broken = broken.replace("</failure>", "</broken>", 1)
            self.assertNotEqual(broken, good, right)
            (self.folder / "broken.xml").write_text(broken, encoding="utf-8")
            self.assertNotEqual(self.lint("broken.xml")[0], 0, f"{right} -> {wrong}")


class Files(CliTest):
    """Files are replaced whole, and stay what they were in all but their content."""

    def junit(self, name: str) -> None:
        self.assertEqual(self.run_in_folder("check", "register-with-grant", "--junit", name).code, 0)

    def is_junit(self, path: Path) -> None:
        self.assertEqual(ElementTree.parse(path).getroot().tag, "testsuites")

    def test_a_longer_file_is_replaced_whole(self) -> None:
        old = self.folder / "out.xml"
        old.write_text("old\n" * 100_000, encoding="utf-8")
        self.junit("out.xml")
        self.is_junit(old)
        self.assertEqual(list(self.files()), ["out.xml"])

    def test_its_permissions_stay(self) -> None:
        old = self.folder / "out.xml"
        old.write_text("old", encoding="utf-8")
        old.chmod(0o640)
        self.junit("out.xml")
        self.assertEqual(old.stat().st_mode & 0o777, 0o640)

    def test_a_new_file_has_the_permissions_of_any_new_file(self) -> None:
        self.junit("out.xml")
        (self.folder / "other").write_text("", encoding="utf-8")
        self.assertEqual((self.folder / "out.xml").stat().st_mode, (self.folder / "other").stat().st_mode)

    def test_a_link_stays_a_link(self) -> None:
        (self.folder / "real.xml").write_text("old", encoding="utf-8")
        (self.folder / "out.xml").symlink_to("real.xml")
        self.junit("out.xml")
        self.assertTrue((self.folder / "out.xml").is_symlink())
        self.is_junit(self.folder / "real.xml")

    def test_a_device(self) -> None:
        result = self.run_in_folder("check", "register-with-grant", "--junit", "/dev/stdout")
        self.assertTrue(result.out.endswith("</testsuites>\n"))

    def test_nothing_is_left_behind(self) -> None:
        self.run_in_folder("check", "unfenced-row", "--junit", "out.xml", "--trace", "run.json")
        self.assertEqual(list(self.files()), ["out.xml", "run.json"])


class SeveralDesigns(CliTest):
    def test_in_the_order_asked_for(self) -> None:
        report = self.report("unfenced-row", "core", "ask-then-write", code=VIOLATED)
        self.assertEqual(list(report), ["designs"])
        self.assertEqual([each["design"] for each in report["designs"]], ["unfenced-row", "core", "ask-then-write"])

    def test_each_is_what_it_is_alone(self) -> None:
        both = self.report("unfenced-row", "core", code=VIOLATED)["designs"]
        alone = self.report("core", code=VIOLATED)
        self.assertEqual((both[1]["actions"], verdicts(both[1])), (alone["actions"], verdicts(alone)))


if __name__ == "__main__":
    main()
