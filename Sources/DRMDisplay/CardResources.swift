// SPDX-License-Identifier: MIT

package import Geometry
package import Presentation
package import Raster

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
  /// The bits of colour that the driver recommends; 0 where it does not.
  package var preferredDepth: Int
  package var connectors: [Connector]
  /// A CRTC is bit `1 << index` in sets of possible CRTCs.
  package var crtcs: [CRTC]
  /// Empty where the kernel does not report planes.
  package var planes: [Plane]
  /// The queries that the kernel refused, which may be the reason that something is missing.
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
  /// The turn by which the picture stands upright on a panel that is mounted turned, as the driver says;
  /// nil where it does not know.
  package var orientation: Rotation?
  /// The turn that the kernel's command line asks for, on the console; nil where it asks for none.
  package var consoleRotation: Rotation?
  /// The kernel has noticed that the link no longer carries the mode, which must be set again.
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
  /// Whether it is the wires of a panel, and no plug.
  package var isBuiltIn: Bool {
    ["DSI-", "LVDS-", "eDP-", "DPI-"].contains { name.hasPrefix($0) }
  }

  /// The turn that makes the picture upright: as the driver knows it for the panel, else as the command line says.
  package var uprightRotation: Rotation { orientation ?? consoleRotation ?? .none }
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
  /// The formats of the plane that can be written, in the driver's order: formats of the hardware come first,
  /// formats that the driver converts later.
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
  /// The formats in the order in which they are tried on a card that recommends a depth, 0 for none.
  ///
  /// Formats of that depth come first, then the others in the driver's order. Formats with fewer than 16 bits of
  /// colour, or with more than a picture has, come last, as some drivers list theirs alphabetically. A format with
  /// alpha is replaced by the same one without alpha where the driver has both.
  package func formats(depth: Int) -> [PixelFormat] {
    func rank(_ format: PixelFormat) -> Int {
      // 32 bits in memory are 24 of colour.
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

  /// Its offers, where there is memory to paint into.
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
