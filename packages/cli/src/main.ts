#!/usr/bin/env node
/** The `drover` command: parses the command line, runs the command, and sets the exit code. */
import { isCommandError } from "./command-error.ts";
import { parseCommandLine } from "./command-line.ts";
import { endSignal } from "./end-signal.ts";
import { lines } from "./terminal-text.ts";
import { usageOf } from "./usage.ts";
import { version } from "./version.ts";

const ending = (): AbortSignal => endSignal(process, { hurry: () => process.exit(130), now: () => performance.now() });

/** Messages quote arguments, files and answers of servers. */
const complain = (message: string): void => void process.stderr.write(`drover: ${lines(message)}\n`);

/** Returns the exit code: 0 on success, also when stopped by a signal; 1 on failure; 2 for an invalid command line. */
async function main(words: readonly string[]): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text);
  const command = parseCommandLine(words);
  if (command.name === "mistake") {
    complain(command.message);
    return 2;
  }
  if (command.name === "help") write(usageOf(command.about));
  else if (command.name === "version") write(`${version}\n`);
  // Loaded on demand, so that --help does not load a server.
  else if (command.name === "kinds") await (await import("./kinds.ts")).kinds(command.options, { write, signal: ending() });
  else await (await import("./up.ts")).up(command.options, { write, warn: complain, isTerminal: process.stdout.isTTY, signal: ending() });
  return 0;
}

// The reader of the output may be gone (a pager that was quit); cleanup must still run.
process.stdout.on("error", () => undefined);
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    complain(isCommandError(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  },
);
