// SPDX-License-Identifier: MIT

internal import CDRM
internal import Geometry
internal import SystemPackage

/// One value of one property of a commit.
struct PropertyAssignment: Hashable {
  var object: UInt32
  var property: String
  var value: UInt64
  /// Left out where the object has no such property.
  var isOptional = false
}

extension Output {
  /// A commit after which `framebuffer` fills the panel, whose mode is in a blob.
  ///
  /// It resets everything that an earlier program, or the text console, may have left behind: a
  /// turned plane, other planes on the CRTC, other connectors fed by it, and a CRTC that fed the
  /// connector and would be left without one.
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
      // 0 is DRM_MODE_LINK_STATUS_GOOD: after a failed link, only this makes the kernel train it.
      PropertyAssignment(object: connector.id, property: "link-status", value: 0, isOptional: true),
      PropertyAssignment(object: crtc.id, property: "MODE_ID", value: UInt64(modeBlob)),
      PropertyAssignment(object: crtc.id, property: "ACTIVE", value: 1),
      PropertyAssignment(object: plane.id, property: "FB_ID", value: UInt64(framebuffer)),
      PropertyAssignment(object: plane.id, property: "CRTC_ID", value: UInt64(crtc.id)),
      // Source coordinates are 16.16 fixed point, those on the CRTC are whole pixels.
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

/// Commits that take effect as a whole or not at all.
final class AtomicPipeline: Pipeline {
  private let card: Card
  private let output: Output
  private let plane: Plane
  private let properties: [UInt32: [String: UInt32]]

  /// nil where the kernel does not support atomic commits or does not report planes.
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
      // If the mode is set already, only the picture changes, and the panel does not go dark. Without the flag,
      // the kernel refuses anything more.
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
    // Exclusive ends, whole pixels of the framebuffer. Without clips all counts as damaged.
    var clips = (damage ?? []).map {
      drm_mode_rect(x1: Int32($0.x0), y1: Int32($0.y0), x2: Int32($0.x1), y2: Int32($0.y1))
    }
    var blob: Blob?
    if !clips.isEmpty, properties[plane.id]?["FB_DAMAGE_CLIPS"] != nil {
      let length = clips.count * MemoryLayout<drm_mode_rect>.stride
      // Damage is a hint: a kernel that has no memory for it gets everything.
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
    // Freed whichever way this is left; the commit copies it.
    defer { unsafe drmModeAtomicFree(request) }
    for assignment in assignments {
      guard let id = properties[assignment.object]?[assignment.property] else {
        if assignment.isOptional { continue }
        throw Refusal(
          call: "MODE_ATOMIC without the property \(assignment.property)",
          errno: .noSuchFileOrDirectory)
      }
      // It returns the number of assignments so far, or a negative error.
      try Refusal.check("MODE_ATOMIC") {
        unsafe drmModeAtomicAddProperty(request, assignment.object, id, assignment.value)
      }
    }
    // Never followed: the kernel hands it back with the event.
    let data = unsafe UnsafeMutableRawPointer(bitPattern: UInt(tag))
    try Refusal.check("MODE_ATOMIC") {
      unsafe drmModeAtomicCommit(card.fd, request, flags, data)
    }
  }
}

/// Bytes in the kernel that a property refers to. C: the id of `drmModeCreatePropertyBlob`.
private final class Blob {
  let card: Card
  let id: UInt32

  /// Copies `length` bytes.
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
