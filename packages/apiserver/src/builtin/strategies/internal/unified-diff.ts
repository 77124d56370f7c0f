/**
 * `diff -u` with three lines of context, as Python's difflib and its Go port compute it, which is not always the shortest diff.
 *
 *     text, text → matching blocks → hunks
 */

/** A block of `size` equal lines. */
interface Match {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** A range of both texts that is equal, replaced, deleted or inserted. */
interface Change {
  readonly same: boolean;
  readonly a: readonly [from: number, to: number];
  readonly b: readonly [from: number, to: number];
}

const context = 3;

/** Returns the hunks, each with its `@@ -1,4 +1,5 @@` line; empty for equal texts. Every line ends with a newline. */
export function unifiedDiff(from: string, to: string): string {
  const [a, b] = [splitLines(from), splitLines(to)];
  return hunksOf(changesBetween(a, b))
    .map((hunk) => printHunk(hunk, a, b))
    .join("");
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => `${line}\n`);
}

function changesBetween(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  for (const match of [...matchingBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < match.a || j < match.b) changes.push({ same: false, a: [i, match.a], b: [j, match.b] });
    [i, j] = [match.a + match.size, match.b + match.size];
    if (match.size > 0) changes.push({ same: true, a: [match.a, i], b: [match.b, j] });
  }
  return changes;
}

/** Adjacent blocks are merged. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Match[] {
  const places = placesOf(b);
  const found: Match[] = [];
  const search = (fromA: number, toA: number, fromB: number, toB: number): void => {
    const match = longestMatch(a, b, places, [fromA, toA, fromB, toB]);
    if (match.size === 0) return;
    if (fromA < match.a && fromB < match.b) search(fromA, match.a, fromB, match.b);
    found.push(match);
    if (match.a + match.size < toA && match.b + match.size < toB) search(match.a + match.size, toA, match.b + match.size, toB);
  };
  search(0, a.length, 0, b.length);
  const joined: Match[] = [];
  for (const match of found) {
    const last = joined.at(-1);
    if (last !== undefined && last.a + last.size === match.a && last.b + last.size === match.b)
      joined[joined.length - 1] = { ...last, size: last.size + match.size };
    else joined.push(match);
  }
  return joined;
}

/** In long texts, lines that make up more than 1 % are ignored as anchors. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  const many = Math.floor(lines.length / 100) + 1;
  if (lines.length >= 200) for (const [line, indices] of places) if (indices.length > many) places.delete(line);
  return places;
}

/** Returns the longest common block, the first in `a` and then in `b`; popular lines can only extend it. */
function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [fromA, toA, fromB, toB]: readonly [number, number, number, number],
): Match {
  let best: Match = { a: fromA, b: fromB, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = fromA; i < toA; i++) {
    const next = new Map<number, number>();
    for (const j of places.get(a[i] ?? "") ?? []) {
      if (j < fromB) continue;
      if (j >= toB) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  let { a: startA, b: startB, size } = best;
  for (; startA > fromA && startB > fromB && a[startA - 1] === b[startB - 1]; startA--, startB--) size++;
  while (startA + size < toA && startB + size < toB && a[startA + size] === b[startB + size]) size++;
  return { a: startA, b: startB, size };
}

/** Groups changes with their context; splits where more than twice the context lies between. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  let hunk: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const {
      a: [a0, a1],
      b: [b0, b1],
    } = change;
    const isFirst = index === 0;
    const isLast = index === changes.length - 1;
    if (!change.same) {
      hunk.push(change);
      continue;
    }
    if (isFirst) hunk.push({ same: true, a: [Math.max(a0, a1 - context), a1], b: [Math.max(b0, b1 - context), b1] });
    else if (isLast) hunk.push({ same: true, a: [a0, Math.min(a1, a0 + context)], b: [b0, Math.min(b1, b0 + context)] });
    else if (a1 - a0 > 2 * context) {
      hunk.push({ same: true, a: [a0, a0 + context], b: [b0, b0 + context] });
      hunks.push(hunk);
      hunk = [{ same: true, a: [a1 - context, a1], b: [b1 - context, b1] }];
    } else hunk.push(change);
  }
  if (hunk.some(({ same }) => !same)) hunks.push(hunk);
  return hunks;
}

function printHunk(hunk: readonly Change[], a: readonly string[], b: readonly string[]): string {
  const first = hunk[0];
  const last = hunk.at(-1);
  if (first === undefined || last === undefined) return "";
  const lines = hunk.flatMap(({ same, a: [a0, a1], b: [b0, b1] }) =>
    same
      ? a.slice(a0, a1).map((line) => ` ${line}`)
      : [...a.slice(a0, a1).map((line) => `-${line}`), ...b.slice(b0, b1).map((line) => `+${line}`)],
  );
  return `@@ -${printRange(first.a[0], last.a[1])} +${printRange(first.b[0], last.b[1])} @@\n${lines.join("")}`;
}

function printRange(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return `${from + 1}`;
  return `${length === 0 ? from : from + 1},${length}`;
}
