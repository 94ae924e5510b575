// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import Raster

@Suite struct ThreadPoolTests {
  /// The numbers of those who took part, each as often as it did.
  private final class Log: Sendable {
    let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test(arguments: [1, 2, 4, 9])
  func `all parts of a work are done once, by whoever comes`(_ width: Int) {
    let pool = ThreadPool(width: width)
    for _ in 0..<2000 {
      let next = Atomic(0)
      let done = Atomic(0)
      let log = Log()
      pool.run(on: width) { number in
        log.add(number)
        while next.wrappingAdd(1, ordering: .relaxed).oldValue < 50 {
          done.wrappingAdd(1, ordering: .relaxed)
        }
      }
      // Nobody is at work any more.
      #expect(done.load(ordering: .relaxed) == 50)
      let numbers = log.numbers.withLock { $0 }
      #expect(Set(numbers).count == numbers.count && numbers.allSatisfy { $0 < width })
      #expect(numbers.contains(0))
    }
  }

  @Test func `the others come, too`() {
    let pool = ThreadPool(width: 4)
    // Each waits for all of them.
    let here = Atomic(0)
    pool.run(on: 4) { _ in
      here.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while here.load(ordering: .sequentiallyConsistent) < 4 {}
    }
    #expect(here.load(ordering: .relaxed) == 4)
  }

  @Test func `no more than are asked for take part`() {
    let pool = ThreadPool(width: 4)
    for count in 1...6 {
      let log = Log()
      for _ in 0..<200 { pool.run(on: count) { log.add($0) } }
      #expect(log.numbers.withLock { $0.allSatisfy { $0 < min(count, 4) } })
    }
  }

  @Test func `pools come and go`() {
    for _ in 0..<200 {
      let done = Atomic(0)
      ThreadPool(width: 3).run(on: 3) { _ in done.wrappingAdd(1, ordering: .relaxed) }
      #expect(done.load(ordering: .relaxed) >= 1)
    }
  }
}
