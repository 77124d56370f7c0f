/**
 * A tape as lines of JSON, to be kept in a file or sent to somebody: a header, then one run a line, the oldest first.
 *
 *     tape → exportTape → lines → readTape → RunRecord[] → why, explain, findLoops
 */
import { encodeJson } from "@drover/machinery";
import type { RecordingTape } from "./recording-tape.ts";
import { filterRuns, recordObjects } from "./run-filter.ts";
import type { RunFilter } from "./run-filter.ts";
import { parseRunRecord } from "./parse-run-record.ts";
import type { RunRecord } from "./run-record.ts";
import { TapeFormatError } from "./tape-format-error.ts";

const format = "drover-tape";
const version = 1;

/**
 * The lines of a tape, without line breaks. Runs are described one by one as lines are taken, so that a long tape need
 * not be written at once.
 * The same records give the same lines: keys are in the order of their bytes.
 */
export function* exportTape(
  tape: Pick<RecordingTape, "records"> | readonly RunRecord[],
  filter: RunFilter = {},
): Generator<string, void, undefined> {
  yield encodeJson({ format, version }, { sortKeys: true });
  for (const record of "records" in tape ? tape.records(filter) : filterRuns(tape, filter, recordObjects))
    yield encodeJson(record, { sortKeys: true });
}

/** Reads lines that `exportTape` has written; blank ones are passed over. Throws a `TapeFormatError` that names the line and the field. */
export async function readTape(lines: Iterable<string> | AsyncIterable<string>): Promise<readonly RunRecord[]> {
  const runs: RunRecord[] = [];
  let number = 0;
  let hasHeader = false;
  for await (const line of lines) {
    number++;
    if (line.trim() === "") continue;
    const value = parseLine(line, number);
    if (hasHeader) runs.push(parseRunRecord(value, `line ${number}`));
    else checkHeader(value, number);
    hasHeader = true;
  }
  if (!hasHeader) throw new TapeFormatError("the tape has no line; its first line is a header");
  return runs;
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (cause) {
    throw new TapeFormatError(`line ${number} is not JSON`, { cause });
  }
}

function checkHeader(value: unknown, number: number): void {
  const header = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  if (header["format"] !== format)
    throw new TapeFormatError(`line ${number} is no header of a tape: {"format":"${format}","version":${version}} is expected`);
  if (header["version"] !== version)
    throw new TapeFormatError(
      `line ${number}: version ${JSON.stringify(header["version"])} of the format is not known here, only ${version}`,
    );
}
