// SPDX-License-Identifier: MIT

package import Geometry
package import Presentation

/// A card's connectors, CRTCs and planes, with their present uses, copied from the kernel.
package struct CardResources: Hashable, Sendable {
  /// The device file.
  package var path: String
  /// The kernel driver's name, such as `vc4` or `virtio_gpu`.
  package var driver: String
  /// Whether it gives memory to paint into. A pure 3D engine does not.
  package var hasDumbBuffers: Bool
  /// Whether it takes atomic commits.
  package var isAtomic: Bool
  package var connectors: [Connector]
  /// A CRTC is bit `1 << index` in sets of possible CRTCs.
  package var crtcs: [CRTC]
  /// Empty where the kernel does not report planes.
  package var planes: [Plane]

  package init(
    path: String, driver: String, hasDumbBuffers: Bool = true, isAtomic: Bool = true,
    connectors: [Connector] = [], crtcs: [CRTC] = [], planes: [Plane] = []
  ) {
    self.path = path
    self.driver = driver
    self.hasDumbBuffers = hasDumbBuffers
    self.isAtomic = isAtomic
    self.connectors = connectors
    self.crtcs = crtcs
    self.planes = planes
  }
}

/// A plug, or a panel's fixed wires.
package struct Connector: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case connected, disconnected
    /// The driver does not know.
    case unknown
  }

  package var id: UInt32
  /// As the kernel writes it, such as `HDMI-A-1`.
  package var name: String
  package var status: Status
  package var modes: [Mode]
  /// A bit for each CRTC that can feed it.
  package var possibleCRTCs: UInt32
  /// The CRTC that feeds it now; 0 for none.
  package var currentCRTC: UInt32
  /// The picture's size in millimetres, as the panel claims; 0 where it does not.
  package var millimetres: PixelSize
  /// The turn by which the picture stands upright on a panel that is mounted turned.
  package var orientation: Rotation
  /// The kernel has noticed that the link no longer carries the mode, which must be set again.
  package var hasBadLink: Bool

  package init(
    id: UInt32, name: String, status: Status = .connected, modes: [Mode] = [],
    possibleCRTCs: UInt32 = 1, currentCRTC: UInt32 = 0, millimetres: PixelSize = PixelSize(0, 0),
    orientation: Rotation = .none, hasBadLink: Bool = false
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
    self.millimetres = millimetres
    self.orientation = orientation
    self.hasBadLink = hasBadLink
  }
}

/// A part of a card that scans planes out to connectors, line by line.
package struct CRTC: Hashable, Sendable {
  package var id: UInt32

  package init(id: UInt32) {
    self.id = id
  }
}

/// A part of a card that shows one framebuffer on a CRTC.
package struct Plane: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case primary, overlay, cursor
  }

  package var id: UInt32
  package var kind: Kind
  /// A bit for each CRTC that can show it.
  package var possibleCRTCs: UInt32
  /// The CRTC that shows it now; 0 for none.
  package var currentCRTC: UInt32
  /// Those of its formats that we can write.
  package var formats: Set<PixelFormat>

  package init(
    id: UInt32, kind: Kind = .primary, possibleCRTCs: UInt32 = 1, currentCRTC: UInt32 = 0,
    formats: Set<PixelFormat> = [.xrgb8888]
  ) {
    self.id = id
    self.kind = kind
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
    self.formats = formats
  }
}

/// A card that was looked at.
package struct CardReport: Hashable, Sendable {
  package var path: String
  /// Its offers, or why they are unknown.
  package var resources: Result<CardResources, DisplayError>
  /// The program that is the card's master, as `name (pid)`; nil where there is none or the kernel
  /// does not report it.
  package var master: String?

  package init(
    path: String, resources: Result<CardResources, DisplayError>, master: String? = nil
  ) {
    self.path = path
    self.resources = resources
    self.master = master
  }
}
