// SPDX-License-Identifier: MIT

@testable import RoundelSuites
import Testing

@Suite struct ReportTests {
  private func result(_ name: String, _ outcome: TestResult.Outcome) -> TestResult {
    TestResult(
      suite: "s & t",
      test: TestCase(
        name: name, line: 1, tags: [], timeout: 1, seed: 0, isHeadlessOnly: false, steps: []),
      outcome: outcome, seconds: 0.0125, notes: name == "noted" ? ["look\nhere"] : [])
  }

  private var results: [TestResult] {
    [
      result("passes #1", .passed),
      result(
        "fails",
        .failed(TestFailure(file: "s.yaml", line: 3, column: 9, message: "a < \"b\"\n\u{1}"))),
      result("skips", .skipped("no reason")), result("noted", .passed),
    ]
  }

  @Test func `TAP has a line per test, a block per failure, and a directive per skip`() {
    var tap = TAP()
    let text =
      tap.head(count: 4) + results.map { tap.lines($0, artifacts: "seen") }.joined()
      + tap.bailOut("gone\naway")
    #expect(
      text == """
        TAP version 14
        1..4
        ok 1 - s & t: passes \\#1
        not ok 2 - s & t: fails
          ---
          message: "a < \\"b\\"\\n\\u0001"
          at: "s.yaml:3:9"
          artifacts: "seen"
          duration_ms: 12.500
          ...
        ok 3 - s & t: skips # SKIP no reason
        # look here
        ok 4 - s & t: noted
        Bail out! gone away

        """)
  }

  @Test func `JUnit has totals, and escapes characters that XML can't contain`() {
    #expect(
      JUnit.xml(results, bailOut: "gone") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="5" failures="1" errors="1" skipped="1" time="0.050">
          <testsuite name="s &amp; t" tests="4" failures="1" errors="0" skipped="1" time="0.050">
            <testcase classname="s &amp; t" name="passes #1" time="0.013"/>
            <testcase classname="s &amp; t" name="fails" time="0.013">
              <failure message="a &lt; &quot;b&quot;&#10;\\u{1}">s.yaml:3:9: a &lt; &quot;b&quot;&#10;\\u{1}</failure>
            </testcase>
            <testcase classname="s &amp; t" name="skips" time="0.013">
              <skipped message="no reason"/>
            </testcase>
            <testcase classname="s &amp; t" name="noted" time="0.013">
              <system-out>look&#10;here</system-out>
            </testcase>
          </testsuite>
          <testsuite name="kiosk" tests="1" failures="0" errors="1" skipped="0" time="0.000">
            <testcase classname="kiosk" name="answers" time="0.000">
              <error message="gone"/>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func `the human-readable report has the suite once, each test, and a total`() {
    var report = TestReport(.humanReadable, count: 5)
    #expect(report.head == "")
    let text = results.map { report.add($0, artifacts: "seen") }.joined() + report.end("gone")
    #expect(
      text == """
        s & t
          ok    passes #1 (12.5 ms)
          FAIL  fails (12.5 ms)
                s.yaml:3:9: a < "b"
        \u{1}
                see seen
          skip  skips: no reason
          ok    noted (12.5 ms)
                look
        here

        2 passed, 1 failed, 1 skipped, 1 not done in 0.05 s

        """)
  }

  @Test func `programs read TAP, or one object per line`() throws {
    var tap = TestReport(.tap, count: 1)
    #expect(tap.head.hasPrefix("TAP version 14"))
    #expect(tap.add(results[0], artifacts: nil) == "ok 1 - s & t: passes \\#1\n")
    #expect(tap.end("gone") == "Bail out! gone\n")
    var json = TestReport(.json, count: 1)
    #expect(
      json.add(results[2], artifacts: "seen")
        == #"{"suite":"s & t","test":"skips","outcome":"skipped","message":"no reason","#
        + #""seconds":0.0125,"artifacts":"seen"}"# + "\n")
    #expect(json.head == "" && json.end("gone") == "")
  }
}
