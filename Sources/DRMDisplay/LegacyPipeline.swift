// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelGeometry
internal import SystemPackage

/// The calls that preceded atomic commits, for drivers that support nothing else.
final class LegacyPipeline: Pipeline {
  private let card: Card
  private let output: Output
  /// False once the driver can't flip. Each frame then sets the mode.
  private var canFlip = true

  init(_ card: Card, _ output: Output) {
    self.card = card
    self.output = output
  }

  func setMode(showing framebuffer: UInt32, on resources: CardResources) throws(Refusal) {
    clearOtherPlanes(resources)
    try set(framebuffer)
    setPower(.on)
    // Drivers that upload the picture may set the mode without it.
    try markDirty(framebuffer, nil)
  }

  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Refusal) -> Submission {
    if canFlip {
      do throws(Refusal) {
        // Never dereferenced: the kernel returns it with the event.
        let data = unsafe UnsafeMutableRawPointer(bitPattern: UInt(tag))
        try Refusal.check("MODE_PAGE_FLIP") {
          unsafe drmModePageFlip(
            card.fd, output.crtc.id, framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT), data)
        }
        return .willReport
      } catch {
        guard [.invalidArgument, .noFunction, .notSupported].contains(error.errno) else {
          throw error
        }
        canFlip = false
      }
    }
    try set(framebuffer)
    try markDirty(framebuffer, damage)
    return .shown
  }

  func turnOff() throws(Refusal) {
    guard !setPower(.off) else { return }
    // Without DPMS, unsetting the mode removes the panel's signal.
    try Refusal.check("MODE_SETCRTC") {
      drmModeSetCrtc(card.fd, output.crtc.id, 0, 0, 0, nil, 0, nil)
    }
  }

  private func set(_ framebuffer: UInt32) throws(Refusal) {
    var connector = output.connector.id
    var info = output.mode.info
    // One connector and one mode, both copied by the kernel.
    try Refusal.check("MODE_SETCRTC") {
      unsafe drmModeSetCrtc(
        card.fd, output.crtc.id, framebuffer, 0, 0, &connector, 1, &info)
    }
  }

  /// Failures are ignored: the picture may be impaired, but it is visible.
  private func clearOtherPlanes(_ resources: CardResources) {
    let fd = card.fd
    for plane in resources.planes where plane.currentCRTC == output.crtc.id {
      if plane.id == output.plane?.id {
        let rotation = card.properties(of: plane.id, DRM_MODE_OBJECT_PLANE)["rotation"]
        guard let rotation else { continue }
        drmModeObjectSetProperty(
          fd, plane.id, DRM_MODE_OBJECT_PLANE, rotation.id, UInt64(roundel_DRM_MODE_ROTATE_0))
      } else {
        drmModeSetPlane(fd, plane.id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      }
    }
    drmModeSetCursor(fd, output.crtc.id, 0, 0, 0)
  }

  /// Asks drivers to copy the buffer that they display. Most report that they don't need this.
  private func markDirty(_ framebuffer: UInt32, _ damage: [PixelRect]?) throws(Refusal) {
    var clips = (damage ?? [PixelRect(size: output.mode.size)]).map {
      drmModeClip(
        x1: UInt16(clamping: $0.x0), y1: UInt16(clamping: $0.y0), x2: UInt16(clamping: $0.x1),
        y2: UInt16(clamping: $0.y1))
    }
    do throws(Refusal) {
      try Refusal.check("MODE_DIRTYFB") {
        unsafe drmModeDirtyFB(card.fd, framebuffer, &clips, UInt32(clips.count))
      }
    } catch {
      guard [.noFunction, .notSupported].contains(error.errno) else {
        throw error
      }
    }
  }

  /// Values of the DPMS property. Source: drm_mode.h, DRM_MODE_DPMS_ON and DRM_MODE_DPMS_OFF.
  private enum Power: UInt64 {
    case on = 0
    case off = 3
  }

  @discardableResult
  private func setPower(_ power: Power) -> Bool {
    let connector = output.connector.id
    guard let dpms = card.properties(of: connector, DRM_MODE_OBJECT_CONNECTOR)["DPMS"] else {
      return false
    }
    return drmModeConnectorSetProperty(card.fd, connector, dpms.id, power.rawValue) == 0
  }
}
