/**
 * Reads the tape of an operator as it is sent: server-sent events into lines.
 *
 *     chunks of text → traceLines → "14:03:12.120  run 7f#12 of web for shop/web, …"
 */
import { explain } from "@drover/controller";
import type { RunRecord } from "@drover/controller";
import { budget } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { CommandError } from "../command-error.ts";
import { jsonLine, lines } from "../terminal-text.ts";
import { wrapped } from "./text-table.ts";

const eventBytes = budget({
  name: "cli/trace-event",
  limit: 8 * 2 ** 20,
  unit: "bytes",
  atLimit: "the command ends with an error",
  uncounted: "The command ends with an error that says so.",
});

/** Yields lines until the stream ends. @param form - lines for people, or one run of JSON per line */
export async function* traceLines(chunks: AsyncIterable<string>, form: "text" | "json"): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    if (rest.length > eventBytes.limit) throw new CommandError(`an event of the operator has more than ${eventBytes.limit} bytes`);
    for (const event of events) yield* eventLines(event, form);
  }
}

function* eventLines(event: string, form: "text" | "json"): Generator<string> {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(event)?.[1];
  const [type, data] = [field("event"), field("data")];
  if (data === undefined) return;
  if (type === "missed" && form === "text")
    yield `${(JSON.parse(data) as { readonly missed: number }).missed} runs are missing: the tape does not keep them any more`;
  if (type !== "run") return;
  const run = JSON.parse(data) as RunRecord;
  if (form === "json") {
    yield jsonLine(run);
    return;
  }
  const at = run.startedAt;
  // Without its key and controller, so that every run names its own.
  const [, ...told] = explain({ key: "" as ObjectKey, at, runs: [run], runCount: 1 });
  for (const line of told) yield* wrapped(lines(line));
}
