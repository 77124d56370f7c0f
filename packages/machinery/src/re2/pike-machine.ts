/**
 * Finds the first match. Follows all threads through the program side by side in order of preference, one character at a time, so
 * the time is proportional to the text and the program, whatever the pattern.
 *
 * Threads carry only their start. Captures would be carried there too.
 */
import { edgesBetween } from "./edge.ts";
import { op } from "./program.ts";
import type { Program } from "./program.ts";
import { codePointAt } from "./symbol-table.ts";
import type { SymbolTable } from "./symbol-table.ts";
import { ThreadSet } from "./thread-set.ts";

/** A part of a text: from `start` up to, not including, `end`, as string indexes. */
export interface Re2Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the match that starts first at `from` or later and, of those, the preferred one; undefined without a match. Text before
 * `from` still counts for `^` and `\b`.
 */
export function findFirst(program: Program, symbols: SymbolTable, text: string, from = 0): Re2Span | undefined {
  const { ops, outs, args, anchored, start } = program;
  let here = new ThreadSet(program);
  let ahead = new ThreadSet(program);
  let found: Re2Span | undefined;
  let before = codePointBefore(text, from);
  for (let index = from; index <= text.length;) {
    const codePoint = index < text.length ? codePointAt(text, index) : undefined;
    const next = codePoint !== undefined && codePoint > 0xffff ? index + 2 : index + 1;
    if (found === undefined && (index === 0 || !anchored)) here.add(start, edgesBetween(before, codePoint), index);
    if (here.size === 0 && (found !== undefined || anchored)) break;
    const edges = edgesBetween(codePoint, next < text.length ? codePointAt(text, next) : undefined);
    const memberships = codePoint === undefined ? undefined : symbols.membershipsOf(codePoint);
    const { pcs, tags, size } = here;
    for (let rank = 0; rank < size; rank++) {
      const pc = pcs[rank] ?? 0;
      const began = tags[rank] ?? 0;
      if (ops[pc] === op.match) {
        found = { start: began, end: index };
        break; // later threads are less preferred
      }
      if (memberships?.[args[pc] ?? 0] === 1) ahead.add(outs[pc] ?? 0, edges, began);
    }
    [here, ahead] = [ahead, here];
    ahead.clear();
    before = codePoint;
    index = next;
  }
  return found;
}

function codePointBefore(text: string, index: number): number | undefined {
  if (index === 0) return undefined;
  const isLow = (text.charCodeAt(index - 1) & 0xfc00) === 0xdc00;
  return codePointAt(text, isLow && index > 1 ? index - 2 : index - 1);
}
