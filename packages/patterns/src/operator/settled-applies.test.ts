import { ConfigMap, Secret } from "@drover/api/core/v1";
import { objectKey } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ApplyOutcome } from "../apply/apply-set.ts";
import { SettledApplies } from "./settled-applies.ts";
import type { ApplyInputs } from "./settled-applies.ts";
import { namedSlots } from "./slot.ts";

const key = objectKey("web", "shop");
const owner = { metadata: { name: "web", namespace: "shop", uid: "owner", resourceVersion: "7" } };
const live = (kind: string, name: string, resourceVersion = "1"): DeepReadonly<KubeObject> => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "shop", uid: `${kind} ${name}`, resourceVersion },
});
const planned = (name: string, kind: Kind): ApplyInputs["plan"]["objects"] =>
  namedSlots({ [name]: kind }).map((slot) => ({ slot, desired: { kind, object: { metadata: { name } } } }));
const inputs: ApplyInputs = {
  owner,
  answer: 3,
  plan: { objects: [...planned("a", ConfigMap), ...planned("a", Secret)], holds: [] },
  candidates: [live("Secret", "a"), live("ConfigMap", "a")],
};
const unchanged: ApplyOutcome = {
  owner,
  objects: [],
  isSettled: true,
  changes: [{ kind: ConfigMap, namespace: "shop", name: "a", type: "unchanged" }],
};

/** Reports whether the second apply is known to be unnecessary after the first had this outcome. */
const isKnown = (
  second: Partial<ApplyInputs>,
  first: Partial<ApplyInputs> = {},
  outcome: Partial<ApplyOutcome> = {},
  hasAsked = false,
): boolean => {
  const applies = new SettledApplies();
  applies.remember(key, { ...inputs, ...first }, { ...unchanged, ...outcome }, hasAsked);
  return applies.outcome(key, { ...inputs, ...second }) !== undefined;
};

describe("SettledApplies", () => {
  it("returns the outcome while owner, result and members are unchanged, with objects by position", () => {
    const applies = new SettledApplies();
    expect(applies.outcome(key, inputs)).toBeUndefined();
    applies.remember(key, inputs, unchanged, false);
    const outcome = applies.outcome(key, inputs);
    expect(outcome?.objects).toEqual([live("ConfigMap", "a"), live("Secret", "a")]);
    expect(outcome).toMatchObject({
      isSettled: true,
      owner,
      changes: [
        { kind: ConfigMap, namespace: "shop", name: "a", type: "unchanged" },
        { kind: Secret, type: "unchanged" },
      ],
    });
  });

  it.each<[string, Partial<ApplyInputs>]>([
    ["another version of the owner", { owner: { metadata: { ...owner.metadata, resourceVersion: "8" } } }],
    ["another owner of the same name", { owner: { metadata: { ...owner.metadata, uid: "other" } } }],
    ["a restore of the server, with another owner under the same version (SEC2)", { owner: { ...owner } }],
    [
      "a restore of the server, with other members under the same versions (SEC2)",
      { candidates: [live("Secret", "a"), live("ConfigMap", "a")] },
    ],
    ["another result of desired", { answer: 4 }],
    ["a changed member", { candidates: [live("Secret", "a"), live("ConfigMap", "a", "2")] }],
    ["a deleted member", { candidates: [live("Secret", "a")] }],
    ["a new member", { candidates: [...inputs.candidates, live("ConfigMap", "b")] }],
  ])("returns undefined after %s", (_, second) => {
    expect(isKnown({})).toBe(true);
    expect(isKnown(second)).toBe(false);
  });

  it.each<[string, Partial<ApplyInputs>, Partial<ApplyOutcome>, boolean]>([
    ["sent a request", {}, {}, true],
    ["changed something", {}, { changes: [{ kind: ConfigMap, namespace: "shop", name: "a", type: "patched" }] }, false],
    ["left a change that the server rejects", {}, { changes: [{ kind: ConfigMap, namespace: "shop", name: "a", type: "left" }] }, false],
    ["waits", {}, { isSettled: false }, false],
    ["held a slot", { plan: { ...inputs.plan, holds: [{ slot: "a", why: "so" }] } }, {}, false],
    ["kept an undesired member", { candidates: [...inputs.candidates, live("ConfigMap", "b")] }, {}, false],
  ])("remembers nothing if the apply %s", (_, both, outcome, hasAsked) => {
    expect(isKnown(both, both, outcome, hasAsked)).toBe(false);
  });

  it("forgets an apply with its object, and when the next one had something to do", () => {
    const applies = new SettledApplies();
    applies.remember(key, inputs, unchanged, false);
    applies.forget(key);
    expect(applies.outcome(key, inputs)).toBeUndefined();
    applies.remember(key, inputs, unchanged, false);
    applies.remember(key, inputs, unchanged, true);
    expect(applies.outcome(key, inputs)).toBeUndefined();
  });
});
