#include <fencecheck/report/junit.h>

#include <fmt/core.h>

#include <algorithm>

namespace fencecheck {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        // Control characters other than these two cannot stand in XML 1.0 at all.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::size_t count(const JUnitSuite& suite, JUnitCase::Outcome outcome) {
  return static_cast<std::size_t>(std::count_if(suite.cases.begin(), suite.cases.end(),
                                                [&](const JUnitCase& each) { return each.outcome == outcome; }));
}

std::string xml_of(const JUnitCase& each, const std::string& suite) {
  std::string out =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", escaped(suite), escaped(each.name));
  switch (each.outcome) {
    case JUnitCase::Outcome::passed: return out + "/>\n";
    case JUnitCase::Outcome::skipped:
      return out + fmt::format("><skipped message=\"{}\"/></testcase>\n", escaped(each.message));
    case JUnitCase::Outcome::failed:
      return out + fmt::format(">\n      <failure message=\"{}\" type=\"violated\">{}</failure>\n    </testcase>\n",
                               escaped(each.message), escaped(each.details));
    case JUnitCase::Outcome::error: break;
  }
  return out + fmt::format(">\n      <error message=\"{}\" type=\"unknown\">{}</error>\n    </testcase>\n",
                           escaped(each.message), escaped(each.details));
}

}  // namespace

std::string junit_report(const std::vector<JUnitSuite>& suites) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fencecheck\">\n";
  for (const JUnitSuite& suite : suites) {
    out += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
        escaped(suite.name), suite.cases.size(), count(suite, JUnitCase::Outcome::failed),
        count(suite, JUnitCase::Outcome::error), count(suite, JUnitCase::Outcome::skipped), suite.seconds);
    for (const JUnitCase& each : suite.cases) out += xml_of(each, suite.name);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace fencecheck
