// SPDX-License-Identifier: MIT

internal import Declarations

extension Timer {
  package static let keys = ControlKeys<Timer>(
    "timer", "A timer that is due periodically while its page is shown; invisible.", isSeen: false,
    home: .events(["due"])
  ) { keys, _ in
    let every = keys.required(
      "every", .number(Timer.minimumPeriod...10_000_000, "seconds"), "The period in seconds.",
      at: \Timer.every)
    let running = keys.optional(
      "running", .flag.as(.state), default: true, "Whether it runs.")
    return { fields in
      Timer(every: fields[every], isRunning: fields[running])
    }
  }
}
