/**
 * Every sequence of inputs up to a bound, over every kind of failure and a few durations. Times count as ages, and all ages beyond the
 * longest that any rule uses are equal; of versions only "none" and "some" differ. So there are few enough states to visit all.
 */
import { describe, expect, it } from "vitest";
import type { FailureKind } from "./reflector-failure.ts";
import { initialReflectorState, isReflectorAction, stepReflector } from "./reflector-state.ts";
import type { ReflectorEffect, ReflectorInput, ReflectorRules, ReflectorState } from "./reflector-state.ts";

const rules: ReflectorRules = { firstVersion: "", watchTimeoutMinSeconds: 300 };
const failures: readonly FailureKind[] = [
  "expired",
  "too-large",
  "throttled",
  "unreachable",
  "lost",
  "silent",
  "unsupported",
  "unwilling",
  "protocol",
  "asked",
  "other",
];
const failure = (kind: FailureKind): { readonly kind: FailureKind; readonly retryAfterMs: number } => ({
  kind,
  retryAfterMs: kind === "throttled" ? 5000 : 0,
});
const lengths: readonly number[] = [10, 5000, 130_000];
const ageMax = 130_000;

interface World {
  readonly state: ReflectorState;
  readonly nowMs: number;
  readonly effects: readonly ReflectorEffect[];
}

type Bare<Input> = Input extends ReflectorInput ? Omit<Input, "nowMs" | "chance"> : never;

/** Possible inputs in a state, and how long each takes. */
function possible({ state: { phase, version, kept }, nowMs }: World): readonly (readonly [number, Bare<ReflectorInput>])[] {
  const at = Number(version || "100");
  const versions = [at - 1, at, at + 1].filter((number) => number > 0).map(String);
  const over = <T>(items: readonly T[], make: (item: T) => Bare<ReflectorInput>): (readonly [number, Bare<ReflectorInput>])[] =>
    lengths.flatMap((ms) => items.map((item) => [ms, make(item)] as const));
  switch (phase.kind) {
    case "empty":
      return [
        [0, { kind: "start" }],
        [0, { kind: "start", kept: "100" }],
      ];
    case "probing":
      return [
        ...["abc", ...[-1, 0, 1].map((more) => String(Number(kept) + more))].flatMap((probed) =>
          [true, false].flatMap((isSameServer) =>
            [true, false].map((isShort) => [10, { kind: "probed", version: probed, isSameServer, isShort }] as const),
          ),
        ),
        ...over(failures, (kind) => ({ kind: "probe-failed", failure: failure(kind) })),
      ];
    case "backing-off":
      return [
        [phase.untilMs - nowMs, { kind: "waited" }],
        [10, { kind: "asked" }],
      ];
    case "listing":
      return [
        ...over(versions, (listed) => ({ kind: "listed", version: listed })),
        ...over(failures, (kind) => ({ kind: "list-failed", failure: failure(kind) })),
        ...(phase.by === "watch-list" ? over([0], () => ({ kind: "watch-list-incomplete" })) : []),
      ];
    case "watching":
    case "catching-up":
      break;
  }
  return [
    ...(phase.kind === "catching-up" ? [[10, { kind: "caught-up", version: String(at + 1) }] as const] : []),
    ...versions.map((next) => [10, { kind: "progressed", version: next }] as const),
    ...over([true, false], (progressed) => ({ kind: "watch-ended", progressed, failure: undefined })),
    ...over(
      [true, false].flatMap((progressed) => failures.map((kind) => ({ progressed, kind }))),
      ({ progressed, kind }) => ({ kind: "watch-ended", progressed, failure: failure(kind) }),
    ),
  ];
}

/** Two worlds with the same text have the same future. */
function sameness({ state: { phase, version, lower, emptyCloses, watchListAfterMs, ...rest }, nowMs }: World): string {
  const age = (ms: number): number => Math.min(nowMs - ms, ageMax);
  const position =
    phase.kind === "listing"
      ? { by: phase.by, newest: phase.resourceVersion === "", age: age(phase.sinceMs) }
      : phase.kind === "watching"
        ? { age: age(phase.sinceMs) }
        : phase.kind === "backing-off"
          ? { left: phase.untilMs - nowMs, next: phase.next }
          : {};
  return JSON.stringify([
    phase.kind,
    position,
    version === "",
    rest.kept,
    lower === undefined ? 0 : [Math.min(lower.count, 3), age(lower.sinceMs)],
    emptyCloses.map(age).filter((ms) => ms < 20_000),
    watchListAfterMs > nowMs,
    rest.hasSynced,
    rest.wantsNewest,
    rest.failedWatches,
    Math.min(rest.attempt, 6),
  ]);
}

function check(before: World, [, input]: readonly [number, Bare<ReflectorInput>], after: World): void {
  const { state, effects } = after;
  const acts = effects.filter(isReflectorAction);
  // Never terminal, and one action at a time: a request only after the previous one, "follow" only on the stream of a watch-list.
  if (acts.length !== (input.kind === "progressed" ? 0 : 1)) throw new Error(`${input.kind}: ${acts.length} actions`);
  const [act] = acts;
  if (act?.kind === "follow" && !(before.state.phase.kind === "listing" && before.state.phase.by === "watch-list"))
    throw new Error("a stream to follow that is not open");
  if (act?.kind === "wait" && !(act.delayMs >= 0 && act.delayMs <= 60_000)) throw new Error(`a wait of ${act.delayMs} ms`);
  const wanted =
    act === undefined
      ? before.state.phase.kind
      : { watch: "watching", follow: "watching", wait: "backing-off", list: "listing", probe: "probing", "catch-up": "catching-up" }[
          act.kind
        ];
  if (state.phase.kind !== wanted) throw new Error(`${act?.kind} while ${state.phase.kind}`);
  // The version goes back only with a new epoch, a new epoch needs three older lists, and the sink gets the state of the version.
  const isNewEpoch = effects.some(({ kind }) => kind === "new-epoch");
  if (Number(state.version) < Number(before.state.version) && !isNewEpoch) throw new Error("the version went back");
  if (state.epoch > before.state.epoch !== isNewEpoch) throw new Error("a new epoch without its effect");
  if (isNewEpoch && (before.state.lower?.count ?? 0) < 2) throw new Error("a new epoch without three older lists");
  const replaced = effects.find((effect) => effect.kind === "replace");
  if (replaced !== undefined && replaced.version !== state.version) throw new Error("the sink is elsewhere");
  if (before.state.hasSynced && !state.hasSynced) throw new Error("synced no more");
  // A kept state is used at most once, only for the same server, and never counts as synced before a version that the server had.
  const restored = effects.some(({ kind }) => kind === "restore");
  if (restored && !(input.kind === "probed" && input.isSameServer && Number(input.version) >= Number(before.state.kept)))
    throw new Error("a kept state that does not fit");
  if ((restored || effects.some(({ kind }) => kind === "drop-kept")) && state.kept !== undefined) throw new Error("used, and still kept");
  const isCurrent =
    input.kind === "listed" || input.kind === "caught-up" || (input.kind === "probed" && input.version === before.state.kept);
  if (!before.state.hasSynced && state.hasSynced && !isCurrent) throw new Error(`synced by ${input.kind}`);
  if (state.phase.kind === "catching-up" && (state.hasSynced || (act?.kind === "catch-up" && act.resourceVersion !== state.version)))
    throw new Error("catching up from elsewhere");
  // Nothing but a list makes a watch possible.
  if (act?.kind === "watch" && !state.hasSynced) throw new Error("a watch before a list");
}

interface Explored {
  readonly states: number;
  readonly steps: number;
  readonly epochs: number;
}

function explore(depthMax: number): Explored {
  const first: World = { state: initialReflectorState(0), nowMs: 0, effects: [] };
  const seen = new Set([sameness(first)]);
  let frontier: World[] = [first];
  let steps = 0;
  let epochs = 0;
  for (let depth = 0; depth < depthMax; depth++) {
    const next: World[] = [];
    for (const world of frontier) {
      for (const option of possible(world)) {
        const nowMs = world.nowMs + option[0];
        const [state, effects] = stepReflector(world.state, { ...option[1], nowMs, chance: 0 }, rules);
        const after: World = { state, nowMs, effects };
        check(world, option, after);
        steps++;
        epochs += state.epoch - world.state.epoch;
        const key = sameness(after);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(after);
      }
    }
    frontier = next;
  }
  return { states: seen.size, steps, epochs };
}

describe("stepReflector, every sequence", () => {
  it("has no dead end, never goes back within an epoch, and has one action at a time", () => {
    const depth = process.env["DROVER_LONG"] === "1" ? 13 : 8;
    const { states, steps, epochs } = explore(depth);
    console.log(`reflector state: ${states} states, ${steps} steps, every sequence of up to ${depth} inputs`);
    expect(states).toBeGreaterThan(depth === 13 ? 5000 : 2000);
    expect(epochs).toBeGreaterThan(0);
  });
});
