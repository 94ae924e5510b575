// SPDX-License-Identifier: MIT

import CRoundelCommit
import Kiosk

/// The version that this package's programs report.
package enum ProgramVersion {
  /// The version and, if deploy/tools/stamp has recorded it, the commit: `3.0.0 (d31da72)`.
  package static let current: String = {
    // SAFETY: the pointer is to a constant string of the program, which ends with a zero byte.
    let commit = unsafe String(cString: commit_name())
    return commit.isEmpty ? "\(Version.current)" : "\(Version.current) (\(commit))"
  }()
}
