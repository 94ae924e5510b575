// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelGeometry
internal import SystemPackage

struct PropertyAssignment: Hashable {
  var object: UInt32
  var property: String
  var value: UInt64
  /// Skipped if the object doesn't have the property.
  var isOptional = false
}

extension Output {
  /// Fills the panel with `framebuffer`, in the mode of `modeBlob`. Resets leftovers of an earlier
  /// program or the text console: a rotated plane, other planes on the CRTC, other connectors of
  /// the CRTC, and a CRTC that drove the connector and would lose it.
  func modeset(
    showing framebuffer: UInt32, modeBlob: UInt32, on card: CardResources
  ) -> [PropertyAssignment] {
    guard let plane else { return [] }
    var result = fill(plane, with: framebuffer, modeBlob: modeBlob)
    let others = card.connectors.filter { $0.id != connector.id }
    for other in others where other.currentCRTC == crtc.id {
      result.append(PropertyAssignment(object: other.id, property: "CRTC_ID", value: 0))
    }
    var cleared: Set = [crtc.id]
    let former = card.connectors.first { $0.id == connector.id }?.currentCRTC ?? 0
    if former != 0, former != crtc.id, !others.contains(where: { $0.currentCRTC == former }) {
      cleared.insert(former)
      result.append(PropertyAssignment(object: former, property: "ACTIVE", value: 0))
      result.append(PropertyAssignment(object: former, property: "MODE_ID", value: 0))
    }
    for other in card.planes where other.id != plane.id && cleared.contains(other.currentCRTC) {
      result.append(PropertyAssignment(object: other.id, property: "FB_ID", value: 0))
      result.append(PropertyAssignment(object: other.id, property: "CRTC_ID", value: 0))
    }
    return result
  }

  private func fill(
    _ plane: Plane, with framebuffer: UInt32, modeBlob: UInt32
  ) -> [PropertyAssignment] {
    let (width, height) = (UInt64(mode.size.width), UInt64(mode.size.height))
    return [
      PropertyAssignment(object: connector.id, property: "CRTC_ID", value: UInt64(crtc.id)),
      // 0 is DRM_MODE_LINK_STATUS_GOOD. After a link failure, only this makes the kernel retrain
      // it.
      PropertyAssignment(object: connector.id, property: "link-status", value: 0, isOptional: true),
      PropertyAssignment(object: crtc.id, property: "MODE_ID", value: UInt64(modeBlob)),
      PropertyAssignment(object: crtc.id, property: "ACTIVE", value: 1),
      PropertyAssignment(object: plane.id, property: "FB_ID", value: UInt64(framebuffer)),
      PropertyAssignment(object: plane.id, property: "CRTC_ID", value: UInt64(crtc.id)),
      // Source coordinates are 16.16 fixed point. CRTC coordinates are whole pixels.
      PropertyAssignment(object: plane.id, property: "SRC_X", value: 0),
      PropertyAssignment(object: plane.id, property: "SRC_Y", value: 0),
      PropertyAssignment(object: plane.id, property: "SRC_W", value: width << 16),
      PropertyAssignment(object: plane.id, property: "SRC_H", value: height << 16),
      PropertyAssignment(object: plane.id, property: "CRTC_X", value: 0),
      PropertyAssignment(object: plane.id, property: "CRTC_Y", value: 0),
      PropertyAssignment(object: plane.id, property: "CRTC_W", value: width),
      PropertyAssignment(object: plane.id, property: "CRTC_H", value: height),
      PropertyAssignment(
        object: plane.id, property: "rotation", value: UInt64(roundel_DRM_MODE_ROTATE_0),
        isOptional: true),
    ]
  }
}

/// Commits take effect completely or not at all.
final class AtomicPipeline: Pipeline {
  private let card: Card
  private let output: Output
  private let plane: Plane
  private let properties: [UInt32: [String: UInt32]]

  /// Returns nil if the kernel doesn't support atomic commits or report planes.
  init?(_ card: Card, _ resources: CardResources, _ output: Output) {
    guard resources.isAtomic, let plane = output.plane else { return nil }
    self.card = card
    self.output = output
    self.plane = plane
    var properties: [UInt32: [String: UInt32]] = [:]
    for plane in resources.planes {
      properties[plane.id] = card.properties(of: plane.id, DRM_MODE_OBJECT_PLANE).mapValues(\.id)
    }
    for crtc in resources.crtcs {
      properties[crtc.id] = card.properties(of: crtc.id, DRM_MODE_OBJECT_CRTC).mapValues(\.id)
    }
    for connector in resources.connectors {
      properties[connector.id] =
        card.properties(of: connector.id, DRM_MODE_OBJECT_CONNECTOR).mapValues(\.id)
    }
    self.properties = properties
  }

  func setMode(showing framebuffer: UInt32, on resources: CardResources) throws(Refusal) {
    var info = output.mode.info
    // The kernel copies the mode into the blob, and the blob's content into the commit.
    let blob = try unsafe Blob(on: card, &info, MemoryLayout.size(ofValue: info))
    defer { withExtendedLifetime(blob) {} }
    let assignments = output.modeset(showing: framebuffer, modeBlob: blob.id, on: resources)
    let test = UInt32(DRM_MODE_ATOMIC_TEST_ONLY)
    do throws(Refusal) {
      // If the mode is already set, the panel doesn't go dark. Without the flag, the kernel rejects
      // larger changes.
      try commit(assignments, test)
      try commit(assignments, 0)
    } catch {
      guard error.errno == .invalidArgument else { throw error }
      let allow = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
      try commit(assignments, test | allow)
      try commit(assignments, allow)
    }
  }

  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Refusal) -> Submission {
    // Exclusive ends, whole pixels of the framebuffer. Without clips, everything counts as damaged.
    var clips = (damage ?? []).map {
      drm_mode_rect(x1: Int32($0.x0), y1: Int32($0.y0), x2: Int32($0.x1), y2: Int32($0.y1))
    }
    var blob: Blob?
    if !clips.isEmpty, properties[plane.id]?["FB_DAMAGE_CLIPS"] != nil {
      let length = clips.count * MemoryLayout<drm_mode_rect>.stride
      // Damage is a hint. If the kernel has no memory for it, everything counts as damaged.
      blob = try? unsafe Blob(on: card, &clips, length)
    }
    defer { withExtendedLifetime(blob) {} }
    let assignments = [
      PropertyAssignment(object: plane.id, property: "FB_ID", value: UInt64(framebuffer)),
      PropertyAssignment(
        object: plane.id, property: "FB_DAMAGE_CLIPS", value: UInt64(blob?.id ?? 0),
        isOptional: true),
    ]
    try commit(
      assignments, UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), tag)
    return .willReport
  }

  func turnOff() throws(Refusal) {
    try commit(
      [PropertyAssignment(object: output.crtc.id, property: "ACTIVE", value: 0)],
      UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
  }

  private func commit(
    _ assignments: [PropertyAssignment], _ flags: UInt32, _ tag: UInt64 = 0
  ) throws(Refusal) {
    guard let request = unsafe drmModeAtomicAlloc() else {
      throw Refusal(call: "MODE_ATOMIC", errno: .noMemory)
    }
    // Freed on every exit. The commit copies it.
    defer { unsafe drmModeAtomicFree(request) }
    for assignment in assignments {
      guard let id = properties[assignment.object]?[assignment.property] else {
        if assignment.isOptional { continue }
        throw Refusal(
          call: "MODE_ATOMIC without the property \(assignment.property)",
          errno: .noSuchFileOrDirectory)
      }
      // Returns the number of assignments, or a negative error.
      try Refusal.check("MODE_ATOMIC") {
        unsafe drmModeAtomicAddProperty(request, assignment.object, id, assignment.value)
      }
    }
    // Never dereferenced: the kernel returns it with the event.
    let data = unsafe UnsafeMutableRawPointer(bitPattern: UInt(tag))
    try Refusal.check("MODE_ATOMIC") {
      unsafe drmModeAtomicCommit(card.fd, request, flags, data)
    }
  }
}

/// The bytes of a property value in the kernel. C: the id from `drmModeCreatePropertyBlob`.
private final class Blob {
  let card: Card
  let id: UInt32

  init(on card: Card, _ bytes: UnsafeRawPointer, _ length: Int) throws(Refusal) {
    var id: UInt32 = 0
    try Refusal.check("MODE_CREATEPROPBLOB") {
      unsafe drmModeCreatePropertyBlob(card.fd, bytes, length, &id)
    }
    self.card = card
    self.id = id
  }

  deinit {
    drmModeDestroyPropertyBlob(card.fd, id)
  }
}
