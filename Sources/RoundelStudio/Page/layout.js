// The parts of the page that open on demand: the source, and the tree.

import { editor } from "./editor.js";
import { element } from "./elements.js";
import { signal } from "./signal.js";

/** Reports another size of the space for the kiosk. */
export const laidOut = signal();

const isOpen = () => !element("middle").hidden;

/** Opens or closes the source. */
export function showSource(isWanted) {
  if (isOpen() === isWanted) return;
  element("middle").hidden = !isWanted;
  element("showsource").setAttribute("aria-expanded", isWanted);
  // A hidden editor doesn't know its size.
  if (isWanted) editor?.refresh();
  laidOut();
}

element("showsource").onclick = () => {
  showSource(!isOpen());
  if (isOpen()) editor?.focus();
};
window.addEventListener("resize", () => laidOut());
