// SPDX-License-Identifier: MIT
#pragma once

#include <drm_fourcc.h>
#include <sys/sysmacros.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// Macros that call fourcc_code or contain casts, which Swift doesn't import.
static const uint32_t roundel_DRM_MODE_ROTATE_0 = DRM_MODE_ROTATE_0;
static const uint32_t roundel_DRM_MODE_TYPE_PREFERRED = DRM_MODE_TYPE_PREFERRED;
static const uint32_t roundel_DRM_MODE_FLAG_INTERLACE = DRM_MODE_FLAG_INTERLACE;
static const uint32_t roundel_DRM_MODE_FLAG_DBLSCAN = DRM_MODE_FLAG_DBLSCAN;
