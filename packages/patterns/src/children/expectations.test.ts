import { objectKey } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { Expectations } from "./expectations.ts";

const web = objectKey("web", "shop");

describe("Expectations", () => {
  const clock = new ManualClock();
  const fresh = (): Expectations => new Expectations({ clock });

  it("are satisfied if nothing was expected (row C001)", () => {
    expect(fresh().satisfied(web)).toBe(true);
  });

  it("are satisfied when all creations were observed or failed (row C001)", () => {
    const expectations = fresh();
    expectations.expectCreations(web, 2);
    expectations.creationObserved(web);
    expect(expectations.satisfied(web)).toBe(false);
    expectations.creationObserved(web);
    expectations.creationObserved(web);
    expect(expectations.satisfied(web)).toBe(true);
  });

  it("count a deletion once, although the deletion timestamp and the deletion are both observed (row C002)", () => {
    const expectations = fresh();
    expectations.expectDeletions(web, ["shop/web-1", "shop/web-2"]);
    expectations.deletionObserved(web, "shop/web-1");
    expectations.deletionObserved(web, "shop/web-1");
    expectations.deletionObserved(web, "shop/other");
    expect(expectations.satisfied(web)).toBe(false);
    expectations.deletionObserved(web, "shop/web-2");
    expect(expectations.satisfied(web)).toBe(true);
  });

  it("can contain creations and deletions", () => {
    const expectations = fresh();
    expectations.expectBoth(web, 1, ["a"]);
    expectations.creationObserved(web);
    expect(expectations.satisfied(web)).toBe(false);
    expectations.deletionObserved(web, "a");
    expect(expectations.satisfied(web)).toBe(true);
  });

  it("expire after five minutes, and not before (row C001)", async () => {
    const expectations = fresh();
    expectations.expectCreations(web, 1);
    await clock.advance(5 * 60_000);
    expect(expectations.satisfied(web)).toBe(false);
    await clock.advance(1);
    expect(expectations.satisfied(web)).toBe(true);
  });

  it("are replaced by the next decision, separate per owner, and gone after forget (row C002)", () => {
    const expectations = fresh();
    expectations.expectCreations(web, 5);
    expectations.expectDeletions(web, ["a"]);
    expect(expectations.satisfied(objectKey("other", "shop"))).toBe(true);
    expectations.deletionObserved(web, "a");
    expect(expectations.satisfied(web)).toBe(true);
    expectations.expectCreations(web, 1);
    expectations.forget(web);
    expect(expectations.satisfied(web)).toBe(true);
  });

  it("remember a deletion with an unknown outcome until it is observed, without waiting for it", () => {
    const expectations = fresh();
    expectations.expectDeletions(web, ["a", "b"]);
    expectations.deletionDoubted(web, "a");
    expectations.deletionDoubted(web, "never expected");
    expectations.deletionObserved(web, "b");
    expect(expectations.satisfied(web)).toBe(true);
    expectations.expectDeletions(web, ["b"]);
    expect(["a", "b", "never expected"].map((name) => expectations.isDeletionDoubted(web, name))).toEqual([true, false, false]);
    expectations.deletionObserved(web, "a");
    expect(expectations.isDeletionDoubted(web, "a")).toBe(false);
  });
});
