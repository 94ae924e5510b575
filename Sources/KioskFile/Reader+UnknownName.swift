// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelJSON
package import Kiosk
package import RoundelDeclarations

extension Reader {
  /// Reports an unknown name that `find` throws, and returns nil.
  package func found<Found>(at mark: Mark, _ find: () throws(UnknownName) -> Found) -> Found? {
    do throws(UnknownName) {
      return try find()
    } catch {
      report(error, at: mark)
      return nil
    }
  }

  package func report(_ unknown: UnknownName, at mark: Mark) {
    report(
      unknown.what.printable, at: mark, expected: unknown.expected,
      suggestion: unknown.candidates.nearest(to: unknown.name, by: self))
  }
}
