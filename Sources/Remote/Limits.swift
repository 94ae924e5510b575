// SPDX-License-Identifier: MIT

/// How much clients may ask for, so that no number of them and nothing that they send costs a frame.
public struct Limits: Hashable, Sendable {
  /// Clients at a time.
  public var clients = 64
  /// Bytes of a message, without its line feed.
  public var line = 1 << 20
  /// Bytes of answers that wait for a client to read them. One that is so far behind is served no
  /// more until it reads, and loses notifications.
  public var backlog = 1 << 20
  /// Bytes beyond which a client that does not read is dropped.
  public var greatestBacklog = 64 << 20
  /// Requests in one batch.
  public var batch = 1000
  /// Requests of one client that wait for something to happen.
  public var waitingRequests = 1000
  /// Seconds of each turn of the loop in which requests are served; what is left is served after the
  /// next frame.
  public var turn = 0.002
  /// Bytes of a message that are read at once on the loop's thread; longer ones take a worker.
  public var promptLine = 16 << 10

  public init() {}
}
