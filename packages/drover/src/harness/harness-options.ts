/** How a harness is set up. */
import type { Transport } from "@drover/machinery";
import type { Connection } from "../connect.ts";

/** A real cluster to run on: a way to it, a connection, or a kubeconfig by its path. */
export type HarnessCluster = Transport | Pick<Connection, "transport"> | { readonly kubeconfig: string; readonly context?: string };

export interface HarnessOptions {
  /**
   * Runs the test on a real cluster, in real time and in a namespace of its own that is deleted at the end.
   * `"environment"`: on the cluster of the kubeconfig
   * that DROVER_TEST_CLUSTER names, if it is set. @default the embedded server, on a clock of its own
   */
  readonly on?: HarnessCluster | "environment";
  /** Every choice in a run on the embedded server follows from it. @default 1 */
  readonly seed?: number | string;
  /** Wall time at the start, on the embedded server, in milliseconds since 1970. @default 2026-01-01T00:00:00Z */
  readonly nowMs?: number;
  /** Where objects are that name no namespace. @default "default"; on a real cluster a new one */
  readonly namespace?: string;
  /** For how much time of the clock `settled` waits failures out. @default "5m" */
  readonly retryFor?: string;
  /** How often a key may run between two things that come from outside before it is taken for a loop. @default 100 */
  readonly runsMax?: number;
  /**
   * How many milliseconds of real time nothing may move; on a real cluster, how long `settled` may take. @default 5000;
   * on a real cluster 30000
   */
  readonly waitMs?: number;
  /** How many milliseconds a real cluster must be quiet to count as settled. @default 300 */
  readonly quietMs?: number;
}
