// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

/// The host name, and digits that distinguish machines with the same one.
package struct NodeName: Hashable, Sendable {
  package let host: String
  /// Six hexadecimal digits derived from the machine's id, or nil if it has no id.
  package let digits: String?

  /// A name such as `lobby-3fa9c1`.
  package var text: String { digits.map { "\(host)-\($0)" } ?? host }

  package init(host: String, machineID: String) {
    self.host = host.isEmpty ? "localhost" : host
    digits = Self.digits(of: machineID)
  }

  /// This machine's name. Source: machine-id(5).
  package static var ofMachine: NodeName {
    let bytes = (try? OwnedDescriptor(opening: file, O_RDONLY).receive(upTo: 256)) ?? []
    return NodeName(
      host: MachineAddress.hostName, machineID: String(decoding: bytes, as: UTF8.self))
  }

  package static let file = "/etc/machine-id"

  /// Hides the confidential machine id, like `systemd-id128 machine-id --app-specific`.
  private static let application: [UInt8] = [
    0x5b, 0x0c, 0x2e, 0x91, 0x7d, 0x43, 0x4f, 0x1a, 0x9e, 0x66, 0xd8, 0x27, 0x3a, 0xb4, 0xc5, 0x70,
  ]

  private static func digits(of machineID: String) -> String? {
    let text = machineID.prefix { $0 != "\n" }.utf8
    let numerals = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard text.count == 32, numerals.count == 32 else { return nil }
    let key = stride(from: 0, to: 32, by: 2).map { UInt8(numerals[$0] << 4 | numerals[$0 + 1]) }
    // systemd's HMAC-SHA256. systemd changes later bits to create a UUID.
    return SHA256.hexadecimal(SHA256.code(of: application, key: key).prefix(3))
  }
}
