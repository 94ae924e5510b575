// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import RoundelJSON
package import KioskProtocol
package import LinuxIO
internal import RoundelMotion
internal import RoundelRaster
internal import JSONRPC
internal import RoundelSession
internal import SystemPackage
package import RoundelTerminal

/// A running kiosk's picture in the terminal.
///
/// Keeps two requests for frames pending to hide the latency: each frame that the terminal has
/// received allows another request. A slow terminal gets fewer frames.
package final class LiveView {
  private let connection: KioskConnection
  private let screen: TerminalScreen
  private let loop: EventLoop
  /// The seconds between requests.
  private let interval: Double

  /// Whether the pending requests match the terminal's size.
  private var requests: [Client.Sent<FrameAnswer>: Bool] = [:]
  private var nextRequest = Timestamp.zero
  /// The blocks that wait for the terminal.
  private var waiting: [PixelBlock] = []
  private var place = PixelRect.empty
  private var area = Rect(size: Size(0, 0))
  private var touchStart: Timestamp?
  /// The last request of a finished touch, until it is answered.
  private var lastTouch: Client.Sent<RecordingAnswer>?
  /// Later touches, which the kiosk would otherwise play simultaneously.
  private var laterTouches: ArraySlice<TouchRequest> = []
  private var failure: KioskError?

  private static let maximumLead = 2

  package init(
    _ connection: KioskConnection, on screen: TerminalScreen, fps: Double, loop: EventLoop
  ) {
    self.connection = connection
    self.screen = screen
    self.loop = loop
    interval = 1 / fps
    screen.onLeave = { loop.stop() }
    screen.onResize = { [unowned self] in
      waiting = []
      place = .empty
      for request in requests.keys { requests[request] = false }
      nextRequest = .zero
    }
    screen.onTouch = { [unowned self] in send($0, at: $1, time: $2) }
    connection.client.onAnswer = { [unowned self] in take($0) }
  }

  package func run() throws(KioskError) {
    do throws(Errno) {
      let signals = try SignalWatch([.interrupt, .terminate, .hangUp], on: loop) { [loop] _ in
        loop.stop()
      }
      let answers = try loop.watch(connection.client.descriptor) { [unowned self] _ in read() }
      try withExtendedLifetime((signals, answers)) { () throws(Errno) in
        try loop.run { [unowned self] in turn() }
      }
    } catch {
      throw KioskError(.unavailable, "cannot wait for frames: \(error)")
    }
    if let failure { throw failure }
  }

  private func end(_ failure: KioskError) {
    if self.failure == nil { self.failure = failure }
    loop.stop()
  }

  private func read() {
    do throws(ClientError) {
      if try !connection.client.dispatch() { end(connection.error(.disconnected)) }
    } catch {
      end(connection.error(error))
    }
  }

  private func turn() -> Timestamp? {
    guard screen.isReady else { return nil }
    if !waiting.isEmpty {
      screen.show(waiting)
      waiting = []
    }
    guard screen.isReady, requests.values.count(where: { $0 }) < Self.maximumLead else {
      return nil
    }
    let now = MonotonicClock.now
    guard now >= nextRequest else { return nextRequest }
    nextRequest = now + interval
    let (size, aspect) = (screen.layout.size, screen.layout.aspect)
    do throws(ClientError) {
      let request = FrameRequest {
        $0.size = size
        $0.aspect = aspect
      }
      requests[try connection.client.send(request)] = true
    } catch {
      end(connection.error(error))
    }
    return requests.values.count(where: { $0 }) < Self.maximumLead ? nextRequest : nil
  }

  // MARK: Picture

  private func take(_ answer: Response) {
    // Only the time of the answers to touches matters, because their effect is visible.
    if answer.id == lastTouch?.id {
      lastTouch = nil
      sendTouches()
    }
    guard let request = requests.keys.first(where: { $0.id == answer.id }),
      let isCurrent = requests.removeValue(forKey: request)
    else { return }
    do throws(ClientError) {
      switch answer.outcome {
      case .failure(let error): throw .refused(error)
      case .success(let json): if isCurrent { take(try request.answer(json)) }
      }
    } catch {
      end(connection.error(error))
    }
  }

  private func take(_ frame: FrameAnswer) {
    let size = frame.size
    guard (1...screen.layout.size.width).contains(size.width),
      (1...screen.layout.size.height).contains(size.height)
    else { return }
    area = frame.area
    let new = centred(size)
    if new != place {
      place = new
      let all = PixelRect(size: screen.layout.size)
      waiting = [PixelBlock(all, pixels: Array(repeating: 0xff00_0000, count: all.area))]
    }
    // The parts of a frame share its pixels, but may overlap because of rounding.
    var limit = PNG.Limit(
      maximumSide: max(size.width, size.height), maximumArea: 2 * size.width * size.height)
    for part in frame.parts {
      guard abs(part.x) <= size.width, abs(part.y) <= size.height,
        let picture = try? PNG.decode(part.png, limit: limit)
      else { continue }
      limit.maximumArea -= picture.pixels.count
      let (x, y) = (place.x0 + part.x, place.y0 + part.y)
      waiting.append(
        PixelBlock(
          PixelRect(x0: x, y0: y, x1: x + picture.size.width, y1: y + picture.size.height),
          pixels: picture.pixels))
    }
  }

  private func centred(_ size: PixelSize) -> PixelRect {
    let x = (screen.layout.size.width - size.width) / 2
    let y = (screen.layout.size.height - size.height) / 2
    return PixelRect(x0: x, y0: y, x1: x + size.width, y1: y + size.height)
  }

  // MARK: Touches

  /// Sends a recording whose times are relative to the press.
  private func send(_ phase: Touch.Phase, at part: Point, time: Timestamp) {
    guard !place.isEmpty else { return }
    let x = part.x * Double(screen.layout.size.width) - Double(place.x0)
    let y = part.y * Double(screen.layout.size.height) - Double(place.y0)
    if phase == .down {
      guard (0..<Double(place.width)).contains(x), (0..<Double(place.height)).contains(y) else {
        return
      }
      touchStart = time
    }
    guard let start = touchStart else { return }
    if phase == .up || phase == .cancel { touchStart = nil }
    let point = Point(
      area.x0 + area.width * x / Double(place.width),
      area.y0 + area.height * y / Double(place.height))
    let touch = Touch(finger: 0, phase: phase, position: point)
    let line = JSONValue.object([.init("t", .number(time - start)), touch.json])
    laterTouches.append(
      TouchRequest {
        $0.recording = .lines([line])
        $0.more = touchStart != nil
      })
    sendTouches()
  }

  /// Sends touches up to the end of the next one. The others wait until the kiosk has played it.
  private func sendTouches() {
    do throws(ClientError) {
      while lastTouch == nil, let request = laterTouches.popFirst() {
        let sent = try connection.client.send(request)
        if !request.more { lastTouch = sent }
      }
    } catch {
      end(connection.error(error))
    }
  }
}
