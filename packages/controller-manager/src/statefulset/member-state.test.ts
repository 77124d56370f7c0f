import { describe, expect, it } from "vitest";
import { member, unready } from "../testing/stateful-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { isCreated, isHealthy, isRunningAndReady, isUnavailable } from "./member-state.ts";

const patience = { minReadySeconds: 20, now: start };

describe("state of a StatefulSet's pod", () => {
  it("is created once the server has set a phase", () => {
    expect([isCreated(member(0)), isCreated({ metadata: { name: "web-0" } })]).toEqual([true, false]);
  });

  it("is healthy when it is not terminating, runs, and has been ready long enough", () => {
    const states = [
      member(0, { readyFor: 20 }),
      member(0, { readyFor: 19 }),
      unready(0),
      member(0, { readyFor: 30, isDeleting: true }),
      member(0, { readyFor: 30, phase: "Pending" }),
    ];
    expect(states.map((pod) => isHealthy(pod, patience))).toEqual([true, false, false, false, false]);
    expect(states.map((pod) => isUnavailable(pod, patience))).toEqual([false, true, true, true, false]);
    expect(states.map(isRunningAndReady)).toEqual([true, true, false, true, false]);
  });
});
