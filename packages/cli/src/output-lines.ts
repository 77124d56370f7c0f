/**
 * Splits a program's output into lines of bounded length.
 *
 *     stream → outputLines → one call per line
 */
import { once } from "node:events";
import type { Readable } from "node:stream";
import { budget } from "@drover/machinery";

const lineLength = budget({
  name: "cli/program-line",
  limit: 64 * 1024,
  unit: "bytes",
  atLimit: "`drover up` drops the rest of the line and says so",
  uncounted: "A command has no metrics; the line itself tells that it was cut.",
});

/** Calls `write` for every line, also for a last one without a line break, and resolves when the stream has ended. */
export async function outputLines(stream: Readable, write: (line: string) => void): Promise<void> {
  let rest = "";
  let isCut = false;
  const end = (line: string): void => {
    if (!isCut) write(line);
    isCut = false;
  };
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    // A carriage return at the end may belong to a line break that the next chunk completes.
    const parts = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? "";
    for (const part of parts) end(part);
    if (rest.length <= lineLength.limit) return;
    end(`${rest.slice(0, lineLength.limit)}… (the line is longer than ${lineLength.limit} characters)`);
    isCut = true;
    rest = "";
  });
  // Also when the stream is destroyed.
  await once(stream, "close");
  if (rest !== "") end(rest.replace(/\r$/, ""));
}
