// SPDX-License-Identifier: MIT

internal import Controls
public import Drawing
public import Expressions
internal import Geometry

extension Engine {
  /// The value of a control's property; nil where there is no such.
  public func value(of property: String, of id: String) -> Value? {
    PropertyReading(self).value(of: PropertyPath(control: id, property: property))
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
        text: text(of: entry, in: reading))
      entry.control.draw(into: &list, in: context)
    }
    return list
  }

  /// What an entry's text says, where it follows a template.
  private func text(of entry: Entry, in reading: PropertyReading) -> String {
    guard entry.control.template(of: "text") != nil else { return "" }
    let path = PropertyPath(control: entry.id, property: "text")
    return reading.value(of: path)?.display ?? ""
  }

  /// A text of so many bytes fills no template by itself: `check` finds those that have more
  /// references than would do.
  static let shortText = 64

  /// Reports the texts that cannot be filled in whole since a control has a new text.
  mutating func reportLongTexts(showing id: String) {
    let reading = PropertyReading(self)
    for entry in pages.flatMap(\.controls) where entry.id != id {
      for property in entry.control.properties {
        guard let template = entry.control.template(of: property),
          templates[template]?.names.contains(where: { $0.control == id }) == true
        else { continue }
        _ = reading.value(of: PropertyPath(control: entry.id, property: property))
      }
    }
    for failure in reading.failures { fail("\(failure.path): \(failure.error)") }
  }
}
