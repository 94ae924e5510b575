// SPDX-License-Identifier: MIT

/// A kiosk for other threads and tasks.
///
///     let handle = kiosk.handle
///     Task {
///       for await cups in handle.values("cups") { print(cups ?? "undefined") }
///     }
///
/// Closures run on the kiosk's thread, in order, within a millisecond while nothing is drawn. A
/// waiting kiosk isn't woken otherwise.
public struct Handle: Sendable {
  let mailbox: Mailbox

  /// Queues a closure for the kiosk's thread. A closure for a kiosk that has ended is discarded.
  public func post(_ body: @escaping @Sendable (Session) -> Void) {
    mailbox.post { session in
      if let session { body(session) }
    }
  }

  /// Runs a closure on the kiosk's thread, and returns its result. Throws its error, or `KioskError`
  /// if the kiosk has ended. A task that is cancelled before the closure has started throws
  /// `CancellationError`.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (Session) throws -> Result
  ) async throws -> Result {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        mailbox.post { session in
          guard let session else {
            return continuation.resume(throwing: KioskError("the kiosk has ended"))
          }
          guard !cancellation.isCancelled else {
            return continuation.resume(throwing: CancellationError())
          }
          continuation.resume(with: Swift.Result { try body(session) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Sets a value, a property or the language. Throws if the name doesn't exist or the value isn't
  /// accepted.
  public func set(_ name: String, to value: some Setting) async throws {
    let value = value.kioskValue
    try await perform { session in try session.set(name, to: value) }
  }

  /// Returns the value of a name, or nil if it is undefined. Throws if the name doesn't exist.
  public func get(_ name: String) async throws -> KioskValue? {
    try await perform { session in try session.get(name) }
  }

  /// The events from now on. A slow reader loses the oldest events beyond 1000.
  public var events: AsyncStream<Event> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      watch(continuation) { $0.watchEvents($1) }
    }
  }

  /// The value of a name now and after each change, or nil while it is undefined. A slow reader
  /// gets only the newest value. The stream of a name that doesn't exist ends at once.
  public func values(_ name: String) -> AsyncStream<KioskValue?> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      watch(continuation) { $0.watch(name, $1) }
    }
  }

  /// The session forgets a stream when its reader ends.
  private func watch<Element: Sendable>(
    _ continuation: AsyncStream<Element>.Continuation,
    _ register: @escaping @Sendable (Session, AsyncStream<Element>.Continuation) -> Void
  ) {
    mailbox.post { session in
      if let session { register(session, continuation) } else { continuation.finish() }
    }
  }
}
