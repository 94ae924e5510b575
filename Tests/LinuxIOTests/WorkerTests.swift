// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelMotion
import Testing

@Suite struct WorkerTests {
  private func run(_ loop: EventLoop, until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 60
    while !condition() {
      if MonotonicClock.now > end { return false }
      try loop.turn(until: MonotonicClock.now + 0.01)
    }
    return true
  }

  @Test func `work runs in order on another thread, and completes on the loop's`() throws {
    let loop = try EventLoop()
    let worker = try Worker(on: loop)
    let here = UInt(pthread_self())
    var results: [Int] = []
    var isElsewhere = true
    for number in 0..<100 {
      worker.run {
        (number, UInt(pthread_self()))
      } whenDone: { result in
        results.append(result.0)
        isElsewhere = isElsewhere && result.1 != here && UInt(pthread_self()) == here
      }
    }
    #expect(results.isEmpty)
    #expect(worker.load == 100)
    #expect(try run(loop) { results.count == 100 })
    #expect(results == Array(0..<100))
    #expect(isElsewhere)
    #expect(worker.load == 0)
  }

  @Test func `a completion handler may add more work`() throws {
    let loop = try EventLoop()
    let worker = try Worker(on: loop)
    var result = 0
    worker.run {
      20
    } whenDone: { first in
      worker.run {
        first + 1
      } whenDone: {
        result = $0
      }
    }
    #expect(try run(loop) { result == 21 })
  }

  @Test func `the thread blocks signals`() throws {
    let loop = try EventLoop()
    let worker = try Worker(on: loop)
    var isBlocked: Bool?
    worker.run {
      var set = sigset_t()
      // Both calls only read or fill a local.
      unsafe pthread_sigmask(SIG_BLOCK, nil, &set)
      return unsafe sigismember(&set, SIGTERM) == 1 && sigismember(&set, SIGINT) == 1
    } whenDone: {
      isBlocked = $0
    }
    #expect(try run(loop) { isBlocked != nil })
    #expect(isBlocked == true)
  }

  @Test func `a released worker finishes its work`() throws {
    let loop = try EventLoop()
    var ends: [CInt] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    let output = OwnedDescriptor(adopting: ends[0])
    let input = OwnedDescriptor(adopting: ends[1])
    let number = input.rawValue
    for _ in 0..<50 {
      let worker = try Worker(on: loop)
      for _ in 0..<4 {
        worker.run {
          // The pipe outlives the work: the test reads a byte per job below.
          _ = unsafe write(number, "x", 1)
        } whenDone: {
        }
      }
    }
    var count = 0
    var entry = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
    // The entry is a local.
    while count < 200, unsafe poll(&entry, 1, 20_000) > 0 {
      count += try output.receive(upTo: 200).count
    }
    #expect(count == 200)
    // Keeps the input open until here.
    _ = input.rawValue
  }

  @Test func `a worker can be released while it works`() throws {
    let loop = try EventLoop()
    for _ in 0..<100 {
      let worker = try Worker(on: loop)
      worker.run {
        1
      } whenDone: { _ in
        Issue.record("the worker has gone")
      }
    }
    try loop.turn(until: .zero)
  }
}
