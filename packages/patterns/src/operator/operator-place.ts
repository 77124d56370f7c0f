/** Types of `runOn`: where an operator runs, and the resulting run. */
import type {
  Controller,
  DebugSubject,
  LeaderElectionOptions,
  Manager,
  ManagerOptions,
  ManagerRuntime,
  ServingOptions,
  ShardsOptions,
  Tape,
  Webhooks,
} from "@drover/controller";
import type { Cluster } from "@drover/cache";
import type { Kind, Transport } from "@drover/machinery";
import type { ChooseWebhooks, OperatorWebhooks } from "./operator-serving.ts";

/** Where and how an operator runs. */
export interface OperatorPlace extends Pick<ManagerOptions, "graceMs" | "syncTimeoutMs" | "threads" | "thread"> {
  readonly runtime: ManagerRuntime;
  readonly transport: Transport;
  /** A cluster whose caches and watches are shared with other parts of the program. @default a new cluster over `transport` */
  readonly cluster?: Cluster;
  /** Namespace of requests that specify none. @default "default" */
  readonly namespace?: string;
  /** Tape that records the runs. @default no recording */
  readonly tape?: Tape;
  /** Leader election. @default none */
  readonly leaderElection?: LeaderElectionOptions;
  /** Shares the objects among replicas, instead of `leaderElection`. @default every replica reconciles all objects */
  readonly shards?: ShardsOptions;
  /** HTTP server for probes and metrics. @default none */
  readonly serving?: ServingOptions;
  /** Whether to check at start that the program has the permissions it needs. @default "check" */
  readonly permissions?: "check" | "off";
  /** Whether to install the CRDs of resources from `defineResource` before the start. @default true */
  readonly install?: boolean;
  /**
   * How the API server reaches the webhooks of the operator; a function is called only if there are any. Without them the start fails if
   * a definition needs conversions, and else logs what is not enforced. @default false
   */
  readonly webhooks?: false | OperatorWebhooks | ChooseWebhooks;
  /**
   * Called in every run with a function that evaluates `desired` a second time and throws if the result differs; calls it at once. For
   * tests: `harness` does so with a clock that has advanced, to find times and random values in `desired`.
   * @default evaluated once, and again only after a change
   */
  readonly evaluateAgain?: (evaluate: () => void) => void;
  /** Namespaces to watch. @default all */
  readonly watchNamespaces?: readonly string[];
}

/** One run of an operator on one cluster. Runs share nothing. */
export interface OperatorRun {
  readonly manager: Manager;
  readonly controllers: readonly Controller[];
  /** All watched kinds. */
  readonly kinds: readonly Kind[];
  /** Name of the operator, and of its webhook configurations. */
  readonly name: string;
  /** Webhooks and policies of everything declared. */
  readonly webhooks: Webhooks;
  /** What `createDebugHandler` needs to know of the run. */
  readonly debugged: Pick<DebugSubject, "controllers" | "kinds" | "namespace" | "cacheOf" | "childrenOf">;
  /** Installs CRDs, then runs the manager until `signal` aborts. Call it once. */
  run(signal: AbortSignal): Promise<void>;
}
