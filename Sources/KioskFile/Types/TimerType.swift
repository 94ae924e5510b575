// SPDX-License-Identifier: MIT

internal import Controls
internal import YAML

extension ControlType {
  static let timer = ControlType(
    "timer", "Something that is due again and again while its page is shown; not to be seen.",
    events: ["due"], isSeen: false
  ) { keys, _ in
    let every = keys.required(
      "every", .number(0.05...10_000_000, "seconds"), "Seconds from one time to the next.")
    let running = keys.optional(
      "running", .flag.as(.state), default: true, "Whether it runs.")
    return { fields in
      Timer(every: fields[every], isRunning: fields[running])
    }
  }
}
