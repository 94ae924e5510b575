// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Presentation
internal import Raster
internal import Remote
internal import Runtime

/// Clients that look at the panel.
final class Viewers: Room {
  private let cycle: FrameCycle
  private let limits: Limits
  private let budget: ByteBudget
  private let work: ClientWork
  /// Packs pictures.
  private let worker: Worker
  private var viewers: [ClientID: Viewer] = [:]
  /// Who was sent a frame last; the next one goes to the client after it.
  private var lastViewer: ClientID?
  private var isPacking = false
  /// What of the picture the viewers know.
  private var seenFrame: Int?

  init(
    _ cycle: FrameCycle, limits: Limits, budget: ByteBudget, work: ClientWork, worker: Worker
  ) {
    self.cycle = cycle
    self.limits = limits
    self.budget = budget
    self.work = work
    self.worker = worker
  }

  /// Whether a client looks at the panel.
  func contains(_ client: ClientID) -> Bool { viewers[client] != nil }

  func forget(_ client: ClientID) { viewers[client] = nil }

  var methods: [Method] {
    [
      Method(
        "frame",
        "Gives what has changed in the picture since the answer before, once something has; at first "
          + "all of it. Who asks seldom misses frames and no changes. Where much has changed on a "
          + "large panel, some of it comes with the next answers.",
        result: "{size, area, parts: [{at, png}]}: the picture's pixels; [x, y, width, height] of "
          + "the design that it shows, upright; PNG files in base64, and where in the picture they "
          + "go. A picture of another size begins anew"
      ) { parameters in
        let size = parameters.optional(
          "size", .pixelSize, "The most pixels that it may have; the panel's own.")
        let aspect = parameters.optional(
          "aspect", .number(0.2...5), default: .number(1),
          "The width of its pixels, as they will be seen, by their height.")
        return { [unowned self] arguments, reply in
          let wish = Viewer.Wish(size: arguments[size], aspect: arguments[aspect])
          return try add(wish, reply)
        }
      }
    ]
  }

  private func add(_ wish: Viewer.Wish, _ reply: Reply) throws(RemoteError) -> Method.Outcome {
    var viewer = viewers[reply.client]
    if let old = viewer, old.wish != wish {
      old.dismiss()
      viewer = nil
      viewers[reply.client] = nil
    }
    let watching = if let viewer { viewer } else { try makeViewer(wish, for: reply.client) }
    guard watching.replies.count < limits.maximumFrameRequests else {
      throw RemoteError(
        exceeding: "maximumFrameRequests", limits.maximumFrameRequests,
        "\(limits.maximumFrameRequests) frames are waited for already")
    }
    watching.add(reply)
    viewers[reply.client] = watching
    return .later
  }

  private func makeViewer(
    _ wish: Viewer.Wish, for client: ClientID
  ) throws(RemoteError) -> Viewer {
    let viewer = Viewer(wish, for: client, budget.reservation(for: client))
    try viewer.prepare(for: cycle.picture.size)
    viewer.onProceed = { [unowned self, unowned viewer] in pack(viewer) }
    return viewer
  }

  /// Has the next frame packed for one of the clients that wait for one, each in its turn. One at a
  /// time is copied and packed, so that no number of them costs a frame.
  func turn() {
    noteChanges()
    guard !isPacking, !viewers.isEmpty else { return }
    let line = viewers.filter { wantsFrame($0.value) }.keys.sorted()
    let next = line.first { client in lastViewer.map { client > $0 } ?? true } ?? line.first
    if let next, let viewer = viewers[next] { work.add(viewer) }
  }

  private func noteChanges() {
    let picture = cycle.picture
    guard picture.frame != seenFrame else { return }
    let damage = picture.damage(since: seenFrame)
    seenFrame = picture.frame
    for viewer in viewers.values { viewer.add(damage) }
  }

  private func wantsFrame(_ viewer: Viewer) -> Bool {
    viewer.wantsFrame(of: cycle.picture.size, isBlank: cycle.engine.isBlank)
  }

  private func pack(_ viewer: Viewer) {
    guard !isPacking, wantsFrame(viewer) else { return }
    let picture = cycle.picture
    lastViewer = viewer.client
    do throws(RemoteError) {
      try viewer.prepare(for: picture.size)
    } catch {
      return viewer.refuse(error)
    }
    isPacking = true
    let (viewport, size) = (picture.viewport, picture.size)
    let area = Rect(
      origin: viewport.designPoint(.zero),
      size: Size(Double(size.width) / viewport.scale, Double(size.height) / viewport.scale))
    let pack = viewer.takeFrame(
      of: picture, isBlank: cycle.engine.isBlank, maximumPixels: limits.maximumFramePixels)
    worker.run {
      pack()
    } whenDone: { [weak self, weak viewer] packed in
      self?.isPacking = false
      self?.work.measure { viewer?.send(packed, area: area) }
    }
  }
}

extension ParameterType where Value == PixelSize {
  static let pixelSize = ParameterType("[width, height] in pixels, 1 … 16384 each") { json in
    guard case .array(let list) = json, list.count == 2 else { return nil }
    let sides = list.compactMap(\.integer)
    guard sides.count == 2, sides.allSatisfy({ (1...PNG.greatestSide).contains($0) }) else {
      return nil
    }
    return PixelSize(sides[0], sides[1])
  }
}
