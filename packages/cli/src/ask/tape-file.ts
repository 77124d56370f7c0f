/**
 * The tape of an operator in a file: lines of JSON as `exportTape` writes them, with facts about the operator in the header.
 *
 *     TapeHead, runs → tapeText → file → readTapeFile → TapeFile
 */
import { exportTape, isTapeFormatError, readTape } from "@drover/controller";
import type { DebugTopology, RunRecord } from "@drover/controller";
import { budget, errorText } from "@drover/machinery";
import { readRegular } from "../exclusive-file.ts";
import { CommandError } from "../command-error.ts";

const fileBytes = budget({
  name: "cli/tape-file",
  limit: 64 * 2 ** 20,
  unit: "bytes",
  atLimit: "drover tape ends with an error; it can save the runs of one controller or one object",
  uncounted: "The command ends with an error that says so.",
});

/** What a tape file says about its operator. */
export interface TapeHead {
  /** Name of the operator. */
  readonly program: string;
  /** Version of Drover. */
  readonly drover: string;
  /** When it was saved, in milliseconds since 1970. */
  readonly savedAt: number;
  readonly resources: DebugTopology["resources"];
  readonly controllers: readonly { readonly name: string; readonly kind?: string }[];
}

/** A tape that was saved. */
export interface TapeFile {
  readonly head: TapeHead;
  readonly runs: readonly RunRecord[];
}

/** Returns the text of a file. Throws a `CommandError` if it would be too large. */
export function tapeText({ head, runs }: TapeFile): string {
  const [first = "{}", ...rest] = exportTape(runs);
  const text = [JSON.stringify({ ...(JSON.parse(first) as object), ...head }), ...rest, ""].join("\n");
  const bytes = Buffer.byteLength(text);
  if (bytes <= fileBytes.limit) return text;
  throw new CommandError(`the tape has ${bytes} bytes, more than ${fileBytes.limit}\n  fix: save a part: --controller NAME, or KIND/NAME`);
}

/** Reads a file. Rejects with a `CommandError` that names the line. */
export async function readTapeFile(path: string): Promise<TapeFile> {
  const text = textOf(path);
  const all = text.split("\n");
  try {
    const runs = await readTape(all);
    return { head: headOf(JSON.parse(all.find((line) => line.trim() !== "") ?? "{}") as Partial<TapeHead>), runs };
  } catch (error) {
    if (!isTapeFormatError(error)) throw error;
    throw new CommandError(`${path} is not a tape: ${error.message}\n  fix: drover tape save FILE writes one`, { cause: error });
  }
}

function textOf(path: string): string {
  let text: string | undefined;
  try {
    text = readRegular(path, fileBytes.limit);
  } catch (error) {
    throw new CommandError(`cannot read ${path}: ${errorText(error)}`, { cause: error });
  }
  if (text === undefined) throw new CommandError(`${path} does not exist`);
  return text;
}

/** Tapes of `exportTape`, from tests, have no facts. */
function headOf({ program, drover, savedAt, resources, controllers }: Partial<Record<keyof TapeHead, unknown>>): TapeHead {
  return {
    program: typeof program === "string" ? program : "unknown",
    drover: typeof drover === "string" ? drover : "unknown",
    savedAt: typeof savedAt === "number" ? savedAt : 0,
    resources: objectsIn(resources).filter(isResource),
    controllers: objectsIn(controllers).flatMap(({ name, kind }) =>
      typeof name === "string" ? [{ name, ...(typeof kind === "string" ? { kind } : {}) }] : [],
    ),
  };
}

type Loose = Readonly<Record<string, unknown>>;

const objectsIn = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.filter((item): item is Loose => typeof item === "object" && item !== null) : [];
const isResource = (value: Loose): value is Loose & TapeHead["resources"][number] =>
  typeof value["group"] === "string" &&
  typeof value["kind"] === "string" &&
  Array.isArray(value["names"]) &&
  value["names"].every((name) => typeof name === "string");
