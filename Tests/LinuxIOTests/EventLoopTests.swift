// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelMotion
import SystemPackage
import Testing

/// A pair of connected sockets. Data written to `far` can be read from `near`.
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

/// The number of open descriptors of this process.
func openDescriptors() -> Int {
  guard let stream = unsafe opendir("/proc/self/fd") else { return -1 }
  defer { unsafe closedir(stream) }
  var count = 0
  while unsafe readdir(stream) != nil { count += 1 }
  return count
}

@Suite struct EventLoopTests {
  @Test func `unread data is reported again`() throws {
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

  @Test func `watches and timers end when their tokens are released`() throws {
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

  @Test func `a handler may own another's token and outlive its loop`() throws {
    var loop: EventLoop? = try EventLoop()
    final class Owner { var token: EventLoop.Token? }
    let owner = Owner()
    for _ in 0..<3 {
      let inner = owner.token
      owner.token = loop?.schedule(at: MonotonicClock.now + 100) { withExtendedLifetime(inner) {} }
    }
    // Each release of a timer releases the next one.
    owner.token = nil
    owner.token = loop?.schedule(at: .zero) {}
    loop = nil
    owner.token = nil
  }

  @Test func `a patient watch causes no wake-ups during the quiet period`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    var calls = 0
    var token: EventLoop.Token? = try loop.watch(pair.near.rawValue, isDeferrable: true) {
      readiness in
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
    // After the quiet period, and without any.
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

  @Test func `all ready descriptors are reported, whatever ends the quiet period`() throws {
    let loop = try EventLoop()
    let deferrable = SocketPair()
    let other = SocketPair()
    var calls: [String] = []
    let watch = try loop.watch(deferrable.near.rawValue, isDeferrable: true) { _ in
      calls.append("patient")
      _ = deferrable.receive()
    }
    let otherWatch = try loop.watch(other.near.rawValue) { _ in
      calls.append("other")
      _ = other.receive()
    }
    loop.quietUntil = MonotonicClock.now + 100
    deferrable.send()
    other.send()
    try loop.turn()
    #expect(calls.sorted() == ["other", "patient"])
    deferrable.send()
    try loop.turn(until: MonotonicClock.now)
    #expect(calls.count == 3)
    withExtendedLifetime((watch, otherWatch)) {}
  }

  @Test func `a handler cancelled earlier in the turn isn't called`() throws {
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

  @Test func `a descriptor that reuses a number doesn't receive the closed one's events`() throws {
    let loop = try EventLoop()
    var calls: [String] = []
    let old = SocketPair()
    let new = SocketPair()
    let number = old.near.rawValue
    try withExtendedLifetime(loop.watch(number) { _ in calls.append("old") }) {}
    // Close and reopen atomically, so that no other test takes the number.
    #expect(dup2(new.near.rawValue, number) == number)
    let newWatch = try loop.watch(number) { _ in calls.append("new") }
    new.send()
    try loop.turn()
    withExtendedLifetime(newWatch) {}
    #expect(calls == ["new"])
  }

  @Test func `a closed peer makes the descriptor readable`() throws {
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

  @Test func `writability is reported only on request`() throws {
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

  @Test func `timers run in order of time, each once`() throws {
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

  @Test func `a timer cancelled by another in the same turn doesn't run`() throws {
    let loop = try EventLoop()
    var calls = 0
    var later: EventLoop.Token?
    loop.perform(at: .zero) { later = nil }
    later = loop.schedule(at: .zero) { calls += 1 }
    try loop.turn()
    #expect(calls == 0 && later === nil)
  }

  @Test func `a timer for a past time doesn't starve others`() throws {
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

  @Test func `the caller's deadline is honoured, and requested before each wait`() throws {
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

  @Test func `an idle loop doesn't wake up`() throws {
    let loop = try EventLoop()
    let pair = SocketPair()
    let watch = try loop.watch(pair.near.rawValue) { _ in }
    loop.perform(at: MonotonicClock.now + 0.3) { loop.stop() }
    try loop.run()
    withExtendedLifetime(watch) {}
    #expect(loop.wakeUps == 1)
  }

  @Test func `all descriptors are closed, even after a failure`() async {
    // In a separate process, where no other test opens files at the same time.
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
      // The test runner may open a few, but not as many as there were rounds.
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
    // Signal this thread, which has blocked it: a signal to the process could end the test.
    pthread_kill(pthread_self(), SIGHUP)
    try loop.run()
    #expect(received == [.hangUp])
    withExtendedLifetime(watch) {}
  }
}
