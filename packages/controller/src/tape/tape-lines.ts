/**
 * A tape as lines of JSON, to store or send: a header, then one run per line, oldest first.
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
 * Yields the lines of a tape, without line breaks. Describes each run only when its line is read, so a long tape need not be in memory at
 * once. The same records give the same lines: keys are sorted by their bytes.
 */
export function* exportTape(
  tape: Pick<RecordingTape, "records"> | readonly RunRecord[],
  filter: RunFilter = {},
): Generator<string, void, undefined> {
  yield encodeJson({ format, version }, { sortKeys: true });
  for (const record of "records" in tape ? tape.records(filter) : filterRuns(tape, filter, recordObjects))
    yield encodeJson(record, { sortKeys: true });
}

/** Reads lines written by `exportTape`; skips blank ones. Throws a `TapeFormatError` that names the line and the field. */
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
  if (!hasHeader) throw new TapeFormatError("the tape is empty; a header is expected");
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
    throw new TapeFormatError(`line ${number} is not a tape header; expected {"format":"${format}","version":${version}}`);
  if (header["version"] !== version)
    throw new TapeFormatError(`line ${number}: unsupported format version ${JSON.stringify(header["version"])}; supported is ${version}`);
}
