// SPDX-License-Identifier: MIT

internal import RoundelJSON

/// The head of a request. Source: RFC 9112.
struct HTTPRequest: Hashable {
  var method: String
  var path: String
  /// Keys are in lower case. The first of equal fields counts.
  private var fields: [String: String] = [:]

  /// Browsers send a few hundred bytes.
  static let maximumBytes = 16 << 10

  subscript(name: String) -> String? { fields[name] }

  /// Returns nil if the bytes aren't a request.
  init?(_ head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return nil
    }
    method = String(words[0])
    path = String(words[1].prefix { $0 != "?" && $0 != "#" })
    for line in lines.dropFirst() where !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = line[..<colon].lowercased()
      var value = line[line.index(after: colon)...]
      value = value.drop { $0 == " " || $0 == "\t" }
      while value.last == " " || value.last == "\t" { value.removeLast() }
      if fields[name] == nil { fields[name] = String(value) }
    }
  }

  /// Returns nil if the head is incomplete.
  static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  /// The accept key, or nil for other requests. Source: RFC 6455, section 4.2.
  var webSocketAccept: String? {
    guard self["upgrade"]?.lowercased() == "websocket", self["sec-websocket-version"] == "13",
      let key = self["sec-websocket-key"]
    else { return nil }
    let hash = SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    return String(decoding: Base64.encode(hash), as: UTF8.self)
  }
}

struct HTTPResponse {
  var status: String
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []

  static func refusal(_ status: String, _ text: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array((text + "\n").utf8))
  }

  /// The page may only load content from this server, and doesn't cache it.
  func bytes(withBody: Bool) -> [UInt8] {
    let head = """
      HTTP/1.1 \(status)\r
      Content-Type: \(type)\r
      Content-Length: \(body.count)\r
      Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
      img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'\r
      X-Content-Type-Options: nosniff\r
      Referrer-Policy: no-referrer\r
      Cache-Control: no-store\r
      Connection: close\r
      \r

      """
    return Array(head.utf8) + (withBody ? body : [])
  }
}
