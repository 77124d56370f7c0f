/** Where an operator runs, and what comes of it: the types on both sides of `runOn`. */
import type { Controller, LeaderElectionOptions, Manager, ManagerOptions, ManagerRuntime, ServingOptions, Tape } from "@drover/controller";
import type { Cluster } from "@drover/cache";
import type { Kind, Transport } from "@drover/machinery";

/** Where an operator runs. */
export interface OperatorPlace extends Pick<ManagerOptions, "graceMs" | "syncTimeoutMs"> {
  readonly runtime: ManagerRuntime;
  readonly transport: Transport;
  /** A cluster whose caches and watches the operator shares with others. @default one of its own over `transport` */
  readonly cluster?: Cluster;
  /** Where its client goes that names no namespace. @default "default" */
  readonly namespace?: string;
  /** Where runs are taped. @default not at all */
  readonly tape?: Tape;
  /** @default without: it works at once */
  readonly leaderElection?: LeaderElectionOptions;
  /** @default nothing is served */
  readonly serving?: ServingOptions;
  /** Whether the server is asked, before the start, if this program may do what it needs. @default "check" */
  readonly permissions?: "check" | "off";
  /** Whether definitions of resources that come from `defineResource` are installed before the start. @default true */
  readonly install?: boolean;
  /** Only these namespaces are watched. @default all */
  readonly watchNamespaces?: readonly string[];
}

/** One run of an operator on one cluster. It shares nothing with other runs. */
export interface OperatorRun {
  readonly manager: Manager;
  readonly controllers: readonly Controller[];
  /** All kinds it watches. */
  readonly kinds: readonly Kind[];
  /** Installs definitions, then runs the manager until the signal is aborted. Can be called once. */
  run(signal: AbortSignal): Promise<void>;
}
