// SPDX-License-Identifier: MIT

internal import CRoundelWayland
internal import Glibc
internal import LinuxIO
internal import SystemPackage

enum WaylandArgument {
  case int(Int)
  case uint(UInt32)
  case string(String)
  /// Nil if the request permits that.
  case object(WaylandProxy?)
  case descriptor(CInt)
  case newObject
}

/// An event of an object, with its arguments copied.
struct WaylandEvent {
  fileprivate enum Argument {
    case number(Int)
    case string(String)
    case object(WaylandProxy?)
    case words([UInt32])
    case bytes([UInt8])
  }

  let name: String
  fileprivate let arguments: [Argument]

  private func argument(_ index: Int) -> Argument? {
    arguments.indices.contains(index) ? arguments[index] : nil
  }

  /// Returns 0 if the argument isn't a number.
  func int(_ index: Int) -> Int {
    if case .number(let value)? = argument(index) { value } else { 0 }
  }

  func uint(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: int(index)) }

  /// A number with 8 fractional bits.
  func fixed(_ index: Int) -> Double { Double(int(index)) / 256 }

  /// Returns an empty string if the argument isn't a string.
  func string(_ index: Int) -> String {
    if case .string(let value)? = argument(index) { value } else { "" }
  }

  func object(_ index: Int) -> WaylandProxy? {
    if case .object(let value)? = argument(index) { value } else { nil }
  }

  func words(_ index: Int) -> [UInt32] {
    if case .words(let value)? = argument(index) { value } else { [] }
  }

  /// Returns the bytes of a file, or nothing if the argument isn't a file.
  func bytes(_ index: Int) -> [UInt8] {
    if case .bytes(let value)? = argument(index) { value } else { [] }
  }

  /// Copies the library's arguments, which are valid only during the dispatcher's call.
  fileprivate init(_ message: wl_message, _ arguments: UnsafePointer<wl_argument>?) {
    name = unsafe String(cString: message.name)
    // A signature has a letter per argument, digits for the version, and ? before nullable
    // arguments.
    let letters = unsafe String(cString: message.signature).unicodeScalars.filter {
      $0.properties.isAlphabetic
    }
    var copied: [Argument] = []
    if let arguments = unsafe arguments {
      for (index, letter) in letters.enumerated() {
        // The letter selects the union's member.
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

  /// Keymaps are less than a tenth of this.
  private static let maximumBytes = 1 << 20

  /// Reads the file, because accessing a mapping beyond a truncated file's end would kill the
  /// process.
  private static func contents(of file: consuming OwnedDescriptor) -> [UInt8] {
    let descriptor = FileDescriptor(rawValue: file.rawValue)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < maximumBytes {
      // The buffer lives until the call returns. Pipes can't be read at an offset.
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
    // The library has checked that the message contains `size` word-aligned bytes.
    return (0..<(unsafe array.pointee.size / 4)).map {
      unsafe data.load(fromByteOffset: $0 * 4, as: UInt32.self)
    }
  }
}

/// An object of the compositor. It is destroyed with its last reference at the latest.
// Safe: the library owns the pointer until `destroy`, which clears it.
@safe final class WaylandProxy {
  let interface: WaylandInterface
  let version: UInt32
  /// Receives the events one by one, never during a call of the library.
  var onEvent: (WaylandEvent) -> Void = { _ in }

  private let connection: WaylandConnection
  /// Nil if it was destroyed, or if allocation failed.
  private var pointer: OpaquePointer?

  /// Takes ownership of a proxy.
  init(
    _ pointer: OpaquePointer?, _ interface: WaylandInterface, version: UInt32,
    of connection: WaylandConnection
  ) {
    unsafe self.pointer = pointer
    self.interface = interface
    self.version = version
    self.connection = connection
    guard let pointer = unsafe pointer else { return }
    // The library calls back during dispatch, but not for a destroyed proxy. The second pointer
    // only has to be non-null.
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe wl_proxy_add_dispatcher(pointer, dispatch, me, me)
  }

  deinit { destroy() }

  var isAlive: Bool { unsafe pointer != nil }

  /// Sends a request that creates no object.
  func request(_ name: String, _ arguments: WaylandArgument...) {
    unsafe send(name, arguments, nil, version, 0)
  }

  /// Sends a request that creates an object with the version of this one.
  func create(
    _ name: String, _ interface: WaylandInterface, _ arguments: WaylandArgument...
  ) -> WaylandProxy {
    let made = unsafe send(name, arguments, interface.table, version, 0)
    return unsafe WaylandProxy(made, interface, version: version, of: connection)
  }

  /// Binds a global. This proxy must be the registry.
  func bind(
    _ global: UInt32, _ interface: WaylandInterface, version: UInt32
  ) -> WaylandProxy {
    let arguments: [WaylandArgument] = [
      .uint(global), .string(interface.name), .uint(version), .newObject,
    ]
    let made = unsafe send("bind", arguments, interface.table, version, 0)
    return unsafe WaylandProxy(made, interface, version: version, of: connection)
  }

  /// Destroys the proxy. If `name` is given, sends that destructor request first.
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
    // The arguments match the request's signature.
    return unsafe wl_proxy_marshal_array_flags(
      pointer, interface.opcode(of: name), made, version, flags, &list)
  }

  fileprivate static func from(_ object: OpaquePointer?) -> WaylandProxy? {
    // Set by `init`. The library never passes an object whose proxy is destroyed.
    guard let object = unsafe object, let data = unsafe wl_proxy_get_user_data(object) else {
      return nil
    }
    return unsafe Unmanaged<WaylandProxy>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate func receive(_ event: WaylandEvent) { connection.received.append((self, event)) }
}

/// Stores an event for later, because the library calls this during dispatch. C:
/// `wl_dispatcher_func_t`.
private func dispatch(
  _ implementation: UnsafeRawPointer?, _ target: UnsafeMutableRawPointer?, _ opcode: UInt32,
  _ message: UnsafePointer<wl_message>?, _ arguments: UnsafeMutablePointer<wl_argument>?
) -> CInt {
  guard let implementation = unsafe implementation, let message = unsafe message else { return 0 }
  // `init` passed the proxy as the implementation, and it is alive.
  let proxy = unsafe Unmanaged<WaylandProxy>.fromOpaque(implementation).takeUnretainedValue()
  unsafe proxy.receive(WaylandEvent(message.pointee, arguments))
  return 0
}
