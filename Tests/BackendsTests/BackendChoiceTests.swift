// SPDX-License-Identifier: MIT

import RoundelBackends
import RoundelGeometry
import Kiosk
import LinuxIO
import RoundelPresentation
import RoundelRuntime
import RoundelTerminal
import Testing
import RoundelText

@Suite struct BackendChoiceTests {
  /// A name that no DRM device has.
  private static let missing = "/dev/dri/none"

  private func make(
    _ kind: BackendChoice.Kind, rotation: Rotation? = nil, isInteractive: Bool = false,
    _ change: (inout BackendChoice) -> Void = { _ in }
  ) throws -> any Backend {
    let content = Content(
      Description(
        name: "wall", screen: Screen(size: Size(640, 400), rotation: rotation),
        pages: [Page(name: "only", controls: [])]), fonts: FontLibrary())
    var choice = BackendChoice(kind)
    change(&choice)
    return try choice.makeBackend(
      for: content, on: try EventLoop(),
      environment: TerminalEnvironment({ _ in nil }, isTerminal: isInteractive), onEnd: { _ in },
      report: { _ in })
  }

  @Test func `a headless panel has the size of the design, rotated by the file`() throws {
    let backend = try make(.headless, rotation: .quarter)
    #expect(backend.display.rotation == .quarter)
    #expect(backend.display.canvasSize == PixelSize(640, 400))
    #expect(backend.fixedRotation == nil)
  }

  @Test func `a requested rotation takes precedence over the file's, and stays`() throws {
    let backend = try make(.headless, rotation: .quarter) {
      $0.rotation = Rotation.none
      $0.size = PixelSize(800, 480)
    }
    #expect(backend.display.canvasSize == PixelSize(800, 480))
    #expect(backend.fixedRotation == Rotation.none)
  }

  @Test(arguments: [BackendChoice.Kind.fbdev, .drm])
  func `the error for a missing device names it`(_ kind: BackendChoice.Kind) {
    do {
      _ = try make(kind) { $0.card = Self.missing }
      Issue.record("it was opened")
    } catch {
      #expect("\(error)".contains(Self.missing))
    }
  }

  @Test func `a service waits for a missing DRM device`() throws {
    let backend = try make(.drm) {
      $0.card = Self.missing
      $0.waitsForCard = true
    }
    guard case .waiting = backend.display.state else {
      Issue.record("it shows something")
      return
    }
  }

  @Test(arguments: [
    (["TERM": "xterm"], false), (["TERM": "tmux-256color"], true), (["TERM": "screen"], true),
    (["TERM": "xterm", "TMUX": "/tmp/tmux"], true), ([:], false),
  ])
  func `a terminal in tmux or screen is multiplexed`(variables: [String: String], isPart: Bool) {
    #expect(TerminalEnvironment({ variables[$0] }).isMultiplexed == isPart)
  }

  @Test func `a console from a service manager isn't used by a person`() {
    #expect(TerminalEnvironment({ _ in nil }, isTerminal: true).isInteractive)
    #expect(!TerminalEnvironment({ _ in nil }, isTerminal: false).isInteractive)
    #expect(
      !TerminalEnvironment({ $0 == "NOTIFY_SOCKET" ? "/run/n" : nil }, isTerminal: true)
        .isInteractive)
  }
}
