// SPDX-License-Identifier: MIT

/// Limits on the requests of clients, which protect the frame rate and the machine's memory. An error reports the
/// limit's name.
package struct Limits: Hashable, Sendable {
  /// The number of concurrent clients. At the limit, a new client replaces an unused one.
  package var maximumClients = 64

  // MARK: Messages

  /// The length of a message without its line feed, in bytes. The longest list of a kiosk fits.
  package var maximumLineBytes = 1 << 20 + 64 << 10
  /// The size of a request's id, in bytes. The id is kept until the answer.
  package var maximumIDBytes = 256
  /// The number of requests in a batch.
  package var maximumBatchRequests = 1000
  /// The number of pending requests per client.
  package var maximumWaitingRequests = 1000
  /// The maximum length of a message that the loop's thread parses, in bytes. A worker parses longer messages.
  package var maximumPromptBytes = 16 << 10

  // MARK: Answers

  /// The size of the answers to a batch, or to the queries in one part of a recording, in bytes. The longest list of
  /// a kiosk fits.
  package var maximumAnswerBytes = 1 << 20 + 64 << 10
  /// The unread output of a client in bytes. At the limit, the client isn't served and loses notifications until it
  /// reads.
  package var maximumUnreadBytes = 512 << 10
  /// The unread output of all clients in bytes. Above the limit, the client with the most is disconnected.
  package var maximumTotalUnreadBytes = 40 << 20

  // MARK: Memory

  /// The guaranteed memory for each client in bytes.
  package var guaranteedClientBytes = 128 << 10
  /// The memory for each client in bytes: messages, recordings, answers, patterns and watched pictures. The picture
  /// of a 4K panel fits, and so does any message.
  package var maximumClientBytes = 36 << 20
  /// The memory for all clients above their guaranteed shares, in bytes.
  package var maximumTotalBytes = 40 << 20
  /// The size of a value that a client sets, in bytes. Lists are limited by the kiosk instead.
  package var maximumValueBytes = 68 << 10
  /// The size of a parsed recording in bytes. It counts as memory of the client.
  package var maximumRecordingBytes = 32 << 20
  /// The number of concurrent waits.
  package var maximumWaits = 256
  /// The size of a wait's pattern in bytes, which limits the cost of comparisons.
  package var maximumPatternBytes = 4 << 10
  /// The number of expressions that a client watches, enough for each property of a large kiosk.
  package var maximumWatches = 256
  /// The number of expressions in one request. They are parsed without a pause.
  package var maximumExpressions = 32
  /// The total length of the expressions that a client watches, in bytes.
  package var maximumWatchBytes = 16 << 10
  /// The size of a watched value in bytes. The longest string in a kiosk's value fits.
  package var maximumWatchedValueBytes = 68 << 10
  /// The number of concurrent touches of all clients.
  package var maximumFingers = 32
  /// The number of concurrent recordings, including taps and drags.
  package var maximumRecordings = 32
  /// The number of pending requests for frames per client.
  package var maximumFrameRequests = 4

  // MARK: Pictures

  /// The number of concurrent screenshots.
  package var maximumPictures = 32
  /// The size of the pixels that wait for compression, in bytes. A single screenshot may exceed it.
  package var maximumPictureBytes = 16 << 20
  /// The number of pixels in a screenshot that is larger than the panel.
  package var maximumPicturePixels = 8 << 20
  /// The number of panel pixels that are copied into new memory at a time, because allocating its pages costs more
  /// than the copy. A viewer gets the rest of a larger change with its next frame. A worker allocates larger
  /// screenshots.
  package var maximumFramePixels = 1 << 20

  // MARK: Time

  /// The time slice for all clients in each iteration of the loop, in seconds. Remaining work continues after the
  /// next frame.
  package var maximumTurnSeconds = 0.002

  package init() {}
}
