// SPDX-License-Identifier: MIT

internal import RoundelJSON

/// The identity of a connected client, which is never reused.
package struct ClientID: Hashable, Comparable, Sendable {
  let number: UInt64

  package init(number: UInt64) { self.number = number }

  package static func < (a: ClientID, b: ClientID) -> Bool { a.number < b.number }
}

/// A request's single answer, at any time. Answers to disconnected clients or notifications are
/// discarded.
package struct Reply<Answer: JSONConvertible> {
  let slot: ReplySlot

  init(_ slot: ReplySlot) {
    self.slot = slot
  }

  package var client: ClientID { slot.client }

  package func give(_ answer: Answer) { slot.give(.success(answer.json)) }

  package func refuse(_ error: RemoteError) { slot.give(.failure(error)) }

  package func give(encoded answer: [UInt8]) { slot.give(encoded: answer) }
}

final class ReplySlot {
  let client: ClientID
  private let id: JSONValue?
  private var deliver: (([UInt8]?) -> Void)?

  init(to client: ClientID, id: JSONValue?, _ deliver: @escaping ([UInt8]?) -> Void) {
    self.client = client
    self.id = id
    self.deliver = deliver
  }

  deinit {
    // Otherwise the client would wait for ever.
    give(.failure(RemoteError(.internalError, "the request was dropped")))
  }

  func give(_ outcome: Result<JSONValue, RemoteError>) {
    finish { Array(Response($0, outcome).json.text.utf8) }
  }

  func give(encoded result: [UInt8]) {
    finish { Response.encoded($0, result: result) }
  }

  private func finish(_ text: (JSONValue) -> [UInt8]) {
    guard let deliver else { return }
    self.deliver = nil
    deliver(id.map(text))
  }
}
