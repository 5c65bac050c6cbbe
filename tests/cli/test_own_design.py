"""`cmake --install`, and examples/own_design as a project of its own that finds the installed package."""

from harness import PROPERTIES, SOURCE, InstalledTest, main, run, verdicts


class OwnDesign(InstalledTest):
    def test_it_builds_checks_and_tests(self) -> None:
        build = self.folder / "build"
        self.configure_and_build(SOURCE / "examples" / "own_design", build)
        result = run("check", "--format", "json", program=str(build / "my-store"))
        self.assertEqual((result.code, result.err), (12, ""))
        report = result.json()
        self.assertEqual((report["design"], report["complete"], report["switches"]), ("my-store", True, {}))
        self.assertEqual(verdicts(report)["no-stale-write"], "holds")
        self.assertEqual(list(verdicts(report)), PROPERTIES)
        out = self.tool("ctest", "--test-dir", str(build), "--output-on-failure")
        self.assertIn("100% tests passed", out)

    def test_what_is_installed(self) -> None:
        """Every header is there that an installed header includes, and the command is the one that was built."""
        headers = self.prefix / "include" / "fencecheck"
        self.assertTrue((headers / "fencecheck.h").is_file())
        for header in headers.rglob("*.h"):
            for line in header.read_text(encoding="utf-8").splitlines():
                if line.startswith("#include <fencecheck/"):
                    included = line.removeprefix("#include <fencecheck/").removesuffix(">")
                    self.assertTrue((headers / included).is_file(), f"{header}: {line}")
        installed = run("list", program=str(self.prefix / "bin" / "fencecheck"))
        self.assertEqual(installed.out, run("list").out)

    def test_nothing_of_the_build_is_named_in_the_package(self) -> None:
        for file in self.prefix.rglob("*.cmake"):
            text = file.read_text(encoding="utf-8")
            self.assertNotIn(str(SOURCE), text, str(file))


if __name__ == "__main__":
    main()
