// SPDX-License-Identifier: MIT

/// Limits for clients, which protect the frame rate and memory. An error reports the limit's name.
package struct Limits: Hashable, Sendable {
  /// The number of concurrent clients. At the limit, a new client replaces an unused one.
  package var maximumClients = 64

  // MARK: Messages

  /// A message, without its line feed. The longest list of a kiosk fits.
  package var maximumLineBytes = 1 << 20 + 64 << 10
  /// A request's id, which is kept until the answer.
  package var maximumIDBytes = 256
  package var maximumBatchRequests = 1000
  /// Pending requests per client.
  package var maximumWaitingRequests = 1000
  /// A message parsed on the loop's thread. A worker parses longer messages.
  package var maximumPromptBytes = 16 << 10

  // MARK: Answers

  /// The answers to a batch, or to the queries in a recording's part, in bytes. A kiosk's longest
  /// list fits.
  package var maximumAnswerBytes = 1 << 20 + 64 << 10
  /// The unread output of a client in bytes. At the limit, the client isn't served and loses notifications until it
  /// reads.
  package var maximumUnreadBytes = 512 << 10
  /// The unread output of all clients in bytes. Above the limit, the client with the most is disconnected.
  package var maximumTotalUnreadBytes = 40 << 20

  // MARK: Memory

  package var guaranteedClientBytes = 128 << 10
  /// The memory for each client in bytes: messages, recordings, answers, patterns and watched pictures. The picture
  /// of a 4K panel fits, and so does any message.
  package var maximumClientBytes = 36 << 20
  /// The memory of all clients above their guaranteed shares.
  package var maximumTotalBytes = 40 << 20
  /// A value set by a client. The kiosk itself limits lists.
  package var maximumValueBytes = 68 << 10
  /// A parsed recording, which counts as the client's memory.
  package var maximumRecordingBytes = 32 << 20
  package var maximumWaits = 256
  /// A wait's pattern, because comparisons take time.
  package var maximumPatternBytes = 4 << 10
  /// Expressions watched by a client, enough for each property of a large kiosk.
  package var maximumWatches = 256
  /// Expressions in one request, which are parsed without a pause.
  package var maximumExpressions = 32
  /// All expressions watched by a client.
  package var maximumWatchBytes = 16 << 10
  /// A watched value. The longest string in a kiosk's value fits.
  package var maximumWatchedValueBytes = 68 << 10
  /// Concurrent touches of all clients.
  package var maximumFingers = 32
  /// Concurrent recordings, including taps and drags.
  package var maximumRecordings = 32
  /// Pending requests for frames per client.
  package var maximumFrameRequests = 4

  // MARK: Pictures

  package var maximumPictures = 32
  /// Pixels that wait for compression. A single screenshot may exceed the limit.
  package var maximumPictureBytes = 16 << 20
  /// A screenshot larger than the panel.
  package var maximumPicturePixels = 8 << 20
  /// Panel pixels copied at a time into new memory, whose allocation costs more than the copy. A
  /// viewer gets the rest with its next frame. A worker allocates larger screenshots.
  package var maximumFramePixels = 1 << 20

  // MARK: Time

  /// The time for all clients in each iteration of the loop, in seconds.
  package var maximumTurnSeconds = 0.002

  package init() {}
}
