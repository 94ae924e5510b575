// SPDX-License-Identifier: MIT

/// A motion of something that a finger has released, or that is set.
enum Course: Hashable, Sendable {
  case glide(Glide)
  /// A glide that ends with velocity left, with which a spring goes on to a target: to the stop that it has hit,
  /// or into the detent that it comes to.
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

  /// The first moment at which it passes `position`; nil for never.
  func reaches(_ position: Double) -> Instant? {
    switch self {
    case .glide(let glide), .caught(let glide, _): glide.reaches(position)
    case .spring(let spring): spring.reaches(position, from: spring.start)
    case .approach(let approach): approach.reaches(position)
    }
  }
}
