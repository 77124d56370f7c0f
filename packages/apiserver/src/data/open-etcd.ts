/** A store on the etcd of a cluster, as programs configure it. */
import { readFileSync } from "node:fs";
import { errorText } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import { nodeHost } from "../http/node-host.ts";
import { EtcdClient } from "../storage/etcd/etcd-client.ts";
import { EtcdStore } from "../storage/etcd/etcd-store.ts";
import { EtcdAddressError } from "../storage/etcd/etcd-transport.ts";
import { connectEtcd } from "../storage/etcd/grpc-transport.ts";
import { dataQuota } from "../storage/memory-store.ts";
import { historyBytes } from "../storage/store-log.ts";
import { StoreRefusedError, StoreUnavailableError } from "../storage/store.ts";
import type { Store } from "../storage/store.ts";
import { encryptedValues } from "./encrypted-values.ts";
import { encryptionConfig, EncryptionConfigError } from "./encryption-config.ts";
import type { EncryptionConfig } from "./encryption-config.ts";
import { etcdObjectValues } from "./etcd-object-values.ts";

/** Where etcd is. Names and defaults are those of kube-apiserver's flags. */
export interface EtcdOptions {
  /** Addresses of the members: "http://127.0.0.1:2379". At least one. */
  readonly servers: readonly string[];
  /** The beginning of all keys. @default "/registry" */
  readonly prefix?: string;
  /** File of the authorities that etcd's certificate comes from. @default those of Node */
  readonly caFile?: string;
  /** File of a client certificate; needs `keyFile`. @default none */
  readonly certFile?: string;
  /** File of the key of the certificate. @default none */
  readonly keyFile?: string;
  /** A user of etcd. @default none */
  readonly user?: { readonly name: string; readonly password: string };
  /** File with an EncryptionConfiguration, which is read once. @default new values are not encrypted, and encrypted ones not read */
  readonly encryptionConfigFile?: string;
  /** Time between compactions of etcd's history, of which one server at a time takes care. @default 5 min */
  readonly compactionMs?: number;
}

/**
 * Opens the store and reads all objects into memory. Rejects with an `EtcdAddressError` that says why it cannot be used and what to do.
 * Needs the package `@grpc/grpc-js`.
 */
export async function openEtcd(
  { servers, prefix = "/registry", caFile, certFile, keyFile, user, encryptionConfigFile, compactionMs }: EtcdOptions,
  { clock, log, metrics }: Pick<Runtime, "clock" | "log" | "metrics">,
): Promise<Store> {
  if (!/^\/[\x21-\x7e]*[^/]$/.test(prefix))
    throw new EtcdAddressError(`the prefix of keys "${prefix}" must start with / and not end with it, such as /registry`);
  const tls = {
    ...(caFile === undefined ? {} : { ca: fileText(caFile) }),
    ...(certFile === undefined ? {} : { certificate: fileText(certFile) }),
    ...(keyFile === undefined ? {} : { key: fileText(keyFile) }),
  };
  const config: EncryptionConfig = encryptionConfigFile === undefined ? new Map() : encryptionOf(encryptionConfigFile);
  const roots = { served: "/registry", stored: prefix };
  const values = etcdObjectValues(clock);
  const transports = connectEtcd(servers, { clock, tls });
  const heapBytesMax = nodeHost.heapBytesMax ?? Infinity;
  try {
    return await EtcdStore.open({
      client: new EtcdClient({ clock, transports, ...(user === undefined ? {} : { user }) }),
      values: encryptedValues(values, { config, roots, resourceOf: values.resourceOf }),
      roots,
      clock,
      log,
      metrics,
      quotaBytes: Math.min(dataQuota.limit, heapBytesMax / 4),
      historyBytes: Math.min(historyBytes.limit, heapBytesMax / 16),
      ...(compactionMs === undefined ? {} : { compactionMs }),
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) && !(error instanceof StoreRefusedError)) throw error;
    throw new EtcdAddressError(`the store on etcd cannot be opened: ${error.message.replace(/^etcdserver: request timed out: /, "")}`, {
      cause: error,
    });
  }
}

function encryptionOf(path: string): EncryptionConfig {
  try {
    return encryptionConfig(fileText(path));
  } catch (error) {
    if (!(error instanceof EncryptionConfigError)) throw error;
    throw new EtcdAddressError(`the encryption configuration ${path} cannot be used: ${error.message}`, { cause: error });
  }
}

function fileText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new EtcdAddressError(`the file ${path} for etcd cannot be read: ${errorText(error)}`, { cause: error });
  }
}
