import { ConfigMap, Pod } from "@drover/api/core/v1";
import { deepFreeze } from "@drover/machinery";
import type { JsonObject, Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { rulesOf } from "../builtin/rules.ts";
import type { Resource } from "../registry/resource.ts";
import type { Strategy, StrategyContext } from "../registry/strategy.ts";
import { deletionStep } from "./deletion-state.ts";

const context: StrategyContext = { now: Date.UTC(2026, 0, 1), user: { name: "me", groups: [] }, dryRun: false };
const resource = (kind: Kind, strategy: Strategy = {}): Resource => ({ kind, strategy, rules: rulesOf(kind) }) as unknown as Resource;
const plain = resource(ConfigMap);
const graceful = resource(Pod, { gracePeriodSeconds: (_pod, asked) => asked ?? 30 });
const object = (metadata: JsonObject = {}): JsonObject => ({ metadata: { name: "a", uid: "u", resourceVersion: "7", ...metadata } });
const step = (on: Resource, given: JsonObject, options = {}): [string, JsonObject] => {
  const { kind, object: after } = deletionStep(on, deepFreeze(given) as JsonObject, options, context);
  const { name: _name, uid: _uid, resourceVersion: _version, ...rest } = after["metadata"] as JsonObject;
  return [kind, rest];
};

describe("deletionStep", () => {
  it("removes an object without finalizers", () => {
    expect(step(plain, object())).toEqual(["remove", {}]);
  });
  it("marks an object with finalizers and increments its generation", () => {
    expect(step(plain, object({ finalizers: ["x/y"], generation: 3 }))).toEqual([
      "mark",
      { finalizers: ["x/y"], generation: 4, deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
    ]);
  });
  it("keeps an object that is already terminating", () => {
    const marked = { finalizers: ["x/y"], deletionTimestamp: "2025-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
    expect(step(plain, object(marked))).toEqual(["keep", marked]);
  });
  it("adds the foregroundDeletion finalizer for propagationPolicy Foreground", () => {
    expect(step(plain, object(), { propagationPolicy: "Foreground" })).toEqual([
      "mark",
      { finalizers: ["foregroundDeletion"], deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
    ]);
  });
  it("applies the grace period of the kind, and removes at once for gracePeriodSeconds 0", () => {
    expect(step(graceful, object())).toEqual(["mark", { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 }]);
    expect(step(graceful, object(), { gracePeriodSeconds: 0 })).toEqual([
      "mark-and-remove",
      { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 },
    ]);
  });
  it("shortens a grace period and never extends it", () => {
    const given = { deletionTimestamp: "2026-01-01T00:00:30Z", deletionGracePeriodSeconds: 30 };
    expect(step(graceful, object(given), { gracePeriodSeconds: 10 })).toEqual([
      "mark",
      { deletionTimestamp: "2026-01-01T00:00:10Z", deletionGracePeriodSeconds: 10 },
    ]);
    expect(step(graceful, object(given), { gracePeriodSeconds: 60 })).toEqual(["keep", given]);
    expect(step(graceful, object(given))).toEqual(["keep", given]);
    expect(step(graceful, object(given), { gracePeriodSeconds: 0 })[0]).toBe("mark-and-remove");
  });
  it("sets deletionTimestamp to now at the earliest, with a grace period of at least one second", () => {
    const given = { deletionTimestamp: "2026-01-01T00:00:10Z", deletionGracePeriodSeconds: 60 };
    expect(step(graceful, object(given), { gracePeriodSeconds: 5 })).toEqual([
      "mark",
      { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 1 },
    ]);
    expect(step(graceful, object(given), { gracePeriodSeconds: -5 })).toEqual([
      "mark",
      { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 1 },
    ]);
  });
  it("removes an expired object when a second deletion drops its last finalizers, and returns it unchanged", () => {
    const over = { finalizers: ["foregroundDeletion"], deletionTimestamp: "2025-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 };
    expect(step(graceful, object(over), { propagationPolicy: "Background" })).toEqual(["remove", over]);
    expect(step(graceful, object(over))).toEqual(["keep", over]);
  });
  it("refuses a resourceVersion precondition when the deletion drops the last finalizers", () => {
    const held = object({
      namespace: "n",
      finalizers: ["orphan"],
      deletionTimestamp: "2025-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
    });
    const options = { propagationPolicy: "Background", preconditions: { resourceVersion: "7" } } as const;
    expect(() => step({ ...plain, storagePrefix: "/registry/configmaps/" }, held, options)).toThrow(
      "Key: /registry/configmaps/n/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: 7",
    );
  });
  it("refuses a uid or resourceVersion precondition that does not match", () => {
    expect(() => step(plain, object(), { preconditions: { uid: "other" } })).toThrow(
      "the UID in the precondition (other) does not match the UID in record (u)",
    );
    expect(() => step(plain, object(), { preconditions: { resourceVersion: "6" } })).toThrow(
      "the ResourceVersion in the precondition (6) does not match the ResourceVersion in record (7)",
    );
    expect(step(plain, object(), { preconditions: { uid: "u", resourceVersion: "7" } })[0]).toBe("remove");
  });
});
