// The page of the studio: the kiosk's picture, its source, and what belongs to what is chosen.
//
// Its text is the truth: whatever is dragged or chosen comes back as a change of the text, so that one undo knows all.

import { showPalette } from "./palette.js";

const element = (id) => document.getElementById(id);
const picture = element("picture");
const context = picture.getContext("2d", { willReadFrequently: true });

let socket;
let revision = 0;
let kiosk = { controls: [] };
// The machine on which the kiosk runs, if it runs elsewhere, and whether its panel is shown.
let host = { name: null, shown: false };
// The chosen part of the text; without a control, the page that is shown, or the kiosk itself. `page` is the last page
// that showed the chosen control.
let chosen = { control: null, item: null, page: null };
/** Stands for the kiosk in place of a chosen control: no control may have this name. */
const whole = "/";
let mistakes = [];
let marks = [];
let isSaved = true;
// A problem or a message shown instead of "Saved", or null.
let told = null;
// Whether the program can be reached, or null until the first try has ended.
let isConnected = null;
// Whether the connection was lost since the last text of the program arrived.
let wasAway = false;
// The unsent changes, and whether sent changes still wait for their answer.
let waiting = [];
let isSending = false;
// The last text that both sides had, and that text with the sent changes. Null until the file is open.
let agreed = null;
let sent = null;
let questions = 0;
const answers = new Map();

// MARK: The editor

const area = element("source");
const editor = window.CodeMirror
  ? window.CodeMirror.fromTextArea(area, {
    mode: "yaml", lineNumbers: true, tabSize: 2, indentWithTabs: false, matchBrackets: true,
    styleActiveLine: true, undoDepth: 1000, inputStyle: "contenteditable",
    extraKeys: {
      "Ctrl-Space": complete, "Ctrl-S": save,
      Tab: (cm) => cm.somethingSelected() ? cm.indentSelection("add") : cm.execCommand("insertSoftTab"),
      // People without a mouse can leave the editor.
      "Shift-Tab": false, Esc: () => element("control").focus(),
    },
  })
  : null;

if (editor) {
  const field = editor.getInputField();
  for (const [name, value] of [["role", "textbox"], ["aria-multiline", "true"], ["aria-label", "Source"]]) {
    field.setAttribute(name, value);
  }
  editor.on("changes", (_, changes) => {
    const own = changes.filter((change) => change.origin !== "studio-file");
    for (const change of own) {
      waiting.push({ from: change.from, to: change.to, text: change.text.join("\n") });
    }
    if (own.length) {
      show(false);
      sendChanges();
    }
  });
  editor.on("inputRead", (_, change) => {
    if (/^[\p{L}\p{N}_{.$"'/]$/u.test(change.text[0])) complete();
  });
  // Text that is dragged elsewhere stays here, too: the browser would remove it itself, with styles of its own for the
  // text around it.
  editor.getWrapperElement().addEventListener("dragstart", (event) => { event.dataTransfer.effectAllowed = "copy"; });
  editor.getWrapperElement().addEventListener("mousemove", hover);
  editor.on("cursorActivity", () => {
    const line = editor.getCursor().line;
    const near = mistakes.find((m) => m.from && m.from.line === line);
    if (near) element("state").title = near.message;
  });
} else {
  area.addEventListener("input", () => {
    waiting = [{ from: { line: 0, ch: 0 }, to: { line: 1e9, ch: 0 }, text: area.value }];
    show(false);
    sendChanges();
  });
}

// Changes wait for the answer to those before them: each is of a text that both sides have.
function sendChanges() {
  if (isSending || !waiting.length || socket?.readyState !== WebSocket.OPEN) return;
  isSending = true;
  sent = ownText();
  send({ type: "edit", revision, changes: waiting });
  waiting = [];
}

const ownText = () => editor ? editor.getValue() : area.value;

/** Takes the program's text. Returns false if that replaces text typed while the connection was lost. */
function takeText(text) {
  const own = ownText();
  const isOwnNewer = wasAway && !isSettled() && own !== text;
  const isKept = isOwnNewer && (text === agreed || text === sent);
  // Only this page has changed the text, so the program gets the page's version.
  waiting = isKept ? [{ from: { line: 0, ch: 0 }, to: { line: 1e9, ch: 0 }, text: own }] : [];
  isSending = false;
  wasAway = false;
  if (!isKept) setText(text);
  agreed = text;
  sent = text;
  return isKept || !isOwnNewer;
}

function setText(text) {
  if (!editor) {
    area.value = text;
    return;
  }
  const old = editor.getValue();
  if (old === text) return;
  // Only what differs, so that the cursor and the undo stay.
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < text.length - start
    && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  editor.replaceRange(
    text.slice(start, text.length - end), editor.posFromIndex(start),
    editor.posFromIndex(old.length - end), "studio-file");
  // Undoing ends at the file as it was opened.
  if (agreed === null) editor.clearHistory();
}

// Changes of one gesture are undone together: CodeMirror joins those whose origin begins with a star. All others are undone
// one by one.
function apply(edits, gesture) {
  if (!editor) return;
  editor.operation(() => {
    for (const edit of [...edits].sort((a, b) => b.from.line - a.from.line || b.from.ch - a.from.ch)) {
      editor.replaceRange(edit.text, edit.from, edit.to, gesture ? `*${gesture}` : "studio");
    }
  });
}

function complete() {
  if (!editor) return;
  editor.showHint({
    completeSingle: false, closeOnUnfocus: true,
    hint: async () => {
      await settled();
      const answer = await ask({ type: "complete", at: editor.getCursor() });
      if (!answer) return null;
      const typed = editor.getRange(answer.from, editor.getCursor()).toLowerCase();
      const list = answer.items
        .filter((item) => item.label.toLowerCase().includes(typed))
        .sort((a, b) => b.label.toLowerCase().startsWith(typed) - a.label.toLowerCase().startsWith(typed))
        .map((item) => ({
          text: item.text,
          render: (node) => {
            node.append(item.label);
            const small = document.createElement("small");
            small.textContent = item.detail ?? "";
            node.append(small);
            node.title = item.about ?? "";
          },
        }));
      return { list, from: answer.from, to: answer.to };
    },
  });
}

let hoverTimer;
function hover(event) {
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(async () => {
    const at = editor.coordsChar({ left: event.clientX, top: event.clientY });
    const answer = await ask({ type: "hover", at });
    if (!answer) return;
    const mistake = mistakes.find((m) => m.from && before(m.from, at) && before(at, m.to));
    editor.getWrapperElement().title = [mistake?.message, answer.text].filter(Boolean).join("\n\n");
  }, 250);
}

const before = (a, b) => a.line < b.line || (a.line === b.line && a.ch <= b.ch);

// MARK: Messages

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** Asks the program. The answer is undefined if the program cannot be reached. */
async function ask(message) {
  if (!isConnected) return undefined;
  questions += 1;
  const id = questions;
  send({ ...message, id });
  return new Promise((resolve) => answers.set(id, resolve));
}

function answer(id, message) {
  answers.get(id)?.(message);
  answers.delete(id);
}

/** Whether both sides have the same text. */
const isSettled = () => !isSending && !waiting.length;

/** Waits until the other side has the text as it is here. */
async function settled() {
  while (!isSettled()) await new Promise((resolve) => settling.push(resolve));
}
let settling = [];

function tellSettled() {
  if (!isSettled()) return;
  const all = settling;
  settling = [];
  all.forEach((resolve) => resolve());
}

/** Whether changes are still of the text that is here: nobody has typed meanwhile. */
const isOfThisText = (message) => message.revision === revision && isSettled();

let tries = 0;

function connect() {
  socket = new WebSocket(new URL("socket", location.href.replace(/^http/, "ws")));
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    tries = 0;
    isConnected = true;
    told = null;
    showState();
    send({ type: "suites" });
  };
  socket.onclose = () => {
    isConnected = false;
    wasAway = true;
    showState();
    endGestures();
    for (const id of [...answers.keys()]) answer(id, undefined);
    // After 1 s, then after twice as long each time, up to 8 s.
    setTimeout(connect, Math.min(2 ** tries, 8) * 1000);
    tries += 1;
  };
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") take(JSON.parse(data));
    else paint(data);
  };
}

function paint(data) {
  const [width, height, x, y, w, h] = new Uint16Array(data, 0, 6);
  if (picture.width !== width || picture.height !== height) {
    picture.width = width;
    picture.height = height;
    placeFrame();
  }
  context.putImageData(new ImageData(new Uint8ClampedArray(data, 12), w, h), x, y);
}

function take(message) {
  switch (message.type) {
    case "file": {
      revision = message.revision;
      // The editor's lines end with a line feed.
      const isKept = takeText(message.text.replace(/\r\n?/g, "\n"));
      sendChanges();
      tellSettled();
      if (!element("newname").value) {
        element("newname").value = fileName(message.path).replace(/\.[^.]*$/, "");
      }
      savedAs = fileName(message.path);
      document.title = `${savedAs} – Roundel Studio`;
      show(message.saved && isSettled());
      if (!isKept) report("The text was changed elsewhere meanwhile. Ctrl-Z in the source brings yours back.");
      break;
    }
    case "revision":
      revision = message.revision;
      isSending = false;
      agreed = sent;
      sendChanges();
      if (!isSending) selectAtRest();
      tellSettled();
      break;
    case "mistakes": showMistakes(message); break;
    case "host": showHost(message); break;
    case "kiosk": showKiosk(message); break;
    case "palette": fillPalette(message); break;
    case "pages": showMap(message); break;
    case "drawn": requestAnimationFrame(() => send({ type: "drawn" })); break;
    case "event": showEvent(message.event); break;
    case "keys": showKeys(message); break;
    case "apply": {
      const isFresh = isOfThisText(message);
      if (isFresh) apply(message.edits, message.gesture);
      answer(message.id, isFresh);
      break;
    }
    case "renamed":
      if (!isOfThisText(message)) break;
      chosen = { control: message.control ?? null, item: message.item ?? null, page: kiosk.page };
      apply(message.edits);
      if (message.page) goOn(message.page);
      break;
    case "suites": showSuites(message); break;
    case "recording":
      if (message.steps === null) break;
      element("steps").value = message.steps;
      if (!message.steps) expect(false);
      break;
    case "steps": addSteps(message.text); break;
    case "seen": showSeen(message.all); break;
    case "kept":
      handOut(message);
      run(message.path);
      break;
    case "put":
      report(`${message.name} is beside the kiosk, which may name it.`, false);
      break;
    case "results": showResults(message); break;
    case "saved":
      // Changes that are on their way there now came after the save.
      show(message.saved && isSettled());
      break;
    case "conflict":
      if (confirm(`${message.text}.\n\nWrite it all the same?`)) send({ type: "save", force: true });
      break;
    case "problem":
      report(message.text);
      // The fields show the present values again.
      for (const id of ["keys", "actions"]) element(id).dataset.state = JSON.stringify([ownerOf(id)]);
      select();
      break;
    case "completions": case "hover": answer(message.id, message); break;
  }
}

/** Shows a page that has just been made or named. */
async function goOn(page) {
  await settled();
  send({ type: "go", page });
}

function report(text, isBad = true) {
  told = { text, isBad };
  showState();
}

function show(saved) {
  isSaved = saved;
  told = null;
  showState();
}

const away = "The program has ended. Unsaved text is still here, and Save downloads it.";

function showState() {
  const { text, isBad } = isConnected === false
    ? { text: away, isBad: true }
    : told ?? { text: isSaved ? "Saved" : "Not saved", isBad: false };
  element("state").className = isBad ? "bad" : "";
  element("state").textContent = text;
}

/** The name of the file, for a copy of it. */
let savedAs = "kiosk.yaml";

async function save() {
  if (isConnected === false) return handOver(savedAs, ownText());
  await settled();
  send({ type: "save" });
}

/** Downloads a text as a file. */
function handOver(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// MARK: Mistakes

let shownMistakes;
function showMistakes(message) {
  const state = JSON.stringify([message, editor?.getValue().trim() === ""]);
  if (state === shownMistakes) return;
  shownMistakes = state;
  mistakes = message.mistakes;
  const isNew = editor?.getValue().trim() === "";
  element("begin").hidden = !isNew;
  element("panel").hidden = isNew;
  element("lacking").hidden = message.hasPicture || isNew;
  element("stage").hidden = !message.hasPicture || isNew;
  if (editor) {
    editor.operation(() => {
      marks.forEach((mark) => mark.clear());
      marks = mistakes.filter((m) => m.from).map((m) => editor.markText(
        m.from, m.to, { className: `${m.severity}-mark`, attributes: { title: m.message } }));
    });
  }
  element("mistakes").replaceChildren(...mistakes.map((m) => {
    const item = document.createElement("li");
    item.className = m.severity;
    item.append(button(`${m.file ? `${m.file}: ` : ""}line ${m.line}: ${m.message}`, () => {
      if (!m.from || !editor) return;
      editor.setCursor(m.from);
      editor.focus();
    }));
    return item;
  }));
}

// MARK: The kiosk

/** Fills a selection. The choices are words, or pairs of a label and its value. */
function fill(select, choices, value) {
  const pairs = choices.map((choice) => [choice].flat()).map(([text, meaning]) => [text, meaning ?? text]);
  const known = [...select.options].map((option) => option.value);
  if (known.length !== pairs.length || pairs.some(([, meaning], index) => meaning !== known[index])) {
    select.replaceChildren(...pairs.map((pair) => new Option(...pair)));
  }
  if (value !== undefined) select.value = value;
}

function showKiosk(message) {
  if (!message.name) return;
  const isOtherPage = kiosk.page !== message.page;
  const isOtherTheme = JSON.stringify(kiosk.theme) !== JSON.stringify(message.theme);
  kiosk = message;
  const isHidden = isControl() && !chosenControl() && chosen.page !== kiosk.page;
  if (isHidden) dropChoice();
  else if (chosenControl()) chosen.page = kiosk.page;
  if (isOtherTheme) askForPalette();
  if (nudge && !nudge.isBusy && isSettled()) nudge = null;
  element("name").textContent = kiosk.name;
  fill(element("page"), kiosk.pages, kiosk.page);
  showPanel();
  element("recorder").hidden = !kiosk.records;
  element("record").hidden = kiosk.records;
  const ids = kiosk.controls.map((control) => control.id);
  fill(element("control"), [["none: the page", ""], ["none: the kiosk", whole], ...ids], chosen.control ?? "");
  placeFrame();
  if (isControl() || isHidden || (isOtherPage && !chosen.control)) selectAtRest();
  showFields(element("values"), kiosk.values);
  askForMap();
}

function showHost(message) {
  host = message;
  element("hosts").hidden = !host.name;
  fill(element("shown"), [[`the panel of ${host.name}`, "panel"], ["the text", "text"]], host.shown ? "panel" : "text");
  element("away").hidden = !host.problem;
  element("away").textContent = `${host.problem}\nIt is tried again. What is shown was seen last.`;
  element("stage").classList.toggle("old", host.shown && Boolean(host.problem));
  // A panel is as it is.
  element("panel").classList.toggle("distant", host.shown);
  if (host.shown) element("arrange").checked = false;
}

/** Shows the panel on which the kiosk runs, or the kiosk of the text. */
function showDistant(isWanted) {
  if (host.name && host.shown !== isWanted) send({ type: "show", distant: isWanted });
}

function showPanel() {
  const { size, shape, rotation, depth } = kiosk.panel;
  element("size").value = size;
  element("shape").value = shape;
  element("rotation").value = rotation;
  element("depth").value = depth ?? "";
  fill(element("theme"), kiosk.themes, kiosk.theme);
  element("languages").hidden = kiosk.languages.length < 2;
  fill(element("language"), kiosk.languages, kiosk.language);
  element("speed").value = kiosk.speed;
  kiosk.shownAt = performance.now();
  showClock();
}

// It goes on by itself from what the kiosk has said last.
function showClock() {
  if (!kiosk.clock || document.activeElement === element("clock")) return;
  const passed = kiosk.speed * (performance.now() - kiosk.shownAt);
  element("clock").value = new Date(Date.parse(`${kiosk.clock}Z`) + passed).toISOString().slice(0, 16);
}
setInterval(showClock, 1000);

function showEvent(event) {
  const item = document.createElement("li");
  item.textContent = Object.entries(event).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(" ");
  element("events").prepend(item);
  while (element("events").children.length > 50) element("events").lastChild.remove();
  showingValues ??= setTimeout(() => {
    showingValues = undefined;
    send({ type: "kiosk" });
  }, 200);
}
let showingValues;

/** Shows fields for values of the kiosk that can be set, by their names. */
function showFields(form, values) {
  if (form.contains(document.activeElement)) return;
  const state = JSON.stringify(values);
  if (form.dataset.state === state) return;
  form.dataset.state = state;
  form.replaceChildren(...Object.entries(values).flatMap(([name, value]) => {
    const label = document.createElement("label");
    label.textContent = name;
    label.title = name;
    label.htmlFor = `value-${name}`;
    const input = document.createElement("input");
    input.id = `value-${name}`;
    input.value = typeof value === "object" ? JSON.stringify(value) : value;
    input.onchange = () => {
      send({ type: "value", name, text: input.value });
      form.dataset.state = "";
      input.blur();
    };
    return [label, input];
  }));
}

const isArranging = () => element("arrange").checked;

function pixels(event) {
  const box = picture.getBoundingClientRect();
  return {
    x: (event.clientX - box.left) * picture.width / box.width,
    y: (event.clientY - box.top) * picture.height / box.height,
  };
}

const fingers = new Map();
picture.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  picture.focus();
  picture.setPointerCapture(event.pointerId);
  const place = pixels(event);
  if (isArranging()) return beginDrag(event, place);
  const finger = [...Array(10).keys()].find((n) => ![...fingers.values()].includes(n)) ?? 9;
  fingers.set(event.pointerId, finger);
  send({ type: "touch", phase: "down", finger, ...place });
});
picture.addEventListener("pointermove", (event) => {
  if (drag) return moveDrag(event, pixels(event));
  if (fingers.has(event.pointerId)) {
    send({ type: "touch", phase: "move", finger: fingers.get(event.pointerId), ...pixels(event) });
  }
});
for (const [name, phase] of [["pointerup", "up"], ["pointercancel", "cancel"]]) {
  picture.addEventListener(name, (event) => {
    if (drag) endDrag(pixels(event));
    if (!fingers.has(event.pointerId)) return;
    send({ type: "touch", phase, finger: fingers.get(event.pointerId), ...pixels(event) });
    fingers.delete(event.pointerId);
  });
}

// MARK: Arranging

let drag;
let gestures = 0;
/** The keys of the chosen control, by their names. */
let controlKeys = new Map();

const isControl = () => Boolean(chosen.control) && chosen.control !== whole;

/** Changes the order of what is chosen, or of a part of it, copies it or takes it away. */
async function arrange(type, more = {}, own = owner()) {
  // The choice may be another one when the text has come.
  await settled();
  send({ type, revision, ...own, ...more });
}

/** Ends every drag of the chosen control and of its fields. */
function endGestures() {
  drag = null;
  nudge = null;
  slide = null;
  showGuides(null, null);
}

/** Chooses the current page instead of a control of another page. */
function dropChoice() {
  endGestures();
  chosen = { control: null, item: null, page: null };
}

const chosenControl = () => kiosk.controls.find((each) => each.id === chosen.control);

function controlAt({ x, y }) {
  return [...kiosk.controls].reverse().find((control) => {
    const [x0, y0, x1, y1] = control.rect ?? [0, 0, 0, 0];
    return x >= x0 && x <= x1 && y >= y0 && y <= y1;
  });
}

/** The item of a control that is seen next to a place. */
function itemAt(control, { x, y }) {
  const distance = ({ place }) => Math.hypot(place[0] - x, place[1] - y);
  return control.items.filter((item) => item.place).sort((a, b) => distance(a) - distance(b))[0];
}

function beginDrag(event, place) {
  const control = controlAt(place);
  const wasChosen = Boolean(control) && control.id === chosen.control;
  // One of its items stays chosen until it is known whether this is a drag.
  if (!wasChosen) choose(control?.id ?? null);
  if (!control?.rect) return;
  const [x0, y0, x1, y1] = control.rect;
  const [x, y] = control.at ?? [(x0 + x1) / 2, (y0 + y1) / 2];
  gestures += 1;
  drag = {
    owner: { control: control.id }, control, wasChosen, start: place, dx: x - place.x, dy: y - place.y,
    // Its edges, counted from its place.
    sides: [x0 - x, y0 - y, x1 - x, y1 - y], name: `drag${gestures}`,
  };
}

/** Pixels of the picture for one of the page. */
const pixelsPerPoint = () => picture.width / (picture.clientWidth || 1);
/** How near to a line something snaps to it, in pixels of the page. */
const reach = 6;

/** The step of the grid in pixels of the picture; 0 for none. */
const gridStep = () => Number(element("step").value) * (kiosk.scale ?? 1);

/**
 * Where something snaps to along an axis: to the middle and the edges of the screen, to those of other controls, else to
 * the grid. `sides` are its edges, counted from `value`.
 */
function snapped(value, sides, axis, except) {
  const others = kiosk.controls.filter((each) => each.id !== except && each.rect).map(({ rect }) => rect);
  const all = [kiosk.screen, ...others].map((rect) => [rect[axis], (rect[axis] + rect[axis + 2]) / 2, rect[axis + 2]]);
  const [low, high] = [sides[axis], sides[axis + 2]];
  const found = all.flatMap(([first, middle, last]) => [
    { line: middle, moved: middle - (low + high) / 2 },
    ...[first, last].flatMap((line) => [{ line, moved: line - low }, { line, moved: line - high }]),
  ]).map((each) => ({ ...each, way: Math.abs(each.moved - value) })).sort((a, b) => a.way - b.way)[0];
  if (found && found.way <= reach * pixelsPerPoint()) return { value: found.moved, line: found.line };
  return { value: onGrid(value, axis), line: null };
}

function onGrid(value, axis) {
  const step = gridStep();
  return step ? kiosk.origin[axis] + Math.round((value - kiosk.origin[axis]) / step) * step : value;
}

/** A place of the picture, snapped unless Alt is held, with lines that show to what. */
function snappedPlace(event, x, y, sides, except) {
  if (event.altKey) {
    showGuides(null, null);
    return [x, y];
  }
  const places = [snapped(x, sides, 0, except), snapped(y, sides, 1, except)];
  showGuides(places[0].line, places[1].line);
  return places.map((each) => each.value);
}

function showGuides(x, y) {
  for (const [id, line, side] of [["guide-x", x, "left"], ["guide-y", y, "top"]]) {
    element(id).hidden = line === null;
    if (line !== null) element(id).style[side] = `${line / pixelsPerPoint()}px`;
  }
}

function moveDrag(event, place) {
  const { control, start, dx, dy, sides } = drag;
  // A hand that only presses does not move anything.
  drag.hasMoved ||= Math.hypot(place.x - start.x, place.y - start.y) > 2 * pixelsPerPoint();
  if (!drag.hasMoved) return;
  const value = snappedPlace(event, place.x + dx, place.y + dy, sides, control.id);
  follow(drag, { key: "at", value, unit: "pixels" });
}

function endDrag(place) {
  const { control, wasChosen, hasMoved } = drag;
  drag = null;
  showGuides(null, null);
  if (hasMoved || !wasChosen) return selectAtRest();
  // The second press is for what is within it.
  const item = itemAt(control, place);
  choose(control.id, item && item.id !== chosen.item ? item.id : null);
}

// One change at a time, of a text that has the one before: those that come meanwhile give way to the last.
async function follow(own, change) {
  own.next = change;
  if (own.isBusy) return;
  own.isBusy = true;
  while (own.next) {
    const next = own.next;
    own.next = null;
    await settled();
    const isDone = await ask({ type: "set", revision, ...own.owner, gesture: own.name, ...next });
    if (isDone === undefined) own.next = null;
    else if (!isDone) own.next ??= next;
  }
  own.isBusy = false;
}

// Where arrow keys have moved the chosen control, until the kiosk has it there: they may be faster.
let nudge = null;

const isTurned = () => kiosk.panel.rotation % 180 !== 0;

picture.addEventListener("keydown", (event) => {
  if (event.key === "Delete" && isArranging() && isControl()) return arrange("remove");
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const control = chosenControl();
  if (!isArranging() || !steps[event.key] || !control?.rect) return;
  event.preventDefault();
  const isSize = event.ctrlKey || event.metaKey;
  if (nudge?.owner.control !== control.id || nudge.isSize !== isSize) {
    const [x0, y0, x1, y1] = control.rect;
    const [x, y] = control.at ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    gestures += 1;
    nudge = {
      owner: { control: control.id }, isSize, x, y, width: x1 - x0, height: y1 - y0, name: `nudge${gestures}`,
    };
  }
  const step = (event.shiftKey ? 10 : 1) * kiosk.scale;
  const [dx, dy] = steps[event.key];
  if (!isSize) {
    nudge.x += dx * step;
    nudge.y += dy * step;
    return follow(nudge, { key: "at", value: [nudge.x, nudge.y], unit: "pixels" });
  }
  // The lower edge goes down with the arrow, and a radius with any.
  const isRound = controlKeys.has("radius");
  nudge.width = Math.max(nudge.width + (isRound ? 2 * (dx + dy) : dx) * step, kiosk.scale);
  nudge.height = Math.max(nudge.height + dy * step, kiosk.scale);
  const change = sizeChange(nudge.width, isRound ? nudge.width : nudge.height);
  if (change) follow(nudge, change);
});

/** The key that determines the size of a control, as its kind and its file say; null for none. */
function sizeKey() {
  if (controlKeys.has("cell") && controlKeys.get("cell").written !== null) return null;
  const size = controlKeys.get("size");
  if (size && (size.written !== null || size.required)) return "size";
  if (controlKeys.has("radius")) return "radius";
  return controlKeys.has("font_size") && controlKeys.has("text") ? "font_size" : null;
}

/** The change by which the chosen control becomes as wide and high as that, in pixels of the picture. */
function sizeChange(width, height) {
  const sides = [width, height].map((side) => Math.max(Math.round(side / kiosk.scale), 1));
  const [w, h] = isTurned() ? sides.reverse() : sides;
  switch (sizeKey()) {
    case "size": return { key: "size", value: [w, h] };
    case "radius": return { key: "radius", value: Math.max(Math.round(Math.max(w, h) / 2), 1) };
    default: return null;
  }
}

// Handles: the lower right corner for both sides or a radius, or the size of letters; an edge for one side; and one for
// how far a ring or a wheel reaches inwards.
for (const [id, kind] of [["handle", "both"], ["handle-x", "width"], ["handle-y", "height"], ["handle-inner", "inner"]]) {
  const handle = element(id);
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const control = chosenControl();
    const [x0, y0, x1, y1] = control.rect;
    const [x, y] = control.at ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    gestures += 1;
    drag = {
      owner: { control: control.id }, control, kind, x, y, width: x1 - x0, height: y1 - y0,
      fontSize: numberOf(controlKeys.get("font_size")) ?? (y1 - y0) / kiosk.scale / 1.25, name: `size${gestures}`,
    };
  });
  handle.addEventListener("pointermove", (event) => { if (drag?.kind) moveHandle(event, pixels(event)); });
  for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => {
    drag = null;
    showGuides(null, null);
    selectAtRest();
  });
}

function moveHandle(event, place) {
  const { control, kind, x, y, width, height, fontSize } = drag;
  const [px, py] = kind === "inner" ? [place.x, place.y] : snappedPlace(event, place.x, place.y, [0, 0, 0, 0], control.id);
  const [across, down] = [px - x, py - y].map((way) => Math.max(2 * way, kiosk.scale * 2));
  if (kind === "inner") return follow(drag, innerChange(Math.abs(place.x - x) / kiosk.scale));
  if (sizeKey() === "font_size") {
    const grown = Math.max(2 * (py - y), 4) / height;
    return follow(drag, { key: "font_size", value: Math.max(Math.round(fontSize * grown), 1) });
  }
  const change = sizeChange(kind === "height" ? width : across, kind === "width" ? height : down);
  if (change) follow(drag, change);
}

/** The keys that say how far something reaches inwards, with what they stand for as a radius, and back. */
const innerKeys = [
  { name: "hole", radius: (value, outer) => value ?? outer / 4, value: (radius) => radius },
  { name: "thickness", radius: (value, outer) => outer - (value ?? 0.14 * outer), value: (radius, outer) => outer - radius },
];

function innerKey() {
  const found = innerKeys.find(({ name }) => controlKeys.has(name) && controlKeys.has("radius"));
  const outer = numberOf(controlKeys.get("radius"));
  return found && outer ? { ...found, outer } : null;
}

function innerChange(radius) {
  const { name, outer, value } = innerKey();
  const inner = Math.min(Math.max(radius, 0), outer - 1);
  return { key: name, value: Math.max(Math.round(value(inner, outer)), name === "hole" ? 0 : 1) };
}

function placeFrame() {
  const control = chosenControl();
  const scale = 1 / pixelsPerPoint();
  const isOpen = isArranging() && Boolean(control?.rect);
  const key = isOpen ? sizeKey() : null;
  element("handle").hidden = !key;
  for (const id of ["handle-x", "handle-y"]) element(id).hidden = key !== "size";
  const inner = isOpen && sizeKey() === "radius" ? innerKey() : null;
  element("handle-inner").hidden = !inner;
  placeGrid(scale);
  placeSpot(control, scale);
  const frame = element("frame");
  frame.hidden = !control?.rect;
  if (!control?.rect) return;
  const [x0, y0, x1, y1] = control.rect;
  Object.assign(frame.style, {
    left: `${x0 * scale}px`, top: `${y0 * scale}px`, width: `${(x1 - x0) * scale}px`,
    height: `${(y1 - y0) * scale}px`,
  });
  if (inner) {
    const radius = inner.radius(numberOf(controlKeys.get(inner.name)), inner.outer) * kiosk.scale * scale;
    element("handle-inner").style.left = `${(x1 - x0) * scale / 2 + radius - 9}px`;
  }
}

/** Marks the item that is chosen. */
function placeSpot(control, scale) {
  const item = control?.items.find((each) => each.id === chosen.item);
  element("spot").hidden = !item?.place;
  if (item?.place) {
    Object.assign(element("spot").style, { left: `${item.place[0] * scale}px`, top: `${item.place[1] * scale}px` });
  }
}

function placeGrid(scale) {
  const step = gridStep() * scale;
  const grid = element("grid");
  // Lines that lie closer would be a surface.
  grid.hidden = !isArranging() || !kiosk.screen || step < 4;
  if (grid.hidden) return;
  const [x0, y0, x1, y1] = kiosk.screen.map((each) => each * scale);
  const [x, y] = kiosk.origin.map((each) => each * scale);
  Object.assign(grid.style, {
    left: `${x0}px`, top: `${y0}px`, width: `${x1 - x0}px`, height: `${y1 - y0}px`,
    backgroundSize: `${step}px ${step}px`, backgroundPosition: `${(x - x0) % step}px ${(y - y0) % step}px`,
  });
}
fill(element("step"), [["none", "0"], "4", "8", "10", "16", "20", "40"], "0");
element("step").onchange = placeFrame;
window.addEventListener("resize", () => {
  placeFrame();
  askForMap();
});

// MARK: The palette

const isPaletteOpen = () => element("add").getAttribute("aria-expanded") === "true";

function openPalette(isOpen) {
  element("add").setAttribute("aria-expanded", isOpen);
  element("palette").hidden = !isOpen;
  askForPalette();
  placeFrame();
}
element("add").onclick = () => openPalette(!isPaletteOpen());
element("palette").addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  openPalette(false);
  element("add").focus();
});

function askForPalette() {
  if (isPaletteOpen()) send({ type: "palette" });
}

async function add(kind, at) {
  showDistant(false);
  await settled();
  send({ type: "add", revision, kind, at });
}

function fillPalette({ kinds }) {
  showPalette(element("kinds"), kinds, {
    add: (kind) => add(kind),
    hold: (kind, event) => {
      if (event) return held(kind, event).shown;
      showGuides(null, null);
      return null;
    },
    drop: (kind, event) => {
      const { at, isOver } = held(kind, event);
      if (isOver) add(kind.name, at);
    },
  });
}

/** Where a kind that is dragged would be, in pixels of the picture, and how it is seen in the page. */
function held(kind, event) {
  const box = picture.getBoundingClientRect();
  const { x, y } = pixels(event);
  const isOver = x >= 0 && y >= 0 && x < picture.width && y < picture.height && !element("stage").hidden;
  const size = kind.size ?? [80, 50];
  const turned = isTurned() ? [...size].reverse() : size;
  const [x0, y0, x1, y1] = kiosk.screen ?? [0, 0, picture.width, picture.height];
  const share = Math.min(1, 0.9 * (x1 - x0) / kiosk.scale / turned[0], 0.9 * (y1 - y0) / kiosk.scale / turned[1]);
  const [w, h] = turned.map((side) => side * share * kiosk.scale);
  const within = (value, low, high, side) => Math.min(Math.max(value, low + side / 2), high - side / 2);
  const inside = [within(x, x0, x1, w), within(y, y0, y1, h)];
  const at = isOver ? snappedPlace(event, ...inside, [-w / 2, -h / 2, w / 2, h / 2], null) : [x, y];
  if (!isOver) showGuides(null, null);
  const scale = 1 / pixelsPerPoint();
  return {
    at, isOver,
    shown: { x: box.left + at[0] * scale, y: box.top + at[1] * scale, width: w * scale, height: h * scale },
  };
}
// MARK: The map of pages

let askingForMap;
let isMapNew = false;
// Pictures of all pages take longer than one of the kiosk: they wait until fingers and letters rest.
function askForMap() {
  clearTimeout(askingForMap);
  if (element("pages").open) askingForMap = setTimeout(() => send({ type: "pages" }), 200);
}
element("pages").ontoggle = () => {
  isMapNew = true;
  askForMap();
};

/** The columns of pages: each page is as far right as it takes steps from the first one. */
function columns(pages, links) {
  const names = pages.map((page) => page.name);
  const found = [];
  let next = names.slice(0, 1);
  const rest = new Set(names.slice(1));
  while (next.length) {
    found.push(next);
    next = links.filter(({ from, to }) => rest.has(to) && (from === null || next.includes(from))).map(({ to }) => to);
    next = names.filter((name) => next.includes(name));
    next.forEach((name) => rest.delete(name));
  }
  if (rest.size) found.push([...rest]);
  const rows = Math.max(4, Math.ceil(Math.sqrt(names.length)));
  return found.flatMap((column) => {
    const parts = Math.ceil(column.length / rows);
    const count = Math.ceil(column.length / parts);
    return [...Array(parts).keys()].map((part) => column.slice(part * count, (part + 1) * count));
  });
}

/** Where the line from a box to another leaves it. */
function border(box, from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const ends = [
    dx && ((dx > 0 ? box.x + box.w : box.x) - from.x) / dx, dy && ((dy > 0 ? box.y + box.h : box.y) - from.y) / dy,
  ].filter((end) => end > 0);
  const end = Math.min(...ends, 1);
  return { x: from.x + dx * end, y: from.y + dy * end };
}

// A little beside the middle, so that the way back is another line; the longer it is, the more it bends around what lies
// between.
function arrow(a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const [nx, ny] = [-dy / length * 8, dx / length * 8];
  const middle = (box) => ({ x: box.x + box.w / 2 + nx, y: box.y + box.h / 2 + ny });
  const [start, end] = [border(a, middle(a), middle(b)), border(b, middle(b), middle(a))];
  const bend = 2 + Math.max(length - 2 * a.w, 0) / 30;
  return `M${start.x} ${start.y} Q${(start.x + end.x) / 2 + bend * nx} ${(start.y + end.y) / 2 + bend * ny} ${end.x} ${end.y}`;
}

function svg(name, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

let shownMap;
function showMap(message) {
  const { pages, links, width, height } = message;
  // A map that is still right stays as it is, under a hand that reaches for it.
  const state = JSON.stringify([message, kiosk.page, element("left").clientWidth]);
  if (state === shownMap) return;
  shownMap = state;
  const all = columns(pages, links);
  const room = element("left").clientWidth - 36;
  const gap = 44;
  const w = Math.max(Math.min((room - gap * (all.length - 1)) / all.length, width), 84);
  const h = Math.round(w * height / width) + 22;
  const rows = Math.max(...all.map((column) => column.length));
  const boxes = new Map(all.flatMap((column, x) => column.map((name, y) => [name, {
    x: x * (w + gap) + 1, y: (y + (rows - column.length) / 2) * (h + gap / 2) + 1, w, h,
  }])));
  const causes = new Map();
  for (const { from, to, cause } of links.filter((link) => link.from !== null)) {
    const key = JSON.stringify([from, to]);
    causes.set(key, [...causes.get(key) ?? [], cause]);
  }
  const head = (id) => svg("marker", {
    id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto",
    markerUnits: "userSpaceOnUse",
  }, svg("path", { d: "M0 0 8 4 0 8Z" }));
  const lines = [...causes].map(([key, words]) => {
    const [from, to] = JSON.parse(key);
    const kind = from === kiosk.page ? "head-own" : "head";
    const title = svg("title", {}, `${from} → ${to}\n${words.join("\n")}`);
    return svg("path", {
      d: arrow(boxes.get(from), boxes.get(to)), "marker-end": `url(#${kind})`,
      class: kind === "head-own" ? "own" : "",
    }, title);
  });
  lines.sort((a, b) => (a.getAttribute("class") === "own") - (b.getAttribute("class") === "own"));
  const size = { width: all.length * (w + gap) - gap + 2, height: rows * (h + gap / 2) - gap / 2 + 2 };
  const buttons = pages.map(({ name, picture: source }) => {
    const node = button(name, () => send({ type: "go", page: name }));
    const ways = links.filter((link) => link.to === name)
      .map(({ from, cause }) => `${from === null ? "Everywhere" : from}, ${cause}`);
    node.title = ways.length || name === pages[0].name ? ways.join("\n") : "No page leads here.";
    if (name === kiosk.page) node.setAttribute("aria-current", "page");
    if (source) {
      const image = document.createElement("img");
      image.src = source;
      image.alt = "";
      node.prepend(image);
    }
    const box = boxes.get(name);
    Object.assign(node.style, {
      left: `${box.x}px`, top: `${box.y}px`, width: `${box.w}px`, height: `${box.h}px`,
    });
    return node;
  });
  element("map").replaceChildren(svg("svg", size, svg("defs", {}, head("head"), head("head-own")), ...lines), ...buttons);
  if (isMapNew) element("pages").scrollIntoView({ block: "nearest" });
  isMapNew = false;
}

// MARK: Properties

function choose(id, item = null) {
  chosen = { control: id, item, page: kiosk.page };
  element("control").value = id ?? "";
  placeFrame();
  select(true);
}

function select(withCursor = false) {
  element("order").hidden = chosen.control === whole;
  select.withCursor = withCursor;
  send({ type: "select", ...owner() });
}

/** Asks for the keys again, once for all that changes in a moment, and not under a hand that changes them. */
function selectAtRest() {
  selecting ??= setTimeout(() => {
    selecting = undefined;
    if (!drag && isSettled()) select();
  }, 30);
}
let selecting;

/** The owner of the keys that are shown. */
function owner() {
  if (chosen.control === whole) return {};
  if (!chosen.control) return { page: kiosk.page };
  return { control: chosen.control, item: chosen.item ?? undefined };
}

/** The owner of a form's fields. A form in use keeps them after another choice. */
const ownerOf = (id) => JSON.parse(element(id).dataset.state ?? "[{}]")[0];

function showKeys(message) {
  if (["control", "item", "page"].some((name) => (message[name] ?? undefined) !== owner()[name])) return;
  const control = kiosk.controls.find((each) => each.id === chosen.control);
  element("items").hidden = !control?.items.length;
  element("additem").hidden = !message.mayHaveItems || Boolean(message.item);
  fill(element("item"), ["", ...(control?.items ?? []).map((item) => item.id)], chosen.item ?? "");
  element("hint").textContent = message.text ?? "";
  if (!isControl()) controlKeys = new Map();
  else if (!message.item) controlKeys = new Map(message.keys.map((key) => [key.name, key]));
  placeFrame();
  element("properties").hidden = !isControl();
  showFields(element("properties"), message.state ?? {});
  if (editor && message.from && select.withCursor) {
    editor.setCursor(message.from);
    editor.scrollIntoView(message.from, 80);
  }
  showActions(message);
  const form = element("keys");
  const active = document.activeElement;
  keysShown = message.keys;
  if (isInUse(form)) return;
  // Fields that are still right stay as they are, under a hand that reaches for them.
  const state = JSON.stringify([owner(), message.keys]);
  if (form.dataset.state === state) return;
  form.dataset.state = state;
  const focused = active?.id;
  // Keys that the file has come first.
  const keys = [...message.keys].sort((a, b) => (b.written !== null) - (a.written !== null));
  form.replaceChildren(...keys.flatMap((key) => {
    const label = document.createElement("label");
    label.textContent = key.name;
    label.title = key.about ?? "";
    label.htmlFor = `key-${key.name}`;
    if (key.written !== null) label.className = "own";
    return [label, input(key)];
  }));
  if (focused) document.getElementById(focused)?.focus();
}

/** Whether a hand is about to change one of a form's fields, which stay as they are until then. */
function isInUse(form) {
  const active = document.activeElement;
  if (slide && form.contains(slide.field) && JSON.stringify(slide.owner) === JSON.stringify(owner())) return true;
  return form.contains(active) && active.matches("input[type=text]") && active.value !== active.defaultValue;
}

/** Without a value, the key is taken away. A path leads to a part of what is chosen. */
async function setKey(name, value, { isSource = false, path } = {}) {
  // The fields belong to the earlier choice, not to one that was made meanwhile.
  const whose = ownerOf(path ? "actions" : "keys");
  await settled();
  send({ type: "set", revision, ...whose, path, key: name, value, isSource });
}

/** A field for a key; `prefix` makes its id one of its own where several parts have such a key. */
function input(key, path, prefix = "key") {
  const isBound = key.text?.includes("{");
  let field;
  if (key.input === "number" && !isBound) return slider(key, path, prefix);
  if (key.present !== null && key.present !== undefined) return bound(key, path, prefix);
  const isSource = key.input === "structure" || (key.written !== null && key.text === null);
  if (isSource && key.written?.includes("\n")) {
    field = document.createElement("span");
    field.className = "fixed";
    field.textContent = key.written;
    field.title = key.written;
  } else if (key.input === "flag" && !isBound) {
    field = document.createElement("input");
    field.type = "checkbox";
    field.checked = (key.text ?? key.default ?? "") !== "false" && (key.text ?? key.default) !== null;
    field.onchange = () => setKey(key.name, field.checked, { path });
  } else if (key.input === "choice" && !isBound) {
    field = document.createElement("select");
    fill(field, ["", ...key.words], key.text ?? "");
    field.options[0].text = key.default ?? "";
    field.onchange = () => setKey(key.name, field.value || null, { path });
  } else if (key.input === "color" && !isBound) {
    field = document.createElement("div");
    field.className = "pair";
    const color = document.createElement("input");
    color.type = "color";
    color.id = `${prefix}-${key.name}-swatch`;
    color.setAttribute("aria-label", `${key.name} as a colour`);
    color.value = key.hex ?? "#808080";
    color.classList.toggle("unset", !key.hex);
    color.onchange = () => setKey(key.name, color.value, { path });
    field.append(color, words(key, isSource, path, prefix));
    return field;
  } else {
    return words(key, isSource, path, prefix);
  }
  field.id = `${prefix}-${key.name}`;
  return field;
}

/** An expression, and what it is now. */
function bound(key, path, prefix) {
  const field = document.createElement("div");
  const present = document.createElement("small");
  present.className = "present";
  present.id = `${prefix}-${key.name}-now`;
  present.textContent = `= ${key.present}`;
  present.title = present.textContent;
  const text = words(key, false, path, prefix);
  text.setAttribute("aria-describedby", present.id);
  field.append(text, present);
  return field;
}

/** The slider that a hand has moved, and what it changes. */
let slide = null;

/** A number, and a slider within its range. */
function slider(key, path, prefix) {
  const field = document.createElement("div");
  field.className = "slid";
  const text = words(key, key.written !== null && key.text === null, path, prefix);
  const range = document.createElement("input");
  range.type = "range";
  range.id = `${prefix}-${key.name}-slider`;
  range.setAttribute("aria-label", `${key.name}, by sliding`);
  const whose = owner();
  const { low, high, step } = rangeOf(key);
  Object.assign(range, { min: low, max: high, step });
  range.value = numberOf(key) ?? low;
  const begin = () => {
    gestures += 1;
    slide = { field: range, owner: whose, name: `slide${gestures}` };
  };
  const end = () => {
    if (slide?.field !== range) return;
    slide = null;
    selectAtRest();
  };
  range.onpointerdown = begin;
  range.onpointerup = end;
  range.onblur = end;
  range.oninput = () => {
    if (slide?.field !== range) begin();
    text.value = range.value;
    text.defaultValue = range.value;
    const value = Number(range.value);
    key.text = range.value;
    if (controlKeys.has(key.name) && !path) controlKeys.get(key.name).text = range.value;
    follow(slide, { key: key.name, value, path });
  };
  field.append(text, range);
  return field;
}

/** The number in a key, written or by default; null where the value is not a number. */
function numberOf(key) {
  const text = key?.text ?? key?.default;
  return text === null || text === undefined || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}

/** Keys that are lengths of the design. */
const lengths = /(^|_)(radius|size|gap|hole|thickness|height|distance|margin|offset|zone)$/;

/** The range of a number: what it may be, as far as that makes sense. */
function rangeOf(key) {
  const own = new Map(keysShown.map((each) => [each.name, each]));
  // A value lies between what is the least and the most of its own control.
  const bounds = key.name === "value" ? [numberOf(own.get("min")), numberOf(own.get("max"))] : [null, null];
  const value = numberOf(key) ?? 0;
  let low = bounds[0] ?? key.minimum ?? null;
  let high = bounds[1] ?? key.maximum ?? null;
  const [x0, y0, x1, y1] = kiosk.screen ?? [0, 0, 800, 800];
  const side = Math.max(x1 - x0, y1 - y0) / (kiosk.scale || 1);
  const isLength = lengths.test(key.name);
  const sensible = isLength ? side / 2 : Math.max(10, 2 * Math.abs(value), 2 * Math.abs(Number(key.default) || 0));
  if (high === null || high > Math.max(1000, sensible)) high = Math.max(sensible, value);
  if (low === null || low < -1000) low = value < 0 || low < 0 ? -sensible : 0;
  if (high <= low) high = low + 10;
  const fine = 10 ** Math.floor(Math.log10((high - low) / 50));
  const stepOfKey = key.name === "value" ? numberOf(own.get("step")) : null;
  return { low, high, step: stepOfKey || (key.isWhole || isLength ? 1 : Math.min(fine, 1)) };
}
let keysShown = [];

function words(key, isSource, path, prefix) {
  const field = document.createElement("input");
  field.id = `${prefix}-${key.name}`;
  field.type = "text";
  field.defaultValue = key.text ?? key.written ?? "";
  field.placeholder = key.default ?? "";
  if (isSource) field.title = field.value;
  if (key.likely) field.setAttribute("list", list(key.likely));
  field.onchange = () => {
    const text = isSource ? field.value.trim() : field.value;
    if (text === "" && !key.required) setKey(key.name, null, { path });
    else setKey(key.name, meaning(text, key.input), { isSource, path });
    field.defaultValue = field.value;
  };
  return field;
}

/** The value that a text stands for, in a field that takes numbers or anything. */
function meaning(text, kind) {
  const takesNumbers = kind === "number" || kind === "any";
  if (takesNumbers && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (kind === "any" && ["true", "false"].includes(text)) return text === "true";
  return text;
}

/** The id of a list of texts that are likely. */
function list(texts) {
  const known = [...document.querySelectorAll("datalist")];
  const own = texts.join("\n");
  let node = known.find((each) => each.dataset.texts === own);
  if (!node) {
    node = document.createElement("datalist");
    node.id = `likely${known.length}`;
    node.dataset.texts = own;
    node.append(...texts.map((text) => new Option(text)));
    document.body.append(node);
  }
  return node.id;
}

// MARK: Actions

function showActions({ actions = [], commands = [], mayReact = false }) {
  const form = element("actions");
  const active = document.activeElement;
  element("happens").hidden = !actions.length;
  element("reacting").hidden = !mayReact;
  fill(element("reaction"), [["add an action …", ""], ...commands], "");
  if (isInUse(form)) return;
  const state = JSON.stringify([owner(), actions]);
  if (form.dataset.state === state) return;
  form.dataset.state = state;
  const focused = active?.id;
  // Events that have actions come before events that could have them.
  const lists = [...actions].sort((a, b) => Boolean(b.actions.length) - Boolean(a.actions.length));
  form.replaceChildren(...lists.map((all) => actionList(all, commands)));
  if (focused) document.getElementById(focused)?.focus();
}

function actionList({ cause, path, actions, condition }, commands) {
  const name = path.join("-");
  const add = document.createElement("select");
  add.id = `add-${name}`;
  add.setAttribute("aria-label", `Add an action to ${cause}`);
  fill(add, [["add an action …", ""], ...commands], "");
  add.onchange = () => { if (add.value) arrange("addAction", { path, command: add.value }, ownerOf("actions")); };
  const group = document.createElement(actions.length ? "fieldset" : "div");
  if (!actions.length) {
    const label = document.createElement("label");
    label.textContent = cause;
    label.htmlFor = add.id;
    group.append(label, add);
    return group;
  }
  const legend = document.createElement("legend");
  legend.textContent = condition ? "a condition" : cause;
  const judged = document.createElement("div");
  judged.className = "action";
  if (condition) judged.append(...labelled(condition, path.slice(0, -1), name, cause));
  group.append(legend, ...(condition ? [judged] : []), ...actions.map((action, index) =>
    actionRow(action, [...path, index], `${name}-${index}`, commands, actions.length, cause)), add);
  return group;
}

function actionRow(action, path, prefix, commands, count, cause) {
  const row = document.createElement("div");
  row.className = "action";
  const number = path[path.length - 1];
  const called = `action ${number + 1} of ${cause}`;
  const tools = document.createElement("div");
  tools.className = "tools";
  const command = document.createElement("select");
  command.id = `command-${prefix}`;
  command.setAttribute("aria-label", called);
  fill(command, action.command ? commands : ["", ...commands], action.command);
  command.onchange = () => arrange("choose", { path, command: command.value }, ownerOf("actions"));
  const tool = (sign, words, type, more) => {
    const node = button(sign, () => arrange(type, { path, ...more }, ownerOf("actions")));
    node.setAttribute("aria-label", `${words} ${called}`);
    node.title = words;
    return node;
  };
  tools.append(command);
  if (number > 0) tools.append(tool("↑", "Earlier:", "move", { forward: false }));
  if (number + 1 < count) tools.append(tool("↓", "Later:", "move", { forward: true }));
  tools.append(tool("✕", "Remove:", "remove", {}));
  row.append(tools);
  for (const key of action.keys) {
    if (key.name === action.command && action.fields) {
      const inner = [...path, action.command];
      for (const field of action.fields) row.append(...labelled(field, inner, `${prefix}-${action.command}`, called));
      if (action.more.length) row.append(another(action, inner, `${prefix}-more`, called));
    } else {
      row.append(...labelled(key, path, prefix, called));
    }
  }
  return row;
}

function labelled(key, path, prefix, called) {
  const label = document.createElement("label");
  label.textContent = key.name;
  label.title = key.about ?? "";
  label.htmlFor = `${prefix}-${key.name}`;
  if (key.written !== null) label.className = "own";
  const field = input(key, path, prefix);
  field.querySelector?.("input[type=range]")?.setAttribute("aria-label", `${key.name}, ${called}, by sliding`);
  (field.matches("input, select") ? field : field.querySelector("input[type=text]"))
    ?.setAttribute("aria-label", `${key.name}, ${called}`);
  return [label, field];
}

/** One more value that an action sets; it stays what it is until somebody says more. */
function another(action, path, id, called) {
  const field = document.createElement("select");
  field.id = id;
  field.className = "another";
  field.setAttribute("aria-label", `Set another value in ${called}`);
  const known = action.fields.map((each) => each.name);
  fill(field, [["set another …", ""], ...action.more.filter((name) => !known.includes(name))], "");
  field.onchange = () => { if (field.value) setKey(field.value, `{${field.value}}`, { path }); };
  return field;
}

// MARK: Suites

function button(text, onclick) {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = text;
  node.onclick = onclick;
  return node;
}

const fileName = (path) => path.split("/").pop();

async function run(path, accepted) {
  await settled();
  send({ type: "run", path, accepted });
}

/** Whether suites are removed when the program ends, as the kiosk file of another machine is. */
let areCopies = false;

/** Offers a suite that is removed when the program ends as a download. */
function handOut({ path, text }) {
  element("handout").hidden = !text;
  if (!text) return;
  const link = element("download");
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  link.download = fileName(path);
  link.textContent = `Keep ${fileName(path)} on this machine`;
}

function showSuites({ suites, own, areCopies: copies }) {
  areCopies = copies;
  element("suites").replaceChildren(...(suites.length
    ? suites.map((path) => button(`Run ${fileName(path)}`, () => run(path)))
    : ["No suite tests this kiosk."]));
  const field = element("suite");
  const choice = field.options.length && [...own, ""].includes(field.value) ? field.value : own[0] ?? "";
  fill(field, [...own.map((path) => [fileName(path), path]), ["a new one", ""]], choice);
}

function showResults(message) {
  const mistakes = message.mistakes.map((name) => ({ name, passed: false }));
  element("results").replaceChildren(...[...mistakes, ...message.results].map((result) => {
    const item = document.createElement("li");
    item.className = result.passed ? "passed" : "failed";
    item.textContent = result.name;
    if (result.text) {
      const small = document.createElement("small");
      small.textContent = result.text;
      item.append(small);
    }
    for (const found of result.pictures ?? []) {
      const look = button("", () => compare(message, result.name, found));
      look.className = "look";
      look.title = `Look at ${found.name}`;
      const image = document.createElement("img");
      image.src = found.difference ?? found.shot;
      image.alt = look.title;
      look.append(image);
      item.append(look);
    }
    return item;
  }));
}

/** Shows a picture beside the one that was expected. */
function compare({ path, mayAccept }, test, found) {
  const kinds = [["Seen", found.shot], ["Expected", found.golden], ["What differs", found.difference]];
  element("compared").textContent = found.name;
  element("pictures").replaceChildren(...kinds.filter(([, source]) => source).map(([name, source]) => {
    const figure = document.createElement("figure");
    const image = document.createElement("img");
    image.src = source;
    image.alt = name;
    const caption = document.createElement("figcaption");
    caption.textContent = name;
    figure.append(image, caption);
    return figure;
  }));
  element("accept").hidden = !mayAccept;
  element("accept").onclick = () => {
    element("comparison").close();
    run(path, test);
  };
  element("comparison").showModal();
}
element("close").onclick = () => element("comparison").close();

// MARK: Recording

function addSteps(text) {
  const field = element("steps");
  field.value += text;
  field.scrollTop = field.scrollHeight;
  if (!element("seen").hidden) send({ type: "seen" });
}

function showSeen(all) {
  const name = element("test").value.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "picture";
  const count = element("steps").value.split("picture:").length;
  // A picture would be written beside a suite that is removed when the program ends.
  const shots = areCopies ? [] : [`{picture: ${count > 1 ? `${name}-${count}` : name}}`];
  element("seen").replaceChildren(...[...shots, ...all].map((text) => {
    const item = document.createElement("li");
    item.append(button(text, () => send({ type: "expect", text })));
    return item;
  }));
}

function expect(isOpen) {
  element("seen").hidden = !isOpen;
  element("expect").setAttribute("aria-expanded", isOpen);
  if (isOpen) send({ type: "seen" });
}

element("record").onclick = () => send({ type: "record" });
element("discard").onclick = () => send({ type: "discard" });
element("steps").oninput = () => send({ type: "steps", steps: element("steps").value });
element("expect").onclick = () => expect(element("seen").hidden);
element("test").onchange = () => expect(!element("seen").hidden);
element("keep").onclick = () => send({
  type: "keep", name: element("test").value.trim(), steps: element("steps").value,
  path: element("suite").value || undefined,
});

// MARK: Beginning

element("begin").onsubmit = async () => {
  const [width, height] = element("newsize").value.split("x").map(Number);
  await settled();
  send({ type: "begin", revision, name: element("newname").value.trim() || "kiosk", width, height });
};

// MARK: The bar

const sizes = ["480x320", "800x480", "1024x600", "1280x800", "1920x1080", "600x1024", "720x720"];
fill(element("size"), [["as designed", "design"], ...sizes], "design");
fill(element("newsize"), sizes, "800x480");
fill(element("rotation"), [["not", "0"], ["90°", "90"], ["180°", "180"], ["270°", "270"]], "0");
fill(element("depth"), [["of the file", ""], ["24 bits", "24"], ["18 bits", "18"], ["16 bits", "16"]], "");
element("size").onchange = () => {
  const [width, height] = element("size").value.split("x").map(Number);
  send({ type: "panel", width: width || 0, height: height || 0 });
};
// Each for itself: what the others show may be older than what was chosen there.
fill(element("shape"), [["of the file", ""], ["rectangular", "rectangle"], "round"], "");
element("shape").onchange = () => send({ type: "panel", shape: element("shape").value });
for (const id of ["rotation", "depth"]) element(id).onchange = () => {
  send({ type: "panel", [id]: Number(element(id).value) });
};
fill(element("speed"), [["stands still", "0"], ["¼ as fast", "0.25"], ["as usual", "1"], ["4 × as fast", "4"]], "1");
element("speed").onchange = () => send({ type: "speed", speed: Number(element("speed").value) });
element("theme").onchange = () => send({ type: "theme", theme: element("theme").value });
element("clock").onchange = () => send({ type: "clock", clock: element("clock").value });
element("page").onchange = () => send({ type: "go", page: element("page").value });
element("language").onchange = () => send({ type: "value", name: "language", text: element("language").value });
element("restart").onclick = () => send({ type: "restart" });
element("save").onclick = save;
element("remove").onclick = () => arrange("remove");
element("duplicate").onclick = () => arrange("duplicate");
element("earlier").onclick = () => arrange("move", { forward: false });
element("later").onclick = () => arrange("move", { forward: true });
element("additem").onclick = () => arrange("addItem");
element("arrange").onchange = () => {
  // Only the kiosk of the text can be arranged, saved or not.
  if (isArranging()) showDistant(false);
  placeFrame();
};
element("shown").onchange = () => showDistant(element("shown").value === "panel");
element("reaction").onchange = () => {
  const command = element("reaction").value;
  element("reaction").value = "";
  if (command) arrange("addReaction", { command });
};
element("control").onchange = () => choose(element("control").value || null);
element("item").onchange = () => choose(chosen.control, element("item").value || null);
element("newpage").onclick = async () => {
  showDistant(false);
  await settled();
  send({ type: "addPage", revision });
};
element("newfile").onclick = () => element("file").click();
element("file").onchange = async () => {
  const [file] = element("file").files;
  if (!file) return;
  // As many as a message may have, in base64.
  if (file.size > 5 << 20) report(`${file.name} has more than 5 MiB: put it beside the kiosk by hand.`);
  else {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    send({ type: "put", name: file.name, bytes: btoa(text) });
  }
  element("file").value = "";
};
for (const form of ["keys", "actions", "values", "properties", "recorder", "begin"]) {
  element(form).addEventListener("submit", (event) => event.preventDefault());
}
window.addEventListener("beforeunload", (event) => { if (!isSaved) event.preventDefault(); });
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    save();
  }
});

connect();
