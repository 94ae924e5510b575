// SPDX-License-Identifier: MIT

/// Limits on the requests of clients, so that no number of clients and nothing that they send costs a frame or
/// the machine's memory. A refusal carries the limit's name.
package struct Limits: Hashable, Sendable {
  /// Clients at a time. Beyond that, a client that uses nothing gives way to a new one.
  package var maximumClients = 64

  // MARK: Messages

  /// Bytes of a message, without its line feed. The longest list of a kiosk fits.
  package var maximumLineBytes = 1 << 20 + 64 << 10
  /// Bytes of a request's id, which is kept until the answer.
  package var maximumIDBytes = 256
  /// Requests in a batch.
  package var maximumBatchRequests = 1000
  /// Requests of one client that wait for something to happen.
  package var maximumWaitingRequests = 1000
  /// Bytes of a message that are read immediately on the loop's thread; a worker reads longer ones.
  package var maximumPromptBytes = 16 << 10

  // MARK: Answers

  /// Bytes of the answers in one batch, or to the questions of one part of a recording. The longest list of a kiosk
  /// fits.
  package var maximumAnswerBytes = 1 << 20 + 64 << 10
  /// Bytes that wait for a client to read them. A client that is so far behind is not served until it reads,
  /// and loses notifications.
  package var maximumUnreadBytes = 512 << 10
  /// The same for all clients together. Beyond it, the client with the largest share is dropped.
  package var maximumTotalUnreadBytes = 40 << 20

  // MARK: Data kept for clients

  /// Bytes that are always free for each client, whatever the others have.
  package var guaranteedClientBytes = 128 << 10
  /// Bytes that are kept for one client: messages, recordings, answers, patterns, watched pictures.
  /// The picture of a 4K panel fits, and so does any message.
  package var maximumClientBytes = 36 << 20
  /// Bytes that are kept for all clients together beyond those that are guaranteed.
  package var maximumTotalBytes = 40 << 20
  /// Bytes of a value that a client sets, unless it is a list, whose limits are the kiosk's own.
  package var maximumValueBytes = 68 << 10
  /// Bytes that a recording takes once it was read, at most a part of what is kept for a client.
  package var maximumRecordingBytes = 32 << 20
  /// Waits at a time.
  package var maximumWaits = 256
  /// Bytes of the pattern that a wait compares with. They bound the cost of a comparison.
  package var maximumPatternBytes = 4 << 10
  /// Expressions that one client watches: each property of a large kiosk.
  package var maximumWatches = 256
  /// Expressions in one request, which are read at once.
  package var maximumExpressions = 32
  /// Bytes of the text of all that one client watches.
  package var maximumWatchBytes = 16 << 10
  /// Bytes of a watched value; the longest text that a value of the kiosk holds fits.
  package var maximumWatchedValueBytes = 68 << 10
  /// Fingers at a time; more than any hand has.
  package var maximumFingers = 32
  /// Recordings at a time, taps and drags among them.
  package var maximumRecordings = 32
  /// Requests of one client for frames.
  package var maximumFrameRequests = 4

  // MARK: Pictures

  /// Screenshots at a time.
  package var maximumPictures = 32
  /// Bytes of pixels that wait to be packed; one picture may have more.
  package var maximumPictureBytes = 16 << 20
  /// Pixels of a screenshot that is larger than the panel.
  package var maximumPicturePixels = 8 << 20
  /// Pixels of the panel that are copied into new memory at one time, whose pages cost more than the copy. The
  /// rest of a larger change comes with a viewer's next frame; a worker makes the memory of a larger
  /// screenshot.
  package var maximumFramePixels = 1 << 20

  // MARK: Time

  /// Seconds of a turn of the loop that work for clients takes, all of it together; what is left is
  /// done after the next frame.
  package var maximumTurnSeconds = 0.002

  package init() {}
}
