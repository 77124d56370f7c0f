/**
 * Parses the arguments of `drover`.
 *
 *     arguments → parseCommandLine → Command: what to do, or what is wrong with the arguments
 */
import { isIP } from "node:net";
import type { AuthorizationMode } from "@drover/apiserver";
import { definedOnly } from "@drover/machinery";
import { readApiserverOptions } from "./apiserver/apiserver-options.ts";
import type { ApiserverOptions } from "./apiserver/apiserver-options.ts";
import { questions, readAskOptions } from "./ask/ask-options.ts";
import type { AskOptions, Question } from "./ask/ask-options.ts";
import { readReconcileOptions } from "./ask/reconcile-options.ts";
import type { ReconcileOptions } from "./ask/reconcile-options.ts";
import { readTapeOptions } from "./ask/tape-options.ts";
import type { TapeOptions } from "./ask/tape-options.ts";
import { readAudit } from "./audit-options.ts";
import type { UpAudit } from "./audit-options.ts";
import { readModes } from "./authorization-modes.ts";
import { isCommandError } from "./command-error.ts";
import { readEtcdOptions } from "./envtest/etcd-options.ts";
import type { EtcdOptions } from "./envtest/etcd-options.ts";
import { isLoopback } from "./open-address.ts";
import { readOptions } from "./read-options.ts";
import type { Flags } from "./read-options.ts";
import { parseTool } from "./tool-command.ts";
import type { ToolCommand, ToolHelp } from "./tool-command.ts";

/** Options of `drover up`. */
export interface UpOptions {
  /** Address to listen on. @default "127.0.0.1" */
  readonly host: string;
  /** Port to listen on; 0 is any free port. @default 0 */
  readonly port: number;
  /** Path of the kubeconfig; undefined is `.drover/kubeconfig` in the current folder. @default undefined */
  readonly kubeconfig: string | undefined;
  /** Whether requests without credentials may do everything. @default false: they may ask for health and version */
  readonly anonymous: boolean;
  /** Who decides what users may do, in order. @default ["Node", "RBAC"] */
  readonly authorizationModes: readonly AuthorizationMode[];
  /** Admission plug-ins to run beside the default ones. @default none */
  readonly enableAdmissionPlugins: readonly string[];
  /** Default admission plug-ins not to run. @default none */
  readonly disableAdmissionPlugins: readonly string[];
  /** Number of simulated nodes. @default 3 */
  readonly nodes: number;
  /** Whether pods start, stop and finish immediately. @default false: with delays of a small cluster, so that people can follow */
  readonly instant: boolean;
  /** Files and folders of objects to apply at the start. @default none */
  readonly apply: readonly string[];
  /** Commands to run beside the cluster. @default none */
  readonly run: readonly string[];
  /** File with lines for the greeting. @default undefined */
  readonly greeting: string | undefined;
  /** How changes are printed: lines for people, JSON, or not at all. @default "text" */
  readonly output: "text" | "json" | "none";
  /** The audit log. @default none */
  readonly audit: UpAudit | undefined;
  /** Folder in which the cluster survives the process. @default undefined: everything is in memory */
  readonly data: string | undefined;
  /** The etcd in which the cluster is. @default undefined: everything is in memory */
  readonly etcd: UpEtcd | undefined;
}

/** Options of a store on etcd, as those of kube-apiserver. */
export interface UpEtcd {
  /** Addresses of the members. */
  readonly servers: readonly string[];
  /** The beginning of all keys. @default "/registry" */
  readonly prefix?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** File with kube-apiserver's EncryptionConfiguration. */
  readonly encryptionConfigFile?: string;
}

/** Options of `drover kinds`. */
export interface KindsOptions {
  /** Files with definitions; empty with `--from-cluster`. */
  readonly files: readonly string[];
  /** Cluster to read the definitions from; undefined if files are given. */
  readonly cluster: { readonly kubeconfig: string | undefined; readonly context: string | undefined } | undefined;
  /** Only definitions of these groups. @default all */
  readonly groups: readonly string[];
  /** Output folder; undefined is standard output. @default undefined */
  readonly out: string | undefined;
}

/** Options of `drover migrate`. */
export interface MigrateOptions {
  /** Names of definitions, "widgets.shop.example.com"; empty for all that have older stored versions. */
  readonly definitions: readonly string[];
  /** Whether to let the server check every object, and write nothing. @default false */
  readonly isDryRun: boolean;
  /** Objects per list request. @default 500 */
  readonly chunkSize: number;
  /** Kubeconfig of the cluster. @default the one kubectl uses */
  readonly kubeconfig: string | undefined;
  /** Context of the kubeconfig. @default the current one */
  readonly context: string | undefined;
}

/** Options of `drover data`. */
export interface DataOptions {
  readonly action: "export" | "import" | "verify" | "compact";
  /** The data folder. */
  readonly folder: string;
  /** File of an export; undefined is standard output or input. @default undefined */
  readonly file: string | undefined;
}

/** Topic of the help. */
export type HelpTopic =
  | Question
  | "tape"
  | "reconcile"
  | "drover"
  | "up"
  | "kinds"
  | "migrate"
  | "data"
  | "apiserver"
  | "envtest"
  | "envtest etcd";

/** A parsed command. */
export type Command =
  | { readonly name: "help"; readonly about: HelpTopic }
  | ToolHelp
  | ToolCommand
  | { readonly name: "version"; readonly of: "drover" | "Kubernetes" | "etcd" }
  | { readonly name: "up"; readonly options: UpOptions }
  | { readonly name: "kinds"; readonly options: KindsOptions }
  | { readonly name: "migrate"; readonly options: MigrateOptions }
  | { readonly name: "data"; readonly options: DataOptions }
  | { readonly name: "apiserver"; readonly options: ApiserverOptions }
  | { readonly name: "ask"; readonly options: AskOptions }
  | { readonly name: "tape"; readonly options: TapeOptions }
  | { readonly name: "reconcile"; readonly options: ReconcileOptions }
  | { readonly name: "envtest path" }
  | { readonly name: "envtest etcd"; readonly options: EtcdOptions }
  | { readonly name: "mistake"; readonly message: string };

const upFlags: Flags = {
  host: { type: "string" },
  port: { type: "string" },
  kubeconfig: { type: "string" },
  anonymous: { type: "boolean" },
  "authorization-mode": { type: "string" },
  "allow-everyone": { type: "boolean" },
  "enable-admission-plugins": { type: "string" },
  "disable-admission-plugins": { type: "string" },
  nodes: { type: "string" },
  instant: { type: "boolean" },
  apply: { type: "string" },
  run: { type: "string" },
  greeting: { type: "string" },
  json: { type: "boolean" },
  quiet: { type: "boolean" },
  "audit-policy-file": { type: "string" },
  "audit-log-path": { type: "string" },
  "audit-log-maxsize": { type: "string" },
  "audit-log-maxbackup": { type: "string" },
  "audit-log-maxage": { type: "string" },
  data: { type: "string" },
  etcd: { type: "string" },
  "etcd-prefix": { type: "string" },
  "etcd-cafile": { type: "string" },
  "etcd-certfile": { type: "string" },
  "etcd-keyfile": { type: "string" },
  "encryption-provider-config": { type: "string" },
  help: { type: "boolean", short: "h" },
};
const kindsFlags: Flags = {
  "from-cluster": { type: "boolean" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  group: { type: "string" },
  out: { type: "string" },
  help: { type: "boolean", short: "h" },
};
const migrateFlags: Flags = {
  all: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "chunk-size": { type: "string" },
  kubeconfig: { type: "string" },
  context: { type: "string" },
  help: { type: "boolean", short: "h" },
};

/** Parses the arguments. Never throws: invalid arguments give a "mistake" whose message says how to fix them. */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  const tool = parseTool(words);
  if (tool !== undefined) return tool;
  if (first === "up") return parseUp(rest);
  if (first === "kinds") return parseKinds(rest);
  if (first === "migrate") return parseMigrate(rest);
  if (first === "data") return parseData(rest);
  if (first === "apiserver") return parseApiserver(rest);
  if (first === "envtest") return parseEnvtest(rest);
  if (first === "tape") return parseTape(rest);
  if (first === "reconcile") return parseReconcile(rest);
  const question = questions.find((known) => known === first);
  if (question !== undefined) return parseAsk(question, rest);
  if (first === "--version" || first === "-V" || first === "version") return { name: "version", of: "drover" };
  if (first === undefined) return mistake("no command given; drover up starts a local Kubernetes, drover --help lists all commands");
  if (first === "--help" || first === "-h" || first === "help")
    return { name: "help", about: topics.find((topic) => topic === rest[0]) ?? "drover" };
  return mistake(`unknown ${first.startsWith("-") ? "option" : "command"} "${first}"; see drover --help`);
}

function parseUp(words: readonly string[]): Command {
  const read = readOptions("drover up", upFlags, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest } = read;
  if (rest[0] !== undefined) return mistake(`drover up takes only options, not "${rest[0]}"; see drover up --help`);
  if (given.has("help")) return { name: "help", about: "up" };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const host = hostOf(last("host") ?? "127.0.0.1");
  if (host === undefined) return mistake(`--host needs an address such as 127.0.0.1 or ::1, not "${last("host") ?? ""}"`);
  const port = portOf(last("port") ?? "0");
  if (port === undefined) return mistake(`--port needs a number from 0 to 65535, not "${last("port") ?? ""}"; 0 is any free port`);
  const nodes = nodesOf(last("nodes") ?? "3");
  if (nodes === undefined) return mistake(`--nodes needs a number from 0 to 250, not "${last("nodes") ?? ""}"`);
  const authorizationModes = readModes(last("authorization-mode") ?? "Node,RBAC", "--authorization-mode");
  if (typeof authorizationModes === "string") return mistake(authorizationModes);
  if (given.has("anonymous") && !isLoopback(host) && !given.has("allow-everyone"))
    return mistake(
      `--anonymous with --host ${host} lets everyone on your network read and change everything; use --host 127.0.0.1, or add --allow-everyone if you mean it`,
    );
  if (given.has("json") && given.has("quiet")) return mistake("--json and --quiet exclude each other");
  const output = given.has("json") ? "json" : given.has("quiet") ? "none" : "text";
  const audit = readAudit(last);
  if (typeof audit === "string") return mistake(audit);
  const etcd = etcdOf(last, listOf(given.get("etcd")));
  if (typeof etcd === "string") return mistake(etcd);
  return {
    name: "up",
    options: {
      host,
      port,
      kubeconfig: last("kubeconfig"),
      anonymous: given.has("anonymous"),
      authorizationModes,
      enableAdmissionPlugins: listOf(given.get("enable-admission-plugins")),
      disableAdmissionPlugins: listOf(given.get("disable-admission-plugins")),
      nodes,
      instant: given.has("instant"),
      apply: given.get("apply") ?? [],
      run: given.get("run") ?? [],
      greeting: last("greeting"),
      output,
      audit,
      data: last("data"),
      etcd,
    },
  };
}

/** Returns an error text for options that do not fit together. */
function etcdOf(last: (name: string) => string | undefined, servers: readonly string[]): UpEtcd | undefined | string {
  const [prefix, caFile, certFile, keyFile] = ["prefix", "cafile", "certfile", "keyfile"].map((name) => last(`etcd-${name}`));
  const encryptionConfigFile = last("encryption-provider-config");
  if (last("etcd") === undefined) {
    const lone = ["etcd-prefix", "etcd-cafile", "etcd-certfile", "etcd-keyfile", "encryption-provider-config"].find(
      (name) => last(name) !== undefined,
    );
    return lone === undefined ? undefined : `--${lone} has no effect without --etcd`;
  }
  if (servers.length === 0) return "--etcd needs the address of an etcd, such as http://127.0.0.1:2379, or several, separated by commas";
  if (last("data") !== undefined) return "--etcd and --data exclude each other: the cluster is in etcd or in a folder";
  return { servers, ...definedOnly({ prefix, caFile, certFile, keyFile, encryptionConfigFile }) };
}

function parseKinds(words: readonly string[]): Command {
  const read = readOptions("drover kinds", kindsFlags, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest: files } = read;
  if (given.has("help")) return { name: "help", about: "kinds" };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  const isCluster = given.has("from-cluster");
  if (isCluster && files[0] !== undefined) return mistake(`drover kinds takes files or --from-cluster, not both: "${files[0]}"`);
  if (!isCluster && files.length === 0)
    return mistake("drover kinds needs files with CustomResourceDefinitions, or --from-cluster; see drover kinds --help");
  const unused = ["kubeconfig", "context"].find((name) => !isCluster && given.has(name));
  if (unused !== undefined)
    return mistake(`--${unused} selects a cluster, but files are given: use --from-cluster instead of files, or remove the option`);
  const cluster = isCluster ? { kubeconfig: last("kubeconfig"), context: last("context") } : undefined;
  return { name: "kinds", options: { files, cluster, groups: given.get("group") ?? [], out: last("out") } };
}

function parseMigrate(words: readonly string[]): Command {
  const read = readOptions("drover migrate", migrateFlags, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest: definitions } = read;
  if (given.has("help")) return { name: "help", about: "migrate" };
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  if (given.has("all") && definitions[0] !== undefined)
    return mistake(`drover migrate takes names of definitions or --all, not both: "${definitions[0]}"`);
  if (!given.has("all") && definitions.length === 0)
    return mistake("drover migrate needs names of definitions such as widgets.shop.example.com, or --all; see drover migrate --help");
  const odd = definitions.find((name) => !/^[^./]+\.[^/]+$/.test(name));
  if (odd !== undefined)
    return mistake(`drover migrate needs names such as widgets.shop.example.com, not "${odd}"; kubectl get crd lists them`);
  const chunk = last("chunk-size") ?? "500";
  if (!/^[1-9]\d{0,5}$/.test(chunk)) return mistake(`--chunk-size needs a number from 1 to 999999, not "${chunk}"`);
  const isDryRun = given.has("dry-run");
  return {
    name: "migrate",
    options: { definitions, isDryRun, chunkSize: Number(chunk), kubeconfig: last("kubeconfig"), context: last("context") },
  };
}

const dataActions: readonly DataOptions["action"][] = ["export", "import", "verify", "compact"];

function parseData(words: readonly string[]): Command {
  const read = readOptions("drover data", { file: { type: "string" }, help: { type: "boolean", short: "h" } }, words);
  if (typeof read === "string") return mistake(read);
  const { given, rest } = read;
  if (given.has("help")) return { name: "help", about: "data" };
  const [first, folder, extra] = rest;
  const action = dataActions.find((known) => known === first);
  if (action === undefined)
    return mistake(`drover data needs one of ${dataActions.join(", ")}, not "${first ?? ""}"; see drover data --help`);
  if (folder === undefined || extra !== undefined) return mistake(`drover data ${action} needs one folder; see drover data --help`);
  const file = given.get("file")?.at(-1);
  if (file !== undefined && (action === "verify" || action === "compact"))
    return mistake(`--file has no effect for drover data ${action}; it is the export of drover data export and import`);
  return { name: "data", options: { action, folder, file } };
}

function parseAsk(question: Question, words: readonly string[]): Command {
  const options = readAskOptions(question, words);
  if (options === "help") return { name: "help", about: question };
  return "mistake" in options ? mistake(options.mistake) : { name: "ask", options };
}

function parseApiserver(words: readonly string[]): Command {
  return unlessMistaken(() => {
    const options = readApiserverOptions(words);
    if (options === "help") return { name: "help", about: "apiserver" };
    return options === "version" ? { name: "version", of: "Kubernetes" } : { name: "apiserver", options };
  });
}

function parseTape(words: readonly string[]): Command {
  const options = readTapeOptions(words);
  if (options === "help") return { name: "help", about: "tape" };
  return "mistake" in options ? mistake(options.mistake) : { name: "tape", options };
}

function parseReconcile(words: readonly string[]): Command {
  const options = readReconcileOptions(words);
  if (options === "help") return { name: "help", about: "reconcile" };
  return "mistake" in options ? mistake(options.mistake) : { name: "reconcile", options };
}

function parseEnvtest([first, ...rest]: readonly string[]): Command {
  if (first === "--help" || first === "-h") return { name: "help", about: "envtest" };
  if (first !== "path" && first !== "etcd")
    return mistake(`drover envtest needs one of path, etcd, not "${first ?? ""}"; see drover envtest --help`);
  if (first === "path") {
    if (rest[0] === "--help" || rest[0] === "-h") return { name: "help", about: "envtest" };
    return rest[0] === undefined ? { name: "envtest path" } : mistake(`drover envtest path takes no arguments, not "${rest[0]}"`);
  }
  return unlessMistaken(() => {
    const options = readEtcdOptions(rest);
    if (options === "help") return { name: "help", about: "envtest etcd" };
    return options === "version" ? { name: "version", of: "etcd" } : { name: "envtest etcd", options };
  });
}

function unlessMistaken(parse: () => Command): Command {
  try {
    return parse();
  } catch (error) {
    if (isCommandError(error)) return mistake(error.message);
    throw error;
  }
}

const topics: readonly HelpTopic[] = [...questions, "tape", "reconcile", "up", "kinds", "migrate", "data", "apiserver", "envtest"];
const hostOf = (text: string): string | undefined => (text === "localhost" ? "127.0.0.1" : isIP(text) > 0 ? text : undefined);
const portOf = (text: string): number | undefined => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined);
const nodesOf = (text: string): number | undefined => (/^\d{1,3}$/.test(text) && Number(text) <= 250 ? Number(text) : undefined);
/** Names between commas; of several options all count. */
const listOf = (values: readonly string[] = []): readonly string[] =>
  values.flatMap((value) => value.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])));
const mistake = (message: string): Command => ({ name: "mistake", message });
