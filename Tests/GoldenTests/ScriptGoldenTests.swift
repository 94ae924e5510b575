// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import Foundation
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import SystemFonts
import TestSupport
import Testing

/// Several scripts in labels and on the rotated wedges of a pinwheel, and emoji in every control.
@Suite struct ScriptGoldenTests {
  enum Script: String, CaseIterable {
    case latin, vietnamese, greekAndCyrillic, arabic, hebrew, mixed, devanagari, thai, chinese
    case japaneseAndKorean, emoji

    /// A language, the text of a label, and the labels of wedges.
    var texts: (language: String, label: String, wedges: [String]) {
      switch self {
      case .latin:
        ("en", "AVATAR To Type Wave 17:45", ["Tomato", "Avocado", "Kaffee­pause", "fjord → x² ½"])
      case .vietnamese:
        ("vi", "Phở bò, nước mắm, ngữ nghĩa", ["Phở", "Bún chả", "Gỏi cuốn", "Cà phê sữa đá"])
      case .greekAndCyrillic:
        ("el", "Καλώς ήρθατε. Добро пожаловать", ["Καφές", "Ψωμί", "Чай", "Щи да каша"])
      case .arabic:
        ("ar", "أهلا وسهلا، لا بأس، ١٢٣ مَدْرَسَة", ["شاي", "قهوة", "عصير الليمون", "ماء بارد"])
      case .hebrew: ("he", "ברוכים הבאים, שולחן 12", ["תה", "קפה", "מיץ תפוזים", "שָׁלוֹם"])
      case .mixed:
        ("ar", "طاولة Nr. 12 (Café) جاهزة", ["قهوة Espresso", "Tee שחור", "50 % خصم", "A→ب"])
      case .devanagari:
        ("hi", "स्वागत है। क्षत्रिय, हिन्दी", ["चाय", "कॉफ़ी", "गर्म दूध", "श्री ज्ञान"])
      case .thai: ("th", "ยินดีต้อนรับ กรุณาเลือกภาษา", ["ชา", "กาแฟ", "น้ำส้ม", "ที่นี่"])
      case .chinese: ("zh-Hans", "欢迎光临，请选择语言。", ["茶", "咖啡", "橙汁", "热牛奶"])
      case .japaneseAndKorean:
        ("ja", "ようこそ。言語を選ぶ。환영합니다", ["お茶", "コーヒー", "오렌지", "우유"])
      case .emoji:
        (
          "en", "Hi 👋🏽! 👩‍👩‍👧 🇩🇪🇫🇷 1️⃣ ❤️ ❤︎ ✂ ✂️",
          ["🍵 Tea", "☕", "🍊🥤", "Milk 🥛 & more"]
        )
      }
    }

    var kiosk: String {
      let (language, label, texts) = texts
      let colors = ["#2f6f9f", "#9f4f3f", "#4f8f4f", "#7f5f9f"]
      let wedges = zip(texts, colors).enumerated().map { number, wedge in
        "        - {id: w\(number), label: \"\(wedge.0)\", color: \"\(wedge.1)\"}"
      }
      return """
        kiosk: scripts
        screen: {size: [640, 320], background: "#182028", font: Inter}
        languages: [\(language)]
        pages:
        - page: p
          controls:
          - {label: l, at: [160, 90], size: [290, 150], lines: 2, font_size: 34, text: "\(label)"}
          - {label: m, at: [160, 240], size: [290, 100], font_size: 15, weight: 700, text: "\(label)", color: "#f2c9a080"}
          - pinwheel: w
            at: [480, 160]
            radius: 150
            start: 20
            labels: radial
            font_size: 24
            gap: 4px
            wedges:
        \(wedges.joined(separator: "\n"))
        """
    }
  }

  @Test(
    .enabled(if: isDebian12, "text looks different with other fonts than Debian 12's"),
    arguments: Script.allCases)
  func `each script matches its golden, horizontal and rotated`(_ script: Script) throws {
    let fixture = try Fixture(script.kiosk, size: PixelSize(640, 320))
    try Golden(name: "script-\(script.rawValue).png").check(fixture.show())
  }

  /// Controls that move, fade and blur their content.
  enum Motion: String, CaseIterable {
    case dial, menu, slots, picker

    var control: String {
      switch self {
      case .dial:
        """
            at: [320, 160]
            radius: 150
            labels: ["🍵", "☕1", "🥛", "🇩🇪", "1️⃣", "👍🏽", "🍊", "8"]
            label_offset: 30
            font_size: 20
        """
      case .menu:
        """
            at: [320, 160]
            radius: 48
            label: "🍽️"
            items: [{id: a, label: "🍵"}, {id: b, label: "☕ x"}, {id: c, label: "🥛"}, {id: d, label: "🍊", enabled: false}]
        """
      case .slots:
        """
            at: [320, 160]
            size: [600, 300]
            seed: 3
            reels:
            - {id: a, items: ["🍒", "🍋", "7", "🔔"]}
            - {id: b, items: ["🍒", "🍋 x", "7", "🔔"]}
        """
      case .picker:
        """
            at: [320, 160]
            size: [600, 300]
            wheels:
            - {id: a, items: ["🍵 Tea", "☕ Coffee", "🥛 Milk", "🍊 Juice", "💧 Water"]}
            - {id: b, items: ["🇩🇪", "🇫🇷", "🇮🇹", "🇬🇷", "🇻🇳"]}
        """
      }
    }

    var touches: [(seconds: Double, phase: Touch.Phase, place: Point)] {
      switch self {
      case .dial: [(0.1, .down, Point(320, 40)), (0.2, .move, Point(380, 55))]
      case .menu: [(0.1, .down, Point(320, 160)), (0.15, .up, Point(320, 160))]
      case .slots: [(0.1, .down, Point(200, 160)), (0.15, .up, Point(200, 160))]
      case .picker: [(0.1, .down, Point(160, 160)), (0.2, .move, Point(160, 138))]
      }
    }

    var times: [Double] {
      switch self {
      case .dial, .picker: [0.3]
      case .menu: [0.2, 1.5]
      case .slots: [0.8]
      }
    }

    var kiosk: String {
      """
      kiosk: motion
      screen: {size: [640, 320], background: "#182028", font: Inter}
      pages:
      - page: p
        controls:
        - \(rawValue): c
      \(control)
      """
    }
  }

  @Test(
    .enabled(if: isDebian12, "emoji look different with another font than Debian 12's"),
    arguments: Motion.allCases)
  func `emoji rotate, grow, blur and fade with their text`(_ motion: Motion) throws {
    let fixture = try Fixture(motion.kiosk, size: PixelSize(640, 320))
    var touches = motion.touches[...]
    var times = motion.times[...]
    for frame in 0..<200 {
      guard let time = times.first else { break }
      let now = Instant(seconds: Double(frame) / 50)
      while let touch = touches.first, Instant(seconds: touch.seconds) <= now {
        fixture.engine.handle(
          Touch(finger: 0, phase: touch.phase, position: touch.place),
          at: Instant(seconds: touch.seconds))
        touches.removeFirst()
      }
      fixture.engine.advance(to: now)
      let panels = try fixture.show()
      guard now >= Instant(seconds: time) else { continue }
      times.removeFirst()
      let name = "emoji-\(motion.rawValue)-\(Int(time * 100))"
      try Golden(name: name + ".png").check(panels)
      // Painting by damage must equal a full repaint.
      #expect(try fixture.whole().bitmap() == panels[.none]?.bitmap())
    }
    #expect(times.isEmpty)
  }
}

/// A kiosk with Debian's fonts, on panels in every rotation.
private final class Fixture {
  var engine: Engine
  private let size: PixelSize
  private let fonts = FontLoader()
  private let painter: Painter
  private let displays: [HeadlessDisplay]

  init(_ text: String, size: PixelSize) throws {
    let reading = ParsedKiosk(Array(text.utf8), path: "scripts.yaml", assets: NoAssets())
    engine = Engine(try #require(reading.description, "\(reading.diagnostics)"), seed: 0)
    self.size = size
    for font in reading.fonts { try fonts.load(font) }
    fonts.loadFallback()
    painter = Painter(
      size: size, viewport: Viewport(fitting: engine.screen.size, into: size), fonts: fonts.library)
    displays = Rotation.allCases.map { rotation in
      HeadlessDisplay(
        size: rotation.applied(to: size), rotation: rotation, refreshInterval: 0, clock: { .zero })
    }
  }

  func show() throws -> [Rotation: Canvas] {
    painter.show(engine.displayList)
    for display in displays { _ = try display.present(painter) }
    return Dictionary(uniqueKeysWithValues: zip(Rotation.allCases, displays.map(\.panel)))
  }

  func whole() throws -> Canvas {
    let whole = Painter(size: size, viewport: painter.viewport, fonts: fonts.library)
    whole.show(engine.displayList)
    return whole.canvas()
  }
}
