/**
 * Reads the tape of an operator as it is sent: server-sent events.
 *
 *     chunks of text → tapeEvents → runs, and numbers of runs that are missing
 */
import type { RunRecord } from "@drover/controller";
import { budget } from "@drover/machinery";
import { CommandError } from "../command-error.ts";

const eventBytes = budget({
  name: "cli/trace-event",
  limit: 8 * 2 ** 20,
  unit: "bytes",
  atLimit: "the command ends with an error",
  uncounted: "The command ends with an error that says so.",
});

/** A run, or the number of runs that the tape did not keep. */
export type TapeEvent = { readonly type: "run"; readonly run: RunRecord } | { readonly type: "missed"; readonly missed: number };

/** Yields events until the stream ends. */
export async function* tapeEvents(chunks: AsyncIterable<string>): AsyncGenerator<TapeEvent> {
  let rest = "";
  for await (const chunk of chunks) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    if (rest.length > eventBytes.limit) throw new CommandError(`an event of the operator has more than ${eventBytes.limit} bytes`);
    for (const event of events) yield* parsed(event);
  }
}

function* parsed(event: string): Generator<TapeEvent> {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(event)?.[1];
  const [type, data] = [field("event"), field("data")];
  if (data === undefined) return;
  if (type === "missed") yield { type, missed: (JSON.parse(data) as { readonly missed: number }).missed };
  if (type === "run") yield { type, run: JSON.parse(data) as RunRecord };
}
