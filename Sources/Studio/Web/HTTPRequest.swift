// SPDX-License-Identifier: MIT

internal import JSON

/// The head of a request. Source: RFC 9112.
struct HTTPRequest: Hashable {
  var method: String
  /// The path, without the part after a question mark.
  var path: String
  /// The fields by their lower-case names. If several have one name, the first counts.
  private var fields: [String: String] = [:]

  /// A browser's heads have some hundred bytes.
  static let maximumBytes = 16 << 10

  subscript(name: String) -> String? { fields[name] }

  /// Nil for bytes that are not a request.
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

  /// Where the head ends that a buffer begins with; nil where it has not come.
  static func end(of bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first {
      bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
    }
  }

  /// The answer to a web socket's request; nil where this is none. Source: RFC 6455, section 4.2.
  var webSocketAccept: String? {
    guard self["upgrade"]?.lowercased() == "websocket", self["sec-websocket-version"] == "13",
      let key = self["sec-websocket-key"]
    else { return nil }
    let hash = SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
    return String(decoding: Base64.encode(hash), as: UTF8.self)
  }
}

/// An answer with its body.
struct HTTPResponse {
  var status: String
  var type = "text/plain; charset=utf-8"
  var body: [UInt8] = []

  static func refusal(_ status: String, _ text: String) -> HTTPResponse {
    HTTPResponse(status: status, body: Array((text + "\n").utf8))
  }

  /// The page may load nothing but what this server has, and nothing keeps a copy.
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
