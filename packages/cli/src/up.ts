/**
 * `drover up`: a Kubernetes on this machine until somebody ends it.
 *
 *     options → kubeconfig file taken → server ready → kubeconfig written, greeting → nodes, objects of --apply, programs of --run
 *                                                          → signal → all of it ended, kubeconfig removed
 */
import { readFileSync } from "node:fs";
import { Node, Pod } from "@drover/api/core/v1";
import { createTape } from "@drover/controller";
import { promptPods, startCluster, unhurriedPods } from "@drover/dev-cluster";
import type { DevCluster } from "@drover/dev-cluster";
import { poll } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import type { NodeRuntime } from "drover";
import { applyFiles } from "./apply-files.ts";
import { CommandError } from "./command-error.ts";
import type { UpOptions } from "./command-line.ts";
import { findProgram } from "./find-program.ts";
import { greeting, greetingAsJson } from "./greeting.ts";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";
import type { LocalServer } from "./local-server.ts";
import { runBeside } from "./programs-beside.ts";
import { podHappenings } from "./story/pod-happenings.ts";
import { printTold, printToldAsJson } from "./story/print-told.ts";
import { Story } from "./story/story.ts";
import { tellRequests } from "./story/tell-requests.ts";
import { tellingTape } from "./story/telling-tape.ts";

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
  const running = server.run(over);
  try {
    await file.write(localKubeconfig(server, process.pid));
    const facts = { url: server.url, kubeconfig: file.path, startedInMs: performance.now(), hasKubectl: findProgram("kubectl", process) !== undefined, platform: process.platform, nodes: options.nodes, ...(hints === undefined ? {} : { hints }) };
    write(form === "json" ? greetingAsJson(facts) : greeting(facts));
    await live(options, { server, runtime, story, kubeconfig: file.path, signal: over });
    story.flush();
    if (form !== "json") write("\nEnded.\n");
  } finally {
    ending.abort();
    await running;
    file.remove();
  }
}

interface LivePlace {
  readonly server: LocalServer;
  readonly runtime: NodeRuntime;
  readonly story: Story;
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
}

/** Controllers, nodes, objects and programs, until the signal. */
async function live({ nodes, instant, apply, run, story: form }: UpOptions, { server, runtime, story, kubeconfig, signal }: LivePlace): Promise<void> {
  const { tell } = story;
  const isTold = form !== "none";
  const cluster = await startCluster({
    runtime, on: server.server, authorityPem: server.authorityPem, nodes, pods: instant ? promptPods : unhurriedPods, ...(isTold ? { tape: tellingTape(createTape(runtime), tell) } : {}),
  });
  if (isTold) tellPods(cluster, story);
  try {
    await allReady(cluster, runtime, signal);
    await applyFiles(apply, { transport: named(tellRequests(cluster.transport, tell)), runtime });
    await Promise.all([untilAborted(signal), ...run.map((command) => runBeside(command, { kubeconfig, tell, signal }))]);
  } finally {
    await cluster.stop();
  }
}

function tellPods({ manager }: DevCluster, story: Story): void {
  const { informer } = manager.cluster.informers.acquire(Pod, { keepManagedFields: false });
  informer.addHandler((change) => {
    const happenings = change.type === "deleted" ? podHappenings(change.object, undefined) : podHappenings(change.type === "updated" ? change.before : undefined, change.object);
    for (const happening of happenings) story.tell(happening);
  }, { name: "the story of pods" });
}

/** What is applied at the start is told as somebody's deed. */
function named(transport: Transport): Transport {
  return (request) => transport({ ...request, headers: { ...request.headers, "user-agent": "drover-up" } });
}

/** Until pods can be put on all of them: whoever comes earlier is put on the first. */
async function allReady({ manager, kubelets }: DevCluster, { clock }: NodeRuntime, signal: AbortSignal): Promise<void> {
  const { informer } = manager.cluster.informers.acquire(Node, { keepManagedFields: false });
  const count = kubelets.nodes.length;
  const isReady = (): boolean => informer.list().filter(({ spec }) => (spec?.taints ?? []).length === 0).length >= count;
  await poll(clock, { interval: 20, immediate: true, signal }, isReady).catch(() => undefined);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function readHints(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`--greeting: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
