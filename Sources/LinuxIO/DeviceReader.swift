// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import Synchronization
package import SystemPackage

/// A thread that reads a device as soon as it has data, even while the loop is busy.
package final class DeviceReader<Item: Sendable> {
  /// Returns the new items, and whether the device is still present.
  package typealias Read = () -> (items: [Item], isPresent: Bool)

  private let shared: SharedItems<Item>
  private var token: EventLoop.Token?

  /// - Parameters:
  ///   - device: An open descriptor. It must stay open until the closure that `reading` returns is released.
  ///   - reading: Called on the thread. Returns nil if the device can't be read.
  ///   - whenRead: Called on the loop's thread.
  package init(
    _ device: CInt, on loop: EventLoop, reading: @escaping @Sendable () -> Read?,
    whenRead: @escaping (_ items: [Item], _ isPresent: Bool) -> Void
  ) throws(Errno) {
    let shared = try SharedItems<Item>()
    self.shared = shared
    pthread_detach(
      try startThread {
        guard let read = reading() else { return shared.add([], isPresent: false) }
        shared.follow(device, read)
      })
    token = try loop.watch(shared.done.rawValue) { _ in
      let (items, isPresent) = shared.take()
      whenRead(items, isPresent)
    }
  }

  deinit { shared.stop() }
}

private final class SharedItems<Item: Sendable>: Sendable {
  private let state = Mutex<(items: [Item], isPresent: Bool)>(([], true))
  private let end: OwnedDescriptor
  let done: OwnedDescriptor

  init() throws(Errno) {
    end = OwnedDescriptor(adopting: try retryingOnInterrupt { eventfd(0, CInt(EFD_CLOEXEC)) })
    done = OwnedDescriptor(
      adopting: try retryingOnInterrupt { eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  func stop() { Self.signal(end.rawValue) }

  func add(_ items: [Item], isPresent: Bool) {
    guard !items.isEmpty || !isPresent else { return }
    state.withLock {
      $0.items += items
      $0.isPresent = isPresent
    }
    Self.signal(done.rawValue)
  }

  func take() -> (items: [Item], isPresent: Bool) {
    var count: UInt64 = 0
    // An eventfd reads and writes eight bytes.
    _ = unsafe Glibc.read(done.rawValue, &count, 8)
    return state.withLock { state in
      defer { state.items = [] }
      return state
    }
  }

  func follow(_ device: CInt, _ read: DeviceReader<Item>.Read) {
    while true {
      var waits = [
        pollfd(fd: device, events: Int16(POLLIN), revents: 0),
        pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0),
      ]
      // Reads and writes the two entries.
      let count = unsafe poll(&waits, 2, -1)
      if count < 0, errno != EINTR { return add([], isPresent: false) }
      guard count > 0 else { continue }
      if waits[1].revents != 0 { return }
      let (items, isPresent) = read()
      add(items, isPresent: isPresent)
      if !isPresent { return }
    }
  }

  private static func signal(_ event: CInt) {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(event, &one, 8)
  }
}
