/** The options of the etcd of `drover envtest`, from flags of etcd 3.6. */
import { resolve } from "node:path";
import { CommandError } from "../command-error.ts";
import { readGoFlags } from "../go-flags.ts";
import type { GivenFlags, GoFlag } from "../go-flags.ts";

/** Options of the etcd of `drover envtest`. */
export interface EtcdOptions {
  /** Where it listens. @default 127.0.0.1:2379 */
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  /** Absolute path of the folder in which API servers keep their data. @default "default.etcd" in the current folder */
  readonly folder: string;
  /** "never" for `--unsafe-no-fsync`. @default "asked" */
  readonly syncs: "asked" | "never";
  /** The process without which it stops. @default none */
  readonly parent: number | undefined;
}

/** A flag, and its line in the help. */
export interface EtcdFlag extends GoFlag {
  readonly help: string;
}

const value = (help: string): EtcdFlag => ({ type: "value", help });
const oneMember = "without effect: there is one member";
const noLog = "without effect: nothing is logged";
const ownHistory = "without effect: the API server bounds its history";

/** All flags; others are refused. */
export const etcdFlags: Readonly<Record<string, EtcdFlag>> = {
  "listen-client-urls": value("URLs to listen on: http, with an address (default http://127.0.0.1:2379)"),
  "data-dir": value("folder in which the API server keeps its data (default default.etcd)"),
  "unsafe-no-fsync": { type: "switch", help: "writes survive the process, but not a power loss; faster" },
  "exit-with-parent": value("stop when this process is no longer the parent; not a flag of etcd"),
  "advertise-client-urls": value(oneMember),
  "listen-peer-urls": value(oneMember),
  name: value(oneMember),
  "initial-advertise-peer-urls": value(oneMember),
  "initial-cluster": value(oneMember),
  "initial-cluster-state": value(oneMember),
  "initial-cluster-token": value(oneMember),
  "heartbeat-interval": value(oneMember),
  "election-timeout": value(oneMember),
  "snapshot-count": value(ownHistory),
  "auto-compaction-mode": value(ownHistory),
  "auto-compaction-retention": value(ownHistory),
  logger: value(noLog),
  "log-level": value(noLog),
  "log-outputs": value(noLog),
  version: { type: "switch", help: "print the version of etcd whose flags these are" },
  help: { type: "switch", short: "h", help: "print this text" },
};

/** Throws a `CommandError` that names the flag and the fix. */
export function readEtcdOptions(words: readonly string[]): EtcdOptions | "help" | "version" {
  const given = readGoFlags("drover envtest etcd", etcdFlags, words);
  if (typeof given === "string") throw new CommandError(given);
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  if (last("help") === "true") return "help";
  if (last("version") === "true") return "version";
  const folder = last("data-dir") ?? "default.etcd";
  if (folder === "") throw new CommandError("--data-dir needs the path of a folder");
  const parent = last("exit-with-parent");
  if (parent !== undefined && !/^[1-9]\d{0,9}$/.test(parent))
    throw new CommandError(`--exit-with-parent needs a process id, not "${parent}"`);
  return {
    addresses: addressesOf(given),
    folder: resolve(folder),
    syncs: last("unsafe-no-fsync") === "true" ? "never" : "asked",
    parent: parent === undefined ? undefined : Number(parent),
  };
}

function addressesOf(given: GivenFlags): EtcdOptions["addresses"] {
  const urls = given.get("listen-client-urls")?.at(-1) ?? "http://127.0.0.1:2379";
  return urls.split(",").map((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const port = /:(\d{1,5})\/?$/.exec(text)?.[1];
    if (url?.protocol !== "http:" || port === undefined)
      throw new CommandError(`--listen-client-urls needs URLs such as http://127.0.0.1:2379, without TLS and with a port, not "${text}"`);
    return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
  });
}
