#!/usr/bin/env node
/** The `drover` command: parses the command line, runs the command, and sets the exit code. */
import { errorStack, errorText } from "@drover/machinery";
import type { AskPlace } from "./ask/reach-operator.ts";
import { isCommandError } from "./command-error.ts";
import { parseCommandLine } from "./command-line.ts";
import { commandsIn } from "./completion/command-flags.ts";
import { hasColor } from "./has-color.ts";
import { endSignal } from "./end-signal.ts";
import { output } from "./output.ts";
import { asPlugin, invocation } from "./program-name.ts";
import { lines } from "./terminal-text.ts";
import { isTool, runTool } from "./tool-command.ts";
import { usageNamed, usageOf } from "./usage.ts";
import { etcdVersion, kubernetesVersion, version } from "./version.ts";
import { codedText } from "@drover/machinery/codes";

const ending = (): AbortSignal => endSignal(process, { hurry: () => process.exit(130), now: () => performance.now() });

const versions = { drover: version, Kubernetes: `Kubernetes ${kubernetesVersion}`, etcd: `etcd Version: ${etcdVersion}` } as const;

const timer = (delayMs: number, callback: () => void): (() => void) => {
  const handle = setTimeout(callback, delayMs);
  return () => clearTimeout(handle);
};

const { program, words: given } = invocation(process.argv);
/** As kubectl's plugin the commands have other names. */
const typed = (text: string): string =>
  program === "drover"
    ? text
    : asPlugin(
        text,
        commandsIn(usageOf("drover")).map(({ name }) => name),
      );

/** Messages quote arguments, files and answers of servers. */
const complain = (message: string): void => void process.stderr.write(`${program}: ${typed(lines(message))}\n`);

/**
 * Returns the exit code: 0 on success, also when stopped by a signal or because the reader of `drover up` is gone; 1 on failure; 2 for an
 * invalid command line; 3 if there is no operator to ask.
 */
async function main(words: readonly string[]): Promise<number> {
  const write = (text: string): void => void process.stdout.write(text);
  const command = parseCommandLine(words);
  if (command.name === "mistake") {
    complain(command.message);
    return 2;
  }
  if (isTool(command)) return await runTool(command, { write, warn: complain, help: usageNamed, ending });
  if (command.name === "help" || command.name === "tool help") write(typed(usageOf(command.about)));
  else if (command.name === "version") write(`${versions[command.of]}\n`);
  // Loaded on demand, so that --help does not load a server.
  else if (command.name === "kinds") await (await import("./kinds.ts")).kinds(command.options, { write, signal: ending() });
  else if (command.name === "migrate")
    await (await import("./migrate.ts")).migrate(command.options, { write, isTerminal: process.stdout.isTTY, signal: ending() });
  else if (command.name === "data") return await (await import("./data.ts")).data(command.options, { ...process, warn: complain });
  else if (command.name === "ask") return await (await import("./ask/ask.ts")).ask(command.options, await askPlace(write));
  else if (command.name === "tape") return await (await import("./ask/tape.ts")).tape(command.options, await askPlace(write));
  else if (command.name === "reconcile")
    return await (await import("./ask/reconcile.ts")).reconcile(command.options, await askPlace(write));
  else if (command.name === "envtest path") {
    const { printEnvtestPath } = await import("./envtest/envtest.ts");
    const { env, execPath, argv, platform } = process;
    const help = { apiserver: usageOf("apiserver"), etcd: usageOf("envtest etcd") };
    printEnvtestPath({ write, env, execPath, command: argv[1] ?? "", platform, uid: process.getuid?.(), version, help });
  } else if (command.name === "envtest etcd") {
    const { etcd } = await import("./envtest/etcd.ts");
    await etcd(command.options, { clock: { timer }, parent: () => process.ppid, signal: ending() });
  } else if (command.name === "apiserver") {
    const { apiserver } = await import("./apiserver/apiserver.ts");
    const { write: writeOn } = output(process.stdout);
    await apiserver(command.options, { write: writeOn, warn: complain, parent: () => process.ppid, signal: ending() });
  } else {
    const { write: writeOn, gone } = output(process.stdout);
    const signal = AbortSignal.any([ending(), gone]);
    await (
      await import("./up.ts")
    ).up(command.options, { write: writeOn, warn: complain, hasColor: hasColor(process.stdout, process.env), signal });
  }
  return 0;
}

async function askPlace(write: (text: string) => void): Promise<AskPlace> {
  const [{ connectQuietly, quietClock: clock }, { terminalOf }] = await Promise.all([
    import("./ask/connect-quietly.ts"),
    import("./ask/terminal.ts"),
  ]);
  const { env } = process;
  const terminal = terminalOf(process.stdin, process.stdout, { exit: process, env });
  return { write, warn: complain, env, clock: clock(), terminal, connect: connectQuietly, signal: ending() };
}

// The reader of the output may be gone (a pager that was quit); cleanup must still run.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
main(given).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    complain(isCommandError(error) ? codedText(error) : (errorStack(error) ?? errorText(error)));
    process.exitCode = 1;
  },
);
