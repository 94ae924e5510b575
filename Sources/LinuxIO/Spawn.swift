// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// How a program is started beside this one.
package struct Spawn {
  /// Where a descriptor of the program leads.
  package enum Target {
    /// To where one of this process does.
    case descriptor(CInt)
    /// To nothing: it reads none and writes nowhere.
    case nothing
  }

  /// Without an entry it has this process's standard input, output and error, and nothing else. In
  /// order: a later one may take the place of a descriptor that an earlier one led to.
  package var descriptors: [(number: CInt, target: Target)]
  /// Whether the program outlives the interrupt that Ctrl+C sends to all programs of a terminal. The signal is
  /// blocked: a shared connection of ssh has a handler for it even if it was ignored.
  package var blocksInterrupt = false
  /// Whether it has a session of its own, in which no terminal ends or stops it, and inherits no
  /// blocked or ignored signal.
  package var isApart: Bool

  package init(descriptors: [(number: CInt, target: Target)], isApart: Bool) {
    self.descriptors = descriptors
    self.isApart = isApart
  }

  /// Starts `arguments[0]`, looked up in PATH unless it holds a slash. `arguments` must hold no zero
  /// byte and at least the program; else the error is `invalidArgument`.
  package func callAsFunction(_ arguments: [String]) throws(Errno) -> Int32 {
    guard let program = arguments.first, !program.isEmpty,
      arguments.allSatisfy({ !$0.utf8.contains(0) })
    else { throw .invalidArgument }
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    // Initialised here and destroyed at the end of the scope, whichever way it is left.
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, target) in descriptors {
      switch target {
      case .descriptor(let own):
        unsafe posix_spawn_file_actions_adddup2(&actions, own, number)
      case .nothing:
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    if isApart {
      var none = sigset_t()
      var all = sigset_t()
      unsafe sigemptyset(&none)
      unsafe sigfillset(&all)
      unsafe posix_spawnattr_setsigmask(&attributes, &none)
      unsafe posix_spawnattr_setsigdefault(&attributes, &all)
      // 0x80 is POSIX_SPAWN_SETSID, which <spawn.h> shows to GNU programs only.
      let flags = 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    } else if blocksInterrupt {
      var mask = sigset_t()
      // Both calls write into the local, and the attributes copy it.
      unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
      unsafe sigaddset(&mask, SIGINT)
      unsafe posix_spawnattr_setsigmask(&attributes, &mask)
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    }
    // The copies live until the program has been loaded, which is when the call returns.
    var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, program, &actions, &attributes, &copies, environ)
    guard failure == 0 else { throw Errno(rawValue: failure) }
    return process
  }
}
