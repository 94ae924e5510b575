// SPDX-License-Identifier: MIT

package import LinuxIO
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
internal import SystemPackage

/// A client of a WebSocket, by SwiftNIO on a separate thread.
///
/// After its end, create a new connection. All handlers are called on the event loop.
package final class WebSocketConnection {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package var onMessage: ([UInt8]) -> Void = { _ in }
  /// Called once, after the end of the connection. It isn't called after `close`.
  package var onEnd: (_ reason: String) -> Void = { _ in }

  private enum Handshake: Sendable {
    case done(any Channel)
    case refused
  }

  /// The only thread of all connections.
  private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private let inbox: WebSocketInbox
  private var watch: LinuxIO.EventLoop.Token?
  private let channel: EventLoopFuture<any Channel>

  /// - Parameters:
  ///   - authorities: The file of trusted certificates, or nil for the system's.
  ///   - maximumBytes: The maximum size of a message. A longer one ends the connection.
  package init(
    to address: WebSocketAddress, authorities: String?, maximumBytes: Int,
    on loop: LinuxIO.EventLoop
  ) throws(Failure) {
    let security: NIOSSLContext?
    do {
      security = try address.isEncrypted ? Self.security(authorities) : nil
      inbox = try WebSocketInbox(maximumBytes: maximumBytes)
    } catch {
      throw Failure(description: Self.description(of: error, maximumBytes: maximumBytes))
    }
    let inbox = inbox
    channel = ClientBootstrap(group: Self.threads)
      .channelOption(ChannelOptions.socketOption(.so_keepalive), value: 1)
      .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
      .connect(host: address.host, port: address.port)
      // Several addresses may be tried, so the handlers follow the connection.
      .flatMap { channel in
        channel.eventLoop.makeCompletedFuture {
          if let security {
            try channel.pipeline.syncOperations.addHandler(
              Self.handler(of: security, to: address.host))
          }
          return try Self.upgrade(channel, address, inbox, maximumBytes)
        }
      }
      .flatMap { (handshake: EventLoopFuture<Handshake>) in handshake }
      .flatMapThrowing { result in
        switch result {
        case .done(let channel): return channel
        case .refused:
          throw Failure(description: "the server has no WebSocket at \(address.path)")
        }
      }
    channel.whenFailure { error in
      inbox.add(.end(reason: Self.description(of: error, maximumBytes: maximumBytes)))
    }
    do throws(Errno) {
      watch = try loop.watch(inbox.counter.rawValue) { [unowned self] _ in receive() }
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  deinit { close() }

  private static func security(_ authorities: String?) throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeClientConfiguration()
    if let authorities { configuration.trustRoots = .file(authorities) }
    return try NIOSSLContext(configuration: configuration)
  }

  private static func handler(
    of security: NIOSSLContext, to host: String
  ) throws -> NIOSSLClientHandler {
    // An address is not a server name, and is compared with the certificate's addresses.
    let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
    return try NIOSSLClientHandler(context: security, serverHostname: isAddress ? nil : host)
  }

  private static func upgrade(
    _ channel: any Channel, _ address: WebSocketAddress, _ inbox: WebSocketInbox,
    _ maximumBytes: Int
  ) throws -> EventLoopFuture<Handshake> {
    let upgrader = NIOTypedWebSocketClientUpgrader<Handshake>(maxFrameSize: maximumBytes) {
      (channel, _) in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1024,
            maxAccumulatedFrameSize: maximumBytes),
          WebSocketHandler(inbox, maximumBytes: maximumBytes),
        ])
        return .done(channel)
      }
    }
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: address.path,
      headers: ["Host": address.authority, "Content-Length": "0"])
    let upgrade = NIOTypedHTTPClientUpgradeConfiguration<Handshake>(
      upgradeRequestHead: request, upgraders: [upgrader],
      notUpgradingCompletionHandler: { channel in
        channel.close(promise: nil)
        return channel.eventLoop.makeSucceededFuture(.refused)
      })
    var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
    // The first message may come with the server's answer.
    configuration.leftOverBytesStrategy = .forwardBytes
    let result = try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
      configuration: configuration)
    try channel.pipeline.syncOperations.addHandler(
      ConnectionErrorHandler(inbox, maximumBytes: maximumBytes))
    return result
  }

  // MARK: Messages

  private func receive() {
    let wasFull = inbox.isFull
    for input in inbox.takeAll() {
      switch input {
      case .message(let bytes): onMessage(bytes)
      case .end(let reason):
        watch = nil
        onEnd(reason)
      }
    }
    if wasFull { channel.whenSuccess { $0.read() } }
  }

  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    channel.whenSuccess { $0.writeAndFlush(bytes, promise: nil) }
  }

  package func close() {
    watch = nil
    channel.whenSuccess { $0.close(promise: nil) }
  }

  // MARK: Errors

  static func description(of error: any Error, maximumBytes: Int) -> String {
    switch error {
    case let error as Failure: return error.description
    case let error as NIOConnectionError:
      guard let first = error.connectionErrors.first else {
        return "cannot find \(error.host)"
      }
      return description(of: first.error, maximumBytes: maximumBytes)
    case let error as IOError: return "\(Errno(rawValue: error.errnoCode))"
    case NIOWebSocketError.invalidFrameLength,
      is NIOWebSocketFrameAggregator.Error:
      return "a message is too long (expected at most \(maximumBytes) bytes)"
    case ChannelError.connectTimeout: return "no answer"
    case NIOSSLError.handshakeFailed(let error): return "TLS fails: " + reason(of: "\(error)")
    case let error as NIOSSLExtraError where error == .failedToValidateHostname:
      return "TLS fails: the certificate is for another address"
    case NIOSSLError.uncleanShutdown: return "the server has closed the connection"
    default: return "\(error)"
    }
  }

  /// BoringSSL's word for an error, such as CERTIFICATE_VERIFY_FAILED.
  private static func reason(of text: String) -> String {
    let words = text.split { " )]:".contains($0) }.drop { $0 != "OPENSSL_internal" }
    return words.dropFirst().first.map(String.init) ?? text
  }
}
