// SPDX-License-Identifier: MIT

package import JSON

/// One client of a server, as long as it is connected; never used for another.
package struct ClientID: Hashable, Comparable, Sendable {
  let number: UInt64

  package static func < (a: ClientID, b: ClientID) -> Bool { a.number < b.number }
}

/// The answer that a request waits for. It is given once, at any time; one for a client that has
/// gone, or for a notification, goes nowhere.
package final class Reply {
  package let client: ClientID
  private let id: JSONValue?
  private var deliver: (([UInt8]?) -> Void)?

  /// `deliver` takes the answer's text, or nil where none is wanted.
  init(to client: ClientID, id: JSONValue?, _ deliver: @escaping ([UInt8]?) -> Void) {
    self.client = client
    self.id = id
    self.deliver = deliver
  }

  deinit {
    // Nobody shall wait for an answer that was forgotten.
    refuse(RemoteError(.internalError, "the request was dropped"))
  }

  package func give(_ result: JSONValue) { give(.success(result)) }

  package func refuse(_ error: RemoteError) { give(.failure(error)) }

  /// Gives a result that was written as JSON elsewhere, because it is large.
  package func give(encoded result: [UInt8]) {
    finish { Response.encoded($0, result: result) }
  }

  private func give(_ outcome: Result<JSONValue, RemoteError>) {
    finish { Array(Response($0, outcome).json.text.utf8) }
  }

  private func finish(_ text: (JSONValue) -> [UInt8]) {
    guard let deliver else { return }
    self.deliver = nil
    deliver(id.map(text))
  }
}
