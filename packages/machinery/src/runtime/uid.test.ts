import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";
import { uidSource } from "./uid.ts";

describe("uidSource", () => {
  it("returns RFC 4122 version 4 uids, the same for the same source", () => {
    const uid = uidSource(createRandom(1).stream("uid"));
    expect(uid()).toBe("5f513e31-036f-4cdd-a104-121bf8979207");
    const uids = Array.from({ length: 5000 }, uid);
    for (const text of uids) expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(uids).size).toBe(5000);
    // Every position but the two fixed ones takes every value it may.
    const seen = Array.from({ length: 36 }, (_, index) => new Set(uids.map((text) => text[index])).size);
    expect(
      seen.map((size, index) => (index === 14 || [8, 13, 18, 23].includes(index) ? size === 1 : index === 19 ? size === 4 : size === 16)),
    ).not.toContain(false);
  });
});
