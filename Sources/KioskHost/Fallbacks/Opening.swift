// SPDX-License-Identifier: MIT

package import Geometry
internal import KioskService
package import LinuxIO
package import Runtime
package import Declarations

/// The beginning of a kiosk: what its first start shows.
package struct Opening {
  package let content: Result<Content, Failure>
  package let mistakes: [Mistake]
  /// The search for the warnings of the file that it shows; nil where it has been told why it shows another.
  let search: WarningSearch?
  /// The files whose change makes another start worth while.
  package let files: [String]
  /// Why it is not the kiosk's file; nil where it is.
  package let fault: Fault?
  /// The kiosk file that it shows; nil for the page of faults.
  let identity: FileIdentity?

  init(
    content: Result<Content, Failure>, mistakes: [Mistake], search: WarningSearch? = nil,
    files: [String], fault: Fault?, identity: FileIdentity?
  ) {
    self.content = content
    self.mistakes = mistakes
    self.search = search
    self.files = files
    self.fault = fault
    self.identity = identity
  }

  /// A file as it was read.
  package init(_ reading: KioskReading) {
    self.init(
      content: reading.content, mistakes: reading.mistakes, search: reading.search,
      files: reading.files, fault: nil, identity: reading.identity)
  }

  /// The page that says what is wrong, laid out for a panel.
  package init(
    page fault: Fault, _ path: String, _ files: [String], mistakes: [Mistake] = [],
    on canvas: PixelSize = FaultPage.usualCanvas
  ) {
    let page = FaultPage(path, fault.reasons, on: canvas)
    var fault = fault
    fault.page = page
    self.init(
      content: .success(page.content), mistakes: mistakes, files: files, fault: fault,
      identity: nil)
  }
}
