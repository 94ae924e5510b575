// SPDX-License-Identifier: MIT

/// A client's stream of frames. Source: RFC 6455, section 5.
///
/// Implemented here, like `HTTPRequest`, because one page needs only a small part of SwiftNIO.
struct WebSocketFrames {
  enum Message: Hashable {
    case text([UInt8])
    case binary([UInt8])
    case ping([UInt8])
    case close
  }

  struct Violation: Error {}

  private let limit: Int
  private var bytes: [UInt8] = []
  private var start = 0
  /// A fragmented message.
  private var parts: [UInt8] = []
  private var opcode: UInt8?

  init(limit: Int) { self.limit = limit }

  var isIncomplete: Bool { bytes.count > start || opcode != nil }

  mutating func append(_ new: some Collection<UInt8>) {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: new)
  }

  /// Returns nil if no message is complete. After a violation, nothing can be read.
  mutating func next() throws(Violation) -> Message? {
    while let (isLast, code, payload) = try frame() {
      switch code {
      case 8: return .close
      case 9: return .ping(payload)
      case 10: continue
      case 1, 2:
        guard opcode == nil else { throw Violation() }
        if isLast { return code == 1 ? .text(payload) : .binary(payload) }
        opcode = code
        parts = payload
      case 0:
        guard let first = opcode, parts.count + payload.count <= limit else { throw Violation() }
        parts += payload
        guard isLast else { continue }
        defer {
          parts = []
          opcode = nil
        }
        return first == 1 ? .text(parts) : .binary(parts)
      default: throw Violation()
      }
    }
    return nil
  }

  private mutating func frame() throws(Violation) -> (isLast: Bool, code: UInt8, [UInt8])? {
    let count = bytes.count - start
    guard count >= 2 else { return nil }
    let (first, second) = (bytes[start], bytes[start + 1])
    // Clients must mask all frames. The reserved bits belong to extensions.
    guard second & 0x80 != 0, first & 0x70 == 0 else { throw Violation() }
    let extra = second & 0x7f == 126 ? 2 : second & 0x7f == 127 ? 8 : 0
    guard count >= 2 + extra + 4 else { return nil }
    var length = UInt64(second & 0x7f)
    if extra > 0 {
      length = bytes[(start + 2)..<(start + 2 + extra)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard length <= UInt64(limit), first & 0x08 == 0 || length < 126 && first & 0x80 != 0 else {
      throw Violation()
    }
    let body = start + 2 + extra + 4
    guard bytes.count - body >= Int(length) else { return nil }
    let mask = Array(bytes[(body - 4)..<body])
    var payload = Array(bytes[body..<(body + Int(length))])
    for index in payload.indices { payload[index] ^= mask[index & 3] }
    start = body + Int(length)
    return (first & 0x80 != 0, first & 0x0f, payload)
  }

  static func head(_ code: UInt8, count: Int) -> [UInt8] {
    if count < 126 { return [0x80 | code, UInt8(count)] }
    if count < 65536 { return [0x80 | code, 126, UInt8(count >> 8), UInt8(count & 0xff)] }
    return [0x80 | code, 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
  }
}
