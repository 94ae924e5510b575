// SPDX-License-Identifier: MIT

/// The address of a WebSocket.
package struct WebSocketAddress: Hashable, Sendable {
  package var isEncrypted: Bool
  package var host: String
  package var port: Int
  package var path: String

  /// Parses `ws://HOST[:PORT][/PATH]`, or `wss://` for encryption. `http` and `https` mean the same.
  ///
  /// - Parameters:
  ///   - port: The port without encryption. With encryption, it is 443.
  package init?(_ text: String, port standardPort: Int, path standardPath: String) {
    let schemes = [("ws://", false), ("http://", false), ("wss://", true), ("https://", true)]
    guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0.0) }) else {
      return nil
    }
    isEncrypted = scheme.1
    let rest = text.dropFirst(scheme.0.count)
    var place = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(place.count)
    self.path = path.count > 1 ? String(path) : standardPath
    port = isEncrypted ? 443 : standardPort
    // An IPv6 address is in brackets.
    let end = place.hasPrefix("[") ? place.firstIndex(of: "]") : place.startIndex
    guard let end else { return nil }
    if let colon = place[end...].firstIndex(of: ":") {
      guard let number = Int(place[place.index(after: colon)...]), (1...65_535).contains(number)
      else { return nil }
      port = number
      place = place[..<colon]
    }
    if place.hasPrefix("[") {
      guard place.hasSuffix("]") else { return nil }
      place = place.dropFirst().dropLast()
    }
    host = String(place)
    let isPlain = (host + self.path).utf8.allSatisfy { $0 > 32 && $0 < 127 }
    guard !host.isEmpty, isPlain, !host.contains("@"), !self.path.contains("#") else { return nil }
  }

  /// The host and port, as in a URL.
  package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}

extension WebSocketAddress: CustomStringConvertible {
  /// The address without its path, which may contain secrets.
  package var description: String { (isEncrypted ? "wss://" : "ws://") + authority }
}
