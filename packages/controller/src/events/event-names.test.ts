import { checkDns1123Subdomain } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { EventNames } from "./event-names.ts";

describe("EventNames", () => {
  it("returns the object's name and the time in hexadecimal nanoseconds", () => {
    const [name, hex] = new EventNames(testRuntime()).next("web-0").split(".");
    expect([name, BigInt(`0x${hex ?? ""}`) / 1_000_000n]).toEqual(["web-0", 1_767_225_600_000n]);
  });

  it("never returns the same name twice, even if the clock stops or is set back", () => {
    const runtime = testRuntime();
    const names = new EventNames(runtime);
    const made = Array.from({ length: 1000 }, (_, index) => {
      if (index === 500) runtime.clock.setNow(0);
      return names.next("web");
    });
    expect(new Set(made).size).toBe(1000);
    expect(made.every((name) => checkDns1123Subdomain(name).length === 0)).toBe(true);
  });

  it("never returns the same name twice, even if the random numbers are equal", () => {
    const runtime = testRuntime();
    const names = new EventNames({ ...runtime, random: { ...runtime.random, int: () => 7 } });
    expect(new Set(Array.from({ length: 100 }, () => names.next("web"))).size).toBe(100);
  });

  it("returns different names in processes that report about one object in the same millisecond", () => {
    const made = Array.from({ length: 50 }, (_, seed) => new EventNames(testRuntime({ seed, clock: new ManualClock() })).next("web"));
    expect(new Set(made).size).toBe(50);
  });

  it("returns a bare uid if the object's name cannot start a valid name", () => {
    const names = new EventNames(testRuntime());
    for (const name of ["system:node", "Upper", "a".repeat(250), ""]) expect(names.next(name)).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });
});
