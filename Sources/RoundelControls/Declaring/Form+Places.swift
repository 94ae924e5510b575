// SPDX-License-Identifier: MIT

package import RoundelDeclarations
package import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
internal import RoundelJSON

extension Form where Value == Double {
  package static var length: Form { number(1...100_000, "pixels").constant.geometric }
  /// A coordinate, which may be outside the screen.
  package static var coordinate: Form { number(-100_000...100_000, "pixels").constant }
  /// A direction or a rotation, which may exceed a full turn.
  package static var degrees: Form { number(-3_600...3_600, "degrees") }
  package static var fontSize: Form { number(1...2_000, "pixels") }
}

extension Form where Value == Angle {
  package static var direction: Form { Form<Double>.degrees.map { Angle.degrees($0) } }
}

extension Form where Value == String {
  /// An id that templates, actions and commands can refer to.
  package static var id: Form {
    let reserved = "./{}="
    let expected = "an id without any of \(reserved.map(String.init).joined(separator: " "))"
    return Form(
      expected, as: .text,
      schema: { _ in
        // Fractional numbers contain a dot.
        [
          "type": ["string", "integer", "boolean"], "minLength": 1, "pattern": "^[^./{}=]+$",
        ]
      },
      decode: { (value, _) throws(InvalidValueError) in
        let text = value.scalarText
        guard !text.isEmpty, !text.contains(where: reserved.contains) else {
          throw InvalidValueError(value, expected) { "\($1) is not an id" }
        }
        return text
      }
    ).as(.fixed)
  }

  package static var style: Form {
    word("the name of a style").decoded { (name, context) throws(InvalidValueError) in
      try context.check(style: name)
      return name
    }.as(.fixed)
  }

  /// The path of a readable image.
  package static var image: Form {
    word("the name of a PNG or JPEG file").decoded { (name, context) throws(InvalidValueError) in
      try context.image(name)
    }
  }

  fileprivate static var family: Form {
    word("the name of a font family or file")
      .map { FaceName($0) }
      .compactMap { $0.isFile ? $2.controlFile.resolve($0.family, from: $1.mark) : $0.family }
  }
}

extension Form where Value == ImageFit {
  static var imageFit: Form { .choice(["contain": .contain, "cover": .cover, "fill": .fill]) }
}

extension Form where Value == Point {
  package static var point: Form<Point> {
    Form<Double>.coordinate.pair("a point [x, y]").map { Point($0.first, $0.second) }.as(.fixed)
      .geometric
  }
}

extension Form where Value == Size {
  package static func size(_ range: ClosedRange<Double> = 1...100_000) -> Form {
    Form<Double>.number(range, "pixels").constant.pair("a size [width, height]")
      .map { Size($0.first, $0.second) }.as(.fixed).geometric
  }
}

extension Form where Value == [String] {
  package static var families: Form {
    Form<String>.family.map { [$0] }
      .or(Form<String>.family.list(atMost: 16, "font families or files"))
      .compactMap { families, node, reader in
        reader.controlFile.add(font: families, at: node.mark)
        return families
      }
      .as(.fixed)
  }
}

package struct FontKeys {
  private let families: Key<[String]?>
  private let isBold: Key<Bool?>
  private let weight: Key<Int?>

  package init(_ keys: inout Keys, _ summary: String) {
    families = keys.optional("font", .families, summary)
    isBold = keys.optional("bold", .flag.as(.fixed), "Whether text is bold (weight 700).")
    weight = keys.optional(
      "weight", .integer(1...1_000).constant, "The font weight: 400 is regular, 700 is bold.")
  }

  /// The weight is nil if no key sets it, so that the control can choose.
  package func font(_ fields: Fields) -> Font {
    Font(
      fields[families] ?? [],
      weight: fields[weight] ?? fields[isBold].map { $0 ? FaceName.bold : FaceName.regular })
  }

  package func mark(_ fields: Fields) -> Mark { fields.mark(of: families) }
}
