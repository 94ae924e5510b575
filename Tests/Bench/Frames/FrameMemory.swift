// SPDX-License-Identifier: MIT

import AllocationCount
import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Glibc
import Kiosk
import KioskFile
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import SystemFonts
import RoundelText

/// `frame-memory` uses each control with fingers and counts the memory blocks allocated by moving
/// frames, from the engine's state to the panel's bytes. It fails if a frame allocates more than
/// allowed. Each scene is painted by one thread and by two.
///
/// Some repetitions come first, so that fonts and images are ready and each list and layer has its
/// maximum size. Items that come and go exchange their layers' memory, which may take some thirty
/// rounds to settle. Counting therefore repeats after a failure: a frame that really needs memory
/// allocates it each time.
@main
struct FrameMemory {
  private static let attempts = 30

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    var isWithin = true
    print("what moves             threads  frames  asking  blocks  most  allowed")
    for scene in Scene.allCases where arguments.isEmpty || arguments.contains(scene.rawValue) {
      for threads in 1...2 {
        let run = try Run(scene, threads: threads)
        for _ in 0..<12 { try run.play() }
        for _ in 0..<Self.attempts {
          run.startCounting()
          try run.play()
          if run.most <= run.allowed { break }
        }
        print(run.row)
        isWithin = isWithin && run.most <= run.allowed
      }
    }
    exit(isWithin ? 0 : 1)
  }
}

/// A kiosk, a panel, and the counts.
final class Run {
  let scene: Scene
  let threads: Int
  let stage: Stage
  let display: HeadlessDisplay
  private var isCounting = false
  private var frames = 0
  private var blocks = 0
  private var askingFrames = 0
  /// The maximum number of blocks per frame.
  private(set) var most = 0

  /// The closure shared by threads is an additional block.
  var allowed: Int { scene.allowed + (threads > 1 ? 1 : 0) }

  init(_ scene: Scene, threads: Int) throws {
    self.scene = scene
    self.threads = threads
    let reading = ParsedKiosk(Array(scene.text.utf8), path: "\(scene).yaml", assets: StubImages())
    guard let description = reading.description else {
      fatalError("the kiosk \(scene) has errors: \(reading.diagnostics)")
    }
    let fonts = FontLoader()
    for font in reading.fonts { try fonts.load(font) }
    fonts.loadFallback()
    var content = Content(description, fonts: fonts.library, images: StubImages.images)
    // Almost every frame is large enough for both.
    if threads > 1 { content.threads = ThreadPool(width: threads, minimumShare: 1 << 10) }
    stage = Stage(content, seed: 1)
    display = HeadlessDisplay(
      size: PixelSize(1280, 800), refreshInterval: 1.0 / 60, clock: { .zero })
    try frame()
  }

  func startCounting() {
    isCounting = true
    (frames, blocks, askingFrames, most) = (0, 0, 0, 0)
  }

  func play() throws {
    for step in scene.steps {
      switch step {
      case .touch(let phase, let place): touch(phase, place)
      case .tap(let place):
        touch(.down, place)
        try frame()
        touch(.up, place)
      case .drag(let frames, let path):
        touch(.down, path(0))
        for number in 1...frames {
          touch(.move, path(number))
          // Between two samples, as on a panel whose refresh isn't synchronous with its touches.
          let ahead = path(number) + Vector(0.25, 0.25)
          try frame { _ in ahead }
        }
        touch(.up, path(frames))
      case .write(let frames, let value):
        for number in 1...frames {
          stage.perform { try? $0.set("value", of: "c", to: .number(value(number))) }
          try frame()
        }
      case .rest:
        for _ in 0..<1000 where stage.engine.isMoving || stage.engine.nextChange != nil {
          try frame()
        }
      }
    }
  }

  private func touch(_ phase: Touch.Phase, _ place: Point) {
    stage.perform { $0.handle(Touch(finger: 0, phase: phase, position: place), at: $0.now) }
  }

  /// A frame at 60 Hz. Only rendering is counted, not the engine.
  private func frame(following position: (Int) -> Point? = { _ in nil }) throws {
    stage.perform(at: stage.now + 1.0 / 60) { _ in }
    stage.report()
    let before = roundel_allocation_count()
    _ = try display.present(stage.picture(display.canvasSize, following: position))
    let asked = Int(roundel_allocation_count() - before)
    guard isCounting else { return }
    frames += 1
    blocks += asked
    most = max(most, asked)
    askingFrames += asked > 0 ? 1 : 0
  }

  var row: String {
    func right(_ number: Int, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - String(number).count)) + String(number)
    }
    return scene.rawValue + String(repeating: " ", count: max(0, 22 - scene.rawValue.count))
      + right(threads, 8) + right(frames, 8) + right(askingFrames, 8) + right(blocks, 8)
      + right(most, 6)
      + right(allowed, 9)
  }
}
