// SPDX-License-Identifier: MIT

/// How much work the actions of one turn may set off, in all. A kiosk's file may make them set each
/// other off without end, a little more each time: a limit on their depth alone would not hold.
struct WorkBudget {
  /// An action takes 16 units, and a change of page one more for each control on the largest page:
  /// 4096 actions, which take some milliseconds, or 560 changes between pages of 100 controls.
  static let units = 65_536

  private var left = Self.units

  /// Takes `units` out; false, and nothing is taken, where there are not as many left.
  mutating func spend(_ units: Int) -> Bool {
    guard units <= left else { return false }
    left -= units
    return true
  }
}
