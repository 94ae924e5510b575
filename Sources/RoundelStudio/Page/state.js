// The status line: whether the text is saved, and error messages.

import { closed, isConnected, opened } from "./connection.js";
import { element } from "./elements.js";

let isSaved = true;
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

function update() {
  const { text, isBad } = isConnected() === false
    ? { text: away, isBad: true }
    : told ?? { text: isSaved ? "Saved" : "Not saved", isBad: false };
  element("state").className = isBad ? "bad" : "";
  element("state").textContent = text;
}

opened.listen(() => {
  told = null;
  update();
});
closed.listen(update);
window.addEventListener("beforeunload", (event) => { if (!isSaved) event.preventDefault(); });
