// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelPresentation
package import RoundelRaster

/// The connectors, CRTCs and planes of a DRM device, with their current use.
package struct CardResources: Hashable, Sendable {
  package var path: String
  /// The kernel driver's name, such as `vc4` or `virtio_gpu`.
  package var driver: String
  /// Whether the device provides memory for painting. A pure 3D engine doesn't.
  package var hasDumbBuffers: Bool
  package var isAtomic: Bool
  /// The colour depth in bits recommended by the driver, or 0.
  package var preferredDepth: Int
  package var connectors: [Connector]
  /// Sets of possible CRTCs contain bit `1 << index`.
  package var crtcs: [CRTC]
  /// Empty if the kernel doesn't report planes.
  package var planes: [Plane]
  /// The failed queries, which may explain missing elements.
  package var refusals: [String]

  package init(
    path: String, driver: String, hasDumbBuffers: Bool = true, isAtomic: Bool = true,
    preferredDepth: Int = 0, connectors: [Connector] = [], crtcs: [CRTC] = [],
    planes: [Plane] = [], refusals: [String] = []
  ) {
    self.path = path
    self.driver = driver
    self.hasDumbBuffers = hasDumbBuffers
    self.isAtomic = isAtomic
    self.preferredDepth = preferredDepth
    self.connectors = connectors
    self.crtcs = crtcs
    self.planes = planes
    self.refusals = refusals
  }
}

/// A socket for a cable, or the fixed wiring of a built-in panel.
package struct Connector: Hashable, Sendable {
  package enum Status: Hashable, Sendable {
    case connected, disconnected
    case unknown
  }

  package var id: UInt32
  /// The kernel's name, such as `HDMI-A-1`.
  package var name: String
  package var status: Status
  package var modes: [Mode]
  /// One bit per CRTC.
  package var possibleCRTCs: UInt32
  /// 0 if it isn't driven.
  package var currentCRTC: UInt32
  /// The physical size in millimetres claimed by the panel, or 0 × 0.
  package var millimetres: PixelSize
  /// The rotation that makes the picture upright, according to the driver, or nil if unknown.
  package var orientation: Rotation?
  /// The rotation requested by the kernel's command line.
  package var consoleRotation: Rotation?
  /// Whether the link failed, so that the mode must be set again.
  package var hasBadLink: Bool

  package init(
    id: UInt32, name: String, status: Status = .connected, modes: [Mode] = [],
    possibleCRTCs: UInt32 = 1, currentCRTC: UInt32 = 0, millimetres: PixelSize = PixelSize(0, 0),
    orientation: Rotation? = nil, consoleRotation: Rotation? = nil, hasBadLink: Bool = false
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
    self.millimetres = millimetres
    self.orientation = orientation
    self.consoleRotation = consoleRotation
    self.hasBadLink = hasBadLink
  }
}

extension Connector {
  package var isBuiltIn: Bool {
    ["DSI-", "LVDS-", "eDP-", "DPI-"].contains { name.hasPrefix($0) }
  }

  /// The rotation that makes the picture upright, from the driver or otherwise from the command
  /// line.
  package var uprightRotation: Rotation { orientation ?? consoleRotation ?? .none }
}

/// A hardware unit that scans planes out to connectors, line by line.
package struct CRTC: Hashable, Sendable {
  package var id: UInt32

  package init(id: UInt32) {
    self.id = id
  }
}

/// A hardware unit that displays one framebuffer on a CRTC.
package struct Plane: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case primary, overlay, cursor
  }

  package var id: UInt32
  package var kind: Kind
  /// One bit per CRTC.
  package var possibleCRTCs: UInt32
  /// 0 if it isn't displayed.
  package var currentCRTC: UInt32
  /// In the driver's order: hardware formats come first, then formats converted by the driver.
  package var formats: [PixelFormat]

  package init(
    id: UInt32, kind: Kind = .primary, possibleCRTCs: UInt32 = 1, currentCRTC: UInt32 = 0,
    formats: [PixelFormat] = [.xrgb8888]
  ) {
    self.id = id
    self.kind = kind
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
    self.formats = formats
  }
}

extension Plane {
  /// Returns the formats in order of preference, for a recommended depth, or 0.
  ///
  /// Formats of that depth come first, then others in the driver's order. Fewer than 16 bits of
  /// colour, or more than a picture's, come last, because some drivers sort alphabetically. A
  /// format with alpha is replaced by its counterpart without alpha if the driver has both.
  package func formats(depth: Int) -> [PixelFormat] {
    func rank(_ format: PixelFormat) -> Int {
      // 32 bits in memory contain 24 bits of colour.
      if format.depth == (depth == 32 ? 24 : depth) { return 0 }
      return (16...24).contains(format.depth) ? 1 : 2
    }
    var own: [PixelFormat] = []
    for format in formats {
      let twin = formats.first { $0.channels == format.channels && !$0.hasAlpha } ?? format
      if !own.contains(twin) { own.append(twin) }
    }
    return own.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
  }
}

package struct CardReport: Hashable, Sendable {
  package var path: String
  package var resources: Result<CardResources, DisplayError>
  /// The master as `name (pid)`, or nil if there isn't one, or the kernel doesn't report it.
  package var master: String?

  package init(
    path: String, resources: Result<CardResources, DisplayError>, master: String? = nil
  ) {
    self.path = path
    self.resources = resources
    self.master = master
  }

  /// Returns the resources. Throws if the device can't be painted to.
  func usable() throws(DisplayError) -> CardResources {
    let card = try resources.get()
    guard card.hasDumbBuffers else {
      throw DisplayError(
        .unavailable,
        "\(card.path) (\(card.driver)): "
          + (["no memory to paint into"] + card.refusals).joined(separator: "; "))
    }
    return card
  }
}
