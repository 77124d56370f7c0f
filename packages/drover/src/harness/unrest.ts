/**
 * What keeps an operator from being at rest: pure, from what its parts say of themselves.
 *
 *     LifeView → unrestOf → what goes on by itself, and what waits for a moment on the clock
 */
import type { InformerState } from "@drover/cache";
import type { Cause, ControllerState } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { OpenRequests } from "./traffic.ts";

/** One life of the operator at one moment. */
export interface LifeView {
  /** Wall time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** What it says of itself. */
  readonly isReady: boolean;
  /** Absent without a manager. */
  readonly phase?: string;
  readonly controllers: readonly { readonly state: ControllerState; readonly keys: readonly KeyReport<ObjectKey, Cause>[] }[];
  readonly informers: readonly InformerState[];
  readonly requests: OpenRequests;
}

/** Something that is not at rest. */
export interface Unrest {
  /** In words: "default/web in controller webapp is running". */
  readonly what: string;
  /** Absent for what goes on by itself: milliseconds until the clock lets it go on. */
  readonly dueInMs?: number;
  /** A cache that is behind. */
  readonly isStale?: true;
  /** A key that failed, and why. */
  readonly failing?: { readonly controller: string; readonly report: KeyReport<ObjectKey, Cause> };
  /** A key that its controller puts off. When every cache is up to date, that is because nothing but its own writes causes its runs. */
  readonly putOff?: { readonly controller: string; readonly key: ObjectKey };
}

/** Nothing when it is at rest. A key that asked to be looked at later is; a key that failed is not, until it is parked. */
export function unrestOf(view: LifeView): readonly Unrest[] {
  const { isReady, phase, controllers, informers, requests, nowMs } = view;
  return [
    ...(phase === undefined || phase === "running" ? [] : [{ what: `the operator is ${phase}` }]),
    // It may wait for the clock, and nothing tells for which moment.
    ...(isReady ? [] : [{ what: "the operator says that it is not ready", dueInMs: 0 }]),
    ...controllers.flatMap(({ state, keys }) => [...controllerUnrest(state), ...keys.flatMap((key) => keyUnrest(state.name, key))]),
    ...informers.flatMap((informer) => informerUnrest(informer, nowMs)),
    ...requestUnrest(requests),
  ];
}

function controllerUnrest({ name, phase }: ControllerState): readonly Unrest[] {
  return phase === "running" ? [] : [{ what: `controller ${name} is ${phase}` }];
}

function keyUnrest(controller: string, report: KeyReport<ObjectKey, Cause>): readonly Unrest[] {
  const { key, state, causes, again, nextRunInMs = 0 } = report;
  const name = `${key} in controller ${controller}`;
  if (state === "running") return [{ what: `${name} is running` }];
  if (state === "ready" || again === "ready") return [{ what: `${name} is ready to run` }];
  if (state !== "waiting") return [];
  if (causes.some(({ type }) => type === "retry"))
    return [{ what: `${name} failed and is tried again`, dueInMs: nextRunInMs, failing: { controller, report } }];
  // Without a cause it is the controller itself that puts it off.
  return causes.length > 0
    ? []
    : [
        {
          what: `${name} waits until caches show what it wrote, or is slowed down since nothing but its own writes causes its runs`,
          dueInMs: nextRunInMs,
          putOff: { controller, key },
        },
      ];
}

function informerUnrest(
  { name, queued, handlers, hasSynced, reflector: { phase, untilMs = 0, lastError } }: InformerState,
  nowMs: number,
): readonly Unrest[] {
  if (phase === "backing-off")
    return [
      {
        isStale: true,
        what: `the cache of ${name} lost its watch and tries again${lastError === undefined ? "" : ` (${messageOf(lastError.error)})`}`,
        dueInMs: Math.max(0, untilMs - nowMs),
      },
    ];
  if (phase !== "watching" || !hasSynced) return [{ what: `the cache of ${name} is ${phase === "watching" ? "not complete" : phase}` }];
  if (queued > 0) return [{ what: `the cache of ${name} has ${queued} changes to take in` }];
  return handlers
    .filter(({ pendingKeys, running }) => pendingKeys > 0 || running !== undefined)
    .map((handler) => ({ what: `handler ${handler.name} of ${name} is at work` }));
}

function requestUnrest({ asked, atServer }: OpenRequests): readonly Unrest[] {
  const [first] = asked;
  if (first === undefined) return [];
  const what = `${first} is not answered${asked.length === 1 ? "" : `, and ${asked.length - 1} more`}`;
  // Nobody works on it, so it waits until it is sent again, or for its time to be up.
  return [atServer > 0 ? { what } : { what, dueInMs: 0 }];
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
