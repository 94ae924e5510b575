// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOWebSocket

/// Receives messages after the handshake, and answers pings.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = [UInt8]
  typealias OutboundOut = WebSocketFrame

  private let inbox: WebSocketInbox
  private let maximumBytes: Int

  init(_ inbox: WebSocketInbox, maximumBytes: Int) {
    self.inbox = inbox
    self.maximumBytes = maximumBytes
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text: inbox.add(.message(Array(frame.unmaskedData.readableBytesView)))
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      var content = frame.unmaskedData
      let code = content.readInteger(as: UInt16.self).map { " with code \($0)" } ?? ""
      inbox.add(.end(reason: "closed by the server\(code)"))
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    default: break
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let frame = frame(.text, ByteBuffer(bytes: unwrapOutboundIn(data)))
    context.write(wrapOutboundOut(frame), promise: promise)
  }

  private func send(
    _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    context.writeAndFlush(wrapOutboundOut(frame(opcode, data)), promise: nil)
  }

  private func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
    WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
  }

  /// The connection reads again once the inbox is empty.
  func read(context: ChannelHandlerContext) {
    if !inbox.isFull { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    inbox.add(.end(reason: WebSocketConnection.description(of: error, maximumBytes: maximumBytes)))
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // The error that closed the connection may follow.
    context.eventLoop.execute { [inbox] in
      inbox.add(.end(reason: "the server has closed the connection"))
    }
    context.fireChannelInactive()
  }
}

/// Reports errors of the connection itself, such as of TLS.
final class ConnectionErrorHandler: ChannelInboundHandler {
  typealias InboundIn = NIOAny

  private let inbox: WebSocketInbox
  private let maximumBytes: Int

  init(_ inbox: WebSocketInbox, maximumBytes: Int) {
    self.inbox = inbox
    self.maximumBytes = maximumBytes
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    inbox.add(.end(reason: WebSocketConnection.description(of: error, maximumBytes: maximumBytes)))
    context.close(promise: nil)
  }
}
