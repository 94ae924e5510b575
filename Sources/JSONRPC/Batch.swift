// SPDX-License-Identifier: MIT

internal import RoundelJSON

/// The requests of one array, whose answers are sent in one array. Source: JSON-RPC 2.0, section 6.
final class Batch {
  private let limits: Limits
  private let reservation: Reservation
  private var open: Int
  private var text: [UInt8] = [UInt8(ascii: "[")]

  /// A single answer may exceed the batch's limit.
  init(count: Int, limits: Limits, _ reservation: Reservation) {
    open = count
    self.limits = limits
    self.reservation = reservation
  }

  /// Adds an answer, or nil for a notification. Returns the text of all answers after the last
  /// call.
  func add(_ answer: [UInt8]?) -> [UInt8]? {
    open -= 1
    if let answer {
      let isFirst = text.count == 1
      if !isFirst { text.append(UInt8(ascii: ",")) }
      do throws(RemoteError) {
        guard isFirst || text.count + answer.count <= limits.maximumAnswerBytes else {
          throw RemoteError(
            exceeding: "maximumAnswerBytes", limits.maximumAnswerBytes,
            "the answers to the batch are too long; send the requests one by one")
        }
        if open > 0 { try reservation.grow(by: answer.count) }
        text += answer
      } catch {
        text += Response(.null, .failure(error)).json.text.utf8
      }
    }
    guard open == 0 else { return nil }
    // A batch of notifications has no answer.
    return text.count == 1 ? [] : text + [UInt8(ascii: "]")]
  }
}
