/** Leases: no garbage in a lease makes a candidate the leader, and every step ends in one action with a sensible delay. */
import type { Lease } from "@drover/api/coordination/v1";
import { isJsonObject } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { initialLeaseState, isLeaseAction, stepLease } from "../../packages/controller/src/leader/lease-state.ts";
import type { LeaseAction, LeaseInput, LeaseRules, LeaseState } from "../../packages/controller/src/leader/lease-state.ts";
import { holds, show } from "../expect.ts";
import { jsonObjectPart, textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

const rules: LeaseRules = {
  lease: { namespace: "a", name: "b" },
  identity: "me",
  durationSeconds: 15,
  labels: {},
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2000,
};
const stepsMax = 40;

type Event = LeaseInput extends infer Each ? (Each extends LeaseInput ? Omit<Each, "at" | "random"> : never) : never;

export const leaseTarget: FuzzTarget = {
  name: "lease",
  perSecond: 1400,
  tokens: [
    [
      '"spec":{"holderIdentity":"other"}',
      '"holderIdentity":""',
      '"holderIdentity":"me"',
      '"leaseDurationSeconds":15',
      '"leaseTransitions":2147483647',
    ],
    [
      '"renewTime":"2024-01-01T00:00:00.000000Z"',
      '"acquireTime":"2024-01-01T00:00:00.000000Z"',
      '"metadata":{"resourceVersion":"1"}',
      "\n%%\n",
      "absent",
      "failed",
    ],
  ].flat(),
  run(input) {
    const parts = textOf(input).split("\n%%\n");
    let state: LeaseState = initialLeaseState();
    let now = 1000;
    let action: LeaseAction | undefined;
    for (let step = 0; step < stepsMax && action?.kind !== "end"; step++) {
      const part = parts[Math.min(step, parts.length - 1)] ?? "";
      const event = eventFor(action, part);
      if (action?.kind === "wait") now += action.delayMs;
      const before = state;
      const [next, effects] = stepLease(state, { ...event, at: { monotonicMs: now, wallMs: now }, random: (part.length % 10) / 10 }, rules);
      const actions = effects.filter(isLeaseAction);
      holds(actions.length === 1, "a step ends in one action", () => show(effects));
      [action] = actions;
      if (effects.some(({ kind }) => kind === "held"))
        holds(event.kind === "written", "only a written lease makes a leader", () => show(event));
      if (action?.kind === "wait")
        holds(action.delayMs >= 0 && action.delayMs <= 10 * rules.leaseDurationMs, "waits a sensible time", () => show(action));
      if (event.kind === "read") waitsForOthers(before, event.lease as unknown as JsonObject, action);
      state = next;
      now += 10;
    }
  },
};

function eventFor(action: LeaseAction | undefined, part: string): Event {
  if (action === undefined) return { kind: "start" };
  switch (action.kind) {
    case "wait":
      return { kind: "waited" };
    case "read":
      return part === "absent" ? { kind: "absent" } : part === "failed" ? { kind: "read-failed" } : { kind: "read", lease: leaseOf(part) };
    case "create":
    case "update":
      return part === "absent"
        ? { kind: "conflict" }
        : part === "failed"
          ? { kind: "write-failed" }
          : { kind: "written", lease: action.lease };
    case "end":
      return { kind: "release" };
    default:
      return action satisfies never;
  }
}

/** The client returns what the server sent; only the metadata is sure to be there. */
function leaseOf(part: string): Lease {
  const object = jsonObjectPart(part);
  return { ...object, metadata: isJsonObject(object["metadata"]) ? object["metadata"] : {} };
}

/** Another's lease that is seen for the first time is never taken at once. */
function waitsForOthers(before: LeaseState, lease: JsonObject, action: LeaseAction | undefined): void {
  const spec = isJsonObject(lease["spec"]) ? lease["spec"] : {};
  const holder = spec["holderIdentity"];
  if (before.seen !== undefined || typeof holder !== "string" || holder === "" || holder === rules.identity) return;
  holds(action?.kind === "wait", "waits for the holder", () => show(action));
}
