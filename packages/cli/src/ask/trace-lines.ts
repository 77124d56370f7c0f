/**
 * Prints the tape of an operator as it is sent.
 *
 *     tapeEvents → traceLines → "14:03:12.120  run 7f#12 of web for shop/web, …"
 */
import { explain } from "@drover/controller";
import type { RunRecord } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { jsonLine, lines } from "../terminal-text.ts";
import { tapeEvents } from "./tape-events.ts";
import { wrapped } from "./text-table.ts";

/** Yields lines until the stream ends. @param form - lines for people, or one run of JSON per line */
export async function* traceLines(chunks: AsyncIterable<string>, form: "text" | "json"): AsyncGenerator<string> {
  for await (const event of tapeEvents(chunks)) {
    if (event.type === "run") yield* runLines(event.run, form);
    else if (form === "text") yield `${event.missed} runs are missing: the tape does not keep them any more`;
  }
}

/** Returns the lines of one run. */
export function runLines(run: RunRecord, form: "text" | "json"): readonly string[] {
  if (form === "json") return [jsonLine(run)];
  // Without its key and controller, so that every run names its own.
  const [, ...told] = explain({ key: "" as ObjectKey, at: run.startedAt, runs: [run], runCount: 1 });
  return told.flatMap((line) => wrapped(lines(line)));
}
