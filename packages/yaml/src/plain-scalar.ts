/** Scalars without quotes. They end at ": ", at " #", at a smaller indentation, and in flow collections at indicators. */
import { hash, isBlank, isBlankOrEnd, isBreak } from "./cursor.ts";
import type { Cursor } from "./cursor.ts";
import { Folding } from "./folding.ts";

const flowEnds: ReadonlySet<string> = new Set([",", "?", "[", "]", "{", "}"]);
const colon = 0x3a;
const tab = 0x09;

export interface PlainScalar {
  readonly text: string;
  /** Whether line breaks follow, so that a new key may start. */
  readonly brokeLine: boolean;
}

/**
 * @param indent - indentation of the enclosing block
 * @param inFlow - whether it is in a flow collection
 */
export function scanPlainScalar(cursor: Cursor, indent: number, inFlow: boolean): PlainScalar {
  const folding = new Folding();
  let brokeLine = false;
  for (;;) {
    if (cursor.atMarker() || cursor.code() === hash) break;
    const start = cursor.at;
    while (!isBlankOrEnd(cursor.code()) && !isEnd(cursor, inFlow)) cursor.at++;
    if (cursor.at > start) {
      folding.add(cursor.text.slice(start, cursor.at));
      brokeLine = false;
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    brokeLine = scanGap(cursor, folding, indent + 1) || brokeLine;
    if (!inFlow && cursor.column < indent + 1) break;
  }
  return { text: folding.text, brokeLine };
}

function isEnd(cursor: Cursor, inFlow: boolean): boolean {
  const code = cursor.code();
  return (code === colon && isBlankOrEnd(cursor.code(1))) || (inFlow && flowEnds.has(String.fromCharCode(code)));
}

/** Reads blanks and line breaks; returns whether there was a line break. */
function scanGap(cursor: Cursor, folding: Folding, indent: number): boolean {
  let brokeLine = false;
  for (;;) {
    const code = cursor.code();
    if (isBreak(code)) {
      folding.addBreak(cursor.skipLine());
      brokeLine = true;
    } else if (isBlank(code)) {
      if (brokeLine && cursor.column < indent && code === tab) throw cursor.error("found a tab character that violates indentation");
      if (!brokeLine) folding.addBlank(String.fromCharCode(code));
      cursor.at++;
    } else {
      return brokeLine;
    }
  }
}
