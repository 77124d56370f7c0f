import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { untilAborted } from "../sources/until-aborted.ts";
import { LeaderGroup } from "./leader-group.ts";
import type { Runnable } from "./runnable.ts";

const settle = (): Promise<void> => new ManualClock().settle();

function rig() {
  const events: string[] = [];
  const group = new LeaderGroup({ onError: (error, name) => events.push(`${name}: ${String(error)}`) });
  const member = (name: string, more: Partial<Runnable> = {}): Runnable => ({
    name,
    run: async (signal) => {
      events.push(`${name} starts`);
      await untilAborted(signal);
      events.push(`${name} ends`);
    },
    ...more,
  });
  const term = () => {
    const end = new AbortController();
    return { end: () => end.abort(new Error("lost")), over: group.lead(end.signal, () => events.push("started")) };
  };
  return { events, group, member, term };
}

describe("LeaderGroup", () => {
  it("starts all members in each term, also those added during or between terms", async () => {
    const { events, group, member, term } = rig();
    group.add(member("a"));
    const first = term();
    await settle();
    group.add(member("b"));
    first.end();
    group.add(member("c"));
    await first.over;
    expect(events.splice(0)).toEqual(["a starts", "started", "b starts", "a ends", "b ends"]);
    expect([group.isLeading, group.running()]).toEqual([false, []]);
    const second = term();
    await settle();
    expect([events, group.isLeading, group.running()]).toEqual([["a starts", "b starts", "c starts", "started"], true, ["a", "b", "c"]]);
    second.end();
    await second.over;
  });

  it("does not start a forgotten member in later terms", async () => {
    const { events, group, member, term } = rig();
    const [gone, stays] = [member("gone"), member("stays")];
    for (const one of [gone, stays]) group.add(one);
    const first = term();
    await settle();
    group.forget(gone);
    expect(group.running()).toEqual(["gone", "stays"]);
    first.end();
    await first.over;
    events.length = 0;
    const second = term();
    await settle();
    expect(events).toEqual(["stays starts", "started"]);
    second.end();
    await second.over;
  });

  it("starts no term and accepts no member after stop", async () => {
    const { events, group, member, term } = rig();
    group.add(member("a"));
    group.stop(new Error("enough"));
    await term().over;
    await group.ended();
    expect(() => group.add(member("b"))).toThrow("cannot add b");
    expect(events).toEqual([]);
  });

  it("starts no term whose signal has already aborted", async () => {
    const { events, group, member } = rig();
    group.add(member("a"));
    await group.lead(AbortSignal.abort(), () => events.push("started"));
    expect(events).toEqual([]);
  });

  it("reports a member that does not get ready, unless the term has ended", async () => {
    const { events, group, member, term } = rig();
    let fail: (error: Error) => void = () => undefined;
    group.add(member("a", { ready: () => new Promise((_, reject) => (fail = reject)) }));
    const first = term();
    fail(new Error("no"));
    await settle();
    expect(events.splice(0)).toEqual(["a starts", "the leader's group: Error: no"]);
    first.end();
    await first.over;
    const second = term();
    second.end();
    await second.over;
    expect(events).toEqual(["a ends", "a starts", "a ends"]);
  });
});
