// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
package import RoundelInput
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelPresentation
internal import RoundelRuntime

package struct TouchscreenAccess {
  /// Sends input to `taker` instead of the kiosk. Nil restores the kiosk's input.
  package var take: (_ taker: ((InputEvent, Touchscreen) -> Void)?) -> Void
  package var calibrate: (_ name: String, _ matrix: TouchMatrix) -> Void
  package var isPresent: () -> Bool

  package init(
    take: @escaping (_ taker: ((InputEvent, Touchscreen) -> Void)?) -> Void,
    calibrate: @escaping (_ name: String, _ matrix: TouchMatrix) -> Void,
    isPresent: @escaping () -> Bool
  ) {
    self.take = take
    self.calibrate = calibrate
    self.isPresent = isPresent
  }
}

/// Calibrates a touchscreen with crosses to tap, for one client at a time.
final class Calibrations: KioskComponent {
  private let context: ServerContext
  private var present: Present?

  private struct Present {
    var calibration: Calibration
    let reply: Reply<CalibrateAnswer>
    let isCheck: Bool
    var timeout: EventLoop.Token?
  }

  /// The maximum time between taps, in seconds.
  static let tapTimeout = 120.0

  init(_ context: ServerContext) { self.context = context }

  var methods: [ServedMethod] {
    [
      ServedMethod(CalibrateRequest.self) { [unowned self] request, reply in
        try begin(request, reply)
        return .later
      }
    ]
  }

  private func begin(
    _ request: CalibrateRequest, _ reply: Reply<CalibrateAnswer>
  ) throws(RemoteError) {
    guard present == nil else { throw .failed("another calibration is in progress") }
    guard let touchscreens = context.host.touchscreens, touchscreens.isPresent() else {
      throw .failed(
        "the kiosk's display has no touchscreen; see roundel doctor")
    }
    let isRound = context.cycle.content.description.screen.isRound
    present = Present(
      calibration: Calibration(isRound: isRound), reply: reply, isCheck: request.isCheck)
    // Wakes the panel. Every kiosk supports this command.
    try? context.cycle.apply(.blank(false))
    touchscreens.take { [unowned self] in handle($0, of: $1) }
    show()
  }

  func forget(_ client: ClientID) { if present?.reply.client == client { end() } }

  private func handle(_ event: InputEvent, of touchscreen: Touchscreen) {
    guard let before = present?.calibration.taps.count else { return }
    present?.calibration.handle(event, of: touchscreen)
    guard let present, present.calibration.taps.count > before else { return }
    guard present.calibration.cross == nil else { return show() }
    end()
    finish(present)
  }

  private func finish(_ done: Present) {
    let panel = context.display.rotation.applied(to: context.display.canvasSize)
    let touchscreen = done.calibration.touchscreen ?? Touchscreen(name: "")
    do throws(CalibrationRefusal) {
      let matrix = done.isCheck ? touchscreen.matrix : try done.calibration.matrix()
      if !done.isCheck { context.host.touchscreens?.calibrate(touchscreen.name, matrix) }
      var answer = CalibrateAnswer()
      answer.device = touchscreen.name
      answer.calibration = .array(matrix.coefficients.map { .number($0) })
      answer.errors = .array(
        done.calibration.errors(by: matrix, on: panel).map { .number(($0 * 100).rounded() / 100) })
      done.reply.give(answer)
    } catch {
      done.reply.refuse(.failed("\(error)"))
    }
  }

  private func show() {
    guard let cross = present?.calibration.cross else { return }
    let (cycle, display) = (context.cycle, context.display)
    let viewport = cycle.viewport
    let mapping = PanelMapping(canvas: display.canvasSize, rotation: display.rotation)
    let middle = viewport.designPoint(mapping.canvasPoint(cross))
    let short = Double(min(display.canvasSize.width, display.canvasSize.height)) / viewport.scale
    func bar(_ width: Double, _ height: Double, _ color: Color) -> DisplayItem {
      DisplayItem(
        .roundedRect(RoundedRect(Rect(center: middle, size: Size(width, height)))), color)
    }
    let whole = viewport.designRect(of: display.canvasSize)
    let (long, thin) = (short * 0.12, short * 0.012)
    cycle.overlay = [
      DisplayItem(.roundedRect(RoundedRect(whole)), .black), bar(long, thin, .white),
      bar(thin, long, .white),
    ]
    present?.timeout = context.loop.schedule(at: context.clock() + Self.tapTimeout) {
      [unowned self] in
      guard let late = present else { return }
      end()
      late.reply.refuse(
        .failed("calibration cancelled: no cross was tapped for \(Int(Self.tapTimeout)) seconds"))
    }
    context.loop.wakeUp()
  }

  private func end() {
    present = nil
    context.host.touchscreens?.take(nil)
    context.cycle.overlay = []
    context.loop.wakeUp()
  }
}
