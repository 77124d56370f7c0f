/**
 * What a harness runs: an operator, or a function that makes controllers by hand.
 *
 *     harness(app) → app.runOn(place) or app(place) → HarnessRun → one life of the operator
 */
import type { InformerState } from "@drover/cache";
import type { Controller, Manager, ManagerRuntime, RecordingTape } from "@drover/controller";
import type { Kind, Transport } from "@drover/machinery";

/** Where one life of the operator takes place; an operator's `runOn` takes it as it is. */
export interface HarnessPlace {
  /** The harness's clock, chance from its seed, its log, and metrics of this life alone. */
  readonly runtime: ManagerRuntime;
  readonly transport: Transport;
  /** Where namespaced requests go that name no namespace. */
  readonly namespace: string;
  /** Hand it to the manager or the controllers: loops, `why` and the second run are read from it. */
  readonly tape: RecordingTape;
  /** On a real cluster the server is asked whether the operator may do what it needs; the embedded one allows everything. */
  readonly permissions: "check" | "off";
  readonly install: true;
  /** On a real cluster only the namespace of the harness is watched: what others do there is none of its business. @default all */
  readonly watchNamespaces?: readonly string[];
}

/** A controller as the harness looks at it. */
export type HarnessController = Pick<Controller, "name" | "enqueue" | "inspect" | "inspectAll" | "state">;

/** What runs: an `OperatorRun` is one. */
export interface HarnessRun {
  /** Whose queues are waited for, and whose keys are run a second time. */
  readonly controllers: readonly HarnessController[];
  /** Whose caches are waited for. @default none: say `informers` instead */
  readonly manager?: Pick<Manager, "state">;
  /** The caches to wait for when there is no manager. @default none */
  readonly informers?: () => readonly InformerState[];
  /**
   * Whether it works; the clock is moved until it does. For what the harness cannot see: Lasso's factories, servers.
   * @default it does as soon as controllers and caches do
   */
  readonly isReady?: () => boolean;
  /** Of these objects are deleted before the namespace is, on a real cluster. @default none */
  readonly kinds?: readonly Kind[];
  /** Works until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** An operator, or a function for controllers made by hand. Is asked once for each life: nothing may be shared between them. */
export type HarnessApp = { runOn(place: HarnessPlace): HarnessRun } | ((place: HarnessPlace) => HarnessRun);

/** One more life. */
export const runApp = (app: HarnessApp, place: HarnessPlace): HarnessRun => (typeof app === "function" ? app(place) : app.runOn(place));
