import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { podOf, serviceOf } from "./testing/endpoint-objects.ts";
import { TriggerTimes } from "./trigger-times.ts";

const at = (second: number): string => `2026-01-01T00:00:0${second}Z`;
const pod = (name: string, second: number): ReturnType<typeof podOf> => podOf(name, { readySince: at(second) });

describe("S039: TriggerTimes.next", () => {
  it("returns the service's creation time first, and again after it was forgotten", () => {
    const times = new TriggerTimes();
    expect(times.next(serviceOf(), [pod("a", 3)])).toBe(at(0));
    times.forget(objectKey("web", "shop"));
    expect(times.next(serviceOf(), [pod("a", 3)])).toBe(at(0));
  });

  it("E031, E032: returns the earliest time since the last call, and undefined when nothing is newer", () => {
    const times = new TriggerTimes();
    times.next(serviceOf(), [pod("a", 1), pod("b", 2)]);
    expect(times.next(serviceOf(), [pod("a", 1), pod("b", 2)])).toBeUndefined();
    expect(times.next(serviceOf(), [pod("a", 5), pod("b", 4)])).toBe(at(4));
    expect(times.next(serviceOf(), [pod("a", 5)])).toBeUndefined();
    expect(times.next(serviceOf(), [pod("a", 5), pod("b", 6)])).toBe(at(6));
    expect(times.next(serviceOf({}, { creationTimestamp: at(3) }), [pod("a", 5), pod("b", 7)])).toBe(at(3));
  });
});
