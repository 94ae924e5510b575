// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// The calls that Home Assistant hasn't answered.
struct PendingCalls {
  private struct Call {
    let name: String
    /// The expression of the value, or nil for an action.
    let expression: String?
    let time: Timestamp
  }

  /// Scripts are answered at their end.
  private static let maximumCount = 256
  /// The maximum seconds that a value waits for the answer to its last call. Two calls at a time
  /// may be carried out in any order.
  static let seconds = 5.0

  private var calls: [Int: Call] = [:]
  /// The newest call of each value.
  private var newest: [String: Int] = [:]

  var isFull: Bool { calls.count >= Self.maximumCount }

  mutating func add(_ number: Int, _ name: String, of expression: String?, at now: Timestamp) {
    if let expression { newest[expression] = number }
    calls[number] = Call(name: name, expression: expression, time: now)
  }

  func isPending(for expression: String, at now: Timestamp) -> Bool {
    guard let call = newest[expression].flatMap({ calls[$0] }) else { return false }
    return now < call.time + Self.seconds
  }

  /// Returns the expression if the value has no newer call.
  mutating func remove(_ number: Int) -> (name: String, expression: String?)? {
    guard let call = calls.removeValue(forKey: number) else { return nil }
    guard let expression = call.expression, newest[expression] == number else {
      return (call.name, nil)
    }
    newest[expression] = nil
    return (call.name, expression)
  }

  /// Returns the names in the order of the calls.
  mutating func removeAll() -> [String] {
    defer { self = PendingCalls() }
    return calls.sorted { $0.key < $1.key }.map(\.value.name)
  }

  /// The next time when a value stops waiting, or nil if no value waits.
  func deadline(after now: Timestamp) -> Timestamp? {
    newest.values.compactMap { calls[$0].map { $0.time + Self.seconds } }.filter { now < $0 }.min()
  }
}
