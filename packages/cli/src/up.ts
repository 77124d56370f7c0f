/**
 * `drover up`: a Kubernetes on this machine until somebody ends it.
 *
 *     options → kubeconfig file taken → server ready → kubeconfig written, greeting → nodes, objects of --apply, programs of --run
 *                                                          → signal → all of it ended, kubeconfig removed
 */
import { readFileSync } from "node:fs";
import { nodeRuntime } from "drover";
import { CommandError } from "./command-error.ts";
import type { UpOptions } from "./command-line.ts";
import { findProgram } from "./find-program.ts";
import { greeting, greetingAsJson } from "./greeting.ts";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";
import { printTold, printToldAsJson } from "./story/print-told.ts";
import { Story } from "./story/story.ts";
import { tellRequests } from "./story/tell-requests.ts";

export interface UpPlace {
  /** Takes what is for people. */
  readonly write: (text: string) => void;
  /** Whether `write` leads to a terminal. */
  readonly isTerminal: boolean;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** Resolves when everything has ended because of the signal. Rejects with a `CommandError` when it cannot be started. */
export async function up(options: UpOptions, { write, isTerminal, signal }: UpPlace): Promise<void> {
  const { host, port, anonymous, kubeconfig, story: form } = options;
  const hints = options.greeting === undefined ? undefined : readHints(options.greeting);
  const file = takeKubeconfigFile(kubeconfig);
  // What goes wrong in a run is part of the story.
  const runtime = nodeRuntime({ write: () => undefined });
  const story = new Story({ clock: runtime.clock, write: (told) => (form === "none" ? undefined : write(form === "json" ? printToldAsJson(told) : printTold(told, { isTerminal }))) });
  const server = await startLocalServer({ host, port, anonymous, runtime, through: (transport) => tellRequests(transport, story.tell) });
  const ending = new AbortController();
  const over = AbortSignal.any([signal, ending.signal]);
  // The server outlives what lives on it, which could not come to its end without.
  const running = server.run(ending.signal);
  try {
    await file.write(localKubeconfig(server, process.pid));
    const facts = { url: server.url, kubeconfig: file.path, startedInMs: performance.now(), hasKubectl: findProgram("kubectl", process) !== undefined, platform: process.platform, nodes: options.nodes, ...(hints === undefined ? {} : { hints }) };
    write(form === "json" ? greetingAsJson(facts) : greeting(facts));
    // Loaded late: whoever waits for the server waits for nothing of it.
    const { live } = await import("./live.ts");
    await live(options, { server, runtime, story, kubeconfig: file.path, signal: over });
    story.flush();
    if (form !== "json") write("\nEnded.\n");
  } finally {
    ending.abort();
    await running;
    file.remove();
  }
}

function readHints(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`--greeting: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
