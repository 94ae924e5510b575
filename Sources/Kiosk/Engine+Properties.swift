// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
internal import Geometry

extension Engine {
  /// The value of a control's property; nil where there is no such.
  public func value(of property: String, of id: String) -> Value? {
    PropertyReading(self).value(of: property, of: id)
  }

  /// The ids of all controls, page by page, back to front.
  public var controlIDs: [String] { pages.flatMap { $0.controls.map(\.id) } }

  /// The entry of a control.
  public func entry(_ id: String) -> Entry? {
    places[id].map { pages[$0.page].controls[$0.control] }
  }

  /// What happened since the last call, in order.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// The programs that actions have asked for since the last call, each with its arguments.
  public mutating func takePrograms() -> [[String]] {
    defer { programs = [] }
    return programs
  }

  /// What is to be seen now. A sleeping panel shows black.
  public var displayList: DisplayList {
    guard !isBlank else { return DisplayList(background: .black) }
    let page = pages[shownPage]
    var list = DisplayList(background: screen.background)
    let whole = Rect(size: screen.size)
    var behind = screen.background
    switch page.background {
    case .color(let color):
      behind = color.over(behind)
      list.add(.rect(whole), color)
    case .image(let image):
      list.add(DisplayItem(.rect(whole), .image(image, frame: whole)))
    case nil: break
    }
    let reading = PropertyReading(self)
    for index in drawingOrder(of: shownPage) {
      let entry = page.controls[index]
      let context = DrawingContext(
        now: now, font: screen.font, background: behind, isEnabled: entry.isEnabled,
        property: { reading.value(of: $1, of: $0) })
      entry.control.draw(into: &list, in: context)
    }
    return list
  }

  /// A text of so many bytes fills no template by itself: `check` finds those that have more
  /// references than would do.
  static let shortText = 64

  /// Reports the templates that a control's new text has made too long.
  mutating func reportCutTexts(of id: String) {
    let reading = PropertyReading(self)
    for entry in pages.flatMap(\.controls) where entry.id != id {
      for property in entry.control.properties {
        guard let template = entry.control.template(of: property), template.reads(id) else {
          continue
        }
        _ = reading.value(of: property, of: entry.id)
      }
    }
    for cut in reading.cutTexts {
      fail(
        "the text of \(cut) is longer than \(Template.maximumFilledBytes) bytes; the rest was cut")
    }
  }
}

/// Reads properties of a kiosk at one moment. Each template is filled in once, however many others
/// show it: labels that show each other many times over cost as much as others.
private final class PropertyReading {
  private let engine: Engine
  private var texts: [PropertyPath: String] = [:]
  /// The controls whose text was too long.
  private(set) var cutTexts: [String] = []

  init(_ engine: Engine) { self.engine = engine }

  func value(of property: String, of id: String) -> Value? {
    guard let place = engine.places[id] else { return nil }
    let entry = engine.pages[place.page].controls[place.control]
    switch property {
    case "enabled": return .flag(entry.isEnabled)
    case "visible": return .flag(entry.isVisible)
    default:
      guard let template = entry.control.template(of: property) else {
        return entry.control.value(of: property, at: engine.now)
      }
      let path = PropertyPath(control: id, property: property)
      if let text = texts[path] { return .text(text) }
      // What shows itself, by way of others or not, finds nothing there.
      texts[path] = ""
      var isCut = false
      let text = template.filled(isCut: &isCut) { value(of: $1, of: $0) }
      if isCut { cutTexts.append(id) }
      texts[path] = text
      return .text(text)
    }
  }
}
