// Unsaved text in the browser's storage, which survives the page and the program.

const key = `roundel:${location.pathname}`;
/** Milliseconds from a change until it is stored. */
const delay = 300;
let timer;

/** The stored {text, base}, or null. `base` is the saved text that it was made from. */
export function draft() {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function keepDraft(makeText, base) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    // A storage may be full or forbidden. The program still has the text.
    try {
      localStorage.setItem(key, JSON.stringify({ text: makeText(), base }));
    } catch {
      forgetDraft();
    }
  }, delay);
}

export function forgetDraft() {
  clearTimeout(timer);
  try {
    localStorage.removeItem(key);
  } catch { /* Nothing is stored. */ }
}
