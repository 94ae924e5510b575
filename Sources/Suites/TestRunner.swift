// SPDX-License-Identifier: MIT

package import Motion

/// Does tests at a bench, one after the other.
package struct TestRunner {
  private let bench: any TestBench
  private let goldens: any GoldenStore
  private let updates: Bool
  private let clock: () -> Timestamp

  /// Expected pictures that are missing or different are written where `updates` says so; their tests fail all
  /// the same. `clock` is the one on the wall.
  package init(
    at bench: any TestBench, goldens: any GoldenStore, updates: Bool = false,
    clock: @escaping () -> Timestamp
  ) {
    self.bench = bench
    self.goldens = goldens
    self.updates = updates
    self.clock = clock
  }

  /// Does a test; throws where there is no kiosk any more.
  package func run(_ test: TestCase, of suite: TestSuite) throws(BenchError) -> TestResult {
    let start = clock()
    if test.isHeadlessOnly, !bench.isExact {
      return TestResult(
        suite: suite.name, test: test, outcome: .skipped("makes sense headless only"))
    }
    var run = TestRun(
      test, of: suite, at: bench, goldens: PictureCheck(suite, goldens, updates: updates))
    let failure = try run.run()
    if failure != nil { try run.keepEvidence() }
    do throws(BenchError) {
      try bench.end()
    } catch .refused {
      // Fingers that cannot be lifted are lifted when the next test begins.
    }
    return TestResult(
      suite: suite.name, test: test, outcome: failure.map { .failed($0) } ?? .passed,
      seconds: clock() - start, notes: run.notes, artifacts: run.artifacts)
  }
}
