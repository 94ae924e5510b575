// SPDX-License-Identifier: MIT

internal import CWayland
internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// An argument of a request.
enum WaylandArgument {
  case int(Int)
  case uint(UInt32)
  case string(String)
  /// Nil for none, where the request permits that.
  case object(WaylandProxy?)
  case descriptor(CInt)
  /// The object that the request makes.
  case newObject
}

/// An event of an object, with its arguments copied.
struct WaylandEvent {
  /// An argument of an event.
  fileprivate enum Argument {
    case number(Int)
    case string(String)
    case object(WaylandProxy?)
    case words([UInt32])
    case bytes([UInt8])
  }

  /// As the protocol names it.
  let name: String
  fileprivate let arguments: [Argument]

  private func argument(_ index: Int) -> Argument? {
    arguments.indices.contains(index) ? arguments[index] : nil
  }

  /// An integer; 0 where the event has none there.
  func int(_ index: Int) -> Int {
    if case .number(let value)? = argument(index) { value } else { 0 }
  }

  /// An unsigned integer; 0 where the event has none there.
  func uint(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: int(index)) }

  /// A fixed-point number, in 256ths on the wire.
  func fixed(_ index: Int) -> Double { Double(int(index)) / 256 }

  /// A text; empty where the event has none there.
  func string(_ index: Int) -> String {
    if case .string(let value)? = argument(index) { value } else { "" }
  }

  func object(_ index: Int) -> WaylandProxy? {
    if case .object(let value)? = argument(index) { value } else { nil }
  }

  /// An array of 32-bit words.
  func words(_ index: Int) -> [UInt32] {
    if case .words(let value)? = argument(index) { value } else { [] }
  }

  /// The bytes of a file; none where the event has no file there.
  func bytes(_ index: Int) -> [UInt8] {
    if case .bytes(let value)? = argument(index) { value } else { [] }
  }

  /// Copies the arguments that the library lends to its dispatcher.
  fileprivate init(_ message: wl_message, _ arguments: UnsafePointer<wl_argument>?) {
    name = unsafe String(cString: message.name)
    // A signature has a letter for each argument, digits for the version and ? for what may be null.
    let letters = unsafe String(cString: message.signature).unicodeScalars.filter {
      $0.properties.isAlphabetic
    }
    var copied: [Argument] = []
    if let arguments = unsafe arguments {
      for (index, letter) in letters.enumerated() {
        // The letter says which member of the union was written.
        let argument = unsafe arguments[index]
        switch letter {
        case "i": unsafe copied.append(.number(Int(argument.i)))
        case "f": unsafe copied.append(.number(Int(argument.f)))
        case "u", "n": unsafe copied.append(.number(Int(argument.u)))
        case "s": unsafe copied.append(.string(argument.s.map { unsafe String(cString: $0) } ?? ""))
        case "o": unsafe copied.append(.object(WaylandProxy.from(argument.o)))
        case "a": unsafe copied.append(.words(Self.words(argument.a)))
        case "h":
          copied.append(.bytes(Self.contents(of: OwnedDescriptor(adopting: unsafe argument.h))))
        default: copied.append(.number(0))
        }
      }
    }
    self.arguments = copied
  }

  /// The most that is read of a file; keymaps have less than a tenth of it.
  private static let maximumBytes = 1 << 20

  /// The bytes of a file, from its beginning. It is read and not mapped: touching a mapping beyond the
  /// end of a file that is shorter than announced would end the process.
  private static func contents(of file: consuming OwnedDescriptor) -> [UInt8] {
    let descriptor = FileDescriptor(rawValue: file.rawValue)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < maximumBytes {
      // The buffer lives until the call returns. Pipes and the like have no place to read at.
      let count = unsafe part.withUnsafeMutableBytes {
        (try? unsafe descriptor.read(fromAbsoluteOffset: Int64(bytes.count), into: $0)) ?? 0
      }
      if count == 0 { break }
      bytes += part[..<count]
    }
    return bytes
  }

  private static func words(_ array: UnsafeMutablePointer<wl_array>?) -> [UInt32] {
    guard let array = unsafe array, let data = unsafe array.pointee.data else { return [] }
    // The library has checked that the message holds `size` bytes, at an address of a word.
    return (0..<(unsafe array.pointee.size / 4)).map {
      unsafe data.load(fromByteOffset: $0 * 4, as: UInt32.self)
    }
  }
}

/// An object of the compositor's. It is destroyed with its last reference, at the latest.
// Safe: the pointer is the library's until `destroy`, which forgets it.
@safe final class WaylandProxy {
  let interface: WaylandInterface
  let version: UInt32
  /// Receives the events, one by one, never from within the library.
  var onEvent: (WaylandEvent) -> Void = { _ in }

  private let connection: WaylandConnection
  /// Nil after the end, or where there was no memory.
  private var pointer: OpaquePointer?

  /// Takes over a proxy of the library's.
  init(
    _ pointer: OpaquePointer?, _ interface: WaylandInterface, version: UInt32,
    of connection: WaylandConnection
  ) {
    unsafe self.pointer = pointer
    self.interface = interface
    self.version = version
    self.connection = connection
    guard let pointer = unsafe pointer else { return }
    // The library calls back while it dispatches, which it does not for a proxy that is destroyed; the
    // second pointer only has to be one.
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe wl_proxy_add_dispatcher(pointer, dispatch, me, me)
  }

  deinit { destroy() }

  var isAlive: Bool { unsafe pointer != nil }

  /// Sends a request that makes no object.
  func request(_ name: String, _ arguments: WaylandArgument...) {
    unsafe send(name, arguments, nil, version, 0)
  }

  /// Sends a request that makes an object, in the version of this one.
  func create(
    _ name: String, _ interface: WaylandInterface, _ arguments: WaylandArgument...
  ) -> WaylandProxy {
    let made = unsafe send(name, arguments, interface.table, version, 0)
    return unsafe WaylandProxy(made, interface, version: version, of: connection)
  }

  /// Binds a global of the registry, which this must be.
  func bind(
    _ global: UInt32, _ interface: WaylandInterface, version: UInt32
  ) -> WaylandProxy {
    let arguments: [WaylandArgument] = [
      .uint(global), .string(interface.name), .uint(version), .newObject,
    ]
    let made = unsafe send("bind", arguments, interface.table, version, 0)
    return unsafe WaylandProxy(made, interface, version: version, of: connection)
  }

  /// Ends the object: by the request that does so, where it has one, and on this side.
  func destroy(by name: String? = nil) {
    if let name {
      unsafe send(name, [], nil, version, UInt32(WL_MARSHAL_FLAG_DESTROY))
    } else if let pointer = unsafe pointer {
      unsafe wl_proxy_destroy(pointer)
    }
    unsafe pointer = nil
  }

  @discardableResult
  private func send(
    _ name: String, _ arguments: [WaylandArgument], _ made: UnsafePointer<wl_interface>?,
    _ version: UInt32, _ flags: UInt32
  ) -> OpaquePointer? {
    guard let pointer = unsafe pointer else { return nil }
    var strings: [UnsafeMutablePointer<CChar>?] = unsafe []
    // The library has copied them by then.
    defer { unsafe strings.forEach { unsafe free($0) } }
    var list: [wl_argument] = unsafe []
    for argument in arguments {
      var value = unsafe wl_argument()
      switch argument {
      case .int(let number): unsafe value.i = Int32(clamping: number)
      case .uint(let number): unsafe value.u = number
      case .descriptor(let descriptor): unsafe value.h = descriptor
      case .object(let proxy): unsafe value.o = proxy?.pointer
      case .newObject: unsafe value.o = nil
      case .string(let text):
        let copy = unsafe strdup(text)
        unsafe strings.append(copy)
        unsafe value.s = UnsafePointer(copy)
      }
      unsafe list.append(value)
    }
    // The arguments are those of the request's signature.
    return unsafe wl_proxy_marshal_array_flags(
      pointer, interface.opcode(of: name), made, version, flags, &list)
  }

  /// The proxy of an object in an event.
  fileprivate static func from(_ object: OpaquePointer?) -> WaylandProxy? {
    // Set by `init`; the library names no object whose proxy is destroyed.
    guard let object = unsafe object, let data = unsafe wl_proxy_get_user_data(object) else {
      return nil
    }
    return unsafe Unmanaged<WaylandProxy>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate func receive(_ event: WaylandEvent) { connection.received.append((self, event)) }
}

/// Keeps an event for later, since the library calls this while it dispatches. C: `wl_dispatcher_func_t`.
private func dispatch(
  _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
  _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> CInt {
  guard let implementation = unsafe implementation, let message = unsafe message else { return 0 }
  // `init` has given the proxy as the implementation, and it lives.
  let proxy = unsafe Unmanaged<WaylandProxy>.fromOpaque(implementation).takeUnretainedValue()
  unsafe proxy.receive(WaylandEvent(message.pointee, arguments))
  return 0
}
