import { describe, expect, it } from "vitest";
import { RoundRobin } from "./round-robin.ts";

describe("RoundRobin", () => {
  it("calls back in order, one in each turn, also those that are added again", () => {
    const due: (() => void)[] = [];
    const robin = new RoundRobin((callback) => void due.push(callback));
    const called: string[] = [];
    const add = (name: string, times: number): void =>
      robin.add(() => {
        called.push(name);
        if (times > 1) add(name, times - 1);
      });
    add("a", 2);
    add("b", 2);
    while (due.length > 0) {
      expect(due.length).toBe(1);
      due.shift()?.();
    }
    expect(called).toEqual(["a", "b", "a", "b"]);
  });
});
