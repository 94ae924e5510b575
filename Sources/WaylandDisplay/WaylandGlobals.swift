// SPDX-License-Identifier: MIT

internal import RoundelPresentation

final class WaylandGlobals {
  struct Global: Hashable {
    var number: UInt32
    var interface: String
    var version: UInt32
  }

  static let required: [(interface: WaylandInterface, purpose: String)] = [
    (.compositor, "for surfaces"), (.shm, "for buffers"),
    (.wmBase, "for windows"),
  ]
  /// Optional interfaces, and the consequences if they are missing.
  static let optional: [(interface: WaylandInterface, without: String)] = [
    (.seat, "no touch or pointer: only the socket can operate the kiosk"),
    (.presentation, "latency is measured up to the compositor's next frame, not to the panel"),
    (.fractionalScaleManager, "fractional scales blur the picture"),
    (.viewporter, "fractional scales blur the picture"),
    (.xdgOutputManager, "outputs have no names if wl_output is older than version 4"),
  ]

  let compositor: WaylandProxy
  let shm: WaylandProxy
  let wmBase: WaylandProxy
  let fractionalScaleManager: WaylandProxy?
  let viewporter: WaylandProxy?
  let presentation: WaylandProxy?
  private let registry: WaylandRegistry

  init(_ registry: WaylandRegistry) throws(DisplayError) {
    self.registry = registry
    func require(_ interface: WaylandInterface, _ version: UInt32) throws(DisplayError)
      -> WaylandProxy
    {
      guard let proxy = registry.bind(interface, version) else {
        let purpose = Self.required.first { $0.interface.name == interface.name }?.purpose ?? ""
        throw DisplayError(
          .unavailable,
          "the Wayland compositor at \(registry.place) lacks \(interface.name), needed"
            + " \(purpose); use another compositor, such as cage or weston")
      }
      return proxy
    }
    compositor = try require(.compositor, 6)
    shm = try require(.shm, 1)
    // Version 6 only adds a state, so older tables suffice.
    wmBase = try require(.wmBase, 6)
    fractionalScaleManager = registry.bind(.fractionalScaleManager, 1)
    viewporter = registry.bind(.viewporter, 1)
    presentation = registry.bind(.presentation, 1)
    wmBase.onEvent = { [weak wmBase] event in
      if event.name == "ping" { wmBase?.request("pong", .uint(event.uint(0))) }
    }
  }
}

final class WaylandRegistry {
  private(set) var globals: [WaylandGlobals.Global] = []
  /// Called with each global added or removed after the initial list.
  var onAdd: (WaylandGlobals.Global) -> Void = { _ in }
  var onRemove: (UInt32) -> Void = { _ in }

  var place: String { connection.place }

  private let connection: WaylandConnection
  private let proxy: WaylandProxy

  /// Waits for the initial list.
  init(_ connection: WaylandConnection) throws(DisplayError) {
    self.connection = connection
    proxy = connection.makeRegistry()
    proxy.onEvent = { [weak self] in self?.handle($0) }
    try synchronize()
  }

  /// Seconds to wait for a response at startup.
  private static let timeout = 5.0

  /// Waits until the compositor has handled all requests.
  func synchronize() throws(DisplayError) {
    let callback = connection.makeCallback()
    var isDone = false
    callback.onEvent = { _ in isDone = true }
    guard try connection.wait(seconds: Self.timeout, until: { isDone }) else {
      throw DisplayError(
        .unavailable,
        "the Wayland compositor at \(place) does not answer; it may be stopped or hang")
    }
  }

  /// Binds the first global of an interface, in the newest version that both sides and the caller
  /// support, or returns nil.
  func bind(_ interface: WaylandInterface, _ maximum: UInt32) -> WaylandProxy? {
    globals.first { $0.interface == interface.name }.map { bind($0, interface, maximum) }
  }

  func bind(
    _ global: WaylandGlobals.Global, _ interface: WaylandInterface, _ maximum: UInt32
  ) -> WaylandProxy {
    // The only interface whose newer version adds no messages.
    let known = interface.name == "xdg_wm_base" ? max(interface.version, 6) : interface.version
    return proxy.bind(
      global.number, interface, version: max(1, min(global.version, known, maximum)))
  }

  private func handle(_ event: WaylandEvent) {
    switch event.name {
    case "global":
      let global = WaylandGlobals.Global(
        number: event.uint(0), interface: event.string(1), version: event.uint(2))
      globals.append(global)
      onAdd(global)
    case "global_remove":
      globals.removeAll { $0.number == event.uint(0) }
      onRemove(event.uint(0))
    default: break
    }
  }
}
