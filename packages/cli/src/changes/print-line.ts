/** Prints a line: for people, with colours on a terminal, or as JSON. */
import { styleText } from "node:util";
import { formatTimeMillis } from "@drover/machinery";
import { guestLine, jsonLine, oneLine } from "../terminal-text.ts";
import type { LineGroup } from "./line-grouper.ts";

/** Options of `printLine`. */
export interface PrintOptions {
  /** Whether to use colours. */
  readonly hasColor: boolean;
}

const namesShown = 4;

/** "06:12:03  replicaset         created 3 Pods for shop/web-5d8, because …" */
export function printLine(group: LineGroup, { hasColor }: PrintOptions): string {
  const style = (format: Parameters<typeof styleText>[0], text: string): string =>
    hasColor ? styleText(format, text, { validateStream: false }) : text;
  const time = formatTimeMillis(group.at).slice(11, 19);
  const why = group.why === undefined ? "" : style("dim", `, because ${oneLine(group.why)}`);
  const who = style("cyan", oneLine(group.who.replace(/-controller$/, "")).padEnd(18));
  // Without a kind it is a whole line, which a program may have coloured.
  const text = group.kind === "" ? guestLine(group.did, hasColor ? "keep" : "remove") : oneLine(textOf(group));
  return `${style("dim", time)}  ${who} ${text}${why}\n`;
}

/** Prints one JSON object per line. */
export function printLineAsJson({ at, who, did, kind, names, count, of, why }: LineGroup): string {
  return `${jsonLine({ time: formatTimeMillis(at), who, did, kind, names, count, for: of, why })}\n`;
}

function textOf({ did, kind, names, count, of }: LineGroup): string {
  const forWhom = of === undefined || names.includes(of) ? "" : ` for ${of}`;
  const more = names.length - namesShown;
  // The names of several follow from that of their owner.
  const list =
    names.length === 0 || (names.length > 1 && forWhom !== "")
      ? ""
      : ` ${names.slice(0, namesShown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const noun =
    names.length > 1
      ? `${names.length} ${plural(kind)}`
      : count > 1 && names.length === 0
        ? `${count} ${plural(kind)}`
        : names.length === 1 || kind.endsWith("s")
          ? kind
          : `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
  return `${did} ${noun}${list}${forWhom}`;
}

const plural = (kind: string): string => (kind.endsWith("s") ? kind : `${kind}s`);
