import { describe, expect, it } from "vitest";
import { templateHash } from "./template-hash.ts";

describe("templateHash", () => {
  it("D123: differs for a thousand templates, and is stable for one", () => {
    const of = (index: number): string => templateHash({ spec: { containers: [{ name: "web", image: `web:${index}` }] } });
    expect(new Set(Array.from({ length: 1000 }, (_, index) => of(index))).size).toBe(1000);
    expect(of(1)).toBe("7d4cf87ddf");
  });

  it("ignores the order of fields and unset fields", () => {
    expect(templateHash({ metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [] } })).toBe(
      templateHash({ spec: { containers: [] }, metadata: { creationTimestamp: null, labels: { b: "2", a: "1" } } }),
    );
  });

  it("differs after each collision", () => {
    expect(new Set([undefined, 0, 1, 2].map((count) => templateHash({}, count))).size).toBe(4);
  });

  it("is short and spells no words", () => {
    expect(templateHash({})).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
  });
});
