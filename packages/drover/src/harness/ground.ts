/**
 * What a harness runs on: a server, a clock, a namespace, and a way to wait.
 *
 *     embedded-ground.ts: our server in this process, virtual time      cluster-ground.ts: a given cluster, real time
 */
import type { ManagerRuntime } from "@drover/controller";
import type { Transport } from "@drover/machinery";
import type { RecordingLog } from "@drover/machinery/testing";
import type { ChooseWebhooks } from "@drover/patterns";
import type { Pace } from "./pace.ts";
import type { WebhookCalls } from "./webhook-calls.ts";

/** Server, clock, namespace and pace of a harness. */
export interface Ground {
  readonly kind: "embedded" | "cluster";
  /** Answers webhook calls of the embedded server; absent on a real cluster. */
  readonly webhookCalls?: WebhookCalls;
  /** How a real cluster reaches webhooks in this process. @default it does not */
  readonly webhooks?: ChooseWebhooks | false;
  readonly transport: Transport;
  readonly namespace: string;
  readonly log: RecordingLog;
  readonly pace: Pace;
  /** One turn of the event loop. */
  readonly turn: () => Promise<void>;
  /** Random numbers and metrics of the test (0) and of each life of the operator (1, 2, …): each has its own. */
  runtime(life: number): ManagerRuntime;
  /** Deletes what was created for this harness. */
  close(): Promise<void>;
}
