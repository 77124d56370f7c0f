/** Options of a harness. */
import type { AdmissionPluginChoice, AuthorizationMode } from "@drover/apiserver";
import type { OptionNames, Transport } from "@drover/machinery";
import type { Connection } from "../connection.ts";
import type { RunWebhooksOptions } from "../run-webhooks.ts";

/** A real cluster: a transport, a connection, or a kubeconfig path. */
export type HarnessCluster =
  | Transport
  | (Pick<Connection, "transport"> & Partial<Pick<Connection, "access">>)
  | { readonly kubeconfig: string; readonly context?: string };

/** Options of `harness`. */
export interface HarnessOptions {
  /**
   * Runs the test on a real cluster, in real time and in a new namespace that is deleted at the end. `"environment"`:
   * on the cluster of the kubeconfig in DROVER_TEST_CLUSTER, if set. @default the embedded server with a manual clock
   */
  readonly on?: HarnessCluster | "environment";
  /** Seed of all random choices on the embedded server. @default 1 */
  readonly seed?: number | string;
  /** Wall time at the start, on the embedded server, in milliseconds since 1970. @default 2026-01-01T00:00:00Z */
  readonly nowMs?: number;
  /** Admission plug-ins of the embedded server to run or not to run. @default those of kube-apiserver */
  readonly admissionPlugins?: AdmissionPluginChoice;
  /**
   * Who decides what users may do, in order, on the embedded server. The operator and the test are administrators; users that they
   * impersonate and service accounts need roles. @default ["Node", "RBAC"]
   */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** Namespace of objects that specify none. @default "default"; on a real cluster a new one */
  readonly namespace?: string;
  /**
   * Objects per version with which conversions of the operator's resources are checked at the start, as `checkConversions` does; 0 for
   * none. @default 25
   */
  readonly conversionRuns?: number;
  /** Virtual time that `settled` waits for failing keys to recover. @default "5m" */
  readonly retryFor?: string;
  /** Maximum runs of a key between two external events before it counts as a loop. @default 100 */
  readonly runsMax?: number;
  /**
   * Real milliseconds without progress before `settled` fails; on a real cluster, the timeout of `settled`. @default
   * 5000; on a real cluster 30000
   */
  readonly waitMs?: number;
  /**
   * How a real cluster reaches the webhooks of the operator, or false to serve none. @default a port on this machine; none if `on` is
   * only a transport
   */
  readonly webhooks?: false | RunWebhooksOptions;
  /** Milliseconds that a real cluster must be quiet to count as settled. @default 300 */
  readonly quietMs?: number;
}

/** Names of the options of `harness`. */
export const harnessOptionNames: OptionNames<HarnessOptions> = {
  on: true,
  seed: true,
  nowMs: true,
  admissionPlugins: true,
  authorizationModes: true,
  namespace: true,
  conversionRuns: true,
  retryFor: true,
  runsMax: true,
  waitMs: true,
  webhooks: true,
  quietMs: true,
};
