// SPDX-License-Identifier: MIT

package import KioskProtocol
package import LinuxIO
package import RoundelSession

package enum LiveError: Error, Hashable, Sendable, CustomStringConvertible {
  case kiosk(KioskError)
  case touchscreen(TouchscreenError)
  case recording(Recording.ParseError)
  case failure(Failure)

  package var description: String {
    switch self {
    case .kiosk(let error): error.description
    case .touchscreen(let error): error.description
    case .recording(let diagnostic): diagnostic.description
    case .failure(let failure): failure.message
    }
  }
}
