// SPDX-License-Identifier: MIT

internal import DRMDisplay
internal import FramebufferDisplay
internal import RoundelGeometry
internal import Glibc
internal import RoundelInput
internal import InputDevices
package import RoundelJSON
internal import LinuxIO
internal import RoundelPresentation
internal import SoundOutput
internal import SystemFonts
internal import SystemPackage
internal import WaylandDisplay

/// An examination of this machine's features for kiosks.
package struct Examination {
  package let findings: [Finding]

  /// Also examines the requirements of kiosk files, and the connection to Home Assistant.
  package init(for kiosks: [String], home: HomeCheck? = nil) {
    let framebuffers = Finding.framebuffers(FramebufferReport.all())
    let wayland = Finding.wayland(
      CompositorReport.isExpected
        ? Result { () throws(DisplayError) in try CompositorReport() } : nil)
    let others =
      (wayland.isUsable ? ["the compositor"] : [])
      + (framebuffers.isUsable ? ["--display fbdev"] : [])
    let user = UserGroups.userName
    findings =
      [
        Finding.display(CardDisplay.cards(), otherDisplays: others),
        Finding.backlight(Backlight(), of: user), framebuffers, wayland,
        Finding.console(ConsoleReport()), Finding.units(UnitReport.all()),
        Finding.input(
          Self.input, haptics: HapticDevice.all().map { (path: $0.path, name: $0.name) },
          settings: .ofThisMachine),
        Finding.sound(SoundCards(), of: user),
        Finding.user(user, in: UserGroups.ofThisProcess, isRoot: getuid() == 0),
        Finding.fonts(Self.fonts),
      ] + (kiosks.isEmpty ? [] : [Finding.images(of: kiosks), Finding.programs(of: kiosks)])
      + [Finding.home(of: kiosks, home)].compactMap(\.self)
  }

  package var problemCount: Int { findings.reduce(0) { $0 + $1.problems.count } }

  package var text: String { findings.map(\.text).joined() }

  package var json: JSONValue { .object(findings.map { JSONValue.Member($0.name, $0.json) }) }

  private static var input: Result<(devices: [InputDevice], problems: [String]), InputError> {
    Result { () throws(InputError) in
      let loop: EventLoop
      do throws(Errno) {
        loop = try EventLoop()
      } catch {
        throw InputError("cannot wait for input devices: \(error)")
      }
      let input = try SeatInput(
        mapping: PanelMapping(canvas: PixelSize(1, 1), rotation: .none), on: loop
      ) { _, _ in }
      return (input.devices, input.problems.map(\.description))
    }
  }

  private static var fonts: Result<(families: [String], usual: String), SystemFontError> {
    Result { () throws(SystemFontError) in
      let fonts = try SystemFonts()
      return (fonts.families, try fonts.file(for: "sans-serif").path)
    }
  }
}
