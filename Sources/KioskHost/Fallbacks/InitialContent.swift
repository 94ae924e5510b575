// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import KioskService
package import LinuxIO
package import RoundelRuntime
package import RoundelDeclarations

package struct InitialContent {
  package let content: Result<Content, Failure>
  package let diagnostics: [Diagnostic]
  /// The search for warnings, or nil for a fallback.
  let search: WarningSearch?
  /// The files that a restart would read.
  package let files: [String]
  /// The failure, or nil if the kiosk file is shown.
  package let fault: Fault?
  let identity: FileIdentity?

  init(
    content: Result<Content, Failure>, diagnostics: [Diagnostic], search: WarningSearch? = nil,
    files: [String], fault: Fault?, identity: FileIdentity?
  ) {
    self.content = content
    self.diagnostics = diagnostics
    self.search = search
    self.files = files
    self.fault = fault
    self.identity = identity
  }

  package init(_ reading: KioskReading) {
    self.init(
      content: reading.content, diagnostics: reading.diagnostics, search: reading.search,
      files: reading.files, fault: nil, identity: reading.identity)
  }

  package init(
    page fault: Fault, _ path: String, _ files: [String], diagnostics: [Diagnostic] = [],
    on canvas: PixelSize = FaultPage.usualCanvas, languages: [String] = []
  ) {
    let page = FaultPage(path, fault.reasons, on: canvas, languages: languages)
    var fault = fault
    fault.page = page
    self.init(
      content: .success(page.content), diagnostics: diagnostics, files: files, fault: fault,
      identity: nil)
  }
}
