import { deepFreeze } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cond } from "./cond.ts";
import { ErrSkip } from "./err-skip.ts";

const Ready = cond("Ready");
const clock = new ManualClock();
const then = "2026-01-01T00:00:00Z";

describe("cond", () => {
  it("trap 27: works on standard conditions of an object that has none yet, and does not change its arguments", () => {
    const object = deepFreeze({ metadata: { name: "web", generation: 2 } });
    const ready = Ready.true(object, clock);
    expect(ready).toEqual({
      metadata: { name: "web", generation: 2 },
      status: {
        conditions: [{ type: "Ready", status: "True", observedGeneration: 2, lastTransitionTime: then, reason: "True", message: "" }],
      },
    });
    expect([Ready.isTrue(ready), Ready.isTrue(object), Ready.getStatus(object), Ready.getLastUpdated(ready)]).toEqual([
      true,
      false,
      "",
      then,
    ]);
    expect(Ready.true(ready, clock)).toBe(ready);
  });

  it("works on a bare status, and keeps its other fields and conditions", () => {
    const status = deepFreeze({
      replicas: 1,
      conditions: [{ type: "Other", status: "False", reason: "R", message: "", lastTransitionTime: then }],
    });
    const next = Ready.reason(Ready.message(Ready.false(status, clock), "no nodes", clock), "NoNodes", clock);
    expect(next).toEqual({
      replicas: 1,
      conditions: [
        ...status.conditions,
        { type: "Ready", status: "False", lastTransitionTime: then, reason: "NoNodes", message: "no nodes" },
      ],
    });
    expect([
      Ready.isFalse(next),
      Ready.getReason(next),
      Ready.getMessage(next),
      Ready.setMessageIfBlank(next, "x", clock) === next,
    ]).toEqual([true, "NoNodes", "no nodes", true]);
  });

  it("creates an Unknown condition once, also when only reason or message are set", () => {
    const unknown = Ready.createUnknownIfNotExists({}, clock);
    expect([
      Ready.isUnknown(unknown),
      Ready.createUnknownIfNotExists(unknown, clock) === unknown,
      Ready.isUnknown(Ready.setMessageIfBlank({}, "soon", clock)),
    ]).toEqual([true, true, true]);
    expect(Ready.getStatus(Ready.setStatusBool(unknown, true, clock))).toBe("True");
  });

  it("treats no error and ErrSkip, also as a cause, as success, and anything else as a failure with a reason (§3.37)", () => {
    for (const none of [undefined, null, ErrSkip, new Error("later", { cause: ErrSkip })])
      expect(Ready.setError({}, "", none, clock)).toMatchObject({ conditions: [{ status: "True", message: "" }] });
    const failed = Ready.setError({}, "", new Error("no nodes"), clock);
    expect(failed).toMatchObject({ conditions: [{ status: "False", reason: "Error", message: "no nodes" }] });
    expect([
      Ready.matchesError(failed, "", new Error("no nodes")),
      Ready.matchesError(failed, "", undefined),
      Ready.matchesError(failed, "Full", new Error("no nodes")),
    ]).toEqual([true, false, false]);
    expect(Ready.setError(failed, "", undefined, clock)).toMatchObject({ conditions: [{ status: "True", message: "" }] });
  });

  it("has at most one condition of its type after any verbs, and lastTransitionTime changes only with the status", () => {
    const verbs = fc.constantFrom("true", "false", "unknown", "createUnknownIfNotExists");
    fc.assert(
      fc.property(fc.array(verbs, { maxLength: 12 }), fc.constantFrom("metav1" as const, "generic" as const), (steps, form) => {
        const condition = cond("Ready", { form });
        let [subject, time]: [{ conditions?: { status: string; lastTransitionTime?: string }[] }, number] = [{}, 0];
        for (const step of steps) {
          const before = subject.conditions?.[0];
          subject = condition[step](deepFreeze(subject) as typeof subject, { now: () => (time += 1000) });
          const [after, ...more] = subject.conditions ?? [];
          expect(more).toEqual([]);
          if (before?.status === after?.status) expect(after?.lastTransitionTime).toBe(before?.lastTransitionTime);
        }
      }),
    );
  });
});
