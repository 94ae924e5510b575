// Texts that differ: the range that differs, a merge of two versions, and the lines of a comparison.

/** The range in which two texts differ: its start, and its ends in both texts. */
export function difference(old, text) {
  let start = 0;
  const least = Math.min(old.length, text.length);
  while (start < least && old[start] === text[start]) start += 1;
  let end = 0;
  while (end < least - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  return { start, oldEnd: old.length - end, end: text.length - end };
}

/** An editor's position of an index in a text. */
export function positionIn(text, index) {
  const lines = text.slice(0, index).split("\n");
  return { line: lines.length - 1, ch: lines[lines.length - 1].length };
}

/** The change that turns one text into another. */
export function changeOf(old, text) {
  const { start, oldEnd, end } = difference(old, text);
  return { from: positionIn(old, start), to: positionIn(old, oldEnd), text: text.slice(start, end) };
}

/**
 * Merges two versions of a text. If both have changed the same part, the result contains both, and isn't clean.
 * Insertions at the same place don't conflict.
 */
export function merge(base, own, theirs) {
  if (own === theirs || theirs === base) return { text: own, isClean: true };
  if (own === base) return { text: theirs, isClean: true };
  const [a, b] = [difference(base, own), difference(base, theirs)];
  const [ownPart, theirPart] = [own.slice(a.start, a.end), theirs.slice(b.start, b.end)];
  const isBefore = a.oldEnd <= b.start;
  if (isBefore || b.oldEnd <= a.start) {
    const parts = isBefore && a.start !== b.start
      ? [base.slice(0, a.start), ownPart, base.slice(a.oldEnd, b.start), theirPart, base.slice(b.oldEnd)]
      : [base.slice(0, b.start), theirPart, base.slice(b.oldEnd, a.start), ownPart, base.slice(a.oldEnd)];
    return { text: parts.join(""), isClean: true };
  }
  const [low, high] = [Math.min(a.start, b.start), Math.max(a.oldEnd, b.oldEnd)];
  const all = base.slice(low, b.start) + theirPart + base.slice(b.oldEnd, high);
  return { text: base.slice(0, low) + all + ownPart + base.slice(high), isClean: false };
}

/** The maximum number of compared lines. More take too long. */
const most = 1500;

/** The lines of a comparison: [sign, text] with the signs "-", "+" and " ", with two equal lines around. */
export function compared(old, text) {
  const [a, b] = [old.split("\n"), text.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const middle = left.length > most || right.length > most
    ? [...left.map((line) => ["-", line]), ...right.map((line) => ["+", line])] : common(left, right);
  const before = a.slice(Math.max(start - 2, 0), start);
  const after = a.slice(a.length - end, a.length - end + 2);
  return [...before.map((line) => [" ", line]), ...middle, ...after.map((line) => [" ", line])];
}

/** Compares lines by their longest common subsequence. */
function common(a, b) {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([" ", a[i]]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      lines.push(["-", a[i]]);
      i += 1;
    } else {
      lines.push(["+", b[j]]);
      j += 1;
    }
  }
  return lines;
}
