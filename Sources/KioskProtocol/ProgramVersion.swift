// SPDX-License-Identifier: MIT

import CCommit
import Kiosk

/// The version that the programs of this package report.
package enum ProgramVersion {
  /// `3.0.0 (d31da72)`: the version and, where deploy/tools/stamp has written it down, the commit.
  package static let current: String = {
    // SAFETY: it points to the program's own text, which ends with a zero.
    let commit = unsafe String(cString: commit_name())
    return commit.isEmpty ? "\(Version.current)" : "\(Version.current) (\(commit))"
  }()
}
