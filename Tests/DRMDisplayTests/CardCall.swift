// SPDX-License-Identifier: MIT

/// The ioctls of a display, with their numbers in drm.h.
enum CardCall: UInt8, CaseIterable {
  case version = 0x00
  case gemClose = 0x09
  case getCap = 0x0c
  case setClientCap = 0x0d
  case authMagic = 0x11
  case setMaster = 0x1e
  case dropMaster = 0x1f
  case getResources = 0xa0
  case getCRTC = 0xa1
  case setCRTC = 0xa2
  case cursor = 0xa3
  case getEncoder = 0xa6
  case getConnector = 0xa7
  case getProperty = 0xaa
  case setProperty = 0xab
  case removeFramebuffer = 0xaf
  case pageFlip = 0xb0
  case dirtyFramebuffer = 0xb1
  case createDumb = 0xb2
  case mapDumb = 0xb3
  case destroyDumb = 0xb4
  case getPlaneResources = 0xb5
  case getPlane = 0xb6
  case setPlane = 0xb7
  case addFramebuffer = 0xb8
  case getObjectProperties = 0xb9
  case setObjectProperty = 0xba
  case atomic = 0xbc
  case createPropertyBlob = 0xbd
  case destroyPropertyBlob = 0xbe

  /// The name in errors.
  var name: String {
    switch self {
    case .version: "VERSION"
    case .gemClose: "GEM_CLOSE"
    case .getCap: "GET_CAP"
    case .setClientCap: "SET_CLIENT_CAP"
    case .authMagic, .setMaster, .dropMaster: "DRM master"
    case .getResources: "MODE_GETRESOURCES"
    case .getCRTC: "MODE_GETCRTC"
    case .setCRTC: "MODE_SETCRTC"
    case .cursor: "MODE_CURSOR"
    case .getEncoder: "MODE_GETENCODER"
    case .getConnector: "MODE_GETCONNECTOR"
    case .getProperty: "MODE_GETPROPERTY"
    case .setProperty: "MODE_SETPROPERTY"
    case .removeFramebuffer: "MODE_RMFB"
    case .pageFlip: "MODE_PAGE_FLIP"
    case .dirtyFramebuffer: "MODE_DIRTYFB"
    case .createDumb: "MODE_CREATE_DUMB"
    case .mapDumb: "MODE_MAP_DUMB"
    case .destroyDumb: "MODE_DESTROY_DUMB"
    case .getPlaneResources: "MODE_GETPLANERESOURCES"
    case .getPlane: "MODE_GETPLANE"
    case .setPlane: "MODE_SETPLANE"
    case .addFramebuffer: "MODE_ADDFB2"
    case .getObjectProperties: "MODE_OBJ_GETPROPERTIES"
    case .setObjectProperty: "MODE_OBJ_SETPROPERTY"
    case .atomic: "MODE_ATOMIC"
    case .createPropertyBlob: "MODE_CREATEPROPBLOB"
    case .destroyPropertyBlob: "MODE_DESTROYPROPBLOB"
    }
  }
}
