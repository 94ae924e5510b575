// SPDX-License-Identifier: MIT

public import Geometry
public import Presentation

/// What a card can drive and what it drives now, copied from the kernel.
public struct CardResources: Hashable, Sendable {
  /// The device file.
  public var path: String
  /// The kernel driver's name, such as `vc4` or `virtio_gpu`.
  public var driver: String
  /// Whether it gives memory to paint into. A pure 3D engine does not.
  public var hasDumbBuffers: Bool
  /// Whether it takes atomic commits.
  public var isAtomic: Bool
  public var connectors: [Connector]
  /// The bit `1 << index` stands for a CRTC wherever possible ones are told.
  public var crtcs: [CRTC]
  /// Empty where the kernel tells nothing of planes.
  public var planes: [Plane]

  public init(
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
public struct Connector: Hashable, Sendable {
  public enum Status: Hashable, Sendable {
    case connected, disconnected
    /// The driver cannot tell.
    case unknown
  }

  public var id: UInt32
  /// As the kernel writes it, such as `HDMI-A-1`.
  public var name: String
  public var status: Status
  public var modes: [Mode]
  /// A bit for each CRTC that can feed it.
  public var possibleCRTCs: UInt32
  /// The CRTC that feeds it now; 0 for none.
  public var currentCRTC: UInt32
  /// The picture's size in millimetres, as the panel claims; 0 where it does not.
  public var millimetres: PixelSize
  /// The kernel has noticed that the link no longer carries the mode, which must be set again.
  public var hasBadLink: Bool

  public init(
    id: UInt32, name: String, status: Status = .connected, modes: [Mode] = [],
    possibleCRTCs: UInt32 = 1, currentCRTC: UInt32 = 0, millimetres: PixelSize = PixelSize(0, 0),
    hasBadLink: Bool = false
  ) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
    self.possibleCRTCs = possibleCRTCs
    self.currentCRTC = currentCRTC
    self.millimetres = millimetres
    self.hasBadLink = hasBadLink
  }
}

/// What scans planes out to connectors, line by line.
public struct CRTC: Hashable, Sendable {
  public var id: UInt32

  public init(id: UInt32) {
    self.id = id
  }
}

/// What shows one framebuffer on a CRTC.
public struct Plane: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case primary, overlay, cursor
  }

  public var id: UInt32
  public var kind: Kind
  /// A bit for each CRTC that can show it.
  public var possibleCRTCs: UInt32
  /// The CRTC that shows it now; 0 for none.
  public var currentCRTC: UInt32
  /// Those of its formats that we can write.
  public var formats: Set<PixelFormat>

  public init(
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
public struct CardReport: Hashable, Sendable {
  public var path: String
  /// What it offers, or why that could not be found out.
  public var resources: Result<CardResources, DisplayError>
  /// The program that is the card's master, as `name (pid)`; nil where there is none or the kernel
  /// does not tell us.
  public var master: String?

  public init(
    path: String, resources: Result<CardResources, DisplayError>, master: String? = nil
  ) {
    self.path = path
    self.resources = resources
    self.master = master
  }
}
