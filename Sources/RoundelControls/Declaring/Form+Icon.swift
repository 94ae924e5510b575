// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelDrawing
internal import RoundelExpressions

extension Icon {
  package static let summary =
    "a PNG or JPEG file, a name of the icon font such as lock, or characters."
  fileprivate static let imageSuffixes = [".png", ".jpg", ".jpeg"]
}

extension Form where Value == Icon {
  /// An image file, recognized by its suffix, the name of an icon, or characters.
  package static var icon: Form {
    Form<String>.word("a PNG or JPEG file, a name of the icon font, or characters").decoded {
      (text, context) throws(InvalidValueError) in
      let name = text.lowercased()
      let isImage = Icon.imageSuffixes.contains(where: name.hasSuffix)
      if isImage { return .image(try context.image(text)) }
      if IconText.isName(text) { context.use(icon: text) }
      return .sign(text)
    }
  }
}

package struct IconFontKey {
  fileprivate let families: Key<[String]?>

  package func font(_ fields: Fields) -> Font {
    guard let families = fields[families] else { return Font() }
    let font = Font(families)
    fields.reader.controlFile.use(
      font.preferring(weight: FaceName.regular), at: fields.mark(of: self.families))
    return font
  }
}

extension Keys {
  /// Adds the keys `icon` and `icon_font`.
  mutating func icon<Root>(
    _ place: String, at path: WritableKeyPath<Root, Icon?> & Sendable
  ) -> IconFontKey {
    optional("icon", .icon, "\(place): \(Icon.summary)", at: path)
    return iconFont()
  }

  package mutating func iconFont() -> IconFontKey {
    IconFontKey(
      families: optional(
        "icon_font", .families,
        "The font of icons that are characters, written like `font`. By default, names select symbols of the icon font, and other characters are in the font of the labels."
      ))
  }
}
