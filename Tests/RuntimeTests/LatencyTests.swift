// SPDX-License-Identifier: MIT

import RoundelRuntime
import TestSupport
import Testing

@Suite struct LatencyTests {
  @Test func `quantiles are within three percent of the exact values`() {
    var random = SeededGenerator(seed: 9)
    var histogram = Histogram()
    var all: [Double] = []
    for _ in 0..<20_000 {
      let seconds =
        Double.random(in: 0...1, using: &random) * Double.random(in: 0...0.2, using: &random)
      histogram.add(seconds)
      all.append(seconds)
    }
    all.sort()
    for share in [0.01, 0.5, 0.95, 0.99, 0.999] {
      let exact = all[Int((share * Double(all.count)).rounded(.up)) - 1]
      let found = histogram.quantile(share) ?? 0
      #expect(abs(found - exact) <= exact * 0.032 + 1e-6, "\(share): \(found) for \(exact)")
    }
    #expect(histogram.worst == all.last)
    #expect(histogram.quantile(1) == all.last)
    #expect(histogram.count == 20_000)
  }

  @Test func `durations up to a bound are counted to within three percent`() {
    var random = SeededGenerator(seed: 10)
    var histogram = Histogram()
    var all: [Double] = []
    for _ in 0..<10_000 {
      let share = Double.random(in: 0...1, using: &random)
      all.append(share * share * share * share * 10)
      histogram.add(all[all.count - 1])
    }
    for bound in [0, 1e-5, 0.001, 0.0167, 0.1, 1, 20] {
      let counted = histogram.count(upTo: bound)
      #expect(counted >= all.count { $0 <= bound })
      #expect(counted <= all.count { $0 <= bound * 1.032 + 1e-6 })
    }
    #expect(histogram.count(upTo: .infinity) == histogram.count)
    #expect(abs(histogram.sum - all.reduce(0, +)) < 1e-6 * histogram.sum)
  }

  @Test func `any value is counted`() {
    var histogram = Histogram()
    for seconds in [0, -1, .nan, .infinity, 1e300, 63e-6, 64e-6, 65e-6, 4294] {
      histogram.add(seconds)
    }
    #expect(histogram.count == 9)
    #expect(histogram.quantile(0) == 1e-6)
    #expect(histogram.worst == 4000)
    #expect(Histogram().quantile(0.5) == nil)
  }

  @Test func `stages are measured separately`() {
    var latency = Latency()
    latency.record(.paint, seconds: 0.002)
    latency.record(.total, seconds: 0.02)
    #expect(latency[.paint].count == 1 && latency[.paint].worst == 0.002)
    #expect(latency[.commitToFlip].count == 0)
  }
}
