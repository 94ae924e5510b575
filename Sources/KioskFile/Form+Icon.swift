// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing

extension Icon {
  /// What a key says that takes an icon.
  static let summary = "a PNG or JPEG file, or a sign in the font of icons."
  /// What the name of an image file ends in.
  fileprivate static let imageSuffixes = [".png", ".jpg", ".jpeg"]
}

extension Form where Value == Icon {
  /// The name of an image file, known by its suffix, or letters.
  static var icon: Form {
    Form<String>.word("a PNG or JPEG file, or letters of a font of icons").compactMap {
      text, node, reader in
      let name = text.lowercased()
      guard Icon.imageSuffixes.contains(where: name.hasSuffix) else { return .sign(text) }
      return reader.kiosk.image(text, at: node.mark).map(Icon.image)
    }
  }
}

/// The key that says what icons are set in.
struct IconFontKey {
  fileprivate let families: Key<[String]?>

  /// Loads the font that it names.
  func font(_ fields: Fields) -> Font {
    guard let families = fields[families] else { return Font() }
    let font = Font(families)
    fields.reader.kiosk.use(
      font.preferring(weight: FaceName.regular), at: fields.mark(of: self.families))
    return font
  }
}

extension Keys {
  mutating func iconFont() -> IconFontKey {
    IconFontKey(
      families: optional(
        "icon_font", .families, "As `font`, for icons that are signs; the font of the labels."))
  }
}

/// The keys of a control that has an icon of its own.
struct IconKeys {
  private let families: IconFontKey

  init<Root>(
    _ keys: inout Keys, _ place: String, at path: WritableKeyPath<Root, Icon?> & Sendable
  ) {
    keys.optional("icon", .icon, "\(place): \(Icon.summary)", at: path)
    families = keys.iconFont()
  }

  func font(_ fields: Fields) -> Font { families.font(fields) }
}
