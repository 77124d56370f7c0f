import { describe, expect, it } from "vitest";
import { templateHash } from "./template-hash.ts";

describe("the hash of a template", () => {
  it("D123: differs for a thousand templates, and stays the same for one", () => {
    const of = (index: number): string => templateHash({ spec: { containers: [{ name: "web", image: `web:${index}` }] } });
    expect(new Set(Array.from({ length: 1000 }, (_, index) => of(index))).size).toBe(1000);
    expect(of(1)).toBe("7d4cf87ddf");
  });

  it("does not depend on the order of fields, nor on what is not set", () => {
    expect(templateHash({ metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [] } })).toBe(
      templateHash({ spec: { containers: [] }, metadata: { creationTimestamp: null, labels: { b: "2", a: "1" } } }),
    );
  });

  it("is another one after each collision", () => {
    expect(new Set([undefined, 0, 1, 2].map((count) => templateHash({}, count))).size).toBe(4);
  });

  it("is short, and spells nothing", () => {
    expect(templateHash({})).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  });
});
