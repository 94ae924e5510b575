// SPDX-License-Identifier: MIT

internal import CQRencode
public import Controls
public import Drawing
public import Geometry
public import Motion

/// A QR code. Fingers pass through.
///
/// The modules are dark on a light card, in every theme: most readers take nothing else.
public struct QRCode: KeyedControl, Hashable {
  /// It is only seen.
  public static var spokenRole: SpokenRole { .seen }

  /// A text for which there is no room.
  public struct TooLong: Error, Hashable, CustomStringConvertible {
    /// The bytes of the text as UTF-8.
    public var bytes: Int
    /// The bytes that any text may have in a code of this size.
    public var maximumBytes: Int
    /// Whether a larger code would hold more.
    public var isLimitedBySize: Bool

    package init(bytes: Int, maximumBytes: Int, isLimitedBySize: Bool) {
      self.bytes = bytes
      self.maximumBytes = maximumBytes
      self.isLimitedBySize = isLimitedBySize
    }

    /// The number of bytes that fit.
    public var description: String {
      let limit =
        maximumBytes > 0
        ? "\(bytes) bytes, of which \(maximumBytes) fit" : "\(bytes) bytes, of which none fits"
      return isLimitedBySize ? limit + " into this size" : limit
    }
  }

  /// The centre of the card, in design pixels.
  public let center: Point
  /// Width and height of the card, in design pixels.
  public let size: Size
  /// Its text; nothing is shown of an empty text.
  public package(set) var text: String
  /// The colour of the modules.
  public package(set) var color: ThemeColor
  /// The colour of the card.
  public package(set) var background: ThemeColor
  /// The width of the free margin in modules, at most 16. Readers expect 4.
  public package(set) var quietZone: Int

  /// Nil for an empty text.
  private var grid: ModuleGrid?
  /// The text and the quiet zone that the modules stand for.
  private var coded: Coded?

  package static let maximumQuietZone = 16

  private struct Coded: Hashable {
    var text: String
    var quietZone: Int
  }

  /// A code of `text`, on a card of `size` around `center`.
  public init(
    center: Point, size: Size, text: String, color: ThemeColor = .hex(0x10151c),
    background: ThemeColor = .white, quietZone: Int = 4
  ) throws(TooLong) {
    self.center = center
    self.size = size
    self.text = text
    self.color = color
    self.background = background
    self.quietZone = min(max(quietZone, 0), Self.maximumQuietZone)
    grid = try code()
    coded = Coded(text: text, quietZone: self.quietZone)
  }

  /// A card without a text.
  package init(center: Point, size: Size) {
    self.center = center
    self.size = size
    (text, color, background, quietZone) = ("", .hex(0x10151c), .white, 4)
  }

  /// The modules of its text; nil for an empty text.
  private func code() throws(TooLong) -> ModuleGrid? {
    guard !text.isEmpty else { return nil }
    let short = min(size.width, size.height)
    let room = (short >= 0 ? Int(min(short, 1e6)) : 0) - 2 * quietZone
    return try Self.grid(
      of: text, room: room, frame: Rect(center: center, size: size), margin: quietZone)
  }

  /// Throws where its text has no room.
  package func check() throws(TooLong) {
    if coded != Coded(text: text, quietZone: quietZone) { _ = try code() }
  }

  /// Encodes its text where that or the room for it has changed.
  package mutating func keysChanged(since old: QRCode?, at now: Instant) {
    let wanted = Coded(text: text, quietZone: quietZone)
    guard coded != wanted else { return }
    coded = wanted
    grid = (try? code()) ?? nil
  }

  /// The code of a text with at most `room` modules a side. A quarter of it may be lost or soiled; where
  /// that has no room, a seventh.
  private static func grid(
    of text: String, room: Int, frame: Rect, margin: Int
  ) throws(TooLong) -> ModuleGrid {
    for level in [QR_ECLEVEL_M, QR_ECLEVEL_L] {
      guard let (side, modules) = modules(of: text, level), side <= room else { continue }
      return ModuleGrid(frame: frame, side: side, margin: margin, modules: modules)
    }
    let version = min((room - 17) / 4, capacities.count)
    throw TooLong(
      bytes: text.utf8.count, maximumBytes: room >= 21 ? capacities[version - 1] : 0,
      isLimitedBySize: version < capacities.count)
  }

  private static func modules(
    of text: String, _ level: QRecLevel
  ) -> (side: Int, modules: [Bool])? {
    // More never fits, and takes the library long.
    guard text.utf8.count <= maximumDigits else { return nil }
    let code: UnsafeMutablePointer<QRcode>?
    if text.utf8.contains(0) {
      // The library's texts end with a zero.
      let bytes = Array(text.utf8)
      unsafe code = QRcode_encodeData(Int32(bytes.count), bytes, 0, level)
    } else {
      // Digits and capitals among the text take less than a byte each.
      unsafe code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1)
    }
    guard let code = unsafe code else { return nil }
    defer { unsafe QRcode_free(code) }
    let side = Int(unsafe code.pointee.width)
    // Safe: the library's array has a byte for each module, whose lowest bit says whether it is dark.
    let modules = (0..<side * side).map { unsafe code.pointee.data[$0] & 1 == 1 }
    return (side, modules)
  }

  /// The digits that the largest code holds, by ISO/IEC 18004.
  private static let maximumDigits = 7089

  /// The bytes of UTF-8 that fit into each version, 21 + 4n modules a side, at the lowest level of error
  /// correction, by table 7 of ISO/IEC 18004.
  package static let capacities = [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
    929, 1003, 1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431,
    2563, 2699, 2809, 2953,
  ]

  /// The number of modules on each side, without the quiet zone; nil for an empty text.
  package var side: Int? { grid?.side }

  /// False: fingers pass through.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Draws the card and the modules on it.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    guard let grid else { return }
    let module = min(size.width, size.height) / Double(grid.side + 2 * grid.margin)
    // Within the quiet zone, as seen from the nearest corner of the modules.
    let radius = min(module * Double(grid.margin), min(size.width, size.height) * 0.06)
    let card = background.color(in: context.theme)
    let ink = color.color(in: context.theme)
    list.add(
      .roundedRect(RoundedRect(grid.frame, radius: radius)),
      context.isEnabled ? card : card.faded(to: 0.4))
    list.add(.modules(grid), context.isEnabled ? ink : ink.faded(to: 0.4))
  }
}

extension QRCode {
  /// The rectangle that it covers.
  public var extent: Rect? { Rect(center: center, size: size) }

  /// The centre; a code has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}
