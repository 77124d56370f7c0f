import { ApiError, newResourceExpired } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ReflectorJournal } from "./reflector-journal.ts";
import { initialReflectorState } from "./reflector-state.ts";

const state = initialReflectorState(0);

function stage(onError?: (error: unknown) => void) {
  const runtime = testRuntime();
  return { runtime, journal: new ReflectorJournal({ runtime, name: "pods", onError }) };
}

describe("ReflectorJournal", () => {
  it("reports the phase, its start, and the time since the last event", async () => {
    const { runtime, journal } = stage();
    expect(journal.status(state, "")).toMatchObject({ phase: "empty", sinceMs: undefined, lagMs: undefined, lastError: undefined });
    const began = runtime.clock.now();
    journal.entered("watching");
    journal.took(3, "9");
    await runtime.clock.advance(500);
    journal.entered("watching");
    expect(journal.status(state, "9")).toMatchObject({
      phase: "watching",
      sinceMs: began,
      lagMs: 500,
      events: 3,
      lastSyncResourceVersion: "9",
    });
  });

  it("keeps the last error after recovery, with hasFailed false", () => {
    const { journal } = stage();
    journal.failed(new Error("no"));
    expect(journal.status(state, "")).toMatchObject({ hasFailed: true, lastError: { error: new Error("no") } });
    journal.listed(3);
    expect(journal.status(state, "")).toMatchObject({ hasFailed: false, lastError: { error: new Error("no") } });
  });

  it("reports the time of the next attempt while it waits", () => {
    const { runtime, journal } = stage();
    journal.entered("backing-off");
    const waiting = { ...state, phase: { kind: "backing-off", untilMs: runtime.clock.monotonic() + 300, next: "list" } } as const;
    expect(journal.status(waiting, "").untilMs).toBe(runtime.clock.now() + 300);
    journal.entered("stopped");
    expect(journal.status(waiting, "").untilMs).toBeUndefined();
  });

  it("logs an expired watch as info, and other failures as warnings", () => {
    const { runtime, journal } = stage();
    journal.failed(new ApiError(newResourceExpired("old")));
    journal.failed(new Error("no"));
    journal.newEpoch("9", "5");
    expect(runtime.log.entries.map(({ level }) => level)).toEqual(["info", "warn", "error"]);
    expect(runtime.log.entries.every(({ fields }) => fields["reflector"] === "pods")).toBe(true);
  });

  it("logs a handler that throws, and continues", () => {
    const { runtime, journal } = stage(() => {
      throw new Error("handler");
    });
    journal.failed(new Error("no"));
    expect(runtime.log.entries.at(-1)?.message).toBe("watch error handler threw");
    expect(journal.status(state, "").lastError?.error).toEqual(new Error("no"));
  });

  it("keeps the last sixteen poison objects and counts all", () => {
    const { journal } = stage();
    for (let index = 0; index < 20; index++) journal.poisoned({ key: `k${index}`, resourceVersion: undefined, message: "no" });
    const { poison, poisonCount } = journal.status(state, "");
    expect([poisonCount, poison.length, poison[0]?.key, poison.at(-1)?.key]).toEqual([20, 16, "k4", "k19"]);
  });
});
