/**
 * One API server as controllers see it: client, shared informers and read-your-writes. Two clusters in one process share
 * nothing.
 *
 *     Transport → createCluster → sources (informers), runs (client), manager (run)
 */
import { createInformerFactory } from "../informer/informer-factory.ts";
import { createReadYourWrites } from "../own-writes/read-your-writes.ts";
import { protobufSupport } from "../source/protobuf-support.ts";
import { listWatcher } from "../source/late-list-watcher.ts";
import type { ListWatcherSettings } from "../source/late-list-watcher.ts";
import type { InformerFactory, InformerFactoryOptions } from "../informer/informer-factory.ts";
import { serverIdentity } from "../snapshot/server-identity.ts";
import type { SnapshotOptions } from "../snapshot/snapshot-store.ts";
import type { ReadYourWrites, ReadYourWritesOptions } from "../own-writes/read-your-writes.ts";
import { createClient } from "@drover/client";
import type { Client, ClientOptions, TransportWrapper } from "@drover/client";
import { definedOnly, guardRuntime } from "@drover/machinery";
import type { Runtime, Transport } from "@drover/machinery";
import { createWatchedKinds } from "./watched-kinds.ts";
import type { WatchedKinds } from "./watched-kinds.ts";

/** Options of `createCluster`. */
export interface ClusterOptions extends Pick<ClientOptions, "transport" | "namespace" | "fieldManager" | "onWarning"> {
  readonly runtime: Runtime;
  /** Name of the cluster in causes and metrics, if a manager has several. @default "" */
  readonly name?: string;
  /** Options of all informers. @default the defaults of the informer */
  readonly informers?: Pick<InformerFactoryOptions, "informer" | "audit">;
  /** What informers request built-in kinds as; see `listWatcher`. @default "json" */
  readonly format?: NonNullable<ListWatcherSettings["format"]>;
  /**
   * Keeps snapshots of the caches, with which the next process starts instead of a list. A cache counts as synced only when it is at
   * least as new as the server was at the start. @default no snapshots
   */
  readonly snapshot?: SnapshotOptions;
  /** How long a run waits until caches have observed the writes of earlier runs of its key. @default at most 10 s */
  readonly readYourWrites?: Pick<ReadYourWritesOptions, "waitMaxMs" | "writesMax">;
}

/** One API server: client, shared informers and own writes. */
export interface Cluster {
  readonly name: string;
  readonly runtime: Runtime;
  /** Client without caches. Its writes are not fenced: inside a reconcile use the client of the run. */
  readonly client: Client;
  readonly transport: Transport;
  readonly informers: InformerFactory;
  readonly readYourWrites: ReadYourWrites;
  /** The caches that reconciles read; sources of kinds register them here. */
  readonly watchedKinds: WatchedKinds;
  /** Returns the same client over more wrappers, outermost first. */
  clientThrough(...wrappers: readonly TransportWrapper[]): Client;
  /** Returns the same cluster, with the same informers and own writes, whose clients apply with this field manager. */
  withFieldManager(fieldManager: string): Cluster;
  /**
   * Returns the same cluster over one more wrapper, for example with another user. It has its own informers, because another
   * user may see other objects, and keeps no snapshots of them.
   */
  through(wrapper: TransportWrapper): Cluster;
  /** Runs the informers until the signal aborts. Several users may run it; informers stop with the last one. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a cluster; it sends nothing until it runs. */
export function createCluster(options: ClusterOptions): Cluster {
  const { name = "", transport, informers: informerOptions = {}, readYourWrites: writeOptions = {} } = options;
  const runtime = guardRuntime(options.runtime);
  const { clock } = runtime;
  const { server = "", ...snapshot } = options.snapshot ?? {};
  const supportsProtobuf = protobufSupport(transport, clock);
  const informers = createInformerFactory({
    ...informerOptions,
    runtime,
    ...(options.snapshot === undefined
      ? {}
      : { snapshot: { ...snapshot, store: options.snapshot.store, address: server, server: serverIdentity(transport, server) } }),
    sourceFor: (request) => listWatcher({ transport, clock, ...request, ...definedOnly({ format: options.format }) }, supportsProtobuf),
  });
  const readYourWrites = createReadYourWrites({ ...writeOptions, runtime });
  const shared: SharedParts = { name, runtime, transport, informers, readYourWrites, watchedKinds: createWatchedKinds(readYourWrites) };
  return clusterOf(shared, options);
}

/** Parts that all views of a cluster share. */
type SharedParts = Pick<Cluster, "name" | "runtime" | "transport" | "informers" | "readYourWrites" | "watchedKinds">;

function clusterOf(shared: SharedParts, options: ClusterOptions): Cluster {
  const { transport, informers, readYourWrites, runtime } = shared;
  const { namespace, fieldManager, onWarning } = options;
  const clientThrough = (...wrappers: readonly TransportWrapper[]): Client =>
    createClient({
      transport: wrappers.reduceRight((next, wrapper) => wrapper(next), transport),
      clock: runtime.clock,
      log: runtime.log,
      namespace,
      ...definedOnly({ fieldManager, onWarning }),
    });
  return {
    ...shared,
    clientThrough,
    client: clientThrough((next) => readYourWrites.transport(next)),
    withFieldManager: (manager) => clusterOf(shared, { ...options, fieldManager: manager }),
    through: (wrapper) => {
      const { snapshot: _snapshot, ...rest } = options;
      return createCluster({ ...rest, transport: wrapper(transport) });
    },
    run: (signal) => informers.run(signal),
  };
}
