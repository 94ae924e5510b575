// SPDX-License-Identifier: MIT

/// A motion after a release or a command.
enum Trajectory: Hashable, Sendable {
  case glide(Glide)
  /// A glide continued by a spring to a target: the stop it hit, or the detent it reached.
  case caught(Glide, by: Double)
  case spring(Spring)
  case approach(Approach)

  var target: Double {
    switch self {
    case .glide(let glide): glide.target
    case .caught(_, let target): target
    case .spring(let spring): spring.target
    case .approach(let approach): approach.target
    }
  }

  var start: Instant {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.start
    case .spring(let spring): spring.start
    case .approach(let approach): approach.start
    }
  }

  var end: Instant {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.end
    case .spring(let spring): spring.end
    case .approach(let approach): approach.end
    }
  }

  func position(at now: Instant) -> Double {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.position(at: now)
    case .spring(let spring): spring.position(at: now)
    case .approach(let approach): approach.position(at: now)
    }
  }

  func velocity(at now: Instant) -> Double {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.velocity(at: now)
    case .spring(let spring): spring.velocity(at: now)
    case .approach(let approach): approach.velocity(at: now)
    }
  }

  /// The first time when the motion passes `position`, or nil if it never does.
  func reaches(_ position: Double) -> Instant? {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.reaches(position)
    case .spring(let spring): spring.reaches(position, from: spring.start)
    case .approach(let approach): approach.reaches(position)
    }
  }
}
