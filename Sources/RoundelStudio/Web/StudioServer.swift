// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelJSON
internal import JSONRPC
package import LinuxIO
package import RoundelMotion
package import SystemPackage

/// A web server for one page on the loopback address.
///
/// It serves the page, its scripts and the editor's, and a WebSocket. Clients need the token in the
/// path. `Host` and `Origin` are checked, so other names of this address don't work.
package final class StudioServer {
  enum Answer {
    case response(HTTPResponse)
    case webSocket(accept: String)
  }

  /// Debian's libjs-codemirror.
  private static let editorFolder = "/usr/share/javascript/codemirror/"
  private static let editorFiles: Set<String> = [
    "lib/codemirror.js", "lib/codemirror.css", "mode/yaml/yaml.js", "addon/hint/show-hint.js",
    "addon/hint/show-hint.css", "addon/edit/matchbrackets.js", "addon/selection/active-line.js",
  ]
  private static let maximumConnections = 64

  package let loop: EventLoop
  package let port: UInt16
  private let token: String
  // The acceptor must end before the socket is closed.
  private var acceptor: Acceptor?
  private let listener: OwnedDescriptor
  private var connections: [ObjectIdentifier: StudioConnection] = [:]
  /// The connections that ended during one of their calls.
  private var ended: [StudioConnection] = []
  private var session: StudioSession?
  private var lastPage: UInt64 = 0
  private var methods = MethodTable([])
  /// The declarations of methods for the page.
  private var module: [UInt8] = []

  /// A port of 0 selects a free one. With `file`, the last address is used if its port is free.
  package init(port: UInt16, for file: String? = nil, on loop: EventLoop) throws(Errno) {
    self.loop = loop
    let kept = file.flatMap(KeptAddress.init(of:))
    var own = port == 0 ? kept?.port ?? 0 : port
    if let socket = try? LoopbackSocket.listen(at: &own) {
      listener = socket
    } else {
      own = port
      listener = try LoopbackSocket.listen(at: &own)
    }
    self.port = own
    if let kept, kept.port == own {
      token = kept.token
    } else {
      var generator = SystemRandomNumberGenerator()
      let digits = Array("0123456789abcdef")
      token = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }
    if let file, kept == nil { KeptAddress(port: own, token: token).keep(for: file) }
    acceptor = try Acceptor(listener.rawValue, on: loop) { [unowned self] socket throws(Errno) in
      try accept(socket)
    }
  }

  package var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  package func serve(_ session: StudioSession) {
    self.session = session
    session.pages.send = { [unowned self] message, isReceiver in
      let text = Array(message.text.utf8)
      for connection in connections.values
      where connection.isWebSocket && isReceiver(connection.page) {
        connection.send(text: text)
      }
    }
    let drawn = ServedMethod(PageMethods.drawn) { [unowned self] _, reply in
      let page = connections.values.first { $0.page == reply.client }
      page?.framesInFlight = max((page?.framesInFlight ?? 0) - 1, 0)
      return .done(Done())
    }
    let all = session.methods + [drawn]
    methods = MethodTable(all)
    module = PageMessages.module(of: all)
  }

  /// One frame is painted and sent while the page draws the previous one.
  private static let maximumFramesInFlight = 2

  /// Sends changes to the pages that are ready. Returns the time of the next call.
  package func beforeWait() -> Timestamp? {
    ended = []
    guard let session else { return nil }
    let pages = connections.values.filter(\.isWebSocket)
    guard !pages.isEmpty else { return nil }
    let deadline = session.advance()
    for page in pages where page.framesInFlight < Self.maximumFramesInFlight {
      guard let (parts, seen) = session.picture(since: page.shown) else { continue }
      page.shown = seen
      guard !parts.isEmpty else { continue }
      page.framesInFlight += 1
      for part in parts { page.send(binary: part) }
      page.send(text: Array(DrawnNotice().message.text.utf8))
    }
    return deadline
  }

  private func accept(_ socket: consuming OwnedDescriptor) throws(Errno) {
    guard connections.count < Self.maximumConnections else { return }
    lastPage += 1
    let connection = try StudioConnection(socket, ClientID(number: lastPage), of: self)
    connections[ObjectIdentifier(connection)] = connection
  }

  func closed(_ connection: StudioConnection) {
    if let own = connections.removeValue(forKey: ObjectIdentifier(connection)) { ended.append(own) }
  }

  // MARK: Requests

  func answer(to request: HTTPRequest) -> Answer {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host = request["host"], hosts.contains(host) else {
      return .response(.refusal("403 Forbidden", "the host name is not this server's"))
    }
    if let origin = request["origin"], !hosts.contains(where: { origin == "http://\($0)" }) {
      return .response(.refusal("403 Forbidden", "requests from other pages are not allowed"))
    }
    let parts = request.path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
    guard let given = parts.first, Self.isSame(String(given), token) else {
      return .response(.refusal("403 Forbidden", "the token is missing; use the printed URL"))
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .response(.refusal("405 Method Not Allowed", "only GET is allowed"))
    }
    let name = parts.count > 1 ? String(parts[1]) : ""
    if name == "socket" {
      guard let accept = request.webSocketAccept else {
        return .response(.refusal("400 Bad Request", "this address is for web sockets"))
      }
      return .webSocket(accept: accept)
    }
    return .response(file(name))
  }

  /// Compares tokens in constant time.
  private static func isSame(_ one: String, _ other: String) -> Bool {
    let (a, b) = (Array(one.utf8), Array(other.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func file(_ name: String) -> HTTPResponse {
    if name == "favicon.ico" { return .init(status: "204 No Content") }
    if let body = name == "messages.js" ? module : page(name.isEmpty ? "index.html" : name) {
      return .init(status: "200 OK", type: Self.type(of: name), body: body)
    }
    let editor = "codemirror/"
    guard name.hasPrefix(editor), Self.editorFiles.contains(String(name.dropFirst(editor.count))),
      let bytes = try? Files.read(
        Self.editorFolder + name.dropFirst(editor.count),
        Files.Kind("the editor", maximumBytes: 4 << 20))
    else { return .refusal("404 Not Found", "no such file") }
    return .init(status: "200 OK", type: Self.type(of: name), body: bytes)
  }

  private func page(_ name: String) -> [UInt8]? {
    #if DEBUG
      // Allows testing edits of the page without compiling.
      if !name.contains("/"), let folder = Environment.variable("ROUNDEL_STUDIO_PAGE"),
        let bytes = try? Files.read(
          "\(folder)/\(name)", Files.Kind("the page", maximumBytes: 4 << 20))
      {
        return bytes
      }
    #endif
    return Self.files[name]
  }

  private static func type(of name: String) -> String {
    let kind = name.hasSuffix(".js") ? "javascript" : name.hasSuffix(".css") ? "css" : "html"
    return "text/\(kind); charset=utf-8"
  }

  // MARK: Pages

  func opened(_ connection: StudioConnection) { session?.sendInitialState(connection.page) }

  func take(_ message: JSONValue, from connection: StudioConnection) {
    methods.serve(message, from: connection.page) { [weak connection] answer in
      if let answer { connection?.send(text: answer) }
    }
  }
}
