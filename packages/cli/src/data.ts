/** `drover data`: verifies, exports, imports and compacts the folder of `drover up --data`. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { once } from "node:events";
import { compactData, DataFolderError, exportData, importData, verifyData } from "@drover/apiserver/node";
import { errorText, isInstanceOf } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { CommandError } from "./command-error.ts";
import type { DataOptions } from "./command-line.ts";

/** Streams of `drover data`. */
export interface DataPlace {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Receives what is wrong with the folder. */
  readonly warn: (message: string) => void;
}

/** Returns the exit code: 1 for a damaged folder. Rejects with a `CommandError` if the work cannot be done. */
export async function data({ action, folder, file }: DataOptions, { stdin, stdout, warn }: DataPlace): Promise<number> {
  try {
    switch (action) {
      case "verify": {
        const { files, keys, revision, tornBytes, problems } = await verifyData(folder);
        for (const problem of problems) warn(problem);
        if (problems.length > 0) return 1;
        const torn = tornBytes === 0 ? "" : `; the next start removes ${tornBytes} bytes of a write that was interrupted`;
        stdout.write(`${folder} is in order: ${keys} keys in ${files} files, revision ${revision}${torn}\n`);
        return 0;
      }
      case "compact": {
        const { before, after } = await compactData(folder, nodeRuntime({ write: () => undefined }));
        stdout.write(`${folder} has ${after} bytes, ${before} before\n`);
        return 0;
      }
      case "export":
        await writeAll(exportData(folder), { file, stdout });
        return 0;
      case "import": {
        const count = await importData(folder, linesOf(file === undefined ? stdin : createReadStream(file)));
        stdout.write(`${folder} has ${count} keys\n`);
        return 0;
      }
      default:
        return action;
    }
  } catch (error) {
    if (isInstanceOf(error, DataFolderError)) throw new CommandError(error.message, { cause: error });
    if (file === undefined) throw error;
    throw new CommandError(`--file ${file}: ${errorText(error)}`, { cause: error });
  }
}

/** Does not overwrite a file, and makes it durable. */
async function writeAll(
  lines: AsyncIterable<string>,
  { file, stdout }: { readonly file: string | undefined; readonly stdout: NodeJS.WritableStream },
): Promise<void> {
  if (file === undefined) {
    for await (const line of lines) if (!stdout.write(line)) await once(stdout, "drain");
    return;
  }
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const line of lines) await handle.write(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The largest object that a server stores is far smaller, also with every character escaped. */
const lineCharactersMax = 64 * 2 ** 20;

/** Searches each chunk once, so that the time is linear in the length of a line. */
async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of stream) {
    const [first = "", ...more] = decoder.decode(Buffer.from(chunk), { stream: true }).split("\n");
    rest += first;
    for (const next of more) {
      if (rest !== "") yield checkedLine(rest);
      rest = next;
    }
    checkedLine(rest);
  }
  if (rest !== "") yield rest;
}

function checkedLine(line: string): string {
  if (line.length > lineCharactersMax) throw new CommandError(`the export has a line of more than ${lineCharactersMax} characters`);
  return line;
}
