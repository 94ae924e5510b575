// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelMotion
import Synchronization
import Testing

@testable import InputDevices

/// A driver that blocks until released.
private final class Driver: Sendable {
  private let isSilent = Mutex(true)
  /// The opened paths.
  let opened = Mutex<[String]>([])

  func answer() { isSilent.withLock { $0 = false } }

  func open(_ path: String) -> String? {
    opened.withLock { $0.append(path) }
    while isSilent.withLock({ $0 }) { sched_yield() }
    return path.hasSuffix("/event3") || path.hasSuffix("/event5") ? path : nil
  }
}

@Suite struct DeviceSearchTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func run(until condition: () -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 60
    while !condition() {
      if MonotonicClock.now > end { return false }
      try loop.turn(until: MonotonicClock.now + 0.01)
    }
    return true
  }

  @Test func `a driver that blocks delays only the search`() throws {
    let driver = Driver()
    defer { driver.answer() }
    var found: [String] = []
    let search = try DeviceSearch(
      in: "/input", on: loop, except: { [] }, open: driver.open, found: { found += $0 })
    #expect(try run { !driver.opened.withLock(\.isEmpty) })
    var ticks = 0
    loop.perform(at: MonotonicClock.now) { ticks += 1 }
    #expect(try run { ticks == 1 })
    #expect(found.isEmpty)
    driver.answer()
    #expect(try run { !found.isEmpty })
    #expect(found == ["/input/event3", "/input/event5"])
    withExtendedLifetime(search) {}
  }

  @Test func `known devices aren't opened again`() throws {
    let driver = Driver()
    driver.answer()
    var found: [String] = []
    let search = try DeviceSearch(
      in: "/input", on: loop, except: { ["/input/event3"] }, open: driver.open,
      found: { found += $0 })
    #expect(try run { !found.isEmpty })
    #expect(found == ["/input/event5"])
    #expect(!driver.opened.withLock { $0.contains("/input/event3") })
    withExtendedLifetime(search) {}
  }

  @Test func `a search cancelled while a driver blocks reports nothing`() throws {
    let driver = Driver()
    var found: [[String]] = []
    var search: DeviceSearch<String>? = try DeviceSearch(
      in: "/input", on: loop, except: { [] }, open: driver.open, found: { found.append($0) })
    #expect(try run { !driver.opened.withLock(\.isEmpty) })
    search = nil
    driver.answer()
    #expect(try run { driver.opened.withLock(\.count) == DeviceSearch<String>.paths(in: "").count })
    try loop.turn(until: MonotonicClock.now)
    #expect(found.isEmpty)
    _ = search
  }
}
