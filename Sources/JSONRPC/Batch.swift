// SPDX-License-Identifier: MIT

internal import JSON

/// The requests that came in one array and are answered in one. Source: JSON-RPC 2.0, section 6.
final class Batch {
  private let limits: Limits
  private let reservation: Reservation
  private var open: Int
  private var text: [UInt8] = [UInt8(ascii: "[")]

  /// A batch of `count` requests, whose answers are counted in `reservation`. A single answer may exceed
  /// the limit of all.
  init(count: Int, limits: Limits, _ reservation: Reservation) {
    open = count
    self.limits = limits
    self.reservation = reservation
  }

  /// Takes one request's answer, nil for a notification. Returns the text of all answers with the last.
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
    // Notifications alone are not answered at all.
    return text.count == 1 ? [] : text + [UInt8(ascii: "]")]
  }
}
