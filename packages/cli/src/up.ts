/**
 * `drover up`: runs a Kubernetes on this machine until it is stopped.
 *
 *     options → reserve kubeconfig file → server ready, kubeconfig written → nodes, objects of --apply → greeting → programs of --run
 *                                                          → signal → everything stopped, kubeconfig removed
 */
import { readFileSync } from "node:fs";
import { admissionPluginProblem } from "@drover/apiserver";
import type { AdmissionPluginChoice, Store } from "@drover/apiserver";
import { DataFolderError, EtcdAddressError, openDataFolder, openEtcd } from "@drover/apiserver/node";
import type { DataFolder } from "@drover/apiserver/node";
import { definedOnly, errorText, isInstanceOf } from "@drover/machinery";
import { nodeRuntime } from "drover";
import type { NodeRuntime } from "drover";
import { openAuditLog } from "./audit-log.ts";
import { CommandError } from "./command-error.ts";
import type { UpEtcd, UpOptions } from "./command-line.ts";
import { findProgram } from "./find-program.ts";
import { greeting, greetingAsJson } from "./greeting.ts";
import { takeKubeconfigFile } from "./kubeconfig-file.ts";
import { localKubeconfig } from "./local-kubeconfig.ts";
import { startLocalServer } from "./local-server.ts";
import { addressWarning } from "./open-address.ts";
import { runBeside } from "./programs-beside.ts";
import { lines } from "./terminal-text.ts";
import { wrapWords } from "./wrap-words.ts";
import type { Report } from "./changes/change-line.ts";
import { printLine, printLineAsJson } from "./changes/print-line.ts";
import { KindWords } from "./changes/kind-words.ts";
import { LineGrouper } from "./changes/line-grouper.ts";
import { reportRequests } from "./changes/report-requests.ts";

/** Output and signal of `drover up`. */
export interface UpPlace {
  /** Receives the output. */
  readonly write: (text: string) => void;
  /** Receives warnings, which are no part of the output. */
  readonly warn: (message: string) => void;
  /** Whether the lines may have colours. */
  readonly hasColor: boolean;
  /** Stops everything. */
  readonly signal: AbortSignal;
}

/** Resolves when everything has stopped after the signal. Rejects with a `CommandError` if it cannot start. */
export async function up(options: UpOptions, { write, warn, hasColor, signal }: UpPlace): Promise<void> {
  const { host, port, anonymous, authorizationModes, kubeconfig, nodes, run, output: form } = options;
  const admissionPlugins = pluginsOf(options);
  const hints = options.greeting === undefined ? undefined : readHints(options.greeting);
  const file = await takeKubeconfigFile(kubeconfig);
  // Failed runs are printed as changes, so the log is discarded.
  const runtime = nodeRuntime({ write: () => undefined });
  // Changes before the greeting are printed after it.
  let before: string[] | undefined = [];
  const writeLine = (line: string): void => void (before === undefined ? write(line) : before.push(line));
  const grouper = new LineGrouper({
    clock: runtime.clock,
    write: (group) => writeLine(form === "json" ? printLineAsJson(group) : printLine(group, { hasColor })),
  });
  const story = storyOf(form, grouper);
  const log = options.audit === undefined ? undefined : await openAuditLog(options.audit, { write, now: () => runtime.clock.now() });
  const stores = await openStores(options, runtime);
  const server = await startLocalServer({
    host,
    port,
    anonymous,
    authorizationModes,
    admissionPlugins,
    runtime,
    ...definedOnly({ audit: log?.options, data: stores.data, store: stores.etcd }),
    through: (transport) => (form === "none" ? transport : reportRequests(transport, story)),
  }).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  const warning = addressWarning(options, file.path);
  if (warning !== undefined) warn(warning);
  const ending = new AbortController();
  const over = AbortSignal.any([signal, ending.signal]);
  const programs: Promise<void>[] = [];
  const onReady = (): void => {
    if (over.aborted) return;
    const facts = {
      url: server.url,
      kubeconfig: file.path,
      startedInMs: performance.now(),
      hasKubectl: findProgram("kubectl", process) !== undefined,
      platform: process.platform,
      nodes,
      ...definedOnly({ hints, data: options.data ?? options.etcd?.servers.join(", ") }),
    };
    write(form === "json" ? greetingAsJson(facts) : lines(greeting(facts)));
    for (const line of before ?? []) write(line);
    before = undefined;
    programs.push(...run.map((command) => runBeside(command, { kubeconfig: file.path, report: grouper.report, signal: over })));
  };
  // The server stops last, because the rest needs it to shut down.
  const serving = new AbortController();
  const running = server.run(serving.signal);
  try {
    file.write(localKubeconfig(server, process.pid));
    if (!over.aborted) await (await import("./live.ts")).live(options, { server, runtime, ...story, warn, onReady, signal: over });
    await Promise.all(programs);
    grouper.flush();
    if (form !== "json") write("\nEnded.\n");
  } finally {
    ending.abort();
    await Promise.all(programs);
    serving.abort();
    await running;
    await stores.close();
    await log?.close();
    file.remove();
  }
}

/** Returns where changes go; --quiet leaves only the lines of programs. */
function storyOf(form: UpOptions["output"], grouper: LineGrouper): { readonly report: Report; readonly kinds: KindWords } {
  return { report: form === "none" ? () => undefined : grouper.report, kinds: new KindWords() };
}

/** Where the objects are, if not in memory. */
interface UpStores {
  readonly data: DataFolder | undefined;
  readonly etcd: Store | undefined;
  readonly close: () => Promise<void>;
}

async function openStores({ data: folder, etcd: address }: UpOptions, runtime: NodeRuntime): Promise<UpStores> {
  const data = folder === undefined ? undefined : await openData(folder, runtime);
  const etcd = address === undefined ? undefined : await openStore(address, runtime);
  return {
    data,
    etcd,
    close: async () => {
      etcd?.close();
      await data?.close();
    },
  };
}

async function openData(path: string, runtime: NodeRuntime): Promise<DataFolder> {
  try {
    return await openDataFolder(path, { runtime });
  } catch (error) {
    if (isInstanceOf(error, DataFolderError)) throw new CommandError(`--data: ${error.message}`, { cause: error });
    throw error;
  }
}

async function openStore(options: UpEtcd, runtime: NodeRuntime): Promise<Store> {
  try {
    return await openEtcd(options, runtime);
  } catch (error) {
    if (isInstanceOf(error, EtcdAddressError)) throw new CommandError(`--etcd: ${error.message}`, { cause: error });
    throw error;
  }
}

function readHints(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new CommandError(`--greeting: ${path} cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** ServiceAccount runs beside the default plug-ins: live.ts runs the controller that it needs. */
function pluginsOf({ enableAdmissionPlugins: enable, disableAdmissionPlugins: disable }: UpOptions): AdmissionPluginChoice {
  const lists = { enable: "--enable-admission-plugins", disable: "--disable-admission-plugins" };
  const problem = admissionPluginProblem({ enable, disable }, lists);
  if (problem !== undefined) throw new CommandError(wrapWords(problem));
  return { enable: disable.includes("ServiceAccount") ? enable : [...enable, "ServiceAccount"], disable };
}
