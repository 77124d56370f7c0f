import { describe, expect, it } from "vitest";
import { explain } from "./explain.ts";
import type { ExplainOptions } from "./explain.ts";
import { problemText } from "./problem-page.ts";
import { problems } from "./problems.ts";

function run(options: Partial<ExplainOptions>): { readonly code: number; readonly out: string; readonly err: string } {
  let [out, err] = ["", ""];
  const code = explain(
    { json: false, ...options },
    {
      write: (text) => {
        out += text;
      },
      warn: (message) => {
        err += message;
      },
    },
  );
  return { code, out, err };
}

describe("drover explain", () => {
  it("prints the page of a code, however it is typed", () => {
    const { code, out } = run({ code: "DRV0310" });
    expect(code).toBe(0);
    expect(out).toContain("DRV0310  The server refused the connection\n");
    expect(out).toContain("\nWhat to do:\n  -  Start the cluster");
    for (const typed of ["drv0310", "[DRV0310]", "310", "DRV310"]) expect(run({ code: typed }).out).toBe(out);
  });

  it("lists all codes without an argument", () => {
    const { code, out } = run({});
    expect(code).toBe(0);
    for (const problem of problems) expect(out).toContain(`  ${problem.code}  `);
  });

  it("names the nearest codes for one that does not exist", () => {
    const { code, out, err } = run({ code: "DRV0399" });
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^there is no code DRV0399; the nearest are\n {2}DRV03\d\d {2}/);
  });

  it("finds codes by words", () => {
    expect(run({ code: "refused connection" }).err).toContain("DRV0310");
  });

  it("stays short for hostile words", () => {
    expect(run({ code: "x".repeat(1_000_000) }).err.length).toBeLessThan(500);
  });

  it("prints JSON: one problem, or all", () => {
    expect(JSON.parse(run({ code: "DRV0310", json: true }).out)).toMatchObject({ code: "DRV0310", fixes: [expect.any(String)] });
    expect((JSON.parse(run({ json: true }).out) as { problems: unknown[] }).problems).toHaveLength(problems.length);
  });

  it("fits every page and the list into 80 columns", () => {
    const text = [run({}).out, ...problems.map((problem) => problemText(problem).join("\n"))].join("\n");
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("problems", () => {
  it("have codes of their own, in order, and every part of a page", () => {
    const codes = problems.map(({ code }) => code);
    expect(codes).toEqual([...new Set(codes)].toSorted());
    for (const { code, title, means, causes, find, fixes } of problems) {
      expect(code).toMatch(/^DRV\d{4}$/);
      expect(title).toMatch(/^[^.]+[^.]$/);
      expect(means).toMatch(/[.]$/);
      for (const part of [causes, find, fixes]) expect(part.length).toBeGreaterThan(0);
    }
  });
});
