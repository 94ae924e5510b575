// SPDX-License-Identifier: MIT

internal import JSON

/// The requests that came in one array and are answered in one. Source: JSON-RPC 2.0, section 6.
final class Batch {
  private let limit: Int
  private var open: Int
  private var text: [UInt8] = [UInt8(ascii: "[")]

  /// A batch of `count` requests whose answers may have `limit` bytes; a single one may have more.
  init(count: Int, limit: Int) {
    open = count
    self.limit = limit
  }

  /// Takes one request's answer, nil for a notification. The text of all, once it was the last.
  func add(_ answer: [UInt8]?) -> [UInt8]? {
    open -= 1
    if let answer {
      let isFirst = text.count == 1
      if !isFirst { text.append(UInt8(ascii: ",")) }
      if isFirst || text.count + answer.count <= limit {
        text += answer
      } else {
        let error = RemoteError(.busy, "the batch's answers exceed \(limit) bytes; ask one by one")
        text += Response(.null, .failure(error)).json.text.utf8
      }
    }
    guard open == 0 else { return nil }
    // Notifications alone are not answered at all.
    return text.count == 1 ? [] : text + [UInt8(ascii: "]")]
  }
}
