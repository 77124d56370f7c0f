import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";
import { printYaml } from "./print.ts";

describe("wrapLine", () => {
  it("breaks long lines at spaces, except in keys", () => {
    const words = "word ".repeat(40).trimEnd();
    expect(
      printYaml({ a: words })
        .split("\n")
        .map((line) => line.length),
    ).toEqual([82, 81, 41, 0]);
    expect(parseYaml(printYaml({ a: `'${words}  two`, b: `\t${words}  two`, c: [words] }))).toEqual({
      a: `'${words}  two`,
      b: `\t${words}  two`,
      c: [words],
    });
    expect(printYaml({ ["k ".repeat(60).trimEnd()]: 1 })).toBe(`${"k ".repeat(60).trimEnd()}: 1\n`);
  });
});
