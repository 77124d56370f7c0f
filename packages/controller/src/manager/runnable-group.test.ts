import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { untilAborted } from "../sources/until-aborted.ts";
import { RunnableGroup } from "./runnable-group.ts";

const settle = (): Promise<void> => new ManualClock().settle();

function rig() {
  const events: string[] = [];
  const group = new RunnableGroup({ onError: (error, name) => events.push(`${name}: ${String(error)}`) });
  const member = (name: string) => ({
    name,
    run: async (signal: AbortSignal): Promise<void> => {
      events.push(`${name} starts`);
      await untilAborted(signal);
      events.push(`${name} ends`);
    },
  });
  return { events, group, member };
}

describe("RunnableGroup", () => {
  it("starts no member before start, and later members immediately", async () => {
    const { events, group, member } = rig();
    group.add(member("a"));
    await settle();
    expect(events).toEqual([]);
    await group.start();
    group.add(member("b"));
    expect([events, group.running()]).toEqual([
      ["a starts", "b starts"],
      ["a", "b"],
    ]);
  });

  it("is ready when all its initial members are, and rejects when one fails", async () => {
    for (const fails of [false, true]) {
      const { group, member } = rig();
      const settlers: [() => void, (error: Error) => void][] = [];
      for (const name of ["a", "b"]) group.add({ ...member(name), ready: () => new Promise((...settler) => void settlers.push(settler)) });
      let outcome: unknown = "waiting";
      group.start().then(
        () => (outcome = "ready"),
        (error: unknown) => (outcome = error),
      );
      settlers[1]?.[0]();
      await settle();
      expect(outcome).toBe("waiting");
      settlers[0]?.[fails ? 1 : 0](new Error("no"));
      await settle();
      expect(outcome).toEqual(fails ? new Error("no") : "ready");
    }
  });

  it("leaves no unhandled rejection when two members fail to get ready, thrown and rejected", async () => {
    const { group, member } = rig();
    group.add({ ...member("a"), ready: () => Promise.reject(new Error("first")) });
    group.add({
      ...member("b"),
      ready: () => {
        throw new Error("second");
      },
    });
    await expect(group.start()).rejects.toThrow(/first|second/);
    await settle();
  });

  it("reports a late member that does not get ready", async () => {
    const { events, group, member } = rig();
    await group.start();
    group.add({ ...member("a"), ready: () => Promise.reject(new Error("no")) });
    await settle();
    expect(events).toEqual(["a starts", "a, getting ready: Error: no"]);
  });

  it("accepts no member after stop, started or not, and has ended when all members have", async () => {
    for (const started of [true, false]) {
      const { events, group, member } = rig();
      group.add(member("a"));
      if (started) await group.start();
      let isOver = false;
      const over = group.ended().then(() => (isOver = true));
      await settle();
      expect(isOver).toBe(false);
      group.stop(new Error("enough"));
      expect(() => group.add(member("b"))).toThrow("cannot add b");
      await over;
      expect(events).toEqual(started ? ["a starts", "a ends"] : []);
      await expect(group.start()).rejects.toThrow("enough");
    }
  });

  it("stops waiting for readiness when it is stopped", async () => {
    const { group, member } = rig();
    group.add({ ...member("a"), ready: () => new Promise(() => undefined) });
    const starting = expect(group.start()).rejects.toThrow("enough");
    group.stop(new Error("enough"));
    await starting;
  });

  it("starts each member exactly once, for any order of add, start and stop", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("add", "start", "turn"), { maxLength: 12 }), async (steps) => {
        const { events, group, member } = rig();
        let isStarted = false;
        const names: string[] = [];
        for (const step of steps) {
          if (step === "turn") await Promise.resolve();
          if (step === "add") group.add(member(names[names.push(`m${names.length}`) - 1] ?? ""));
          if (step === "start" && !isStarted) {
            isStarted = true;
            group.start().catch(() => undefined);
          }
        }
        group.stop(new Error("enough"));
        await group.ended();
        expect(events.toSorted()).toEqual((isStarted ? names : []).flatMap((name) => [`${name} ends`, `${name} starts`]).toSorted());
      }),
    );
  });
});
