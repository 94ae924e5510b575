// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Motion
import SystemPackage
import Testing

/// A pair of connected sockets; what is written to `far` can be read from `near`.
struct SocketPair: ~Copyable {
  let near: OwnedDescriptor
  let far: OwnedDescriptor

  init() {
    var numbers: (CInt, CInt) = (-1, -1)
    unsafe withUnsafeMutablePointer(to: &numbers) {
      unsafe $0.withMemoryRebound(to: CInt.self, capacity: 2) {
        _ = unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, $0)
      }
    }
    near = OwnedDescriptor(adopting: numbers.0)
    far = OwnedDescriptor(adopting: numbers.1)
  }

  func send(_ byte: UInt8 = 1) {
    _ = unsafe write(far.rawValue, [byte], 1)
  }

  func receive() -> Int? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) {
      try? unsafe near.read(into: $0)
    }
  }
}

/// How many descriptors this process has open.
func openDescriptors() -> Int {
  guard let stream = unsafe opendir("/proc/self/fd") else { return -1 }
  defer { unsafe closedir(stream) }
  var count = 0
  while unsafe readdir(stream) != nil { count += 1 }
  return count
}

@Suite struct EventLoopTests {
  @Test func `what is not read is reported again`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var calls = 0
    let watch = try loop.watch(pair.near.rawValue) { _ in calls += 1 }
    pair.send()
    try loop.turn()
    try loop.turn()
    #expect(calls == 2)
    withExtendedLifetime(watch) {}
  }

  @Test func `a watch and a timer end when their tokens are released`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var calls = 0
    var tokens = [
      try loop.watch(pair.near.rawValue) { _ in calls += 1 },
      loop.schedule(at: .zero) { calls += 1 },
    ]
    pair.send()
    try loop.turn()
    #expect(calls == 2)
    tokens = [
      tokens[0], loop.schedule(at: MonotonicClock.now + 0.001) { calls += 1 },
    ]
    tokens = []
    try loop.turn(until: MonotonicClock.now + 0.002)
    #expect(calls == 2)
  }

  @Test func `a handler may own the token of another one and outlive its loop`() throws {
    var loop: EventLoop? = try EventLoop()
    final class Owner { var token: EventLoop.Token? }
    let owner = Owner()
    for _ in 0..<3 {
      let inner = owner.token
      owner.token = loop?.schedule(at: MonotonicClock.now + 100) { withExtendedLifetime(inner) {} }
    }
    // Releases one timer after the other, each from within the release of the one before.
    owner.token = nil
    owner.token = loop?.schedule(at: .zero) {}
    loop = nil
    owner.token = nil
  }

  @Test func `a patient watch causes no wake-up during the quiet`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var calls = 0
    var token: EventLoop.Token? = try loop.watch(pair.near.rawValue, patiently: true) { readiness in
      calls += 1
      if readiness.contains(.readable) { _ = pair.receive() }
    }
    for _ in 0..<2 {
      pair.send()
      let end = MonotonicClock.now + 0.02
      loop.quietUntil = end
      try loop.turn()
      #expect(MonotonicClock.now >= end)
    }
    #expect(calls == 2 && loop.wakeUps == 2)
    // When it is over, and where it was never set.
    for end in [MonotonicClock.now, nil] {
      pair.send()
      loop.quietUntil = end
      try loop.turn(until: MonotonicClock.now + 10)
    }
    #expect(calls == 4 && loop.wakeUps == 4)
    try loop.change(#require(token), to: .writable)
    try loop.turn()
    #expect(calls == 5)
    token = nil
    try loop.turn(until: MonotonicClock.now)
    #expect(calls == 5)
  }

  @Test func `all that is ready is reported, whatever ends the quiet`() throws {
    let loop = try EventLoop()
    let patient = SocketPair()
    let other = SocketPair()
    var calls: [String] = []
    let watch = try loop.watch(patient.near.rawValue, patiently: true) { _ in
      calls.append("patient")
      _ = patient.receive()
    }
    let otherWatch = try loop.watch(other.near.rawValue) { _ in
      calls.append("other")
      _ = other.receive()
    }
    loop.quietUntil = MonotonicClock.now + 100
    patient.send()
    other.send()
    try loop.turn()
    #expect(calls.sorted() == ["other", "patient"])
    patient.send()
    try loop.turn(until: MonotonicClock.now)
    #expect(calls.count == 3)
    withExtendedLifetime((watch, otherWatch)) {}
  }

  @Test func `a handler that was cancelled earlier in the turn is not called`() throws {
    let loop = try EventLoop()
    let first = SocketPair()
    let second = SocketPair()
    var calls: [Int] = []
    var tokens: [EventLoop.Token?] = []
    tokens.append(
      try loop.watch(first.near.rawValue) { _ in
        calls.append(0)
        tokens[1] = nil
      })
    tokens.append(
      try loop.watch(second.near.rawValue) { _ in
        calls.append(1)
        tokens[0] = nil
      })
    first.send()
    second.send()
    try loop.turn()
    #expect(calls.count == 1)
  }

  @Test func `a descriptor that gets a closed one's number does not get its events`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    let old = SocketPair()
    let new = SocketPair()
    let number = old.near.rawValue
    try withExtendedLifetime(loop.watch(number) { _ in calls.append("old") }) {}
    // Closed and taken again at once: in between, another test of this process could take it.
    #expect(dup2(new.near.rawValue, number) == number)
    let newWatch = try loop.watch(number) { _ in calls.append("new") }
    new.send()
    try loop.turn()
    withExtendedLifetime(newWatch) {}
    #expect(calls == ["new"])
  }

  @Test func `the other side's end is readable`() throws {
    let loop = try EventLoop()
    var near: OwnedDescriptor?
    do {
      let pair = SocketPair()
      near = OwnedDescriptor(adopting: dup(pair.near.rawValue))
    }
    var seen: EventLoop.Readiness = []
    let watch = try loop.watch(near?.rawValue ?? -1) { seen = $0 }
    try loop.turn()
    withExtendedLifetime(watch) {}
    #expect(seen.contains(.readable) && seen.contains(.hungUp))
  }

  @Test func `writable is reported only while it is asked for`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var seen: [EventLoop.Readiness] = []
    let token = try loop.watch(pair.near.rawValue) { seen.append($0) }
    try loop.turn(until: MonotonicClock.now)
    #expect(seen.isEmpty)
    try loop.change(token, to: [.readable, .writable])
    try loop.turn()
    #expect(seen == [.writable])
    withExtendedLifetime(token) {}
  }

  @Test func `timers run in the order of their moments, and each once`() throws {
    let loop = try EventLoop()
    let now = MonotonicClock.now
    var calls: [Int] = []
    loop.perform(at: now + 0.002) { calls.append(2) }
    loop.perform(at: now + 0.001) { calls.append(1) }
    withExtendedLifetime(loop.schedule(at: now + 0.003) { calls.append(3) }) {}
    loop.perform(at: now + 0.004) {
      calls.append(4)
      loop.stop()
    }
    try loop.run()
    #expect(calls == [1, 2, 4])
    #expect(MonotonicClock.now - now >= 0.004)
  }

  @Test func `a timer that another one of the same turn cancels does not run`() throws {
    let loop = try EventLoop()
    var calls = 0
    var later: EventLoop.Token?
    loop.perform(at: .zero) { later = nil }
    later = loop.schedule(at: .zero) { calls += 1 }
    try loop.turn()
    #expect(calls == 0 && later === nil)
  }

  @Test func `a timer for a moment that has passed lets others have their turn`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var again = 0
    func repeatForEver() {
      again += 1
      loop.perform(at: .zero) { repeatForEver() }
    }
    repeatForEver()
    let watch = try loop.watch(pair.near.rawValue) { _ in loop.stop() }
    pair.send()
    try loop.run()
    withExtendedLifetime(watch) {}
    #expect(again < 5)
  }

  @Test func `the caller's deadline is kept, and asked for before each wait`() throws {
    let loop = try EventLoop()
    let start = MonotonicClock.now
    var asked = 0
    try loop.run {
      asked += 1
      if asked == 4 { loop.stop() }
      return start + 0.001 * Double(asked)
    }
    #expect(asked == 4)
    #expect(MonotonicClock.now - start >= 0.003)
    #expect(loop.wakeUps == 3)
  }

  @Test func `an idle loop does not wake up`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    let watch = try loop.watch(pair.near.rawValue) { _ in }
    loop.perform(at: MonotonicClock.now + 0.3) { loop.stop() }
    try loop.run()
    withExtendedLifetime(watch) {}
    #expect(loop.wakeUps == 1)
  }

  @Test func `what was opened is closed, also after a failure`() async {
    // In a process of its own, where nobody else opens anything meanwhile.
    await #expect(processExitsWith: .success) {
      let before = openDescriptors()
      for _ in 0..<10 {
        let loop = try EventLoop()
        let pair = SocketPair()
        _ = try loop.watch(pair.near.rawValue) { _ in }
        #expect(throws: Errno.badFileDescriptor) { try loop.watch(-1) { _ in } }
        #expect(throws: Errno.noSuchFileOrDirectory) {
          _ = try OwnedDescriptor(opening: "/nonexistent", O_RDONLY)
        }
      }
      // The test runner may open one of its own meanwhile; a leak would be one for each round.
      #expect(openDescriptors() < before + 10)
    }
  }

  @Test func `signals are events`() throws {
    let loop = try EventLoop()
    var received: [SignalWatch.Signal] = []
    let watch = try SignalWatch([.hangUp], on: loop) {
      received.append($0)
      loop.stop()
    }
    // To this thread, which has blocked it: a signal to the process could end the test.
    pthread_kill(pthread_self(), SIGHUP)
    try loop.run()
    #expect(received == [.hangUp])
    withExtendedLifetime(watch) {}
  }
}
