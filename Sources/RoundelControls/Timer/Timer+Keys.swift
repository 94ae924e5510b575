// SPDX-License-Identifier: MIT

internal import RoundelDeclarations

extension Timer {
  package static let keys = ControlKeys<Timer>(
    "timer", "An invisible timer that fires periodically while its page is visible.", isSeen: false,
    home: .events(["due"])
  ) { keys, at in
    let every = keys.required(
      "every", .number(Timer.minimumPeriod...10_000_000, "seconds"), "The period in seconds.",
      at: \Timer.every)
    let running = keys.optional(
      "running", .flag.as(.state), default: true, "Whether the timer runs.")
    return { fields in
      var timer = Timer(every: fields[every], isRunning: fields[running])
      timer.center = fields[at]
      return timer
    }
  }
}
