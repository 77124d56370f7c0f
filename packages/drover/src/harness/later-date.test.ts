import { describe, expect, it } from "vitest";
import { laterDate } from "./later-date.ts";

describe("laterDate", () => {
  it("runs a function more than a second later, and restores the clock", () => {
    const before = Date.now();
    const seen: number[] = [];
    laterDate(() => seen.push(Date.now(), new Date().getTime(), Date.parse(Date()), new Date(5).getTime(), Date.UTC(1970, 0, 1)));
    expect(seen[0]).toBeGreaterThan(before + 1000);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).toBeGreaterThan(before);
    expect(seen.slice(3)).toEqual([5, 0]);
    expect(new Date()).toBeInstanceOf(Date);
    expect(Date.now()).toBeLessThan(before + 1000);
  });

  it("makes dates that are instances of Date", () => {
    laterDate(() => expect(new Date()).toBeInstanceOf(Date));
  });

  it("restores the clock after an error", () => {
    const real = Date;
    expect(() =>
      laterDate(() => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(Date).toBe(real);
  });
});
