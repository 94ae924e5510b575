// SPDX-License-Identifier: MIT

internal import Kiosk
internal import KioskFile
internal import KioskHost
internal import RoundelJSON
internal import LinuxIO
internal import SystemPackage

extension Finding {
  /// Reports images, and ignored colour profiles.
  static func images(of kiosks: [String]) -> Finding {
    var finding = Finding("images")
    var profiles: [JSONValue] = []
    for kiosk in kiosks {
      do throws(Failure) {
        let assets = Assets()
        let reading = try ParsedKiosk(kioskFile: kiosk, assets: assets)
        finding.lines.append("\(kiosk): \(reading.images.count) images")
        if reading.description == nil {
          finding.problems.append("\(kiosk) has errors: see roundel check \(kiosk)")
        }
        for image in reading.images {
          guard let profile = assets.ignoredProfile(ofImageAt: image) else { continue }
          finding.problems.append(
            "\(image) has \(profile), which is ignored: export it as sRGB, or convert it with "
              + "ImageMagick: convert \(image) -profile sRGB.icc NEW")
          profiles.append(
            .object([.init("path", .string(image)), .init("profile", .string(profile))]))
        }
      } catch {
        finding.problems.append("\(kiosk): \(error.message)")
      }
    }
    finding.json = finding.object(["ignored_profiles": .array(profiles)])
    return finding
  }

  /// Reports programs, and the restrictions of the unit's sandbox.
  static func programs(of kiosks: [String]) -> Finding {
    var finding = Finding("programs")
    var kioskPrograms: [JSONValue] = []
    var explained: String?
    for kiosk in kiosks {
      // The errors are reported with the file's images.
      guard let reading = try? ParsedKiosk(kioskFile: kiosk, assets: Assets()) else { continue }
      let logic = reading.description?.logic.first
      if !reading.programs.isEmpty { explained = explained ?? kiosk }
      finding.lines.append(
        "\(kiosk): "
          + (reading.programs.isEmpty
            ? "no programs"
            : reading.programs.map { $0 == logic ? "\($0) (logic)" : $0 }.joined(separator: ", ")))
      if let voice = reading.description?.speech?.program.first {
        do throws(AssetError) {
          finding.lines.append("\(kiosk): speech by \(try Programs.path(of: voice, for: kiosk))")
        } catch {
          finding.problems.append(
            "\(kiosk) cannot speak: \(voice): \(error); install the package espeak-ng, or specify another "
              + "program with \"speech: {program: …}\"")
        }
      }
      kioskPrograms.append(
        .object([
          .init("kiosk", .string(kiosk)), .init("logic", logic.map { .string($0) } ?? .null),
          .init("programs", .array(reading.programs.map { .string($0) })),
        ]))
    }
    if let explained {
      finding.lines += sandbox(of: FilePath(explained).stem ?? "NAME")
    }
    finding.json = finding.object(["kiosks": .array(kioskPrograms)])
    return finding
  }

  /// Returns the restrictions in systemd/roundel@.service.
  private static func sandbox(of name: String) -> [String] {
    [
      "roundel@\(name) runs the programs in a sandbox, as the user roundel. They can",
      "read world-readable files, except in /home and /root;",
      "write in /var/lib/roundel, /run/roundel, and a private /tmp;",
      "use the panel, input devices and sound cards, but no other devices;",
      "use 512 MiB and 128 tasks, together with the kiosk.",
      "They cannot become another user, or make writable memory executable.",
      "They have no network. To allow it, run systemctl edit roundel@\(name), and write",
      "  [Service]",
      "  RestrictAddressFamilies=AF_INET AF_INET6",
      "  IPAddressAllow=any",
      "or the address of a single machine instead of \"any\".",
    ]
  }
}
