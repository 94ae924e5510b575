// SPDX-License-Identifier: MIT

import RoundelDrawing
import FramebufferDisplay
import RoundelGeometry
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// An in-memory frame buffer.
private final class Device: FramebufferDevice, @unchecked Sendable {
  let path = "/dev/fb7"
  let info: FramebufferInfo
  /// Only used by the test's thread.
  var memory: [UInt8]
  let calls = Mutex<[String]>([])
  let canPan: Bool
  let canBlank: Bool
  /// Whether the device refuses to wake.
  let refusesToWake = Mutex(false)

  init(_ info: FramebufferInfo, canPan: Bool = true, canBlank: Bool = true) {
    self.info = info
    self.canPan = canPan
    self.canBlank = canBlank
    memory = [UInt8](repeating: 0xa5, count: info.byteCount)
  }

  func readInfo() throws(Errno) -> FramebufferInfo { info }

  func pan(to row: Int) throws(Errno) {
    calls.withLock { $0.append("pan \(row)") }
    if !canPan { throw .invalidArgument }
  }

  func waitForBlank() throws(Errno) {
    calls.withLock { $0.append("wait") }
    throw .init(rawValue: 25)
  }

  func setBlank(_ isBlank: Bool) throws(Errno) {
    calls.withLock { $0.append(isBlank ? "blank" : "unblank") }
    if !canBlank { throw .invalidArgument }
    if !isBlank, refusesToWake.withLock({ $0 }) { throw .resourceBusy }
  }

  func withMemory(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe memory.withUnsafeMutableBytes { unsafe body($0) }
  }

  /// The calls since the last call of this function.
  func takeCalls() -> [String] {
    calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
  }

  /// The 32-bit pixels starting at a row.
  func pixels(from row: Int) -> [UInt32] {
    (0..<info.size.height).flatMap { y in
      (0..<info.size.width).map { x in
        let start = (row + y) * info.pitch + x * 4
        return (0..<4).reduce(UInt32(0)) { $0 | UInt32(memory[start + $1]) << UInt32(8 * $1) }
      }
    }
  }
}

private func info(_ size: PixelSize = PixelSize(20, 10), rows: Int? = nil) -> FramebufferInfo {
  FramebufferInfo(
    size: size, virtualHeight: rows, pitch: size.width * 4 + 16, bitsPerPixel: 32,
    red: .init(16, 8), green: .init(8, 8), blue: .init(0, 8))
}

@Suite struct FramebufferDisplayTests {
  private let loop: EventLoop

  init() throws { loop = try EventLoop() }

  private func display(_ device: Device, _ rotation: Rotation = .none) throws -> FramebufferDisplay
  {
    try FramebufferDisplay(device, rotation: rotation, on: loop)
  }

  private func picture(_ color: UInt32, size: PixelSize = PixelSize(20, 10)) -> Painter {
    Painter(
      showing: Bitmap(size: size, pixels: Array(repeating: color, count: size.width * size.height)))
  }

  /// Runs the loop until a pan is reported.
  private func settle(_ display: FramebufferDisplay) throws {
    while !display.isReady { try loop.turn(until: MonotonicClock.now + 1) }
  }

  @Test func `a single buffer is painted in place and shown immediately`() throws {
    let device = Device(info())
    let display = try display(device)
    #expect(device.takeCalls() == ["unblank"])
    let picture = picture(0xff12_3456)
    #expect(try display.present(picture) != nil)
    #expect(display.shownFrame == picture.frame && display.isReady)
    #expect(Set(device.pixels(from: 0)) == [0xff12_3456])
    // The padding of rows isn't written.
    #expect(device.memory[80..<96].allSatisfy { $0 == 0xa5 })
    #expect(device.takeCalls() == [])
    #expect(display.place?.mode.contains("tearing") == true)
  }

  @Test func `two buffers alternate if the driver can pan`() throws {
    var info = info(rows: 20)
    info.panStep = 1
    let device = Device(info)
    let display = try display(device)
    _ = device.takeCalls()
    var flips: [Int] = []
    display.onFlip = { flips.append($1) }
    let first = picture(0xff11_1111)
    #expect(try display.present(first) == nil)
    #expect(!display.isReady && display.shownFrame == first.frame)
    try settle(display)
    #expect(flips == [first.frame])
    #expect(device.takeCalls() == ["pan 10", "wait"])
    #expect(Set(device.pixels(from: 10)) == [0xff11_1111])
    #expect(Set(device.pixels(from: 0)) == [0xa5a5_a5a5])
    _ = try display.present(picture(0xff22_2222))
    try settle(display)
    #expect(device.takeCalls() == ["pan 0", "wait"])
    // The previously shown buffer is unchanged.
    #expect(Set(device.pixels(from: 10)) == [0xff11_1111])
    #expect(Set(device.pixels(from: 0)) == [0xff22_2222])
  }

  @Test func `the buffer that is shown at the start isn't overwritten`() throws {
    var info = info(rows: 20)
    info.panStep = 1
    info.firstRow = 10
    let device = Device(info)
    let display = try display(device)
    _ = try display.present(picture(0xff11_1111))
    #expect(Set(device.pixels(from: 10)) == [0xa5a5_a5a5])
    try settle(display)
    #expect(device.takeCalls() == ["unblank", "pan 0", "wait"])
  }

  @Test func `a driver that refuses to pan is painted in place`() throws {
    var info = info(rows: 20)
    info.panStep = 1
    let device = Device(info, canPan: false)
    let display = try display(device)
    let picture = picture(0xff33_3333)
    #expect(try display.present(picture) == nil)
    try settle(display)
    #expect(display.shownFrame == nil)
    #expect(try display.present(picture) != nil)
    #expect(Set(device.pixels(from: 0)) == [0xff33_3333])
  }

  @Test func `waking the panel shows the picture again`() throws {
    let device = Device(info())
    let display = try display(device)
    _ = try display.present(picture(0xff44_4444))
    _ = device.takeCalls()
    try display.setPower(false)
    #expect(device.takeCalls() == ["blank"] && display.state == .asleep && !display.isReady)
    try display.setPower(true)
    #expect(device.takeCalls() == ["unblank"] && display.shownFrame == nil && display.isReady)
  }

  @Test func `a panel that refuses to wake is retried later`() throws {
    let device = Device(info())
    let display = try display(device)
    try display.setPower(false)
    device.refusesToWake.withLock { $0 = true }
    #expect(throws: DisplayError.self) { try display.setPower(true) }
    #expect(!display.holdsPower)
    device.refusesToWake.withLock { $0 = false }
    _ = device.takeCalls()
    try display.setPower(true)
    #expect(device.takeCalls() == ["unblank"] && display.holdsPower)
    try display.setPower(true)
    #expect(device.takeCalls() == [])
  }

  @Test func `another console keeps the panel until the kiosk's is active again`() throws {
    let device = Device(info())
    let display = try display(device)
    let picture = picture(0xff44_4444)
    _ = try display.present(picture)
    display.isInForeground = false
    #expect(!display.isReady && display.state == .waiting(.inBackground))
    #expect(try display.present(picture) == nil)
    try display.setPower(false)
    _ = device.takeCalls()
    display.isInForeground = true
    #expect(!display.holdsPower && display.state == .asleep)
    try display.setPower(false)
    #expect(device.takeCalls() == ["blank"] && display.holdsPower)
    try display.setPower(true)
    #expect(display.isReady && display.shownFrame == nil)
  }

  @Test func `a panel that can't be switched off shows black`() throws {
    let device = Device(info(), canBlank: false)
    let display = try display(device)
    let picture = picture(0xff44_4444)
    _ = try display.present(picture)
    try display.setPower(false)
    #expect(Set(device.pixels(from: 0)) == [0])
    try display.setPower(true)
    _ = try display.present(picture)
    #expect(Set(device.pixels(from: 0)) == [0xff44_4444])
  }

  @Test func `a rotated picture is repainted after the rotation changes`() throws {
    let device = Device(info())
    let display = try display(device, .quarter)
    #expect(display.canvasSize == PixelSize(10, 20))
    _ = try display.present(picture(0xff55_5555, size: PixelSize(10, 20)))
    #expect(Set(device.pixels(from: 0)) == [0xff55_5555])
    display.rotation = .none
    #expect(display.shownFrame == nil && display.canvasSize == PixelSize(20, 10))
    _ = try display.present(picture(0xff66_6666))
    #expect(Set(device.pixels(from: 0)) == [0xff66_6666])
  }

  @Test func `unsupported frame buffers are reported`() throws {
    func problem(_ change: (inout FramebufferInfo) -> Void) -> String {
      var info = info()
      info.name = "vfb"
      change(&info)
      do throws(DisplayError) {
        _ = try FramebufferDisplay(Device(info), on: loop)
        return ""
      } catch {
        #expect(error.kind == .unavailable)
        return "\(error)"
      }
    }
    #expect(problem { $0.size = PixelSize(0, 0) }.hasPrefix("/dev/fb7 (vfb) has 0x0 pixels"))
    #expect(problem { $0.size = PixelSize(1 << 40, 10) }.contains("1099511627776x10"))
    #expect(
      problem { $0.bitsPerPixel = 1 }.contains("has pixels of 1 bits, but needs 16, 24 or 32"))
    #expect(problem { $0.bitsPerPixel = 8 }.contains("has pixels of 8 bits"))
    #expect(problem { $0.isTrueColor = false }.contains("without true colour"))
    #expect(problem { $0.red.isReversed = true }.contains("in a usual order"))
    #expect(problem { $0.red.offset = 30 }.contains("in a usual order"))
    #expect(problem { $0.pitch = 79 }.contains("too few for"))
    #expect(problem { $0.pitch = 0 }.contains("too few for"))
    #expect(problem { $0.byteCount = 959 }.contains("too few for"))
    #expect(problem { _ in } == "")
  }

  @Test func `pages are inside the memory, whatever the driver reports`() {
    var generator = SeededGenerator(seed: 4)
    let extremes = [Int.min, -1, 0, 1, 2, 9, 10, 11, 19, 20, 21, 1 << 31, Int.max]
    for _ in 0..<20_000 {
      var info = info()
      info.virtualHeight = extremes.randomElement(using: &generator) ?? 0
      info.firstRow = extremes.randomElement(using: &generator) ?? 0
      info.panStep = extremes.randomElement(using: &generator) ?? 0
      info.byteCount = [960, 961, 1919, 1920, 5000].randomElement(using: &generator) ?? 0
      guard let layout = try? info.layout(of: "f") else { continue }
      for row in info.pages {
        #expect(row >= 0 && row * info.pitch + layout.byteCount <= info.byteCount, "\(info)")
      }
    }
  }
}
