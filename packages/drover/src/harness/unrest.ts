/**
 * Determines what keeps an operator from being idle. Pure.
 *
 *     LifeView → unrestOf → what proceeds by itself, and what waits for the clock
 */
import type { InformerState } from "@drover/cache";
import type { Cause, ControllerState } from "@drover/controller";
import { errorText } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import type { OpenRequests } from "./traffic.ts";

/** Snapshot of one life of the operator. */
export interface LifeView {
  /** Wall time, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Readiness as the operator reports it. */
  readonly isReady: boolean;
  /** Absent without a manager. */
  readonly phase?: string;
  readonly controllers: readonly { readonly state: ControllerState; readonly keys: readonly KeyReport<ObjectKey, Cause>[] }[];
  readonly informers: readonly InformerState[];
  readonly requests: OpenRequests;
}

/** Something that is still active. */
export interface Unrest {
  /** For people: "default/web in controller webapp is running". */
  readonly what: string;
  /** Milliseconds on the clock until it proceeds; absent if it proceeds by itself. */
  readonly dueInMs?: number;
  /** A stale cache. */
  readonly isStale?: true;
  /** A key that failed, and why. */
  readonly failing?: { readonly controller: string; readonly report: KeyReport<ObjectKey, Cause> };
  /** A key that its controller delays. If every cache is up to date, the reason is that only its own writes cause its runs. */
  readonly putOff?: { readonly controller: string; readonly key: ObjectKey };
}

/**
 * Returns everything that is active; empty if idle. A key that was requeued for later is idle; a failed key is not,
 * until it is parked.
 */
export function unrestOf(view: LifeView): readonly Unrest[] {
  const { isReady, phase, controllers, informers, requests, nowMs } = view;
  return [
    ...(phase === undefined || phase === "running" ? [] : [{ what: `the operator is ${phase}` }]),
    // It may wait for the clock, but not for a known time.
    ...(isReady ? [] : [{ what: "the operator reports that it is not ready", dueInMs: 0 }]),
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
    return [{ what: `${name} failed and will be retried`, dueInMs: nextRunInMs, failing: { controller, report } }];
  // Without a cause, the controller itself delays it.
  return causes.length > 0
    ? []
    : [
        {
          what: `${name} waits until the caches show its writes, or is slowed down because only its own writes cause its runs`,
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
        what: `the cache of ${name} lost its watch and will retry${lastError === undefined ? "" : ` (${errorText(lastError.error)})`}`,
        dueInMs: Math.max(0, untilMs - nowMs),
      },
    ];
  if (phase !== "watching" || !hasSynced) return [{ what: `the cache of ${name} is ${phase === "watching" ? "not complete" : phase}` }];
  if (queued > 0) return [{ what: `the cache of ${name} has ${queued} queued changes` }];
  return handlers
    .filter(({ pendingKeys, running }) => pendingKeys > 0 || running !== undefined)
    .map((handler) => ({ what: `handler ${handler.name} of ${name} is running` }));
}

function requestUnrest({ asked, atServer }: OpenRequests): readonly Unrest[] {
  const [first] = asked;
  if (first === undefined) return [];
  const what = `${first} is not answered yet${asked.length === 1 ? "" : `, and ${asked.length - 1} more`}`;
  // The server is not processing it, so it waits for a retry or a timeout.
  return [atServer > 0 ? { what } : { what, dueInMs: 0 }];
}
