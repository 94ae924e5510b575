// The picture of the kiosk, and touches on it.

import { ask, painted, receive } from "./connection.js";
import { element } from "./elements.js";
import { signal } from "./signal.js";

export const picture = element("picture");
const context = picture.getContext("2d", { willReadFrequently: true });
const fingers = new Map();

/** Reports a change of the picture's size. */
export const resized = signal();

/** Whether the mouse selects and moves controls. Otherwise it touches them. */
export const isArranging = () => !element("play").checked;

/** The number of picture pixels per CSS pixel. */
export const pixelsPerPoint = () => picture.width / (picture.clientWidth || 1);

/** The position of a pointer in pixels of the picture. */
export function pixels(event) {
  const box = picture.getBoundingClientRect();
  return {
    x: (event.clientX - box.left) * picture.width / box.width,
    y: (event.clientY - box.top) * picture.height / box.height,
  };
}

painted.listen((data) => {
  const [width, height, x, y, w, h] = new Uint16Array(data, 0, 6);
  if (picture.width !== width || picture.height !== height) {
    picture.width = width;
    picture.height = height;
    resized();
  }
  context.putImageData(new ImageData(new Uint8ClampedArray(data, 12), w, h), x, y);
});
receive("drawn", () => requestAnimationFrame(() => ask("drawn")));
window.addEventListener("resize", resized);

const touch = (phase, finger, event) => ask("touch", { phase, finger, ...pixels(event) });

picture.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  picture.focus({ preventScroll: true });
  picture.setPointerCapture(event.pointerId);
  if (isArranging()) return;
  const finger = [...Array(10).keys()].find((n) => ![...fingers.values()].includes(n)) ?? 9;
  fingers.set(event.pointerId, finger);
  touch("down", finger, event);
});
picture.addEventListener("pointermove", (event) => {
  if (fingers.has(event.pointerId)) touch("move", fingers.get(event.pointerId), event);
});
for (const [name, phase] of [["pointerup", "up"], ["pointercancel", "cancel"]]) {
  picture.addEventListener(name, (event) => {
    if (!fingers.has(event.pointerId)) return;
    touch(phase, fingers.get(event.pointerId), event);
    fingers.delete(event.pointerId);
  });
}
