// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import Testing

@Suite struct ReadingTests {
  /// A kiosk file with every key.
  static let whole = """
    kiosk: shows
    screen:
      size: [1024, 600]
      background: "#10151c"
      rotate: 270
      font: DejaVu Sans
      home_after: 60
      blank_after: 600.5
    pages:
      - page: shows
        background: {image: art/wall.png}
        controls:
          - pinwheel: shows
            at: [-0.75, 29.5]
            radius: 280
            hole: 70
            gap: 6px
            start: 15
            press: none
            highlight: "#ffffff88"
            blink: {count: 3, on: 0.1, off: 0}
            font_size: 18
            text_color: black
            enabled: no
            visible: off
            wedges:
              - id: dateline
                label: Dateline
                color: "#3b6ea5"
                on: {selected: [{go: more}]}
              - {id: on, label: 7.50, enabled: false, image: art/wall.png, press_image: /wall.png}
              - {id: 12}
            on:
              selected: [{emit: chosen}, {run: [logger, -t, "{{}}", 1]}]
              cancelled: [{blank: true}]
      - page: more
        background: RebeccaPurple
        controls:
          - button: ok
            at: [100, 100]
            size: [120, 90]
            text: OK
            color: "#369"
            text_color: transparent
            shape: rounded
            on:
              pressed:
                - set: {shows.index: 1, shows.item: on, ok.enabled: yes, plain.text: no}
                - set: {plain.text: 12}
          - label: said
            at: [10, 20]
            text: "{shows.label} {{now}} {ok.visible}"
            font_size: 30
            color: white
            align: start
          - {label: plain, at: [10, 60], text: "{{}}"}
          - menu: topics
            at: [300, 300]
            label: Topics
            image: art/wall.png
            radius: 60
            leaf_radius: 50
            distance: 160
            start: -90
            arc: 180
            open: {damping: 0.4, duration: 0.5}
            close: {damping: 1, duration: 0.3}
            color: navy
            text_color: white
            font_size: 20
            items:
              - {id: news, label: News, color: teal, image: art/wall.png, enabled: false}
              - id: sport
                items:
                  - {id: ball, on: {selected: [{close: topics}]}}
            on: {closed: [{open: topics}]}
          - image: wall
            at: [5, 6]
            file: art/wall.png
            size: [10, 20]
    """

  @Test func `every key is read`() throws {
    let whole = read(Self.whole, path: "dir/k.yaml")
    #expect(whole.diagnostics.map(\.description) == [])
    let kiosk = try #require(whole.description)
    #expect(kiosk.name == "shows")
    #expect(
      kiosk.screen
        == Screen(
          size: Size(1024, 600), background: .hex(0x10151c), rotation: .threeQuarters,
          font: "DejaVu Sans", homeAfter: 60, blankAfter: 600.5))
    #expect(kiosk.pages.map(\.name) == ["shows", "more"])
    #expect(kiosk.pages[0].background == .image("dir/art/wall.png"))
    #expect(kiosk.pages[1].background == .color(.hex(0x663399)))

    let shows = kiosk.pages[0].controls[0]
    #expect(
      shows.control as? Pinwheel
        == Pinwheel(
          center: Point(-0.75, 29.5), radius: 280, hole: 70, gap: .pixels(6), start: .degrees(15),
          press: .none,
          highlight: .color(.fixed(Color(red: 255, green: 255, blue: 255, alpha: 0x88))),
          blink: Blink.Pattern(count: 3, on: 0.1, off: 0), fontSize: 18, textColor: .black,
          wedges: [
            Pinwheel.Wedge(id: "dateline", label: "Dateline", color: .hex(0x3b6ea5)),
            Pinwheel.Wedge(
              id: "on", label: "7.50", isEnabled: false, image: "dir/art/wall.png",
              pressImage: "/wall.png"),
            Pinwheel.Wedge(id: "12"),
          ]))
    #expect(shows.id == "shows" && !shows.isEnabled && !shows.isVisible)
    #expect(
      shows.actions == [
        "selected": [.emit("chosen"), .run(["logger", "-t", "{}", "1"])],
        "cancelled": [.blank(true)],
      ])
    #expect(shows.itemActions == ["dateline": ["selected": [.go("more")]]])

    let more = kiosk.pages[1].controls
    #expect(
      more[0].control as? Button
        == Button(
          center: Point(100, 100), size: Size(120, 90), text: "OK", color: .hex(0x336699),
          textColor: .clear, shape: .rounded))
    #expect(more[0].isEnabled && more[0].isVisible)
    #expect(
      more[0].actions["pressed"] == [
        .set(control: "shows", property: "index", value: .number(1)),
        .set(control: "shows", property: "item", value: .text("on")),
        .set(control: "ok", property: "enabled", value: .flag(true)),
        .set(control: "plain", property: "text", value: .text("no")),
        .set(control: "plain", property: "text", value: .text("12")),
      ])
    #expect(
      more[1].control as? Label
        == Label(
          center: Point(10, 20),
          text: "–", fontSize: 30,
          color: .white, alignment: .start))
    #expect(more[1].bindings == ["text": try Template("{shows.label} {{now}} {ok.visible}")])
    #expect(
      more[3].control as? Menu
        == Menu(
          center: Point(300, 300), screen: Size(1024, 600), label: "Topics",
          image: "dir/art/wall.png", radius: 60, leafRadius: 50,
          smallestLeaf: Size(1024, 600).fingerOn7Inches / 2, distance: 160,
          start: .degrees(-90), arc: .degrees(180),
          opening: Spring.Tuning(damping: 0.4, duration: 0.5),
          closing: Spring.Tuning(damping: 1, duration: 0.3), color: .hex(0x000080),
          textColor: .white, fontSize: 20,
          items: [
            Menu.Item(
              id: "news", label: "News", image: "dir/art/wall.png", color: .hex(0x008080),
              isEnabled: false),
            Menu.Item(id: "sport", items: [Menu.Item(id: "ball")]),
          ]))
    #expect((more[2].control as? Label)?.text == "{}")
    #expect(more[3].actions == ["closed": [.perform("open", control: "topics")]])
    #expect(
      more[3].itemActions == ["ball": ["selected": [.perform("close", control: "topics")]]])
    #expect(
      more[4].control as? Picture
        == Picture(
          center: Point(5, 6), image: "dir/art/wall.png", size: Size(10, 20), fit: .contain))

    #expect(whole.images == ["dir/art/wall.png", "/wall.png"])
    #expect(whole.fonts == [FaceName("DejaVu Sans")])
  }

  @Test func `omitted keys have the documented defaults`() throws {
    let reading = read(
      """
      kiosk: k
      pages:
        - page: home
          controls:
            - {pinwheel: p, at: [1, 2], radius: 300, wedges: [{id: a}]}
            - {button: b, at: [1, 2], size: [99, 98]}
            - {label: l, at: [1, 2], text: t}
            - {menu: m, at: [1, 2], items: [{id: a}]}
      """)
    #expect(reading.diagnostics.map(\.description) == [])
    let kiosk = try #require(reading.description)
    #expect(kiosk.screen == Screen())
    #expect(kiosk.pages[0].background == nil)
    let controls = kiosk.pages[0].controls
    #expect(
      controls[0].control as? Pinwheel
        == Pinwheel(center: Point(1, 2), radius: 300, wedges: [Pinwheel.Wedge(id: "a")]))
    #expect(
      controls[1].control as? Button == Button(center: Point(1, 2), size: Size(99, 98), text: ""))
    #expect(
      controls[2].control as? Label
        == Label(center: Point(1, 2), text: "t"))
    #expect(
      controls[3].control as? Menu
        == Menu(
          center: Point(1, 2), screen: Screen().size,
          smallestLeaf: Screen().size.fingerOn7Inches / 2, items: [Menu.Item(id: "a")]))
    #expect(controls.allSatisfy { $0.isEnabled && $0.isVisible && $0.actions.isEmpty })
    #expect(reading.fonts == [FaceName("sans-serif")])
    #expect(reading.images == [])
  }

  @Test func `JSON is YAML`() throws {
    let reading = read(
      """
      {"kiosk": "k", "screen": {"size": [800, 480], "rotate": 90},
       "pages": [{"page": "home", "background": {"image": "wall.png"}, "controls": [
         {"button": "ok", "at": [1e2, 1.5E+1], "size": [300, 200], "text": "\\u00e4\\n",
          "enabled": false, "on": {"selected": [{"go": "home"}]}}]}]}
      """)
    #expect(reading.diagnostics.map(\.description) == [])
    let kiosk = try #require(reading.description)
    #expect(kiosk.screen.rotation == .quarter)
    let button = try #require(kiosk.pages[0].controls[0].control as? Button)
    #expect(button.center == Point(100, 15))
    #expect(button.text == "ä\n")
    #expect(!kiosk.pages[0].controls[0].isEnabled)
  }

  @Test func `a picture may follow the panel's orientation`() throws {
    let reading = read(
      "kiosk: k\nscreen: {rotate: auto}\npages: [{page: p, controls: [{label: l, at: [1, 1], text: x}]}]"
    )
    #expect(reading.diagnostics == [])
    #expect(try #require(reading.description).screen.rotation == nil)
  }

  @Test func `a byte order mark and Windows line breaks are accepted`() {
    let text =
      "\u{feff}kiosk: k\r\npages:\r\n- page: a\r\n  controls: [{label: l, at: [1, 2], text: t}]\r\n"
    #expect(diagnostics(text) == [])
    #expect(diagnostics("\u{feff}x: 1").first?.hasPrefix("1:1:") == true)
  }

  @Test func `words that YAML reads as flags stay words in text keys`() throws {
    let reading = read(
      """
      kiosk: no
      pages:
        - page: yes
          controls:
            - label: off
              at: [1, 2]
              text: on
            - label: 1_000
              at: [1, 2]
              text: 12:30
            - button: true
              at: [1, 2]
              size: [99, 99]
              on: {selected: [{go: yes}, {set: {off.visible: Off}}, {emit: null point}]}
      """)
    #expect(reading.diagnostics.map(\.description) == [])
    let kiosk = try #require(reading.description)
    #expect(kiosk.name == "no" && kiosk.pages[0].name == "yes")
    #expect(kiosk.pages[0].controls.map(\.id) == ["off", "1_000", "true"])
    #expect(
      kiosk.pages[0].controls[2].actions["selected"] == [
        .go("yes"), .set(control: "off", property: "visible", value: .flag(false)),
        .emit("null point"),
      ])
  }

  @Test func `a tag turns a number into text`() {
    let start = "kiosk: k\npages: [{page: a, controls: [{label: l, at: [1, 2], text: t, font_size: "
    #expect(diagnostics(start + "12}]}]") == [])
    #expect(diagnostics(start + "!!str 12}]}]").count == 1)
    #expect(diagnostics(start + "!!int 12}]}]") == [])
  }

  @Test func `anchors avoid repetition`() throws {
    let kiosk = try #require(
      read(
        """
        kiosk: k
        pages:
          - page: a
            background: &night "#012"
            controls: [{label: l, at: &middle [640, 400], text: t}]
          - page: b
            background: *night
            controls: [{label: m, at: *middle, text: t}]
        """
      ).description)
    #expect(kiosk.pages[1].background == .color(.hex(0x001122)))
    #expect((kiosk.pages[1].controls[0].control as? Label)?.center == Point(640, 400))
  }

  @Test(
    arguments: [
      ("#abc", 0xaabbccff), ("#ABCDEF", 0xabcdefff), ("#01020304", 0x01020304), ("Red", 0xff0000ff),
      ("grey", 0x808080ff), ("green", 0x008000ff), ("maroon", 0x800000ff), ("purple", 0x800080ff),
      ("lightgoldenrodyellow", 0xfafad2ff), ("transparent", 0), ("rebeccapurple", 0x663399ff),
    ] as [(String, UInt32)])
  func `colours use CSS names and notations`(_ text: String, _ value: UInt32) throws {
    let reading = read(
      "kiosk: k\nscreen: {background: \"\(text)\"}\n"
        + "pages: [{page: a, controls: [{label: l, at: [1, 2], text: t}]}]")
    let color = try #require(reading.description?.screen.background.color(in: .dark))
    #expect(
      UInt32(color.red) << 24 | UInt32(color.green) << 16 | UInt32(color.blue) << 8
        | UInt32(color.alpha) == value)
  }

  @Test(arguments: [
    "#", "#1234", "#12345", "#1234567", "#gggggg", "#１２３", "", "redd", "rgb(1,2,3)",
  ])
  func `other strings aren't colours`(_ text: String) {
    let reading = read(
      "kiosk: k\nscreen: {background: \"\(text)\"}\n"
        + "pages: [{page: a, controls: [{label: l, at: [1, 2], text: t}]}]")
    #expect(reading.description == nil)
    #expect(reading.diagnostics.map(\.column) == [22])
  }

  @Test(
    arguments: [
      ("12", 12), ("+1.5", 1.5), (".5e1", 5), ("1e2", 100), ("007", 7),
      ("0x10", nil), ("1_0", nil), ("nan", nil), ("inf", nil), (".inf", nil), ("-.inf", nil),
      (".NaN", nil), ("1e999", nil), ("\"12\"", nil), ("1.2.3", nil), ("-", nil), ("12px", nil),
      ("1:30", nil),
    ] as [(String, Double?)])
  func `numbers are decimal and finite`(_ text: String, _ value: Double?) {
    let reading = read(
      "kiosk: k\npages: [{page: a, controls: [{label: l, at: [1, 2], text: t, font_size: \(text)}]}]"
    )
    let label = reading.description?.pages[0].controls[0].control as? Label
    #expect(label?.fontSize == value)
    #expect((reading.diagnostics.count == 1) == (value == nil))
  }

  @Test(
    arguments: [
      ("Sans", "Sans"), ("fonts/a.ttf", "dir/fonts/a.ttf"), ("A.OTF", "dir/A.OTF"),
      ("/a.ttc", "/a.ttc"), ("lost.ttf", nil), ("Wingdings", nil),
    ] as [(String, String?)])
  func `a font is a family or a file next to the kiosk file`(_ name: String, _ font: String?) {
    let reading = read(
      "kiosk: k\nscreen: {font: \(name)}\n"
        + "pages: [{page: a, controls: [{label: l, at: [1, 2], text: t}]}]", path: "dir/k.yaml")
    #expect(reading.description?.screen.font == font.map { Font($0) })
    #expect(font == nil || reading.fonts == [FaceName(font ?? "")])
  }

  @Test func `a kiosk without a font fails if the machine lacks the default font`() {
    let text = "kiosk: k\npages: [{page: a, controls: [{label: l, at: [1, 2], text: t}]}]"
    let reading = ParsedKiosk(
      Array(text.utf8), path: "k.yaml", assets: StubAssets(lostFamilies: ["sans-serif"]))
    #expect(reading.description == nil)
    #expect(
      reading.diagnostics.map(\.description) == [
        "k.yaml:1:1: error: font \"sans-serif\": not found "
          + "(expected an installed font family, or a font file relative to this file)"
      ])
  }

  @Test func `ten thousand wedges are accepted`() {
    let wedges = (0..<10_000).map { "{id: w\($0), label: \"\($0)\"}" }.joined(separator: ",\n")
    let reading = read(
      "kiosk: k\npages: [{page: a, controls: [{pinwheel: p, at: [1, 2], radius: 300, wedges: [\n"
        + wedges + "]}]}]")
    #expect(reading.description != nil)
    #expect(reading.diagnostics.map(\.severity) == [.warning])
  }
}
