// SPDX-License-Identifier: MIT

internal import Glibc
package import RoundelDrawing

/// A colour of full brightness, by the hue and saturation of HSV, as in Home Assistant's `hs`.
package struct HueSaturation: Hashable, Sendable {
  /// Degrees, at least 0 and less than 360.
  package private(set) var hue: Double
  /// Percent, from 0 (white) to 100.
  package private(set) var saturation: Double

  /// Numbers outside the ranges wrap around or are clamped.
  package init(hue: Double, saturation: Double) {
    let rest = hue.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    self.hue = positive < 360 ? positive : 0
    self.saturation = saturation.within(0...100)
  }

  /// Ignores brightness. Grey has no hue, so it keeps `hue`.
  package init(_ color: Color, orHue hue: Double = 0) {
    let (r, g, b) = (Double(color.red), Double(color.green), Double(color.blue))
    let (high, low) = (max(r, g, b), min(r, g, b))
    let chroma = high - low
    guard chroma > 0 else {
      self.init(hue: hue, saturation: 0)
      return
    }
    let sixth: Double
    if high == r {
      sixth = (g - b) / chroma
    } else if high == g {
      sixth = (b - r) / chroma + 2
    } else {
      sixth = (r - g) / chroma + 4
    }
    self.init(hue: sixth * 60, saturation: chroma / high * 100)
  }

  package var color: Color {
    func channel(_ offset: Double) -> UInt8 {
      let k = (offset + hue / 60).truncatingRemainder(dividingBy: 6)
      let shade = max(0, min(k, 4 - k, 1))
      return UInt8(((1 - saturation / 100 * shade) * 255).rounded())
    }
    return Color(red: channel(5), green: channel(3), blue: channel(1))
  }

  /// The name of the colour in speech.
  var word: String {
    guard saturation >= 12 else { return "white" }
    let names = [
      "red", "orange", "yellow", "lime", "green", "mint", "turquoise", "azure", "blue", "violet",
      "magenta", "pink",
    ]
    return names[Int((hue / 30).rounded()) % names.count]
  }

  var isPale: Bool { (12..<55).contains(saturation) }
}

extension Color {
  /// White light of 1000 to 40 000 kelvin, after Tanner Helland's approximation.
  package init(kelvin: Double) {
    let t = kelvin.within(1_000...40_000) / 100
    func channel(_ value: Double) -> UInt8 { UInt8(value.within(0...255).rounded()) }
    let red = t <= 66 ? 255 : 329.698727446 * pow(t - 60, -0.1332047592)
    let green =
      t <= 66
      ? 99.4708025861 * log(t) - 161.1195681661 : 288.1221695283 * pow(t - 60, -0.0755148492)
    let blue = t >= 66 ? 255 : t <= 19 ? 0 : 138.5177312231 * log(t - 10) - 305.0447927307
    self.init(red: channel(red), green: channel(green), blue: channel(blue))
  }

  /// The notation `#rrggbb`. Alpha is ignored.
  package var notation: String {
    func digits(_ value: UInt8) -> String {
      let text = String(value, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "#" + digits(red) + digits(green) + digits(blue)
  }
}
