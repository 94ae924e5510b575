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

extension [Output] {
  /// A commit after which `framebuffer` fills the panels, of which each has its mode in a blob.
  ///
  /// Everything that an earlier program, or the text console, may have left behind is put right: a
  /// turned plane, other planes on these CRTCs, other connectors fed by them, and CRTCs that fed these
  /// connectors and would be left without one.
  func modeset(
    showing framebuffer: UInt32, modeBlobs: [UInt32], on card: CardResources
  ) -> [PropertyAssignment] {
    var result: [PropertyAssignment] = []
    for (output, blob) in zip(self, modeBlobs) {
      result += output.modeset(showing: framebuffer, modeBlob: blob)
    }
    let own = (
      connectors: Set(map(\.connector.id)), crtcs: Set(map(\.crtc.id)),
      planes: Set(compactMap(\.plane?.id))
    )
    let others = card.connectors.filter { !own.connectors.contains($0.id) }
    for other in others where own.crtcs.contains(other.currentCRTC) {
      result.append(PropertyAssignment(object: other.id, property: "CRTC_ID", value: 0))
    }
    let abandoned = Set(map(\.connector.currentCRTC)).subtracting(own.crtcs)
      .subtracting(others.map(\.currentCRTC)).subtracting([0]).sorted()
    for crtc in abandoned {
      result.append(PropertyAssignment(object: crtc, property: "ACTIVE", value: 0))
      result.append(PropertyAssignment(object: crtc, property: "MODE_ID", value: 0))
    }
    let cleared = own.crtcs.union(abandoned)
    for other in card.planes
    where !own.planes.contains(other.id) && cleared.contains(other.currentCRTC) {
      result.append(PropertyAssignment(object: other.id, property: "FB_ID", value: 0))
      result.append(PropertyAssignment(object: other.id, property: "CRTC_ID", value: 0))
    }
    return result
  }
}

extension Output {
  fileprivate func modeset(showing framebuffer: UInt32, modeBlob: UInt32) -> [PropertyAssignment] {
    guard let plane else { return [] }
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
  private let resources: CardResources
  private let outputs: [Output]
  private let planes: [Plane]
  private let properties: [UInt32: [String: UInt32]]

  /// nil where the kernel does not support atomic commits or does not report planes.
  init?(_ card: Card, _ resources: CardResources, _ outputs: [Output]) {
    let planes = outputs.compactMap(\.plane)
    guard resources.isAtomic, planes.count == outputs.count else { return nil }
    self.card = card
    self.resources = resources
    self.outputs = outputs
    self.planes = planes
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

  func setMode(showing framebuffer: UInt32) throws(Errno) {
    var blobs: [Blob] = []
    for output in outputs {
      var info = output.mode.info
      // The kernel copies the mode into the blob, and the blob's content into the commit.
      blobs.append(try unsafe Blob(on: card, &info, MemoryLayout.size(ofValue: info)))
    }
    let assignments = outputs.modeset(
      showing: framebuffer, modeBlobs: blobs.map(\.id), on: resources)
    defer { withExtendedLifetime(blobs) {} }
    let test = UInt32(DRM_MODE_ATOMIC_TEST_ONLY)
    do throws(Errno) {
      // Where the mode is lit already only the picture changes, and the panel does not go dark. The
      // kernel refuses all else without the flag.
      try commit(assignments, test)
      try commit(assignments, 0)
    } catch .invalidArgument {
      let allow = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET)
      try commit(assignments, test | allow)
      try commit(assignments, allow)
    }
  }

  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Errno) -> Submission {
    var assignments = planes.map {
      PropertyAssignment(object: $0.id, property: "FB_ID", value: UInt64(framebuffer))
    }
    // Exclusive ends, whole pixels of the framebuffer. Without clips all counts as damaged.
    var clips = (damage ?? []).map {
      drm_mode_rect(x1: Int32($0.x0), y1: Int32($0.y0), x2: Int32($0.x1), y2: Int32($0.y1))
    }
    var blob: Blob?
    let takesDamage = planes.contains { properties[$0.id]?["FB_DAMAGE_CLIPS"] != nil }
    if !clips.isEmpty && takesDamage {
      let length = clips.count * MemoryLayout<drm_mode_rect>.stride
      // Damage is a hint: a kernel that has no memory for it gets everything.
      blob = try? unsafe Blob(on: card, &clips, length)
    }
    assignments += planes.map {
      PropertyAssignment(
        object: $0.id, property: "FB_DAMAGE_CLIPS", value: UInt64(blob?.id ?? 0),
        isOptional: true)
    }
    try commit(
      assignments, UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), tag)
    return .willReport(events: planes.count)
  }

  func turnOff() throws(Errno) {
    try commit(
      outputs.map { PropertyAssignment(object: $0.crtc.id, property: "ACTIVE", value: 0) },
      UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET))
  }

  private func commit(
    _ assignments: [PropertyAssignment], _ flags: UInt32, _ tag: UInt64 = 0
  ) throws(Errno) {
    guard let request = unsafe drmModeAtomicAlloc() else { throw .noMemory }
    // Freed whichever way this is left; the commit copies it.
    defer { unsafe drmModeAtomicFree(request) }
    for assignment in assignments {
      guard let id = properties[assignment.object]?[assignment.property] else {
        if assignment.isOptional { continue }
        throw .noSuchFileOrDirectory
      }
      // It returns the number of assignments so far, or a negative error.
      try Card.check {
        unsafe drmModeAtomicAddProperty(request, assignment.object, id, assignment.value)
      }
    }
    // Never followed: the kernel hands it back with the event.
    let data = unsafe UnsafeMutableRawPointer(bitPattern: UInt(tag))
    try Card.check { unsafe drmModeAtomicCommit(card.fd, request, flags, data) }
  }
}

/// Bytes in the kernel that a property refers to. C: the id of `drmModeCreatePropertyBlob`.
private final class Blob {
  let card: Card
  let id: UInt32

  /// Copies `length` bytes.
  init(on card: Card, _ bytes: UnsafeRawPointer, _ length: Int) throws(Errno) {
    var id: UInt32 = 0
    try Card.check { unsafe drmModeCreatePropertyBlob(card.fd, bytes, length, &id) }
    self.card = card
    self.id = id
  }

  deinit {
    drmModeDestroyPropertyBlob(card.fd, id)
  }
}
