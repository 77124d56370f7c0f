/**
 * Sends the cause of a run with its writes, as a header, so that a development cluster can print why they were made.
 * `drover up` asks the programs of `--run` for it; no other server receives the header.
 *
 *     RecordingTape → becauseTape → RunTape.headers → request → readBecause → "because Widget default/w was changed …"
 */
import { getOwn } from "@drover/machinery";
import type { HttpRequest } from "@drover/machinery";
import { causeLine } from "./cause-line.ts";
import type { RecordingTape } from "./recording-tape.ts";
import type { Tape } from "./tape.ts";

/** The run behind a write. */
export interface Because {
  readonly controller: string;
  /** The reconciled key. */
  readonly key: string;
  /** Clause after "because"; absent if the run has no cause. */
  readonly why?: string;
}

const header = "drover-because";
/** Characters of a clause: servers limit the size of headers, and a character may take twelve bytes of it. */
const whyMax = 300;
const headerBytesMax = 8 * 1024;

/** Returns a tape that records on `tape`, and sends the cause of each run with its writes. */
export function becauseTape(tape: RecordingTape): Tape {
  return {
    runs: (filter) => tape.runs(filter),
    begin: (start) => {
      const run = tape.begin(start);
      let headers: Readonly<Record<string, string>> | undefined;
      return {
        call: (call) => run.call(call),
        end: (result) => run.end(result),
        // Computed for the first write: most runs write nothing.
        headers: () =>
          (headers ??= headersOf({
            controller: start.controller,
            key: start.key,
            why: causeLine(tape.describe(start.causes), start.controller),
          })),
      };
    },
  };
}

function headersOf({ why, ...run }: Omit<Because, "why"> & { readonly why: string | undefined }): Readonly<Record<string, string>> {
  const because: Because = { ...run, ...(why === undefined ? {} : { why: shortened(why) }) };
  const value = encodeURIComponent(JSON.stringify(because));
  return value.length > headerBytesMax ? {} : { [header]: value };
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= whyMax ? text : `${characters.slice(0, whyMax).join("")}…`;
}

/** Returns the run that a request names; undefined if it names none, or in an invalid form. */
export function readBecause({ headers }: Pick<HttpRequest, "headers">): Because | undefined {
  const text = String(getOwn(headers, header) ?? "");
  if (text === "" || text.length > headerBytesMax) return undefined;
  try {
    const { controller, key, why } = JSON.parse(decodeURIComponent(text)) as Readonly<Record<keyof Because, unknown>>;
    if (typeof controller !== "string" || typeof key !== "string") return undefined;
    return { controller, key, ...(typeof why === "string" ? { why } : {}) };
  } catch {
    return undefined;
  }
}
