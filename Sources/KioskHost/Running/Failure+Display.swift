// SPDX-License-Identifier: MIT

package import LinuxIO
package import RoundelPresentation

extension Failure {
  package init(_ error: DisplayError) {
    self.init(error.kind == .permission ? .permission : .unavailable, "\(error)")
  }
}
