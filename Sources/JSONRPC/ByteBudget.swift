// SPDX-License-Identifier: MIT

/// The memory that the server uses for clients, in bytes.
///
/// Each client has a guaranteed share and, so that large clients don't affect small ones, a maximum
/// in a common pool.
package final class ByteBudget {
  private let limits: Limits
  private var bytes: [ClientID: Int] = [:]
  private var sharedBytes = 0

  package init(_ limits: Limits) {
    self.limits = limits
  }

  package var totalBytes: Int { bytes.values.reduce(0, +) }

  package func reservation(for client: ClientID) -> Reservation { Reservation(client, in: self) }

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
          "the server's memory for this client is full; try again later")
      }
      // A client within its guaranteed share is never refused because of other clients.
      guard beyondGuarantee(new) == 0 || shared + beyondGuarantee(new) <= limits.maximumTotalBytes
      else {
        throw RemoteError(
          exceeding: "maximumTotalBytes", limits.maximumTotalBytes,
          "the server's memory for clients is full; try again later")
      }
    }
    sharedBytes = shared + beyondGuarantee(new)
    bytes[client] = new == 0 ? nil : new
  }

  private func beyondGuarantee(_ count: Int) -> Int { max(0, count - limits.guaranteedClientBytes) }
}

/// A number of bytes, reserved until the object is released.
package final class Reservation {
  private let client: ClientID
  private let budget: ByteBudget
  package private(set) var bytes = 0

  fileprivate init(_ client: ClientID, in budget: ByteBudget) {
    self.client = client
    self.budget = budget
  }

  deinit {
    try? budget.change(by: -bytes, for: client)
  }

  /// Throws above the limit, and keeps the size.
  package func resize(to count: Int) throws(RemoteError) {
    guard count != bytes else { return }
    try budget.change(by: count - bytes, for: client)
    bytes = count
  }

  package func grow(by count: Int) throws(RemoteError) { try resize(to: bytes + count) }
}
