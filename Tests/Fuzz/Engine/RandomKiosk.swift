// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import QRCodes
import TestSupport

/// Generates random kiosks: pages, controls of every type, and actions for every event.
struct RandomKiosk {
  private var random: SeededGenerator
  /// The probability that an event has actions. Above about a third, actions trigger each other endlessly.
  private let restlessness: Double
  private let pageNames: [String]
  /// Ids come from a small pool, so that two versions of a kiosk share some, possibly for different types of
  /// controls.
  private let ids: [String]

  static let size = Size(800, 600)
  static let events = [
    "pressed", "selected", "cancelled", "passing", "settled", "opened", "closed", "started",
    "confirmed", "due", "changed", "typed", "entered", "held", "left", "returned",
  ]
  static let pageEvents = ["shown", "hidden", "pressed", "selected", "cancelled", "held", "swiped"]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    restlessness = [0, 0.1, 0.2, 0.2, 0.3, 1][Int.random(in: 0..<6, using: &random)]
    pageNames = (0..<Int.random(in: 1...4, using: &random)).map { "p\($0)" }
    ids = (0..<14).map { "c\($0)" }
  }

  mutating func description() -> Description {
    var free = ids.shuffled(using: &random)
    let pages = pageNames.map { name in
      let count = min(Int.random(in: 0...5, using: &random), free.count)
      defer { free.removeFirst(count) }
      let transition = perhaps(0.4).map { _ in
        PageTransition(Bool.random(using: &random) ? .slide : .fade, seconds: number(0.05...2))
      }
      var page = Page(
        name: name, background: background(), transition: transition,
        controls: free.prefix(count).map { entry($0) }, actions: actions(on: Self.pageEvents))
      page.hold = number(0.1...3)
      page.keys = keys()
      page.focus = perhaps(0.3).flatMap { _ in page.controls.first?.id }
      page.encoder = perhaps(0.5).flatMap { _ in
        page.controls.first { $0.control.isTurnable }?.id
      }
      if name != pageNames[0], perhaps(0.3) != nil {
        (page.isOver, page.isModal) = (true, perhaps(0.3) != nil)
        return page
      }
      for direction in Direction.allCases where perhaps(0.3) != nil {
        page.swipe[direction] = (pageNames + Destination.words).randomElement(using: &random)
      }
      return page
    }
    var description = Description(
      name: "fuzz",
      screen: Screen(
        size: Self.size, homeAfter: perhaps(0.3).map { _ in number(0.5...20) },
        blankAfter: perhaps(0.3).map { _ in number(0.5...30) }),
      pages: pages, values: Self.valueDeclarations)
    description.keys = keys()
    if perhaps(0.3) != nil { description.screen.warn = number(0.1...5) }
    if perhaps(0.2) != nil { description.screen.dwell = number(0.05...1) }
    if perhaps(0.2) != nil { description.screen.debounce = number(0.05...1) }
    if perhaps(0.5) != nil { compute(&description) }
    let names = Names(description)
    if perhaps(0.5) != nil {
      description.reactions = reactions(names)
      for page in description.pages.indices where perhaps(0.5) != nil {
        description.pages[page].reactions = reactions(names)
      }
    }
    // Both read a value of the kiosk.
    if perhaps(0.3) != nil {
      description.themeChoice = try? Template("{night ? 'dark' : 'light'}").resolved(in: names)
    }
    if perhaps(0.2) != nil {
      description.dimming = try? Template("{night ? 0.2 : 1}").resolved(in: names)
    }
    // The law of resets needs kiosks without actions.
    if restlessness > 0 { ContractLaw.impose(on: &description, ids: ids) }
    return description
  }

  private static let valueDeclarations = [
    far, ValueDeclaration(name: "dishes", initial: .list([.text("Soup")])),
    ValueDeclaration(name: "cups", initial: .number(1), minimum: 0, maximum: 8, step: 1),
    ValueDeclaration(name: "night", initial: .flag(false)),
    ValueDeclaration(name: "guest", initial: .text("")),
    ValueDeclaration(name: "orders", initial: .list([])),
    ValueDeclaration(name: "order", initial: .record([Field("price", .number(4))])),
  ]

  /// A value with a time limit.
  private static let far: ValueDeclaration = {
    var far = ValueDeclaration(name: "far", initial: .number(0))
    far.staleAfter = 3
    return far
  }()

  /// Adds computed values. Some of them read controls and each other.
  private mutating func compute(_ description: inout Description) {
    let templates = [
      ("total", "{cups * 2}"), ("share", "{12 / (cups - 1)}"),
      ("hello", "{guest} {total} {share:.1f}"),
      ("second", "{now.getSeconds()}"), ("sum", "{far + size(dishes)}"),
      ("isLate", "{night || total > 9}"), ("paid", "{sum(orders.map(o, o.price))}"),
      ("open", "{orders.filter(o, has(o.price) && o.price > cups)}"),
      ("seen", template() + " {second}"),
    ]
    for (name, text) in templates {
      guard perhaps(0.7) != nil,
        let template = try? Template(text).resolved(in: Names(description))
      else { continue }
      var value = ValueDeclaration(name: name, initial: .number(0))
      value.template = template
      // The order in a file is arbitrary.
      description.values.insert(value, at: count(0...description.values.count))
    }
  }

  // MARK: Keys

  private static let keyNames =
    Keystroke.allCases.map(\.rawValue)
    + ["Return", "Return", "space", "Tab", "Up", "BackSpace", "4", "KP_1", "a", "F1"]

  /// A key that is tapped, pressed, released or cancelled, or a scanned line.
  private mutating func key() -> Command {
    if perhaps(0.1) != nil { return .scan("47\u{7}11", isPrivate: perhaps(0.5) != nil) }
    let name = Self.keyNames[count(0...Self.keyNames.count - 1)]
    let phase = [KeyPress.Phase.tap, .tap, .down, .down, .up, .cancel][count(0...5)]
    return KeyPress(named: name).map { .key($0, phase) } ?? .key(.enter)
  }

  private mutating func keys() -> [Keysym: [Action]] {
    var keys: [Keysym: [Action]] = [:]
    for name in ["F1", "4", "Return"] where perhaps(name == "Return" ? 0.05 : 0.2) != nil {
      if let symbol = Keysym(named: name) { keys[symbol] = [action()] }
    }
    return keys
  }

  private mutating func reactions(_ names: Names) -> [Reaction] {
    (0..<count(1...6)).compactMap { _ in
      let id = ids[count(0...ids.count - 1)]
      let text = [
        "cups > 4", "night", "total > 6", "isLate && guest == 'Ada'", "share > 2", "uptime > 7",
        "now.getSeconds() % 20 == 5", "\(id).index > 1", "\(id).enabled", "\(id).open",
        "\(id).item == 'i1'", "seen.endsWith('7')", "page == 'p1'", "far > 2", "sum < 5",
        "!has(far)", "has(order.price) && order.price > 3", "orders.exists(o, o.price > cups)",
        "size(open) > 2", "paid > 9",
      ][count(0...19)]
      guard let condition = try? Expression(text).resolved(in: names) else { return nil }
      return Reaction(when: condition, do: (0..<count(1...2)).map { _ in action() })
    }
  }

  private mutating func background() -> Page.Background? {
    switch count(0...5) {
    case 0: .image(image())
    case 1: .color(.surface)
    default: nil
    }
  }

  /// Returns the name of an image that may not exist.
  private mutating func image() -> String { perhaps(0.7) == nil ? "none.png" : Self.image }

  /// The name of the only existing image.
  static let image = "some.png"

  // MARK: Chance

  private mutating func perhaps(_ chance: Double) -> Void? {
    Double.random(in: 0..<1, using: &random) < chance ? () : nil
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &random)
  }

  private mutating func count(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func point() -> Point { Point(number(0...800), number(0...600)) }

  // MARK: Controls

  private mutating func entry(_ id: String) -> PlacedControl {
    let (kind, control) = control()
    var items: [String: [String: [Action]]] = [:]
    for item in control.items(at: .zero) { items[item.id] = actions() }
    // Parts without ids are named by index.
    for place in ["0", "1", "w0/0", "r0/0"] { items[place] = actions() }
    var bindings: [String: Template] = [:]
    if let label = control as? Label { bindings["text"] = try? Template(label.text) }
    return PlacedControl(
      id: id, kind: kind, control: control, isEnabled: perhaps(0.9) != nil,
      isVisible: perhaps(0.9) != nil, isAlwaysAvailable: perhaps(0.15) != nil, bindings: bindings,
      actions: actions(), itemActions: items)
  }

  private mutating func control() -> (String, any Control) {
    let inertia = Wheel.Inertia.allCases[count(0...2)]
    switch count(0...18) {
    case 0:
      return (
        "pinwheel",
        Pinwheel(
          center: point(), radius: number(20...300),
          blink: Blink.Pattern(count: count(0...3), on: number(0.01...0.4), off: number(0...0.3)),
          wedges: (0..<count(1...8)).map {
            Pinwheel.Wedge(id: "i\($0)", label: "I\($0)", isEnabled: perhaps(0.8) != nil)
          })
      )
    case 1:
      let labels = Dial.numbers(count(1...24))
      return (
        "dial",
        Dial(
          center: point(), radius: number(20...300), labels: labels,
          value: count(0...labels.count - 1), drag: Dial.Drag.allCases[count(0...1)],
          inertia: inertia, wraps: perhaps(0.5) != nil,
          ticks: perhaps(0.4).map { _ in
            Dial.Ticks(every: number(0.05...3), step: [-3, -1, 1, 2][count(0...3)])
          })
      )
    case 2:
      return (
        "menu",
        Menu(
          center: point(), screen: Self.size, radius: number(20...80),
          leafRadius: number(10...60), arc: .degrees(number(30...360)),
          opening: .init(damping: number(0.1...2), duration: number(0.01...2)),
          closing: .init(damping: number(0.1...2), duration: number(0.01...2)),
          items: items(depth: 0, prefix: "i"))
      )
    case 3:
      return (
        "slots",
        Slots(
          center: point(), size: Size(number(10...500), number(10...400)), rows: count(1...5),
          duration: number(0.1...8), stagger: perhaps(0.5).map { _ in number(0...2) } ?? 0,
          sharpen: number(0...1),
          triggers: [[.touch], [.shake], [.touch, .shake], []][count(0...3)],
          reels: (0..<count(1...4)).map { reel in
            Slots.Reel(
              id: "r\(reel)",
              items: (0..<count(1...7)).map { item in
                Slots.Item(
                  label: "i\(item)", image: perhaps(0.1).map { _ in image() },
                  weight: item == 0 ? 1 : Double(count(0...3)))
              },
              direction: Slots.Direction.allCases[count(0...1)])
          })
      )
    case 4:
      return (
        "picker",
        Picker(
          center: point(), size: Size(number(10...500), number(10...400)), rows: count(1...7),
          inertia: inertia,
          columns: (0..<count(1...4)).map { column in
            let items = (0..<count(1...9)).map { Picker.Item(label: "i\($0)") }
            return Picker.Column(
              id: "w\(column)", items: items, wraps: perhaps(0.5) != nil,
              value: count(0...items.count - 1))
          })
      )
    case 5:
      let bands: [ResistorColor] = [.brown, .black, .red, .gold]
      guard let code = ResistorCode(bands, edition: .allCases[count(0...1)]) else { fallthrough }
      return (
        "resistor",
        Resistor(
          center: point(), size: Size(number(50...500), number(50...400)), code: code,
          rows: count(1...7))
      )
    case 6:
      let isHigh = perhaps(0.3) != nil
      let text = (0..<count(0...4)).map { _ in
        template() + String(repeating: " word", count: isHigh ? 40 : 0)
      }.joined(separator: " ")
      var label = Label(
        center: point(), text: text,
        size: isHigh ? Size(number(1...400), number(1...300)) : nil)
      label.scrolls = isHigh
      label.keysChanged(since: nil, at: .zero)
      return ("label", label)
    case 7:
      return (
        "image",
        Picture(
          center: point(), image: image(), size: Size(number(1...400), number(1...400)))
      )
    case 8:
      return ("timer", Timer(every: number(0.05...3), isRunning: perhaps(0.8) != nil))
    case 9:
      guard let scale = Scale(from: number(-9...0), to: number(1...9), step: number(0.1...1))
      else { fallthrough }
      let from = number(-200...200)
      return (
        "ring",
        Ring(
          center: point(), radius: number(20...300), from: .degrees(from),
          to: .degrees(from + number(10...360) * (perhaps(0.5) == nil ? 1 : -1)), scale: scale,
          isContinuous: perhaps(0.5) != nil, value: number(-9...9), range: range(),
          minimumGap: number(0...1), isInteractive: perhaps(0.8) != nil,
          isSpinning: perhaps(0.1) != nil,
          hasNeedle: perhaps(0.3) != nil, text: perhaps(0.5).map { _ in "T" } ?? "")
      )
    case 17:
      return (
        "color",
        ColorWheel(
          center: point(), radius: number(10...300),
          temperatures: perhaps(0.4).map { _ in number(1_000...3_000)...number(3_001...9_000) },
          color: perhaps(0.5).map { _ in Color(hex: UInt32(count(0...0xffffff))) })
      )
    case 16:
      guard let scale = Scale(from: number(-9...0), to: number(1...9), step: number(0.1...1))
      else { fallthrough }
      return (
        "bar",
        Bar(
          center: point(), size: Size(number(10...500), number(10...500)), scale: scale,
          isContinuous: perhaps(0.5) != nil, value: number(-9...9), range: range(),
          minimumGap: number(0...1), isInteractive: perhaps(0.8) != nil,
          ticks: perhaps(0.3).map { _ in ScaleTicks(every: 1, labelEvery: 2) },
          segments: perhaps(0.3).map { _ in count(1...20) } ?? 0,
          peakSeconds: perhaps(0.5).map { _ in number(0...2) },
          text: perhaps(0.5).map { _ in "T" } ?? "")
      )
    case 10:
      return (
        "toggle",
        Toggle(
          center: point(), size: Size(number(10...300), number(10...200)),
          label: perhaps(0.5).map { _ in "T" } ?? "", value: perhaps(0.5) != nil)
      )
    case 11:
      guard let scale = Scale(from: number(-9...0), to: number(1...9), step: number(0.1...1))
      else { fallthrough }
      return (
        "dial",
        Dial(
          center: point(), radius: number(20...300), scale: scale, value: number(-9...9),
          inertia: inertia, wraps: perhaps(0.5) != nil, unit: " l", labelStride: count(1...5),
          isUpright: perhaps(0.5) != nil)
      )
    case 12:
      let text = String(repeating: "q", count: count(0...100))
      let size = Size(number(60...400), number(60...400))
      guard let code = try? QRCode(center: point(), size: size, text: text) else { fallthrough }
      return ("qr", code)
    case 13:
      let layout = [KeypadLayout.digits, .pin, .text][count(0...2)]
      return (
        "keypad",
        Keypad(
          center: point(), size: Size(number(20...500), number(20...400)), layout: layout,
          length: count(1...9), shape: Keypad.Shape.allCases[count(0...1)])
      )
    case 14:
      return (
        "list",
        List(
          center: point(), size: Size(number(10...500), number(10...400)),
          rowHeight: number(8...100),
          items: (0..<count(0...40)).map {
            List.Item(id: "i\($0)", label: "I\($0)", isEnabled: perhaps(0.8) != nil)
          })
      )
    case 15:
      return (
        "chart",
        Chart(
          center: point(), size: Size(number(8...500), number(8...400)),
          value: perhaps(0.5).map { _ in number(-9...9) }, seconds: number(1...90),
          minimum: perhaps(0.3).map { _ in number(-9...0) },
          maximum: perhaps(0.3).map { _ in number(1...9) },
          gap: perhaps(0.5).map { _ in number(0.05...9) }, hasAxis: perhaps(0.8) != nil)
      )
    default:
      return (
        "button",
        Button(
          center: point(), size: Size(number(10...300), number(10...300)), text: "B",
          blink: Blink.Pattern(count: count(0...2)))
      )
    }
  }

  private mutating func range() -> ClosedRange<Double>? {
    perhaps(0.5).map { _ in number(-9...0)...number(0...9) }
  }

  private mutating func template() -> String {
    guard perhaps(0.6) != nil else {
      return [
        "{now:%H:%M}", "{now:%S}", "{uptime:.1f}", "{cups}", "{guest}", "{night}", "{total}",
        "{hello}", "{isLate}", "{seen}", "{far}", "{dishes} {sum}",
        "{orders[2].price}", "{order.price} {paid}", "{open.map(o, o.price).sort()}",
        "{has(far) ? far : 0} {format(cups, guest)}",
      ][count(0...15)]
    }
    return
      "{\(ids[count(0...ids.count - 1)]).\(Self.properties[count(0...Self.properties.count - 1)])}"
  }

  private mutating func items(depth: Int, prefix: String) -> [Menu.Item] {
    (0..<count(1...5)).map { index in
      let id = "\(prefix)\(index)"
      let isNested = depth < 3 && perhaps(0.3) != nil
      return Menu.Item(
        id: id, label: id.uppercased(), isEnabled: perhaps(0.8) != nil,
        items: isNested ? items(depth: depth + 1, prefix: id) : [])
    }
  }

  // MARK: Actions

  private mutating func actions(on events: [String] = events) -> [String: [Action]] {
    var actions: [String: [Action]] = [:]
    for event in events where perhaps(restlessness) != nil {
      actions[event] = (0..<count(1...3)).map { _ in action() }
    }
    return actions
  }

  /// Properties of all types of controls, and an unknown property.
  static let properties = [
    "item", "index", "label", "value", "angle", "ticking", "path", "open", "r0.index", "r1.label",
    "spinning", "running", "w0.index", "w1.label", "w0.value", "bands", "ohms", "tolerance", "text",
    "lowest", "highest", "enabled", "visible", "nothing",
  ]

  private static let values: [Value] = [
    .number(0), .number(1), .number(-1), .number(4), .number(4700), .number(.nan), .number(1e300),
    .text(""), .text("i0"), .text("i1"), .text("I2"), .text("3"), .flag(true), .flag(false),
    .list([.text("brown"), .text("green"), .text("red"), .text("gold")]), .list([]),
    .text(String(repeating: "long ", count: 3000)),
  ]

  private mutating func action() -> Action {
    Action(command(), after: perhaps(0.1) == nil ? nil : Double(count(1...40)) / 10)
  }

  /// Returns data from a service, which may lack a member or have one of another kind.
  private mutating func order() -> Value {
    switch count(0...9) {
    case 0: .number(1)
    case 1: .record([])
    case 2: .record([Field("price", .text("4"))])
    default: .record([Field("price", .number(Double(count(0...9))))])
    }
  }

  mutating func command() -> Command {
    let id = ids[count(0...ids.count - 1)]
    switch count(0...20) {
    case 0, 1:
      return .go(
        page: perhaps(0.2) == nil ? "p\(count(0...4))" : perhaps(0.5) == nil ? "back" : "home")
    case 2...5:
      let property = Self.properties[count(0...Self.properties.count - 1)]
      let path = PropertyPath(control: id, property: property)
      let flags = ["enabled", "visible", "open", "ticking"]
      if flags.contains(property), perhaps(0.9) != nil {
        return .set(.property(path), .flag(perhaps(0.6) != nil))
      }
      return .set(.property(path), Self.values[count(0...Self.values.count - 1)])
    case 6:
      switch count(0...7) {
      case 6: return .set(.value("orders"), .list((0..<count(0...5)).map { _ in order() }))
      case 7: return .set(.value("order"), order())
      case 4: return .set(.value("far"), .number(number(-9...9)))
      case 5:
        return .set(.value("dishes"), .list((0..<count(0...9)).map { .text("Dish \($0)") }))
      case 0: return .set(.value("cups"), .number(Double(count(-1...9))))
      case 1: return .set(.value("night"), .flag(perhaps(0.5) != nil))
      case 2: return .set(.value("guest"), .text(["", "Ada", "Grace Hopper"][count(0...2)]))
      default: return .perform("spin", control: id)
      }
    case 7: return .perform("open", control: id)
    case 8: return .perform("close", control: id)
    case 9: return .run(["program"])
    case 10: return .emit("emitted", [])
    case 11: return .reset(perhaps(0.8) == nil ? nil : id)
    case 18, 19: return .show(page: "p\(count(0...4))")
    case 20:
      return .notify(
        Message(
          "text \(count(0...9))", title: perhaps(0.5) == nil ? "" : "title",
          level: perhaps(0.2) == nil ? .info : .alarm,
          seconds: perhaps(0.5) == nil ? 0 : number(0...20)))
    case 12...15: return key()
    default: return .blank(perhaps(0.5) != nil)
    }
  }
}
