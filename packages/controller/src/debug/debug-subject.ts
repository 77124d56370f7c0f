/** What the debug pages read: a manager with its controllers, caches and tape. Nothing here is changed, except that keys are enqueued. */
import type { InformerReader } from "@drover/cache";
import type { Clock, DeepReadonly, GroupKind, Kind, KubeObject, ObjectKey } from "@drover/machinery";
import type { Manager } from "../manager/manager.ts";
import type { Controller } from "../reconcile/controller.ts";
import type { Obstacle } from "../tape/obstacle.ts";
import type { PlannedRun } from "./planned-run.ts";
import type { RecordingTape } from "../tape/recording-tape.ts";

/** A controller, and what its queue does not know. */
export interface DebuggedController {
  readonly controller: Controller;
  /** Kind of its keys. @default unknown: questions about a kind do not reach it */
  readonly kind?: Kind;
  /** Kinds that it writes for its objects. @default none */
  readonly owns?: readonly GroupKind[];
  /** Returns what keeps an object from being reconciled, apart from queue, caches and lease. @default nothing */
  readonly obstacles?: (key: ObjectKey) => readonly Obstacle[];
  /** Returns what the next run of an object would change, without writing. @default not known */
  readonly plan?: (key: ObjectKey, signal: AbortSignal) => Promise<PlannedRun>;
}

/** An object that another one owns. */
export interface OwnedObject {
  readonly kind: Kind;
  readonly object: DeepReadonly<KubeObject>;
}

/** The program to debug. */
export interface DebugSubject {
  /** Name of the program. */
  readonly name: string;
  /** Version of Drover. */
  readonly version: string;
  /** Id of the process. */
  readonly pid: number;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly manager: Pick<Manager, "state">;
  readonly controllers: readonly DebuggedController[];
  /** Watched kinds. */
  readonly kinds: readonly Kind[];
  /** Namespace of questions that name none. */
  readonly namespace: string;
  /** Records the runs. @default no history: only the present can be asked for */
  readonly tape?: RecordingTape;
  /** Number of threads that reconcile; what they do is not known here. @default absent, reconciles run in this thread */
  readonly threads?: number;
  /** Returns the cache of a kind; undefined if there is none. */
  readonly cacheOf: (kind: Kind) => Pick<InformerReader<KubeObject>, "get" | "keys"> | undefined;
  /** Returns the cached objects that an object controls. @default none */
  readonly childrenOf?: (object: DeepReadonly<KubeObject>) => readonly OwnedObject[];
}
