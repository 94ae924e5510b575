// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import Synchronization
internal import SystemPackage

/// The input that NIO's thread has received, for the thread of an event loop.
final class WebSocketInbox: Sendable {
  enum Input: Sendable {
    case message([UInt8])
    case end(reason: String)
  }

  private struct State {
    var inputs: [Input] = []
    var bytes = 0
    var hasEnded = false
  }

  private let maximumBytes: Int
  private let state = Mutex(State())
  let counter: EventCounter

  /// - Parameter maximumBytes: The connection stops reading above this size.
  init(maximumBytes: Int) throws(Errno) {
    self.maximumBytes = maximumBytes
    counter = try EventCounter()
  }

  var isFull: Bool { state.withLock { $0.bytes > maximumBytes } }

  /// Ignores input after the end.
  func add(_ input: Input) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.inputs.append(input)
      switch input {
      case .message(let bytes): state.bytes += bytes.count
      case .end: state.hasEnded = true
      }
    }
    counter.signal()
  }

  func takeAll() -> [Input] {
    counter.acknowledge()
    return state.withLock { state in
      defer { (state.inputs, state.bytes) = ([], 0) }
      return state.inputs
    }
  }
}
