import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { failureOf, logFailures, printOutcomes, runChecks } from "./health-check.ts";
import type { HealthCheck } from "./health-check.ts";

const { signal } = new AbortController();
const fails: HealthCheck = () => {
  throw new Error("secret");
};

describe("health checks", () => {
  it("all run, with outcomes in the order of their names", async () => {
    const checks = new Map<string, HealthCheck>([
      ["b", () => Promise.resolve()],
      ["c", () => Promise.reject(new Error("no"))],
      ["a", fails],
    ]);
    const outcomes = await runChecks(checks, { exclude: new Set(), signal });
    expect(outcomes.map(({ name, result }) => [name, result])).toEqual([
      ["a", "failed"],
      ["b", "ok"],
      ["c", "failed"],
    ]);
    const { log } = testRuntime();
    logFailures(outcomes, log, "/healthz");
    expect(log.entries.map(({ fields }) => [fields.check, String(fields.error)])).toEqual([
      ["a", "Error: secret"],
      ["c", "Error: no"],
    ]);
  });

  it("are skipped if excluded", async () => {
    expect(await runChecks(new Map([["a", fails]]), { exclude: new Set(["a"]), signal })).toEqual([{ name: "a", result: "excluded" }]);
  });

  it("are replaced by one named ping if there are none", async () => {
    expect(await runChecks(new Map(), { exclude: new Set(), signal })).toEqual([{ name: "ping", result: "ok" }]);
  });

  it("fail when the signal aborts if they never settle", async () => {
    const gone = new AbortController();
    const failure = failureOf(() => new Promise(() => undefined), gone.signal);
    gone.abort(new Error("gone"));
    expect(await failure).toEqual({ error: new Error("gone") });
  });

  it("are printed without reasons", () => {
    expect(
      printOutcomes(
        [
          { name: "a", result: "failed", error: new Error("secret") },
          { name: "b", result: "excluded" },
          { name: "c", result: "ok" },
        ],
        ["x", 'y"'],
      ),
    ).toBe(
      '[-]a failed: reason withheld\n[+]b excluded: ok\n[+]c ok\nwarn: some health checks cannot be excluded: no matches for "x","y\\""\nhealthz check failed\n',
    );
  });
});
