// The suites that test the kiosk, and their results.

import { ask, opened, receive } from "./connection.js";
import { button, element, fileName, fill, image } from "./elements.js";
import { settled } from "./source.js";

/** Whether suites are removed when the program ends, like the copy of a remote kiosk file. */
let isCopy = false;
export const areCopies = () => isCopy;

opened.listen(() => ask("suites"));
receive("suites", ({ suites, own, areCopies: copies }) => {
  isCopy = copies;
  element("suites").replaceChildren(...(suites.length
    ? suites.map((path) => button(`Run ${fileName(path)}`, () => run(path)))
    : ["This kiosk has no suites."]));
  const field = element("suite");
  const choice = field.options.length && [...own, ""].includes(field.value) ? field.value : own[0] ?? "";
  fill(field, [...own.map((path) => [fileName(path), path]), ["a new suite", ""]], choice);
});

export async function run(path, accepted) {
  await settled();
  const answer = await ask("run", { path, accepted });
  if (answer) showResults(path, answer);
}

function showResults(path, { diagnostics, results, mayAccept }) {
  const failures = diagnostics.map((name) => ({ name, passed: false, pictures: [] }));
  element("results").replaceChildren(...[...failures, ...results].map((result) => {
    const item = document.createElement("li");
    item.className = result.passed ? "passed" : "failed";
    item.textContent = result.name;
    if (result.text) {
      const small = document.createElement("small");
      small.textContent = result.text;
      item.append(small);
    }
    item.append(...result.pictures.map((found) => {
      const look = button("", () => compare(found, mayAccept, () => run(path, result.name)));
      look.className = "look";
      look.title = `Look at ${found.name}`;
      look.append(image(found.difference ?? found.shot, look.title));
      return look;
    }));
    return item;
  }));
}

/** Shows a picture next to the expected one. */
function compare({ name, shot, golden, difference }, mayAccept, accept) {
  const kinds = [["Actual", shot], ["Expected", golden], ["Difference", difference]];
  element("compared").textContent = name;
  element("pictures").replaceChildren(...kinds.filter(([, source]) => source).map(([kind, source]) => {
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.textContent = kind;
    figure.append(image(source, kind), caption);
    return figure;
  }));
  element("accept").hidden = !mayAccept;
  element("accept").onclick = () => {
    element("comparison").close();
    accept();
  };
  element("comparison").showModal();
}
element("close").onclick = () => element("comparison").close();
