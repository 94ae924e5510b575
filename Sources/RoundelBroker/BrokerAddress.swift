// SPDX-License-Identifier: MIT

/// The address of a broker, and this client's credentials.
package struct BrokerAddress: Hashable, Sendable {
  package struct Encryption: Hashable, Sendable {
    /// A file or folder of trusted certificates, or nil for the system's.
    package var authorities: String?
    /// The files of this client's certificate and key.
    package var certificate: String?
    package var key: String?
    package var isInsecure = false

    package init() {}
  }

  package var host: String
  package var port: Int
  package var user: String?
  package var password: String?
  package var encryption: Encryption?

  package init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Parses `HOST`, `HOST:PORT` or `[ADDRESS]:PORT`, with an optional prefix `mqtt://`, or
  /// `mqtts://` for encryption.
  package init?(_ text: String, isEncrypted: Bool = false) {
    var rest = text[...]
    var encryption = isEncrypted ? Encryption() : nil
    if rest.hasPrefix("mqtts://") {
      encryption = Encryption()
      rest = rest.dropFirst(8)
    } else if rest.hasPrefix("mqtt://") {
      rest = rest.dropFirst(7)
    }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    var host = rest
    var port = encryption == nil ? 1883 : 8883
    if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    } else if rest.filter({ $0 == ":" }).count == 1, let colon = rest.firstIndex(of: ":") {
      host = rest[..<colon]
      rest = rest[colon...]
    } else {
      // An IPv6 address has several colons.
      rest = ""
    }
    if !rest.isEmpty {
      guard let number = Int(rest.dropFirst()), (1...65_535).contains(number) else { return nil }
      port = number
    }
    guard !host.isEmpty, !host.contains("/"), !host.contains("@"),
      !host.contains(where: \.isWhitespace)
    else { return nil }
    self.init(host: String(host), port: port)
    self.encryption = encryption
  }
}
