// SPDX-License-Identifier: MIT

import Exchange

let log = BridgeLog(of: "roundel-home")
