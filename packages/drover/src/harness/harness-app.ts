/**
 * What a harness runs: an operator, or a function that creates controllers.
 *
 *     harness(app) → app.runOn(place) or app(place) → HarnessRun → one life of the operator
 */
import type { InformerState } from "@drover/cache";
import type { Controller, Manager, ManagerRuntime, RecordingTape, Webhooks } from "@drover/controller";
import type { Kind, Transport } from "@drover/machinery";
import type { ChooseWebhooks, OperatorWebhooks } from "@drover/patterns";

/** Environment of one life of the operator; matches the argument of an operator's `runOn`. */
export interface HarnessPlace {
  /** The harness's clock and log, seeded random numbers, and metrics of this life. */
  readonly runtime: ManagerRuntime;
  readonly transport: Transport;
  /** Namespace of requests that specify none. */
  readonly namespace: string;
  /** Pass it to the manager or the controllers: the harness reads loops, `why` and second runs from it. */
  readonly tape: RecordingTape;
  /** "check" on a real cluster; the embedded server allows everything. */
  readonly permissions: "check" | "off";
  readonly install: true;
  /** On a real cluster only the harness's namespace, to ignore other users. @default all */
  readonly watchNamespaces?: readonly string[];
  /** Evaluates `desired` of an operator a second time, a second later; a difference is a mistake. @default evaluated once */
  readonly evaluateAgain?: (evaluate: () => void) => void;
  /** How the server reaches the webhooks of an operator. @default false */
  readonly webhooks?: OperatorWebhooks | ChooseWebhooks | false;
}

/** The part of a controller that the harness uses. */
export type HarnessController = Pick<Controller, "name" | "enqueue" | "inspect" | "inspectAll" | "state">;

/** What runs. An `OperatorRun` is one. */
export interface HarnessRun {
  /** Controllers whose queues must be empty, and whose keys run a second time. */
  readonly controllers: readonly HarnessController[];
  /** Manager whose caches must be synced. @default none: set `informers` instead */
  readonly manager?: Pick<Manager, "state">;
  /** Caches that must be synced, without a manager. @default none */
  readonly informers?: () => readonly InformerState[];
  /**
   * Reports readiness; the clock advances until it is true. For parts that the harness cannot see: Lasso's factories,
   * servers. @default ready as soon as controllers and caches are
   */
  readonly isReady?: () => boolean;
  /** On a real cluster, objects of these kinds are deleted before the namespace. @default none */
  readonly kinds?: readonly Kind[];
  /** Name of the webhook configurations, which are deleted at the end on a real cluster. @default they stay */
  readonly name?: string;
  /** Webhooks, whose answers are checked: idempotent, and without writes. @default none */
  readonly webhooks?: Webhooks;
  /** Runs until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** An operator, or a function that creates controllers. Called once per life: lives must not share state. */
export type HarnessApp = { runOn(place: HarnessPlace): HarnessRun } | ((place: HarnessPlace) => HarnessRun);

/** Starts another life. */
export const runApp = (app: HarnessApp, place: HarnessPlace): HarnessRun => (typeof app === "function" ? app(place) : app.runOn(place));
