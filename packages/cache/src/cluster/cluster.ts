/**
 * One cluster as controllers see it: a client, shared informers, and reads that show our own writes. Two of them in one
 * process share nothing.
 *
 *     Transport → createCluster → sources (informers), runs (client), manager (run)
 */
import { createInformerFactory } from "../informer/informer-factory.ts";
import { createReadYourWrites } from "../own-writes/read-your-writes.ts";
import { listWatcher } from "../source/late-list-watcher.ts";
import type { InformerFactory, InformerFactoryOptions } from "../informer/informer-factory.ts";
import type { ReadYourWrites, ReadYourWritesOptions } from "../own-writes/read-your-writes.ts";
import { createClient } from "@drover/client";
import type { Client, ClientOptions, TransportWrapper } from "@drover/client";
import type { Runtime, Transport } from "@drover/machinery";
import { createWatchedKinds } from "./watched-kinds.ts";
import type { WatchedKinds } from "./watched-kinds.ts";

export interface ClusterOptions extends Pick<ClientOptions, "transport" | "namespace" | "fieldManager" | "onWarning"> {
  readonly runtime: Runtime;
  /** Tells clusters of one manager apart, in causes and metrics. @default "", for the only one */
  readonly name?: string;
  /** What all informers have in common. @default the informer's own defaults */
  readonly informers?: Pick<InformerFactoryOptions, "informer" | "audit">;
  /** How long a run waits until caches show what earlier runs of its key wrote. @default at most ten seconds */
  readonly readYourWrites?: Pick<ReadYourWritesOptions, "waitMaxMs" | "writesMax">;
}

export interface Cluster {
  readonly name: string;
  readonly runtime: Runtime;
  /** Reads and writes at the server itself. Its writes pass no fence: inside a reconcile use the client of the run. */
  readonly client: Client;
  readonly transport: Transport;
  readonly informers: InformerFactory;
  readonly readYourWrites: ReadYourWrites;
  /** The caches that reconciles look into; sources of kinds say here which they watch. */
  readonly watchedKinds: WatchedKinds;
  /** The same client over more wrappers, the outermost first. */
  clientThrough(...wrappers: readonly TransportWrapper[]): Client;
  /** Returns the same cluster, informers and own writes included, whose clients apply under this name. */
  withFieldManager(fieldManager: string): Cluster;
  /**
   * Returns the same cluster over one more wrapper, for another user or another name. It has informers of its own,
   * because another user may see other objects.
   */
  through(wrapper: TransportWrapper): Cluster;
  /** Runs the informers until the signal is aborted; several users may run it, and informers stop with the last. */
  run(signal: AbortSignal): Promise<void>;
}

/** A cluster; nothing is asked of the server until it is run. */
export function createCluster(options: ClusterOptions): Cluster {
  const { runtime, name = "", transport, informers: informerOptions = {}, readYourWrites: writeOptions = {} } = options;
  const { clock } = runtime;
  const informers = createInformerFactory({
    ...informerOptions,
    runtime,
    sourceFor: (request) => listWatcher({ transport, clock, ...request }),
  });
  const readYourWrites = createReadYourWrites({ ...writeOptions, runtime });
  const shared: SharedParts = { name, runtime, transport, informers, readYourWrites, watchedKinds: createWatchedKinds(readYourWrites) };
  return clusterOf(shared, options);
}

/** What every view of one cluster shares. */
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
      ...(fieldManager === undefined ? {} : { fieldManager }),
      ...(onWarning === undefined ? {} : { onWarning }),
    });
  return {
    ...shared,
    clientThrough,
    client: clientThrough((next) => readYourWrites.transport(next)),
    withFieldManager: (manager) => clusterOf(shared, { ...options, fieldManager: manager }),
    through: (wrapper) => createCluster({ ...options, transport: wrapper(transport) }),
    run: (signal) => informers.run(signal),
  };
}
