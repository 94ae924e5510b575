// The status line: whether the text is saved, and error messages.

import { closed, isConnected, opened } from "./connection.js";
import { element } from "./elements.js";

let isSaved = true;
let errors = 0;
// A message shown instead of "Saved", or null.
let told = null;

const away = "The studio has exited. Unsaved text is still here, and Save downloads it.";

export function report(text, isBad = true) {
  told = { text, isBad };
  update();
}

export function showSaved(saved) {
  isSaved = saved;
  told = null;
  update();
}

export function showDeleted() {
  report("The file was deleted. Save writes it again.");
}

/** Shows the number of errors next to the state of the text. */
export function showErrors(count) {
  errors = count;
  update();
}

function update() {
  const faults = errors ? `, ${errors} ${errors === 1 ? "error" : "errors"}` : "";
  const { text, isBad } = isConnected() === false
    ? { text: away, isBad: true }
    : told ?? { text: `${isSaved ? "Saved" : "Not saved"}${faults}`, isBad: Boolean(errors) };
  element("state").className = isBad ? "bad" : "";
  element("state").textContent = text;
}

opened.listen(() => {
  told = null;
  update();
});
closed.listen(update);
window.addEventListener("beforeunload", (event) => { if (!isSaved) event.preventDefault(); });
