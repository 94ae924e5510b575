// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

/// The memory of a thread that composes a scene's rows.
// Safe: the lane owns the buffers, whose comments state their sizes, and `RowPass` uses them only
// while `compose` runs. A lane is used by one thread at a time.
@safe final class ComposingLane: @unchecked Sendable {
  private let size: PixelSize
  private var layers: [RowPass.Layer] = []
  private var front: [RowPass.Layer] = []
  private var inks: [Ink] = []
  private var gradients: [Scene.RowGradient] = []
  private var sources = UnsafeMutableBufferPointer<SourceRows>.allocate(capacity: 1)
  private var masks = UnsafeMutableBufferPointer<TurnedMask>.allocate(capacity: 1)
  private var memories: [RowMemory] = unsafe []
  /// Space for two lists. Runs don't overlap, so there are at most as many as pixels. A layer adds
  /// up to two per solid, which are fewer than pixels.
  private let runs: UnsafeMutableBufferPointer<RowRuns.Run>
  /// Space for the largest number of layers so far, and the bezel.
  private var near = UnsafeMutableBufferPointer<UnsafePointer<RowPass.Layer>>.allocate(capacity: 1)
  /// The rows of the largest band, `stride` pixels each.
  private let band: PixelMemory
  /// Not the width: rows of 1024 pixels, read as columns, would compete for the same cache lines.
  private let stride: Int

  init(size: PixelSize) {
    self.size = size
    unsafe runs = .allocate(capacity: 4 * size.width)
    stride = size.width + 4
    unsafe band = PixelMemory(count: RowComposer.maximumBandRows * stride)
  }

  deinit {
    unsafe memories.forEach { unsafe $0.deallocate() }
    unsafe sources.deallocate()
    unsafe masks.deallocate()
    unsafe runs.deallocate()
    unsafe near.deallocate()
    unsafe band.deallocate()
  }

  /// About as many pixels as stay in the nearest cache until they are written.
  private static let cachedPixels = 3072

  /// The scene must stay alive and unchanged. O(n) in the layers.
  func begin(_ scene: Scene, within damage: PixelRect) {
    layers.removeAll(keepingCapacity: true)
    inks.removeAll(keepingCapacity: true)
    gradients.removeAll(keepingCapacity: true)
    inks.append(Ink(scene.background ?? .black))
    for layer in scene.layers where layer.bounds.overlaps(damage) { inks += layer.inks }
    if let bezel = scene.bezel { inks += bezel.inks }
    ownSources()
    if unsafe masks.count < scene.layers.count {
      unsafe masks.deallocate()
      unsafe masks = .allocate(capacity: scene.layers.count * 2)
    }
    var (first, maskCount) = (1, 0)
    for layer in scene.layers where layer.bounds.overlaps(damage) {
      var turned: UnsafePointer<TurnedMask>?
      if let mask = layer.turned?.mask, let start = unsafe masks.baseAddress {
        unsafe (start + maskCount).initialize(to: mask)
        unsafe turned = UnsafePointer(start + maskCount)
        maskCount += 1
      }
      let gradientCount = gradients.count
      layer.addGradients(first, to: &gradients)
      let own = first..<first + layer.inks.count
      unsafe layers.append(
        RowPass.Layer(
          layer, turned, firstInk: first, layer.inks.isEmpty ? nil : inks[first],
          isRowByRow: gradients.count > gradientCount
            || inks[own].contains { unsafe $0.rows?.pointee.areMade == true }))
      first += layer.inks.count
    }
    front.removeAll(keepingCapacity: true)
    if let bezel = scene.bezel {
      unsafe front.append(
        RowPass.Layer(
          bezel, nil, firstInk: first, nil, isRowByRow: false, isBlended: true))
    }
    if unsafe near.count <= layers.count {
      unsafe near.deallocate()
      unsafe near = .allocate(capacity: layers.count * 2 + 1)
    }
  }

  /// Copies the inks' source rows, because rows are generated in them.
  private func ownSources() {
    let count = inks.count { !$0.isColor }
    if unsafe count > sources.count {
      unsafe sources.deallocate()
      unsafe sources = .allocate(capacity: count * 2)
    }
    guard let start = unsafe sources.baseAddress else { return }
    var (number, made) = (0, 0)
    for index in inks.indices {
      guard let rows = unsafe inks[index].rows else { continue }
      var own = unsafe rows.pointee
      if unsafe own.areMade {
        if unsafe made == memories.count { unsafe memories.append(RowMemory()) }
        unsafe memories[made].reserve(for: own)
        unsafe own.use(memories[made])
        made += 1
      }
      unsafe (start + number).initialize(to: own)
      inks[index] = unsafe inks[index].with(start + number)
      number += 1
    }
  }

  /// Composes the pieces that `take` returns, until nil, and passes them to `write` in bands.
  ///
  /// - Parameter picture: The memory of the picture's rows, or nil to use the band. Rows have no
  ///   gap, because stores of four pixels that extend into a neighbouring row don't change it.
  func compose(
    _ composition: TransitionComposition?, rows: Int, onto picture: PixelMemory?,
    take: () -> PixelRect?,
    _ write: (ComposedBand) -> Void
  ) {
    unsafe layers.withUnsafeBufferPointer { layers in
      unsafe front.withUnsafeBufferPointer { front in
        unsafe inks.withUnsafeMutableBufferPointer { inks in
          unsafe compose(
            layers, front, inks, composition, rows: rows, onto: picture, take: take, write)
        }
      }
    }
  }

  private func compose(
    _ layers: UnsafeBufferPointer<RowPass.Layer>, _ front: UnsafeBufferPointer<RowPass.Layer>,
    _ colors: UnsafeMutableBufferPointer<Ink>, _ composition: TransitionComposition?, rows: Int,
    onto picture: PixelMemory?,
    take: () -> PixelRect?, _ write: (ComposedBand) -> Void
  ) {
    guard let inks = unsafe Inks(UnsafeBufferPointer(colors)) else { return }
    // Each access to an object's property is checked, which is noticeable in each row.
    let (gradients, runs, bandStride) = unsafe (gradients, runs, stride)
    let band = unsafe band
    var pass = unsafe RowPass(layers: layers, near: near)
    var frontPass = unsafe RowPass(
      layers: front, near: UnsafeMutableBufferPointer(rebasing: near[layers.count...]))
    // Each row is passed on separately, and isn't overdrawn.
    let isPlain = unsafe rows == 1 && picture == nil && composition == nil && front.isEmpty
    precondition((1...RowComposer.maximumBandRows).contains(rows), "1 … 16 rows")
    let bandRows = RowComposer.maximumBandRows
    while let rect = take() {
      let part = composition?.part(of: rect) ?? rect
      let shift = composition?.shift ?? (x: 0, y: 0)
      unsafe frontPass.look(at: rect)
      let together = rows > 1 ? rows : min(max(Self.cachedPixels / rect.width, 1), bandRows)
      var top = rect.y0
      while top < rect.y1 {
        let end = min(rect.y1, (top / bandRows + 1) * bandRows)
        let composed = PixelRect(
          x0: part.x0, y0: max(top - shift.y, part.y0), x1: part.x1,
          y1: min(end - shift.y, part.y1))
        unsafe pass.look(at: composed)
        while top < end {
          if isPlain, let source = unsafe pass.source(of: top, rect.x0, rect.x1, inks) {
            unsafe write(
              ComposedBand(PixelRect(x0: rect.x0, y0: top, x1: rect.x1, y1: top + 1), at: source))
            top += 1
            continue
          }
          let next = min(end, (top / together + 1) * together)
          let memory = unsafe picture ?? band
          let first = unsafe picture == nil ? top : 0
          let stride = unsafe picture == nil ? bandStride : size.width
          var y = max(top - shift.y, composed.y0)
          let last = part.x0 < part.x1 ? min(next - shift.y, composed.y1) : y
          while y < last {
            let end = unsafe pass.isRowByRow ? y + 1 : last
            let rows = unsafe PixelRows(
              y..<end, part.x0..<part.x1, in: memory,
              at: (y + shift.y - first) * stride + shift.x, stride: stride, inks)
            for index in gradients.indices where gradients[index].rows.contains(y) {
              unsafe colors[gradients[index].ink] = Ink(gradients[index].color(of: y))
            }
            unsafe pass.compose(rows, part.x0, part.x1, memory: runs)
            y = end
          }
          for y in top..<next where composition != nil || !front.isEmpty {
            let start = (y - first) * stride
            let whole = unsafe memory.row(at: start, rect.x0..<rect.x1)
            unsafe composition?.complete(whole, y: y)
            if !front.isEmpty {
              unsafe frontPass.blend(
                PixelRows(
                  y..<y + 1, rect.x0..<rect.x1, in: memory, at: start, stride: stride, inks),
                rect.x0, rect.x1)
            }
          }
          while top < next {
            let end = rows == 1 ? top + 1 : next
            unsafe write(
              ComposedBand(
                PixelRect(x0: rect.x0, y0: top, x1: rect.x1, y1: end),
                in: memory, first: first, stride: stride))
            top = end
          }
        }
      }
    }
  }
}
