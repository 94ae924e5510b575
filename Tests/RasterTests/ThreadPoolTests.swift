// SPDX-License-Identifier: MIT

import Synchronization
import TestSupport
import Testing

@testable import RoundelRaster

@Suite struct ThreadPoolTests {
  /// The numbers of the participating threads.
  private final class Log: Sendable {
    let numbers = Mutex<[Int]>([])
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  @Test(arguments: [1, 2, 4, 9])
  func `all parts of a job are done once, by any threads`(_ width: Int) {
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
      // No thread is still working.
      #expect(done.load(ordering: .relaxed) == 50)
      let numbers = log.numbers.withLock { $0 }
      #expect(Set(numbers).count == numbers.count && numbers.allSatisfy { $0 < width })
      #expect(numbers.contains(0))
    }
  }

  @Test func `all threads of the pool take part`() {
    let pool = ThreadPool(width: 4)
    // Each thread waits for all others.
    let here = Atomic(0)
    pool.run(on: 4) { _ in
      here.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while here.load(ordering: .sequentiallyConsistent) < 4 {}
    }
    #expect(here.load(ordering: .relaxed) == 4)
  }

  @Test func `no more threads than requested take part`() {
    let pool = ThreadPool(width: 4)
    for count in 1...6 {
      let log = Log()
      for _ in 0..<200 { pool.run(on: count) { log.add($0) } }
      #expect(log.numbers.withLock { $0.allSatisfy { $0 < min(count, 4) } })
    }
  }

  @Test func `pools can be created and released repeatedly`() {
    for _ in 0..<200 {
      let done = Atomic(0)
      ThreadPool(width: 3).run(on: 3) { _ in done.wrappingAdd(1, ordering: .relaxed) }
      #expect(done.load(ordering: .relaxed) >= 1)
    }
  }
}
