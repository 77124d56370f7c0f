import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newTTLStore } from "./expiration-cache.ts";

const idOf = ({ id }: { readonly id: string }): string => id;

describe("ExpirationCache", () => {
  it("returns an object until it is older than its time to live", async () => {
    const clock = new ManualClock();
    const cache = newTTLStore(idOf, 1000, clock);
    cache.add({ id: "a" });
    await clock.advance(1000);
    expect(cache.get({ id: "a" })).toEqual({ id: "a" });
    await clock.advance(1);
    expect([cache.listKeys(), cache.getByKey("a"), cache.listKeys()]).toEqual([["a"], undefined, []]);
  });
  it("restarts the time to live when an object is stored again", async () => {
    const clock = new ManualClock();
    const cache = newTTLStore(idOf, 1000, clock);
    cache.add({ id: "a" });
    await clock.advance(900);
    cache.update({ id: "a" });
    await clock.advance(900);
    expect(cache.list()).toEqual([{ id: "a" }]);
  });
  it("lists only objects that have not expired, and stamps all items of replace with one time", async () => {
    const clock = new ManualClock();
    const cache = newTTLStore(idOf, 1000, clock);
    cache.add({ id: "old" });
    cache.replace([{ id: "a" }, { id: "b" }]);
    cache.resync();
    expect(cache.listKeys()).toEqual(["a", "b"]);
    cache.delete({ id: "b" });
    await clock.advance(1001);
    cache.add({ id: "c" });
    expect(cache.list()).toEqual([{ id: "c" }]);
  });
  it("never expires objects without a time to live", async () => {
    const clock = new ManualClock();
    const cache = newTTLStore(idOf, 0, clock);
    cache.add({ id: "a" });
    await clock.advance(1e12);
    expect(cache.getByKey("a")).toEqual({ id: "a" });
  });
});
