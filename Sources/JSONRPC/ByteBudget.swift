// SPDX-License-Identifier: MIT

/// Counts the bytes that are kept for clients.
///
/// Each client is guaranteed some bytes. Bytes beyond them come out of a pool that all clients share,
/// up to a maximum for each, so that a client that takes much never stands in the way of one that
/// needs little.
package final class ByteBudget {
  private let limits: Limits
  private var bytes: [ClientID: Int] = [:]
  /// Bytes that clients have beyond those that each is guaranteed.
  private var sharedBytes = 0

  package init(_ limits: Limits) {
    self.limits = limits
  }

  /// All bytes that are reserved.
  package var totalBytes: Int { bytes.values.reduce(0, +) }

  /// A reservation of no bytes yet.
  package func reservation(for client: ClientID) -> Reservation { Reservation(client, in: self) }

  /// Reserves bytes until the reservation goes.
  package func reserve(_ count: Int, for client: ClientID) throws(RemoteError) -> Reservation {
    let reservation = reservation(for: client)
    try reservation.resize(to: count)
    return reservation
  }

  fileprivate func change(
    by difference: Int, for client: ClientID
  ) throws(RemoteError) {
    let old = bytes[client] ?? 0
    let (new, isTooMany) = old.addingReportingOverflow(difference)
    let shared = sharedBytes - beyondGuarantee(old)
    if difference > 0 {
      guard !isTooMany, new <= limits.maximumClientBytes else {
        throw RemoteError(
          exceeding: "maximumClientBytes", limits.maximumClientBytes,
          "too much is kept for this client already; try again later")
      }
      // A client that stays within the guarantee does not depend on the others.
      guard beyondGuarantee(new) == 0 || shared + beyondGuarantee(new) <= limits.maximumTotalBytes
      else {
        throw RemoteError(
          exceeding: "maximumTotalBytes", limits.maximumTotalBytes,
          "too much is kept for all clients already; try again later")
      }
    }
    sharedBytes = shared + beyondGuarantee(new)
    bytes[client] = new == 0 ? nil : new
  }

  private func beyondGuarantee(_ count: Int) -> Int { max(0, count - limits.guaranteedClientBytes) }
}

/// Bytes of a budget that are given back when it goes.
package final class Reservation {
  private let client: ClientID
  private let budget: ByteBudget
  package private(set) var bytes = 0

  fileprivate init(_ client: ClientID, in budget: ByteBudget) {
    self.client = client
    self.budget = budget
  }

  deinit {
    // Fewer bytes are never refused.
    try? budget.change(by: -bytes, for: client)
  }

  /// Takes more bytes, or gives some back. Where there are not enough it stays as it is.
  package func resize(to count: Int) throws(RemoteError) {
    guard count != bytes else { return }
    try budget.change(by: count - bytes, for: client)
    bytes = count
  }

  package func grow(by count: Int) throws(RemoteError) { try resize(to: bytes + count) }
}
