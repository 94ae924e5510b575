// SPDX-License-Identifier: MIT

import CRoundelDRM
import CardCalls
import RoundelGeometry
import Glibc
import LinuxIO
import RoundelMotion
import RoundelRaster
import Synchronization
import SystemPackage

@testable import DRMDisplay

/// A DRM device in memory, which answers the ioctls of libdrm like the kernel and shows the pixels
/// that a driver would have sent to the panel.
///
/// The device file is a pipe with its events. Like drivers of slow buses, the device sends the
/// bounding rectangle of the damage when a flip is done.
// Used by one thread, the test's. Safe: its memory is mapped as long as it is plugged in or open.
@safe final class SimulatedCard: @unchecked Sendable {
  struct Plug {
    let name: (type: UInt32, number: UInt32)
    let size: PixelSize
    /// The value of `panel orientation`, or nil if the driver doesn't know it.
    let orientation: UInt64?
    let hertz: UInt32
    var isConnected = true
    fileprivate var crtc: UInt32 = 0
    fileprivate var isOn = true

    init(
      _ type: CInt = DRM_MODE_CONNECTOR_HDMIA, size: PixelSize = PixelSize(64, 48),
      orientation: UInt64? = nil, hertz: UInt32 = 60
    ) {
      name = (UInt32(type), 1)
      self.size = size
      self.orientation = orientation
      self.hertz = hertz
    }
  }

  private struct CRTC {
    var framebuffer: UInt32 = 0
    var size: PixelSize?
    var isActive = false
  }

  private struct Framebuffer {
    var size: PixelSize
    var offset: Int
    var pitch: Int
    var format: PixelFormat
  }

  private struct Flip {
    var due: Timestamp
    var crtc: Int
    var framebuffer: UInt32
    var damage: PixelRect?
    var tag: UInt64
  }

  let path: String
  let driver: String
  var plugs: [Plug]
  var formats: [PixelFormat]
  var isAtomic = true
  var canFlip = true
  /// Whether the legacy calls require `DIRTYFB` to show anything.
  var needsDirty = false
  /// The seconds from a flip to its event.
  var flipSeconds = 1.0 / 60
  /// The number of padding bytes per row.
  var padding = 64
  /// Whether another program is master.
  var isOthers = false
  var isUnplugged = false
  /// Returns the error for a call, or nil to answer it.
  var refuse: (CardCall) -> CInt? = { _ in nil }
  private(set) var calls: Set<CardCall> = []
  /// The unknown requests.
  private(set) var unknown: Set<UInt8> = []
  /// The number of flips of each connector.
  private(set) var flips: [Int]

  private let clock: () -> Timestamp
  private let pipe: CInt
  private let memory: OwnedDescriptor
  private let bytes: UnsafeMutableRawBufferPointer
  private var end = 0
  private var master: CInt?
  /// The descriptors in use.
  private var users: Set<CInt> = []
  private var crtcs: [CRTC]
  private var planes: [(crtc: UInt32, framebuffer: UInt32)]
  private var framebuffers: [UInt32: Framebuffer] = [:]
  private var dumbs: [UInt32: (offset: Int, pitch: Int, size: Int)] = [:]
  private var blobs: [UInt32: [UInt8]] = [:]
  private var lastID: UInt32 = 1000
  private var pending: [Flip] = []
  private var glass: [[UInt8]?]

  private static let capacity = 64 << 20
  private static let cards = Mutex<[FileID: SimulatedCard]>([:])

  /// Creates a device whose file is at `path` until it is unplugged.
  init(
    at path: String, driver: String = "simulated", _ plugs: [Plug] = [Plug()],
    formats: [PixelFormat] = [.xrgb8888], clock: @escaping () -> Timestamp
  ) throws(Errno) {
    self.path = path
    self.driver = driver
    self.plugs = plugs
    self.formats = formats
    self.clock = clock
    crtcs = plugs.map { _ in CRTC() }
    // The last one is an overlay that another program left on the first CRTC.
    planes = plugs.map { _ in (0, 0) } + [(Self.firstCRTC, 1)]
    glass = plugs.map { _ in nil }
    flips = plugs.map { _ in 0 }
    memory = try OwnedDescriptor(memoryOf: Self.capacity, named: "card")
    _ = unsafe unlink(path)
    guard unsafe mkfifo(path, 0o600) == 0 else { throw .current }
    pipe = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let start = unsafe mmap(
      nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, memory.rawValue, 0)
    guard let start = unsafe start, let id = FileID(of: pipe), Self.isPossible else {
      throw Errno(rawValue: ENODEV)
    }
    unsafe bytes = UnsafeMutableRawBufferPointer(start: start, count: Self.capacity)
    Self.cards.withLock { $0[id] = self }
  }

  /// Unplugs the device: its file disappears, and open descriptors get errors.
  func unplug() {
    guard !isUnplugged else { return }
    isUnplugged = true
    _ = unsafe unlink(path)
    pending = []
  }

  /// Removes the device once it is no longer open.
  func remove() {
    unplug()
    Self.cards.withLock { cards in cards = cards.filter { $0.value !== self } }
    unsafe munmap(bytes.baseAddress, bytes.count)
    close(pipe)
  }

  /// Lights a connector's panel like a text console.
  func showConsole(_ plug: Int) {
    plugs[plug].crtc = Self.firstCRTC + UInt32(plug)
    crtcs[plug].size = plugs[plug].size
    crtcs[plug].isActive = true
    glass[plug] = []
  }

  /// The pixels on a connector's panel, or nil if it is dark.
  func picture(_ plug: Int) -> [UInt8]? {
    let crtc = plugs[plug].crtc
    guard plugs[plug].isConnected, plugs[plug].isOn, crtc != 0, !isUnplugged,
      crtcs[index(crtc, Self.firstCRTC)].isActive
    else { return nil }
    return glass[plug]
  }

  /// The time of the next event.
  var nextEvent: Timestamp? { pending.map(\.due).min() }

  /// Reports completed flips.
  func pass() {
    let now = clock()
    for flip in pending.filter({ $0.due <= now }) {
      pending.removeAll { $0.crtc == flip.crtc }
      upload(flip.framebuffer, flip.damage, on: flip.crtc)
      if let plug = plugs.firstIndex(where: { $0.crtc == Self.firstCRTC + UInt32(flip.crtc) }) {
        flips[plug] += 1
      }
      var event = drm_event_vblank()
      event.base.type = UInt32(DRM_EVENT_FLIP_COMPLETE)
      event.base.length = UInt32(MemoryLayout<drm_event_vblank>.size)
      event.user_data = flip.tag
      event.crtc_id = Self.firstCRTC + UInt32(flip.crtc)
      event.tv_sec = UInt32(flip.due.microseconds / 1_000_000)
      event.tv_usec = UInt32(flip.due.microseconds % 1_000_000)
      _ = unsafe write(pipe, &event, MemoryLayout<drm_event_vblank>.size)
    }
  }

  // MARK: - Display state

  private func upload(_ framebuffer: UInt32, _ damage: PixelRect?, on crtc: Int) {
    guard let source = framebuffers[framebuffer],
      let plug = plugs.firstIndex(where: { $0.crtc == Self.firstCRTC + UInt32(crtc) })
    else { return }
    let row = source.size.width * source.format.bytesPerPixel
    let whole = PixelRect(size: source.size)
    var pixels = glass[plug] ?? []
    if pixels.count != row * source.size.height {
      pixels = Array(repeating: 0x55, count: row * source.size.height)
    }
    let part = damage.map { $0.intersection(whole) } ?? whole
    let pixel = source.format.bytesPerPixel
    unsafe pixels.withUnsafeMutableBytes { pixels in
      for y in part.y0..<max(part.y0, part.y1) {
        let from = source.offset + y * source.pitch + part.x0 * pixel
        let to = y * row + part.x0 * pixel
        let length = part.width * pixel
        unsafe UnsafeMutableRawBufferPointer(rebasing: pixels[to..<to + length])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + length]))
      }
    }
    glass[plug] = pixels
  }

  // MARK: - Calls

  private static let firstConnector: UInt32 = 30
  private static let firstCRTC: UInt32 = 40
  private static let firstPlane: UInt32 = 50
  private static let firstEncoder: UInt32 = 60
  private static let firstProperty: UInt32 = 100
  private static let properties: [(type: UInt32, names: [String])] = [
    (
      UInt32(DRM_MODE_OBJECT_PLANE),
      [
        "type", "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y",
        "CRTC_W", "CRTC_H", "rotation", "FB_DAMAGE_CLIPS",
      ]
    ), (UInt32(DRM_MODE_OBJECT_CRTC), ["MODE_ID", "ACTIVE"]),
    (
      UInt32(DRM_MODE_OBJECT_CONNECTOR), ["CRTC_ID", "DPMS", "link-status", "panel orientation"]
    ),
  ]
  private static let names = properties.flatMap(\.names)

  private func index(_ id: UInt32, _ first: UInt32) -> Int { Int(id) - Int(first) }

  private func id() -> UInt32 {
    lastID += 1
    return lastID
  }

  /// Whether ioctls can be intercepted; not under a sanitizer.
  static let isPossible = answer()

  /// Routes this process's ioctls to the devices whose pipes they refer to.
  private static func answer() -> Bool {
    unsafe roundel_answer_card_calls(
      { descriptor, request, argument in
        guard let id = FileID(of: descriptor),
          let card = SimulatedCard.cards.withLock({ $0[id] })
        else { return 1 }
        return unsafe card.answer(UInt8(truncatingIfNeeded: request), argument, from: descriptor)
      },
      { descriptor in
        guard let id = FileID(of: descriptor) else { return -1 }
        return SimulatedCard.cards.withLock { $0[id]?.memory.rawValue } ?? -1
      })
  }

  private func answer(
    _ number: UInt8, _ argument: UnsafeMutableRawPointer?, from descriptor: CInt
  ) -> CInt {
    guard let call = CardCall(rawValue: number) else {
      unknown.insert(number)
      return -ENOTTY
    }
    calls.insert(call)
    if isUnplugged { return -ENODEV }
    if let error = refuse(call) { return -error }
    let isMaster = isMaster(descriptor)
    // libdrm passes the structure that belongs to the call.
    func with<Value>(_ type: Value.Type, _ body: (inout Value) -> CInt) -> CInt {
      guard let argument = unsafe argument else { return -EFAULT }
      return unsafe body(&argument.assumingMemoryBound(to: type).pointee)
    }
    let needsMaster: Set<CardCall> = [
      .setCRTC, .cursor, .setProperty, .pageFlip, .dirtyFramebuffer, .setPlane,
      .setObjectProperty, .atomic,
    ]
    guard isMaster || !needsMaster.contains(call) else { return -EACCES }
    switch call {
    case .version: return unsafe with(drm_version.self) { unsafe version(&$0) }
    case .getCap: return with(drm_get_cap.self) { getCap(&$0) }
    case .setClientCap:
      return with(drm_set_client_cap.self) {
        $0.capability == UInt64(DRM_CLIENT_CAP_ATOMIC) && !isAtomic ? -EOPNOTSUPP : 0
      }
    case .authMagic: return isMaster ? -EINVAL : -EACCES
    case .setMaster:
      guard master == nil, !isOthers else { return isMaster ? 0 : -EBUSY }
      master = descriptor
      return 0
    case .dropMaster:
      if isMaster { master = nil }
      return 0
    case .gemClose, .cursor, .setObjectProperty: return 0
    case .getResources: return with(drm_mode_card_res.self) { getResources(&$0) }
    case .getConnector: return with(drm_mode_get_connector.self) { getConnector(&$0) }
    case .getEncoder:
      return with(drm_mode_get_encoder.self) {
        $0.crtc_id = plugs[index($0.encoder_id, Self.firstEncoder)].crtc
        $0.possible_crtcs = UInt32(1) << plugs.count - 1
        return 0
      }
    case .getCRTC:
      return with(drm_mode_crtc.self) {
        let crtc = crtcs[index($0.crtc_id, Self.firstCRTC)]
        $0.fb_id = crtc.framebuffer
        $0.mode_valid = crtc.size == nil ? 0 : 1
        if let size = crtc.size { $0.mode = mode(size, 60) }
        return 0
      }
    case .getPlaneResources:
      return with(drm_mode_get_plane_res.self) {
        fill(&$0.count_planes, $0.plane_id_ptr, planes.indices.map { Self.firstPlane + UInt32($0) })
        return 0
      }
    case .getPlane:
      return with(drm_mode_get_plane.self) {
        let plane = index($0.plane_id, Self.firstPlane)
        ($0.crtc_id, $0.fb_id) = planes[plane]
        $0.possible_crtcs = 1 << UInt32(plane % crtcs.count)
        // The last format is unknown.
        fill(
          &$0.count_format_types, $0.format_type_ptr, formats.compactMap(\.fourcc) + [0x3031_3241])
        return 0
      }
    case .getObjectProperties: return with(drm_mode_obj_get_properties.self) { list(&$0) }
    case .getProperty:
      return with(drm_mode_get_property.self) { property in
        let name = Self.names[index(property.prop_id, Self.firstProperty)]
        unsafe withUnsafeMutableBytes(of: &property.name) { unsafe $0.copyBytes(from: name.utf8) }
        property.count_values = 0
        property.count_enum_blobs = 0
        return 0
      }
    case .createDumb: return with(drm_mode_create_dumb.self) { create(&$0) }
    case .mapDumb:
      return with(drm_mode_map_dumb.self) {
        guard let dumb = dumbs[$0.handle] else { return -ENOENT }
        $0.offset = UInt64(dumb.offset)
        return 0
      }
    case .destroyDumb:
      return with(drm_mode_destroy_dumb.self) {
        dumbs.removeValue(forKey: $0.handle) == nil ? -EINVAL : 0
      }
    case .addFramebuffer: return with(drm_mode_fb_cmd2.self) { add(&$0) }
    case .removeFramebuffer:
      return with(UInt32.self) { id in
        guard framebuffers.removeValue(forKey: id) != nil else { return -ENOENT }
        for crtc in crtcs.indices where crtcs[crtc].framebuffer == id { turnOff(crtc) }
        return 0
      }
    case .createPropertyBlob:
      return with(drm_mode_create_blob.self) {
        $0.blob_id = id()
        blobs[$0.blob_id] = read(UInt8.self, $0.data, Int($0.length))
        return 0
      }
    case .destroyPropertyBlob:
      return with(drm_mode_destroy_blob.self) {
        blobs.removeValue(forKey: $0.blob_id) == nil ? -ENOENT : 0
      }
    case .setCRTC: return with(drm_mode_crtc.self) { set(&$0) }
    case .setPlane:
      return with(drm_mode_set_plane.self) {
        planes[index($0.plane_id, Self.firstPlane)] = ($0.crtc_id, $0.fb_id)
        return 0
      }
    case .setProperty:
      return with(drm_mode_connector_set_property.self) {
        plugs[index($0.connector_id, Self.firstConnector)].isOn = $0.value == 0
        return 0
      }
    case .pageFlip:
      return with(drm_mode_crtc_page_flip.self) {
        guard canFlip else { return -EINVAL }
        return submit($0.fb_id, nil, on: index($0.crtc_id, Self.firstCRTC), $0.user_data)
      }
    case .dirtyFramebuffer:
      return with(drm_mode_fb_dirty_cmd.self) { dirty in
        guard needsDirty else { return -ENOSYS }
        let clips = read(drm_clip_rect.self, dirty.clips_ptr, Int(dirty.num_clips))
        let box = clips.reduce(PixelRect.empty) {
          $0.union(PixelRect(x0: Int($1.x1), y0: Int($1.y1), x1: Int($1.x2), y1: Int($1.y2)))
        }
        for crtc in crtcs.indices where crtcs[crtc].framebuffer == dirty.fb_id {
          upload(dirty.fb_id, box, on: crtc)
        }
        return 0
      }
    case .atomic: return with(drm_mode_atomic.self) { commit(&$0) }
    }
  }

  /// Whether a descriptor is the master's. Opening a device without a master makes one.
  private func isMaster(_ descriptor: CInt) -> Bool {
    let own = FileID(of: pipe)
    users = users.filter { FileID(of: $0) == own }
    if let owner = master, !users.contains(owner) { master = nil }
    if users.insert(descriptor).inserted, master == nil, !isOthers { master = descriptor }
    return master == descriptor && !isOthers
  }

  private func version(_ version: inout drm_version) -> CInt {
    func write(_ text: String, to place: UnsafeMutablePointer<CChar>?, _ capacity: __kernel_size_t)
    {
      guard let place = unsafe place, capacity >= text.utf8.count else { return }
      for (index, letter) in text.utf8.enumerated() {
        unsafe place[index] = CChar(bitPattern: letter)
      }
    }
    unsafe write(driver, to: version.name, version.name_len)
    unsafe write("0", to: version.date, version.date_len)
    unsafe write("0", to: version.desc, version.desc_len)
    unsafe version.name_len = __kernel_size_t(driver.utf8.count)
    unsafe version.date_len = 1
    unsafe version.desc_len = 1
    return 0
  }

  private func getCap(_ cap: inout drm_get_cap) -> CInt {
    cap.value = cap.capability == UInt64(DRM_CAP_DUMB_BUFFER) ? 1 : 0
    return 0
  }

  private func getResources(_ list: inout drm_mode_card_res) -> CInt {
    fill(&list.count_fbs, list.fb_id_ptr, framebuffers.keys.sorted())
    fill(
      &list.count_crtcs, list.crtc_id_ptr, crtcs.indices.map { Self.firstCRTC + UInt32($0) })
    fill(
      &list.count_connectors, list.connector_id_ptr,
      plugs.indices.map { Self.firstConnector + UInt32($0) })
    fill(
      &list.count_encoders, list.encoder_id_ptr,
      plugs.indices.map { Self.firstEncoder + UInt32($0) })
    return 0
  }

  private func getConnector(_ connector: inout drm_mode_get_connector) -> CInt {
    let number = index(connector.connector_id, Self.firstConnector)
    let plug = plugs[number]
    let encoder = Self.firstEncoder + UInt32(number)
    connector.encoder_id = encoder
    (connector.connector_type, connector.connector_type_id) = plug.name
    connector.connection = UInt32(
      (plug.isConnected ? DRM_MODE_CONNECTED : DRM_MODE_DISCONNECTED).rawValue)
    fill(&connector.count_encoders, connector.encoders_ptr, [encoder])
    fill(
      &connector.count_modes, connector.modes_ptr,
      plug.isConnected ? [mode(plug.size, plug.hertz)] : [])
    connector.count_props = 0
    return 0
  }

  private func mode(_ size: PixelSize, _ hertz: UInt32) -> drm_mode_modeinfo {
    var mode = drm_mode_modeinfo()
    (mode.hdisplay, mode.htotal) = (UInt16(size.width), UInt16(size.width + 16))
    (mode.vdisplay, mode.vtotal) = (UInt16(size.height), UInt16(size.height + 16))
    mode.clock = UInt32(mode.htotal) * UInt32(mode.vtotal) * hertz / 1000
    mode.vrefresh = hertz
    mode.type = UInt32(DRM_MODE_TYPE_DRIVER)
    return mode
  }

  private func list(_ request: inout drm_mode_obj_get_properties) -> CInt {
    var first = Self.firstProperty
    for (type, names) in Self.properties {
      if type == request.obj_type {
        var values = names.map { _ in UInt64(0) }
        var ids = names.indices.map { first + UInt32($0) }
        if type == UInt32(DRM_MODE_OBJECT_PLANE) {
          let isPrimary = index(request.obj_id, Self.firstPlane) < crtcs.count
          values[0] = UInt64(isPrimary ? DRM_PLANE_TYPE_PRIMARY : DRM_PLANE_TYPE_OVERLAY)
        } else if type == UInt32(DRM_MODE_OBJECT_CONNECTOR) {
          let plug = plugs[index(request.obj_id, Self.firstConnector)]
          if let orientation = plug.orientation {
            values[3] = orientation
          } else {
            ids.removeLast()
          }
        }
        var count = request.count_props
        fill(&count, request.prop_values_ptr, Array(values.prefix(ids.count)))
        fill(&request.count_props, request.props_ptr, ids)
        return 0
      }
      first += UInt32(names.count)
    }
    return -EINVAL
  }

  private func create(_ request: inout drm_mode_create_dumb) -> CInt {
    let pitch = Int(request.width * request.bpp / 8) + padding
    let size = (pitch * Int(request.height) + 4095) / 4096 * 4096
    guard end + size <= Self.capacity else { return -ENOMEM }
    request.pitch = UInt32(pitch)
    request.size = UInt64(size)
    request.handle = id()
    dumbs[request.handle] = (end, pitch, size)
    end += size
    return 0
  }

  private func add(_ request: inout drm_mode_fb_cmd2) -> CInt {
    guard let dumb = dumbs[request.handles.0],
      let format = PixelFormat.named.first(where: { $0.fourcc == request.pixel_format }),
      formats.contains(format)
    else { return -EINVAL }
    request.fb_id = id()
    framebuffers[request.fb_id] = Framebuffer(
      size: PixelSize(Int(request.width), Int(request.height)), offset: dumb.offset,
      pitch: dumb.pitch, format: format)
    return 0
  }

  private func turnOff(_ crtc: Int) {
    crtcs[crtc] = CRTC()
    planes[crtc] = (0, 0)
    pending.removeAll { $0.crtc == crtc }
  }

  private func set(_ request: inout drm_mode_crtc) -> CInt {
    let crtc = index(request.crtc_id, Self.firstCRTC)
    guard request.mode_valid != 0 else {
      turnOff(crtc)
      return 0
    }
    guard framebuffers[request.fb_id] != nil else { return -ENOENT }
    let connectors = read(
      UInt32.self, request.set_connectors_ptr, Int(request.count_connectors))
    for plug in plugs.indices where plugs[plug].crtc == request.crtc_id { plugs[plug].crtc = 0 }
    for connector in connectors {
      plugs[index(connector, Self.firstConnector)].crtc = request.crtc_id
    }
    crtcs[crtc] = CRTC(
      framebuffer: request.fb_id,
      size: PixelSize(Int(request.mode.hdisplay), Int(request.mode.vdisplay)), isActive: true)
    planes[crtc] = (request.crtc_id, request.fb_id)
    if !needsDirty { upload(request.fb_id, nil, on: crtc) }
    return 0
  }

  private func submit(
    _ framebuffer: UInt32, _ damage: PixelRect?, on crtc: Int, _ tag: UInt64
  ) -> CInt {
    guard framebuffers[framebuffer] != nil else { return -ENOENT }
    guard !pending.contains(where: { $0.crtc == crtc }) else { return -EBUSY }
    crtcs[crtc].framebuffer = framebuffer
    pending.append(
      Flip(
        due: clock() + flipSeconds, crtc: crtc, framebuffer: framebuffer, damage: damage, tag: tag))
    return 0
  }

  private func commit(_ request: inout drm_mode_atomic) -> CInt {
    guard isAtomic else { return -EINVAL }
    let objects = read(UInt32.self, request.objs_ptr, Int(request.count_objs))
    let counts = read(UInt32.self, request.count_props_ptr, objects.count)
    let count = Int(counts.reduce(0, +))
    let ids = read(UInt32.self, request.props_ptr, count)
    let values = read(UInt64.self, request.prop_values_ptr, count)
    let mayModeset = request.flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) != 0
    let isTest = request.flags & UInt32(DRM_MODE_ATOMIC_TEST_ONLY) != 0
    let reports = request.flags & UInt32(DRM_MODE_PAGE_FLIP_EVENT) != 0
    var (newCRTCs, newPlanes, newPlugs) = (crtcs, planes, plugs)
    var damage: [Int: PixelRect] = [:]
    var changesMode = false
    var next = 0
    for (object, properties) in zip(objects, counts) {
      for _ in 0..<properties {
        let (name, value) = (Self.names[index(ids[next], Self.firstProperty)], values[next])
        next += 1
        switch (object, name) {
        case (Self.firstConnector..<Self.firstCRTC, "CRTC_ID"):
          newPlugs[index(object, Self.firstConnector)].crtc = UInt32(value)
        case (Self.firstCRTC..<Self.firstPlane, "MODE_ID"):
          let blob = blobs[UInt32(value)]
          guard value == 0 || blob?.count == MemoryLayout<drm_mode_modeinfo>.size else {
            return -EINVAL
          }
          newCRTCs[index(object, Self.firstCRTC)].size = blob.map { bytes in
            let info = unsafe bytes.withUnsafeBytes {
              unsafe $0.loadUnaligned(as: drm_mode_modeinfo.self)
            }
            return PixelSize(Int(info.hdisplay), Int(info.vdisplay))
          }
        case (Self.firstCRTC..<Self.firstPlane, "ACTIVE"):
          newCRTCs[index(object, Self.firstCRTC)].isActive = value != 0
        case (Self.firstPlane..<Self.firstEncoder, "FB_ID"):
          guard value == 0 || framebuffers[UInt32(value)] != nil else { return -ENOENT }
          newPlanes[index(object, Self.firstPlane)].framebuffer = UInt32(value)
        case (Self.firstPlane..<Self.firstEncoder, "CRTC_ID"):
          newPlanes[index(object, Self.firstPlane)].crtc = UInt32(value)
        case (Self.firstPlane..<Self.firstEncoder, "FB_DAMAGE_CLIPS") where value != 0:
          guard let blob = blobs[UInt32(value)] else { return -EINVAL }
          damage[index(object, Self.firstPlane)] = Self.box(blob)
        default: break
        }
      }
    }
    for crtc in crtcs.indices {
      let (old, new) = (crtcs[crtc], newCRTCs[crtc])
      changesMode = changesMode || old.size != new.size || old.isActive != new.isActive
    }
    changesMode = changesMode || zip(plugs, newPlugs).contains { $0.crtc != $1.crtc }
    guard mayModeset || !changesMode else { return -EINVAL }
    let touched = crtcs.indices.filter {
      newPlanes[$0] != planes[$0] || changesMode
        || objects.contains(Self.firstPlane + UInt32($0))
    }
    if !isTest, request.flags & UInt32(DRM_MODE_ATOMIC_NONBLOCK) != 0 {
      guard !pending.contains(where: { touched.contains($0.crtc) }) else { return -EBUSY }
    }
    guard !isTest else { return 0 }
    (crtcs, planes, plugs) = (newCRTCs, newPlanes, newPlugs)
    for plane in touched where plane < crtcs.count && planes[plane].crtc != 0 {
      let crtc = index(planes[plane].crtc, Self.firstCRTC)
      crtcs[crtc].framebuffer = planes[plane].framebuffer
      if reports {
        let result = submit(planes[plane].framebuffer, damage[plane], on: crtc, request.user_data)
        guard result == 0 else { return result }
      } else if objects.contains(Self.firstPlane + UInt32(plane)) {
        // Waits for pending flips.
        pending.removeAll { $0.crtc == crtc }
        upload(planes[plane].framebuffer, nil, on: crtc)
      }
    }
    return 0
  }

  private static func box(_ clips: [UInt8]) -> PixelRect {
    unsafe clips.withUnsafeBytes { unsafe Array($0.bindMemory(to: drm_mode_rect.self)) }
      .reduce(PixelRect.empty) {
        $0.union(PixelRect(x0: Int($1.x1), y0: Int($1.y1), x1: Int($1.x2), y1: Int($1.y2)))
      }
  }

  // MARK: - Lists

  /// Writes a list if there is space for it, and its length.
  private func fill<Element>(_ count: inout UInt32, _ address: UInt64, _ list: [Element]) {
    if address != 0, Int(count) >= list.count,
      let start = unsafe UnsafeMutablePointer<Element>(bitPattern: UInt(address))
    {
      for (index, element) in list.enumerated() { unsafe start[index] = element }
    }
    count = UInt32(list.count)
  }

  private func read<Element>(_: Element.Type, _ address: UInt64, _ count: Int) -> [Element] {
    guard let start = unsafe UnsafePointer<Element>(bitPattern: UInt(address)) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: start, count: count))
  }
}

/// The identity of a descriptor's file.
private struct FileID: Hashable {
  var device: dev_t
  var number: ino_t

  init?(of descriptor: CInt) {
    var information = stat()
    // Writes into a local.
    guard unsafe fstat(descriptor, &information) == 0 else { return nil }
    (device, number) = (information.st_dev, information.st_ino)
  }
}
