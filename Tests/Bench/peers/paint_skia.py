# SPDX-License-Identifier: MIT
"""Paints the scenes of peer.h with Skia's raster canvas through skia-python.

Constant parts are recorded in advance, so that Python makes few calls per frame: one for a lit wedge, and about
forty
for reels. Python takes less than a microsecond for each.
"""
import math

import skia

from peer import *

peer = Peer("skia")
surface = skia.Surface.MakeRasterDirect(
    skia.ImageInfo.Make(peer.width, peer.height, skia.kBGRA_8888_ColorType, skia.kOpaque_AlphaType),
    peer.pixels, peer.width * 4)
canvas = surface.getCanvas()
font = skia.Font(skia.Typeface("DejaVu Sans"), peer.font_size)
font.setSubpixel(True)
font.setHinting(skia.FontHinting.kNone)
font.setEdging(skia.Font.Edging.kAntiAlias)
LINEAR = skia.SamplingOptions(skia.FilterMode.kLinear)
WHITE_PAINT = skia.Paint(Color=WHITE, AntiAlias=True)


def paint(color):
    return skia.Paint(Color=color, AntiAlias=True)


def ring(start, end):
    (x, y), path = peer.center, skia.Path()
    outer = skia.Rect.MakeLTRB(x - peer.outer, y - peer.outer, x + peer.outer, y + peer.outer)
    inner = skia.Rect.MakeLTRB(x - peer.inner, y - peer.inner, x + peer.inner, y + peer.inner)
    sweep = math.degrees(end - start)
    path.arcTo(outer, math.degrees(start), sweep, True)
    path.arcTo(inner, math.degrees(end), -sweep, False)
    path.close()
    return path


def recorded(draw):
    recorder = skia.PictureRecorder()
    draw(recorder.beginRecording(skia.Rect.MakeWH(peer.width, peer.height)))
    return recorder.finishRecordingAsPicture()


def clipped(target, box, draw):
    target.save()
    target.clipRect(skia.Rect.MakeLTRB(*box), False)
    draw(target)
    target.restore()


WEDGE_PATHS = [ring(*wedge_angles(k)) for k in range(WEDGES)]
BLOBS = {text: skia.TextBlob(text, font) for text in NAMES + DIGITS}
LENGTHS = {text: font.measureText(text) for text in NAMES + DIGITS}


def draw_text(target, text, turn, x, y):
    target.save()
    target.translate(*peer.center)
    target.rotate(math.degrees(turn))
    target.drawTextBlob(BLOBS[text], x, y, WHITE_PAINT)
    target.restore()


def draw_label(target, k):
    draw_text(target, NAMES[k], wedge_middle(k), peer.label_radius - LENGTHS[NAMES[k]] / 2, peer.baseline)


def draw_numbers(target, count):
    for number in range(count):
        text = DIGITS[number]
        draw_text(target, text, number * 2 * math.pi / count, -LENGTHS[text] / 2,
                  -peer.number_radius + peer.baseline)


def draw_wedges(target, frame):
    target.clear(stepped(BACKGROUND, frame))
    for k in range(WEDGES):
        target.drawPath(WEDGE_PATHS[k], paint(stepped(COLORS[k], frame)))


def draw_full(target, frame):
    draw_wedges(target, frame)
    for k in range(WEDGES):
        draw_label(target, k)


def draw_one(target, wedge, color):
    def draw(target):
        target.drawColor(BACKGROUND)
        for k in peer.near_wedges[wedge]:
            target.drawPath(WEDGE_PATHS[k], paint(color if k == wedge else COLORS[k]))
        for k in peer.near_labels[wedge]:
            draw_label(target, k)
    clipped(target, peer.wedge_box(wedge), draw)


def replay(pictures, choose):
    return lambda frame: canvas.drawPicture(pictures[choose(frame)])


wedges = replay([recorded(lambda c: draw_wedges(c, frame)) for frame in range(2)], lambda frame: frame & 1)
full = replay([recorded(lambda c: draw_full(c, frame)) for frame in range(2)], lambda frame: frame & 1)
one = replay([recorded(lambda c: draw_one(c, k, color)) for k in range(WEDGES) for color in (LIT, COLORS[k])],
             lambda frame: frame // 2 % WEDGES * 2 + frame % 2)

# The dial.
NUMBERS_PICTURE = recorded(lambda c: draw_numbers(c, NUMBERS))
HOURS_PICTURE = recorded(lambda c: draw_numbers(c, 12))
BACKGROUND_PAINT = skia.Paint(Color=BACKGROUND)
FACES = [paint(stepped(FACE, frame)) for frame in range(2)]
DIAL_BOX = skia.Rect.MakeLTRB(*peer.dial_box())


def draw_turned(picture, frame):
    canvas.save()
    canvas.rotate(math.degrees(dial_turn(frame)), *peer.center)
    canvas.drawPicture(picture)
    canvas.restore()


def dial(frame):
    canvas.drawRect(DIAL_BOX, BACKGROUND_PAINT)
    canvas.drawCircle(*peer.center, peer.outer, FACES[frame & 1])
    draw_turned(NUMBERS_PICTURE, frame)


# Images. Images at rest are scaled to the panel in advance.
def image(number, width, height):
    return skia.Image.frombytes(
        image_pixels(number, width, height).tobytes(), (width, height), skia.kBGRA_8888_ColorType,
        skia.kOpaque_AlphaType)


def scaled(picture, width, height):
    made = skia.Surface(math.ceil(width), math.ceil(height))
    made.getCanvas().drawImageRect(
        picture, skia.Rect.MakeWH(width, height), skia.SamplingOptions(skia.FilterMode.kLinear))
    return made.makeImageSnapshot()


FACE_PICTURE = image(FACE_IMAGE, 800, 800)
PAGE = scaled(image(PAGE_IMAGE, 1280, 800), 1280 * peer.scale, 800 * peer.scale)
REST, PRESSED = ([scaled(image(first + k, 640, 640), 760 * peer.scale, 760 * peer.scale)
                  for k in range(QUARTERS)] for first in (REST_IMAGE, PRESSED_IMAGE))
ICON_PICTURES = [image(ICON_IMAGE + k, 128, 128) for k in range(ICONS)]


def face_paint():
    x, y = peer.center
    matrix = skia.Matrix()
    matrix.setTranslate(x - peer.outer, y - peer.outer)
    matrix.preScale(2 * peer.outer / 800, 2 * peer.outer / 800)
    return skia.Paint(
        Shader=FACE_PICTURE.makeShader(skia.TileMode.kClamp, skia.TileMode.kClamp, LINEAR, matrix),
        AntiAlias=True)


DISC_PAINT = face_paint()


def disc(frame):
    canvas.drawRect(DIAL_BOX, BACKGROUND_PAINT)
    canvas.save()
    canvas.rotate(math.degrees(dial_turn(frame)), *peer.center)
    canvas.drawCircle(*peer.center, peer.outer, DISC_PAINT)
    canvas.restore()


def turning_face(frame):
    disc(frame)
    draw_turned(HOURS_PICTURE, frame)


def draw_quarter(target, k, picture, is_veiled):
    x, y = peer.center
    matrix = skia.Matrix()
    # Whole pixels, to avoid interpolation.
    matrix.setTranslate(round(x - peer.outer), round(y - peer.outer))
    shader = picture.makeShader(
        skia.TileMode.kClamp, skia.TileMode.kClamp, skia.SamplingOptions(), matrix)

    def draw(target):
        target.drawColor(BACKGROUND)
        target.drawPath(ring(*quarter_angles(k)), skia.Paint(Shader=shader, AntiAlias=True))
        if is_veiled:
            target.drawPath(ring(*quarter_angles(k)), paint(0x99ffffff))
    clipped(target, peer.quarter_box(k), draw)


def answering(picture_of, veils):
    """Paints all quarters with one highlighted, then the frames of each in turn."""
    states = [[recorded(lambda c: draw_quarter(c, k, picture_of(k) if on else REST[k], on and veils))
               for on in (True, False)] for k in range(QUARTERS)]

    def whole(frame):
        for k in range(QUARTERS):
            canvas.drawPicture(states[k][0 if k == 1 else 1])

    def change(frame):
        canvas.drawPicture(states[frame // 2 % QUARTERS][frame % 2])
    return whole, change


ORIGIN = round(peer.plane_x(0))
FACE_PAINT = paint(FACE)


def icons(frame):
    radius = peer.icon_radius(frame)
    for k in range(ICONS):
        x, y = peer.icon_place(k)
        canvas.save()
        canvas.clipRect(skia.Rect.MakeLTRB(*peer.icon_box(k, frame)), False)
        canvas.drawImage(PAGE, ORIGIN, 0)
        canvas.drawCircle(x, y, radius, FACE_PAINT)
        canvas.drawImageRect(
            ICON_PICTURES[k], skia.Rect.MakeXYWH(x - 0.65 * radius, y - 0.65 * radius, 1.3 * radius, 1.3 * radius),
            LINEAR)
        canvas.restore()


def icon_page(frame):
    canvas.drawImage(PAGE, ORIGIN, 0)
    icons(frame)


def row_picture(k):
    made = skia.Surface(*peer.row_size())
    target = made.getCanvas()
    target.clear(FACE)
    target.drawImage(scaled(ICON_PICTURES[k], 140 * peer.scale, 140 * peer.scale),
                     42 * peer.scale, 17.5 * peer.scale)
    return made.makeImageSnapshot()


ROW_PICTURES = [row_picture(k) for k in range(ROWS)]


def reels(frame):
    for reel in range(REELS):
        box = peer.reel_box(reel)
        canvas.save()
        canvas.clipRect(skia.Rect.MakeLTRB(*box), False)
        for row, top in peer.rows(reel, frame):
            canvas.drawImage(ROW_PICTURES[row], box[0], top)
        canvas.restore()


press, veil = answering(lambda k: PRESSED[k], False), answering(lambda k: REST[k], True)
peer.report("wedges", 1, wedges, wedges)
peer.report("full", 1, full, full)
peer.report("one", 24, full, one)
peer.report("dial", 1, dial, dial)
peer.report("face", 1, turning_face, turning_face)
peer.report("disc", 1, disc, disc)
peer.report("press", 8, *press)
peer.report("veil", 8, *veil)
peer.report("icons", 1, icon_page, icons)
peer.report("reels", 1, reels, reels)
