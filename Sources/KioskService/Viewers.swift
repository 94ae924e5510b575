// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelPresentation
internal import RoundelRaster
internal import JSONRPC
internal import RoundelRuntime

final class Viewers: KioskComponent {
  private let context: ServerContext
  private var viewers: [ClientID: Viewer] = [:]
  /// The client of the last frame. The client after it is next.
  private var lastViewer: ClientID?
  private var isPacking = false
  /// The last processed frame.
  private var seenFrame: Int?
  /// The masked areas of the last processed frame.
  private var seenMasks: [PixelRect] = []

  init(_ context: ServerContext) {
    self.context = context
  }

  func isBusy(for client: ClientID) -> Bool { viewers[client] != nil }

  func forget(_ client: ClientID) { viewers[client] = nil }

  var methods: [ServedMethod] {
    [
      ServedMethod(FrameRequest.self) { [unowned self] request, reply in
        try add(request, reply)
        return .later
      }
    ]
  }

  private func add(
    _ request: FrameRequest, _ reply: Reply<FrameAnswer>
  ) throws(RemoteError) {
    var viewer = viewers[reply.client]
    if let old = viewer, old.request != request {
      old.dismiss()
      viewer = nil
      viewers[reply.client] = nil
    }
    let watching = if let viewer { viewer } else { try makeViewer(request, for: reply.client) }
    guard watching.replies.count < context.limits.maximumFrameRequests else {
      throw RemoteError(
        exceeding: "maximumFrameRequests", context.limits.maximumFrameRequests,
        "too many pending frames (at most \(context.limits.maximumFrameRequests))")
    }
    watching.add(reply)
    viewers[reply.client] = watching
  }

  private func makeViewer(
    _ request: FrameRequest, for client: ClientID
  ) throws(RemoteError) -> Viewer {
    let viewer = Viewer(request, for: client, context.budget.reservation(for: client))
    try viewer.prepare(for: context.cycle.picture.size)
    viewer.onProceed = { [unowned self, unowned viewer] in pack(viewer) }
    return viewer
  }

  /// Packs one frame at a time, in round-robin order, so viewers never delay the kiosk.
  func turn(isShown: Bool) {
    recordChanges()
    guard isShown, !isPacking, !viewers.isEmpty else { return }
    let line = viewers.filter { wantsFrame($0.value) }.keys.sorted()
    let next = line.first { client in lastViewer.map { client > $0 } ?? true } ?? line.first
    if let next, let viewer = viewers[next] { context.work.add(viewer) }
  }

  private func recordChanges() {
    let picture = context.cycle.picture
    guard picture.frame != seenFrame else { return }
    let damage = picture.damage(since: seenFrame)
    seenFrame = picture.frame
    let masks = picture.privateRects
    for viewer in viewers.values {
      viewer.add(damage)
      if masks != seenMasks { for mask in masks + seenMasks { viewer.add(Damage(mask)) } }
    }
    seenMasks = masks
  }

  private func wantsFrame(_ viewer: Viewer) -> Bool {
    viewer.wantsFrame(of: context.cycle.picture.size, isBlank: context.cycle.engine.isBlank)
  }

  private func pack(_ viewer: Viewer) {
    guard !isPacking, wantsFrame(viewer) else { return }
    let picture = context.cycle.picture
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
      of: picture, isBlank: context.cycle.engine.isBlank,
      maximumPixels: context.limits.maximumFramePixels)
    context.packer.run {
      pack()
    } whenDone: { [weak self, weak viewer] packed in
      self?.isPacking = false
      self?.context.work.measure { viewer?.send(packed, area: area) }
    }
  }
}
