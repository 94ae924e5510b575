// SPDX-License-Identifier: MIT

package import RoundelMotion

package struct TestRunner {
  private let bench: any TestBench
  private let goldens: any GoldenStore
  private let updates: Bool
  private let clock: () -> Timestamp

  /// With `updates`, writes missing and different pictures, but their tests still fail.
  package init(
    at bench: any TestBench, goldens: any GoldenStore, updates: Bool = false,
    clock: @escaping () -> Timestamp
  ) {
    self.bench = bench
    self.goldens = goldens
    self.updates = updates
    self.clock = clock
  }

  package func run(_ test: TestCase, of suite: TestSuite) throws(BenchError) -> TestResult {
    let start = clock()
    if test.isHeadlessOnly, !bench.isExact {
      return TestResult(
        suite: suite.name, test: test, outcome: .skipped("only runs headless"))
    }
    var run = TestRun(
      test, of: suite, at: bench, goldens: PictureCheck(suite, goldens, updates: updates))
    let failure = try run.run()
    if failure != nil { try run.keepEvidence() }
    do throws(BenchError) {
      try bench.end()
    } catch .refused {
      // The next test cancels remaining touches.
    }
    return TestResult(
      suite: suite.name, test: test, outcome: failure.map { .failed($0) } ?? .passed,
      seconds: clock() - start, notes: run.notes, artifacts: run.artifacts)
  }
}
