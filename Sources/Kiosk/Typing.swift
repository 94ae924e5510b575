// SPDX-License-Identifier: MIT

internal import RoundelControls

extension Engine {
  /// Returns the keys that type a string on a keypad in its current state. If `control` is nil, the
  /// page must have exactly one visible keypad.
  package func keys(typing text: String, on control: String?) throws(TargetError) -> [Target] {
    let id: String
    if let control { id = control } else { id = try shownKeypad }
    do throws(UnknownName) { try find(control: id) } catch { throw .unknown(error) }
    guard let keypad = placedControl(id)?.control as? Keypad else {
      throw .unreachable("\(id) is not a keypad")
    }
    do throws(Keypad.Obstacle) {
      return try keypad.keys(typing: text).map { Target(control: id, item: $0) }
    } catch {
      switch error {
      case .noKey(let letter): throw .unreachable("\(id) has no key for \"\(letter)\"")
      case .tooLong(let maximum):
        throw .unreachable("\(id) takes at most \(maximum) characters, but the text is longer")
      }
    }
  }

  private var shownKeypad: String {
    get throws(TargetError) {
      let keypads = pages[activePage].controls.filter { $0.isVisible && $0.control is Keypad }
      guard let first = keypads.first else { throw .unreachable("no keypad is shown") }
      guard keypads.count == 1 else {
        let ids = keypads.map(\.id).joined(separator: ", ")
        throw .unreachable("several keypads are shown: \(ids) (specify the control)")
      }
      return first.id
    }
  }
}
