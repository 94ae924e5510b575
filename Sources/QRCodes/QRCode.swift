// SPDX-License-Identifier: MIT

internal import CRoundelQRencode
public import RoundelControls
public import RoundelDrawing
public import RoundelGeometry
public import RoundelMotion

/// A QR code, which doesn't respond to touch.
///
/// The modules are dark on a light card in every theme, because most readers require that.
public struct QRCode: KeyedControl, Hashable {
  /// Announced as a visual element only.
  public static var spokenRole: SpokenRole { .seen }

  /// An error for text that doesn't fit.
  public struct TooLong: Error, Hashable, CustomStringConvertible {
    /// The size of the text in UTF-8 bytes.
    public var bytes: Int
    /// The maximum size of any text in a code of this size, in bytes.
    public var maximumBytes: Int
    /// Whether a larger code would hold more.
    public var isLimitedBySize: Bool

    package init(bytes: Int, maximumBytes: Int, isLimitedBySize: Bool) {
      self.bytes = bytes
      self.maximumBytes = maximumBytes
      self.isLimitedBySize = isLimitedBySize
    }

    /// The number of bytes and the limit.
    public var description: String {
      "\(bytes) bytes (at most \(maximumBytes)\(isLimitedBySize ? " in this size" : ""))"
    }
  }

  /// The centre of the card, in design pixels.
  public package(set) var center: Point
  /// The size of the card, in design pixels.
  public let size: Size
  /// The encoded text. If it is empty, the code is invisible.
  public package(set) var text: String
  /// The colour of the modules.
  public package(set) var color: ThemeColor
  /// The colour of the card.
  public package(set) var background: ThemeColor
  /// The width of the light margin in modules, at most 16. Readers expect 4.
  public package(set) var quietZone: Int

  /// Nil if the text is empty.
  private var grid: ModuleGrid?
  /// The content of the current modules.
  private var coded: Coded?

  package static let maximumQuietZone = 16

  private struct Coded: Hashable {
    var text: String
    var quietZone: Int
    var center: Point
  }

  private var wanted: Coded { Coded(text: text, quietZone: quietZone, center: center) }

  /// Creates a code on a card.
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
    coded = wanted
  }

  /// Creates an invisible code without text.
  package init(center: Point, size: Size) {
    self.center = center
    self.size = size
    (text, color, background, quietZone) = ("", .hex(0x10151c), .white, 4)
  }

  private func code() throws(TooLong) -> ModuleGrid? {
    guard !text.isEmpty else { return nil }
    let short = min(size.width, size.height)
    let space = (short >= 0 ? Int(min(short, 1e6)) : 0) - 2 * quietZone
    return try Self.grid(
      of: text, space: space, frame: Rect(center: center, size: size), margin: quietZone)
  }

  package func check() throws(TooLong) {
    if coded != wanted { _ = try code() }
  }

  /// Encodes the text again if necessary.
  package mutating func keysChanged(since old: QRCode?, at now: Instant) {
    guard coded != wanted else { return }
    coded = wanted
    grid = (try? code()) ?? nil
  }

  /// Encodes text in at most `space` modules per side. 15 % of the code may be damaged, or 7 % if
  /// it doesn't fit otherwise.
  private static func grid(
    of text: String, space: Int, frame: Rect, margin: Int
  ) throws(TooLong) -> ModuleGrid {
    for level in [QR_ECLEVEL_M, QR_ECLEVEL_L] {
      guard let (side, modules) = modules(of: text, level), side <= space else { continue }
      return ModuleGrid(frame: frame, side: side, margin: margin, modules: modules)
    }
    let version = min((space - 17) / 4, capacities.count)
    throw TooLong(
      bytes: text.utf8.count, maximumBytes: space >= 21 ? capacities[version - 1] : 0,
      isLimitedBySize: version < capacities.count)
  }

  private static func modules(
    of text: String, _ level: QRecLevel
  ) -> (side: Int, modules: [Bool])? {
    // Longer text never fits, and the library would be slow.
    guard text.utf8.count <= maximumDigits else { return nil }
    let code: UnsafeMutablePointer<QRcode>?
    if text.utf8.contains(0) {
      // The library's strings end with a zero.
      let bytes = Array(text.utf8)
      unsafe code = QRcode_encodeData(Int32(bytes.count), bytes, 0, level)
    } else {
      // Digits and capitals take less than a byte each.
      unsafe code = QRcode_encodeString(text, 0, level, QR_MODE_8, 1)
    }
    guard let code = unsafe code else { return nil }
    defer { unsafe QRcode_free(code) }
    let side = Int(unsafe code.pointee.width)
    // Safe: the library's array has one byte per module. Its lowest bit is 1 if the module is dark.
    let modules = (0..<side * side).map { unsafe code.pointee.data[$0] & 1 == 1 }
    return (side, modules)
  }

  /// The number of digits in the largest code (ISO/IEC 18004).
  private static let maximumDigits = 7089

  /// The capacity of each version, with 21 + 4n modules per side, in UTF-8 bytes at the lowest
  /// level of error correction (ISO/IEC 18004, table 7).
  package static let capacities = [
    17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
    929, 1003, 1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431,
    2563, 2699, 2809, 2953,
  ]

  /// The modules per side, without the quiet zone.
  package var side: Int? { grid?.side }

  /// Returns false, because a QR code doesn't respond to touch.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Draws the card and the modules.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    guard let grid else { return }
    let module = min(size.width, size.height) / Double(grid.side + 2 * grid.margin)
    // The corner's arc stays within the quiet zone.
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
  /// The rectangle of the card.
  public var extent: Rect? { Rect(center: center, size: size) }

  /// Returns the centre. A code has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}
