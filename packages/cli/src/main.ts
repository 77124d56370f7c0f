#!/usr/bin/env node
/** The `drover` command: reads the command line, runs what it asks for, and ends with a code. */
import { isCommandError } from "./command-error.ts";
import { parseCommandLine } from "./command-line.ts";
import { endSignal } from "./end-signal.ts";
import { usageOf } from "./usage.ts";
import { version } from "./version.ts";

const ending = (): AbortSignal => endSignal(process, { hurry: () => process.exit(130), now: () => performance.now() });

/**
 * What to end with: 0 when all went well, also when a signal asked it to end; 1 when it could not be done; 2 when the
 * command line is not understood.
 */
async function main(words: readonly string[]): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text);
  const command = parseCommandLine(words);
  if (command.name === "mistake") {
    process.stderr.write(`drover: ${command.message}\n`);
    return 2;
  }
  if (command.name === "help") write(usageOf(command.about));
  else if (command.name === "version") write(`${version}\n`);
  // Only now: to print a help nobody should have to wait for a server.
  else if (command.name === "kinds") await (await import("./kinds.ts")).kinds(command.options, { write, signal: ending() });
  else await (await import("./up.ts")).up(command.options, { write, isTerminal: process.stdout.isTTY, signal: ending() });
  return 0;
}

// Nobody may be listening any more, a pager that was left for one; there is still something to put away.
process.stdout.on("error", () => undefined);
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(
      `drover: ${isCommandError(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
