// The selection: a control, one of its items, the current page, or the kiosk itself.

import { element, fill } from "./elements.js";
import { changed as kioskChanged, goTo, kiosk } from "./kiosk.js";
import { signal } from "./signal.js";
import { renamed } from "./source.js";

// `page` is the last page with the selected control.
let chosen = { control: null, item: null, page: null };
/** The id of the kiosk as a selection, which no control can have. */
const whole = "/";

/** Reports a new selection, and whether the user made it. */
export const changed = signal();
/** Reports that the selected control is no longer shown. */
export const dropped = signal();

export const isControl = () => Boolean(chosen.control) && chosen.control !== whole;
export const isKiosk = () => chosen.control === whole;
export const chosenControl = () => kiosk().controls.find((each) => each.id === chosen.control);
export const chosenItem = () => chosen.item;

/** The owner of the current keys. */
export function owner() {
  if (isKiosk()) return {};
  if (!chosen.control) return { page: kiosk().page };
  return { control: chosen.control, ...(chosen.item ? { item: chosen.item } : {}) };
}

export function choose(id, item = null) {
  chosen = { control: id, item, page: kiosk().page };
  element("control").value = id ?? "";
  changed(true);
}

renamed.listen(({ control, item, page }) => {
  chosen = { control: control ?? null, item: item ?? null, page: kiosk().page };
  if (page) goTo(page);
});

kioskChanged.listen((state, old) => {
  const isHidden = isControl() && !chosenControl() && chosen.page !== state.page;
  if (isHidden) {
    chosen = { control: null, item: null, page: null };
    dropped();
  } else if (chosenControl()) {
    chosen.page = state.page;
  }
  const ids = state.controls.map((control) => control.id);
  fill(element("control"), [["none: the page", ""], ["none: the kiosk", whole], ...ids], chosen.control ?? "");
  const isOtherPage = old.page !== state.page;
  if (isControl() || isHidden || (isOtherPage && !chosen.control)) changed(false);
});

element("control").onchange = () => choose(element("control").value || null);
element("item").onchange = () => choose(chosen.control, element("item").value || null);
