// SPDX-License-Identifier: MIT

internal import CDRM
internal import Geometry
internal import SystemPackage

/// The calls from before atomic commits, for drivers that know nothing else.
final class LegacyPipeline: Pipeline {
  private let card: Card
  private let resources: CardResources
  private let outputs: [Output]
  /// False once the driver has reported that it cannot flip; then the mode is set for each frame.
  private var canFlip = true

  init(_ card: Card, _ resources: CardResources, _ outputs: [Output]) {
    self.card = card
    self.resources = resources
    self.outputs = outputs
  }

  func setMode(showing framebuffer: UInt32) throws(Errno) {
    for output in outputs {
      clearOtherPlanes(of: output)
      try set(output, framebuffer)
      setPower(.on, of: output)
    }
    // Drivers that upload what they show may take the mode without the picture.
    markDirty(framebuffer, nil)
  }

  func flip(
    to framebuffer: UInt32, damage: [PixelRect]?, tag: UInt64
  ) throws(Errno) -> Submission {
    if canFlip {
      do throws(Errno) {
        // Never followed: the kernel hands it back with the event.
        let data = unsafe UnsafeMutableRawPointer(bitPattern: UInt(tag))
        for output in outputs {
          try Card.check {
            unsafe drmModePageFlip(
              card.fd, output.crtc.id, framebuffer,
              UInt32(DRM_MODE_PAGE_FLIP_EVENT), data)
          }
        }
        return .willReport(events: outputs.count)
      } catch .invalidArgument, .noFunction {
        canFlip = false
      }
    }
    for output in outputs { try set(output, framebuffer) }
    markDirty(framebuffer, damage)
    return .shown
  }

  func turnOff() throws(Errno) {
    for output in outputs where !setPower(.off, of: output) {
      // No DPMS: without a mode the panel gets no signal.
      try Card.check {
        drmModeSetCrtc(card.fd, output.crtc.id, 0, 0, 0, nil, 0, nil)
      }
    }
  }

  private func set(_ output: Output, _ framebuffer: UInt32) throws(Errno) {
    var connector = output.connector.id
    var info = output.mode.info
    // One connector and one mode, both copied by the kernel.
    try Card.check {
      unsafe drmModeSetCrtc(
        card.fd, output.crtc.id, framebuffer, 0, 0, &connector, 1, &info)
    }
  }

  /// Switches off the other planes. A failure is ignored: the picture may be worse for it, but it is
  /// there.
  private func clearOtherPlanes(of output: Output) {
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

  /// Tells drivers that show a copy of the buffer to copy it. Most have no need of it and say so.
  private func markDirty(_ framebuffer: UInt32, _ damage: [PixelRect]?) {
    let whole = outputs.first.map { [PixelRect(size: $0.mode.size)] } ?? []
    var clips = (damage ?? whole).map {
      drmModeClip(
        x1: UInt16(clamping: $0.x0), y1: UInt16(clamping: $0.y0), x2: UInt16(clamping: $0.x1),
        y2: UInt16(clamping: $0.y1))
    }
    unsafe drmModeDirtyFB(card.fd, framebuffer, &clips, UInt32(clips.count))
  }

  /// Values of the DPMS property. Source: drm_mode.h, DRM_MODE_DPMS_ON and DRM_MODE_DPMS_OFF.
  private enum Power: UInt64 {
    case on = 0
    case off = 3
  }

  @discardableResult
  private func setPower(_ power: Power, of output: Output) -> Bool {
    let connector = output.connector.id
    guard let dpms = card.properties(of: connector, DRM_MODE_OBJECT_CONNECTOR)["DPMS"] else {
      return false
    }
    return drmModeConnectorSetProperty(
      card.fd, connector, dpms.id, power.rawValue) == 0
  }
}
