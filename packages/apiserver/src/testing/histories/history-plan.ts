/**
 * A plan of a run: which client or watcher does what, in which order, with how many event loop turns in between. Steps refer to
 * the state at their time ("from the version seen last"), so a plan with steps removed is still valid.
 *
 *     seed → HistoryPlan
 */
import { createRandom, pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import type { Collection } from "./history-kind.ts";
import type { Operation } from "./history.ts";
import { chooseScope, colors } from "./scope-plan.ts";
import type { ScopeChoices, ScopePlan } from "./scope-plan.ts";

/** Where a watch starts. */
export type WatchStart =
  /** At the version of a list just made. */
  | "list"
  /** At "0" or without a version: the current state first. */
  | "zero"
  | "unset"
  /** The current state first, not older than the version seen last, or the next one. */
  | "initial"
  /** At the current revision. */
  | "now"
  /** At the version of the last event or bookmark. */
  | "last"
  | "bookmark"
  /** Some revisions in the past or the future. */
  | "old"
  | "future";

export interface RequestStep {
  readonly kind: "request";
  readonly client: number;
  readonly id: string;
  readonly verb: Operation["verb"];
  /** Whether the request requires the version this client saw last. */
  readonly isConditional: boolean;
  /** Distinguishes this write from all others. */
  readonly mark: string;
  /** Undefined leaves the label unchanged, null removes it. */
  readonly app: string | null | undefined;
  readonly color: string | undefined;
  readonly finalizers: readonly string[] | undefined;
  /** A patch without changes. */
  readonly isEmpty: boolean;
  /** Whether the client disconnects before the response. */
  readonly isLost: boolean;
}

export interface ListStep {
  readonly kind: "list";
  readonly client: number;
  readonly scope: ScopePlan;
  readonly mode: "latest" | "any" | "not-older-than" | "exact";
  /** How many revisions back, if a version is requested; negative means in the future. */
  readonly back: number;
  /** 0 means no limit. */
  readonly limit: number;
}

export interface OpenStep {
  readonly kind: "open";
  readonly watcher: number;
  readonly start: WatchStart;
  readonly back: number;
  readonly wantsBookmarks: boolean;
  readonly timeoutSeconds: number;
  /** Whether it uses the deprecated path that starts with "watch". */
  readonly isOldPath: boolean;
  /** How many lines it reads unprompted. */
  readonly lines: number;
}

export type Action =
  | RequestStep
  | ListStep
  | OpenStep
  | { readonly kind: "read"; readonly watcher: number; readonly lines: number }
  | { readonly kind: "stop"; readonly watcher: number }
  /** Compacts all but the last `keep` revisions. */
  | { readonly kind: "compact"; readonly keep: number }
  | { readonly kind: "advance"; readonly ms: number };

/** `turns` pass after the action starts. */
export type Step = Action & { readonly turns: number };

export interface HistoryPlan {
  readonly seed: number;
  /** The scope of each watcher. */
  readonly watchers: readonly ScopePlan[];
  /** Maximum delay of the store in turns; 0 means no delay. */
  readonly lateTurnsMax: number;
  /** Whether the store compacts after a few writes. */
  readonly hasShortMemory: boolean;
  readonly steps: readonly Step[];
}

/** Chosen so that path order and name order differ. */
const namespaces: readonly string[] = ["default", "default-2"];
const clientCount = 4;

/** Number of steps: 30 to 59, or 8 to 17 in a short plan. */
const stepCounts = { long: { least: 30, more: 30 }, short: { least: 8, more: 10 } } as const;
export type PlanLength = keyof typeof stepCounts;

export function historyPlan(seed: number, length: PlanLength = "long"): HistoryPlan {
  const { least, more } = stepCounts[length];
  const random = createRandom(seed).stream("plan");
  const choices: ScopeChoices = {
    collections: pick<readonly Collection[]>(random, [["configmaps"], ["widgets"], ["configmaps", "widgets"]]),
    namespaces: random.int(2) === 0 ? ["default"] : namespaces,
    names: random.int(2) === 0 ? ["x"] : ["x", "xy"],
  };
  const watchers = Array.from({ length: 2 + random.int(3) }, () => chooseScope(random, choices));
  // Each run has its own mix; an even mix would never stress one feature.
  const pace = pick(random, [2, 8, 30]);
  const weights: Readonly<Record<Action["kind"], number>> = {
    request: 20,
    list: random.int(4),
    open: 1 + random.int(5),
    read: 2 + random.int(8),
    stop: random.int(3),
    compact: random.int(3),
    advance: random.int(4),
  };
  const steps = Array.from({ length: least + random.int(more) }, (_, index): Step => ({
    ...chooseAction(random, pickWeighted(random, weights), { choices, watchers, index }),
    turns: random.int(pace),
  }));
  return { seed, watchers, lateTurnsMax: pick(random, [0, 0, 3, 12]), hasShortMemory: random.int(4) === 0, steps };
}

interface World {
  readonly choices: ScopeChoices;
  readonly watchers: readonly ScopePlan[];
  readonly index: number;
}

function chooseAction(random: Random, kind: Action["kind"], { choices, watchers, index }: World): Action {
  const watcher = random.int(watchers.length);
  switch (kind) {
    case "request":
      return chooseRequest(random, choices, index);
    case "list":
      return {
        kind,
        client: random.int(clientCount),
        scope: chooseScope(random, choices),
        mode: pick(random, ["latest", "any", "not-older-than", "exact"]),
        back: random.int(9) - 1,
        limit: pick(random, [0, 0, 1, 2]),
      };
    case "open":
      return {
        kind,
        watcher,
        start: pick(random, [
          "list",
          "zero",
          "unset",
          "initial",
          "now",
          "last",
          "last",
          "last",
          "bookmark",
          "bookmark",
          "old",
          "old",
          "future",
        ]),
        back: 1 + random.int(12),
        wantsBookmarks: random.int(3) > 0,
        timeoutSeconds: random.int(5) === 0 ? 3 : 300,
        isOldPath: random.int(5) === 0,
        lines: pick(random, [0, 1, 3, Infinity, Infinity]),
      };
    case "read":
      return { kind, watcher, lines: 1 + random.int(4) };
    case "stop":
      return { kind, watcher };
    case "compact":
      return { kind, keep: random.int(6) };
    case "advance":
      return { kind, ms: pick(random, [200, 1000, 2500]) };
    default:
      return kind;
  }
}

function chooseRequest(random: Random, { collections, namespaces: places, names }: ScopeChoices, index: number): RequestStep {
  const collection = pick(random, collections);
  const verb =
    random.int(10) > index
      ? "create"
      : pick(random, ["get", "create", "create", "put", "put", "patch", "patch", "patch", "dry-patch", "delete"] as const);
  // Custom resources require a version for PUT.
  const isConditional =
    verb === "put" ? collection === "widgets" || random.int(4) > 0 : (verb === "patch" || verb === "delete") && random.int(4) === 0;
  return {
    kind: "request",
    client: random.int(clientCount),
    id: `${collection}/${pick(random, places)}/${pick(random, names)}`,
    verb,
    isConditional,
    mark: String(index),
    app: pick(random, [undefined, "web", "db", null]),
    color: pick(random, [undefined, ...(collection === "widgets" ? colors : [])]),
    finalizers: pick(random, [undefined, undefined, undefined, [], ["drover.dev/hold"], ["drover.dev/other"]]),
    isEmpty: random.int(8) === 0,
    isLost: random.int(12) === 0,
  };
}

function pickWeighted<T extends string>(random: Random, weights: Readonly<Record<T, number>>): T {
  return pick(
    random,
    (Object.entries(weights) as [T, number][]).flatMap(([name, weight]) => Array.from({ length: weight }, () => name)),
  );
}
