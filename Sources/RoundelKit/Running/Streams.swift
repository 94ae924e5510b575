// SPDX-License-Identifier: MIT

/// The streams of a session's events and values.
struct Streams {
  private struct Watched {
    let name: String
    let stream: AsyncStream<KioskValue?>.Continuation
    var last: KioskValue??
  }

  private var readers: [AsyncStream<Event>.Continuation] = []
  private var watched: [Watched] = []

  mutating func add(_ stream: AsyncStream<Event>.Continuation) { readers.append(stream) }

  mutating func add(_ name: String, _ stream: AsyncStream<KioskValue?>.Continuation) {
    watched.append(Watched(name: name, stream: stream))
  }

  /// Removes streams whose reader has ended.
  mutating func report(_ event: Event) {
    readers.removeAll { if case .terminated = $0.yield(event) { true } else { false } }
  }

  /// Yields changed values. `read` returns the current value of a name.
  mutating func update(_ read: (String) -> KioskValue?) {
    for index in watched.indices.reversed() {
      let value = read(watched[index].name)
      guard watched[index].last != .some(value) else { continue }
      watched[index].last = .some(value)
      if case .terminated = watched[index].stream.yield(value) { watched.remove(at: index) }
    }
  }

  func finish() {
    for reader in readers { reader.finish() }
    for value in watched { value.stream.finish() }
  }
}
