import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statedStatus } from "../../packages/patterns/src/operator/status-step.ts";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "reasons.md"), "utf8");
const sources = sourceFiles(root);
const inPackages = (...names: readonly string[]): readonly string[] =>
  sources.filter(({ path }) => names.some((name) => path.startsWith(`packages/${name}/`))).map(({ text }) => text);
const section = (title: string): string => (page.split(`${title}\n`)[1] ?? "").split(/\n##/)[0] ?? "";
const firstColumn = (text: string): readonly string[] => [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = ""]) => name);
const literals = (text: string): readonly string[] => [...text.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name);

describe("docs/reasons.md", () => {
  it("lists every Event that the framework writes about objects", () => {
    const written = inPackages("controller", "patterns").flatMap((text) => {
      const warnings = [...text.matchAll(/\.warning\(([^,]+),/g)].flatMap(([, argument = ""]) => literals(argument));
      const events = text.includes("eventf({") ? [...text.matchAll(/^ {4,8}reason: "(\w+)"/gm)].map(([, reason = ""]) => reason) : [];
      return [...warnings, ...events];
    });
    expect(firstColumn(section("## Events of operators")).toSorted()).toEqual([...new Set(written)].toSorted());
  });

  it("lists every condition that operators set by themselves", () => {
    const conditions = ["Reconciled", "Stalled", "Held"].map((type) => ({ type, status: "True", reason: "ReconcileStopped" }));
    const before = [{}, { status: { conditions } }, { status: { conditions: [{ ...conditions[0], status: "False" }] } }];
    const failures = [false, true].flatMap((isStalled) => [false, true].map((isCleanup) => ({ error: "no", isStalled, isCleanup })));
    const reports = [undefined, ...failures].flatMap((failure) => [[], [{ slot: "a", why: "b" }]].map((holds) => ({ failure, holds })));
    const set = new Set(
      before
        .flatMap((object) => reports.flatMap((report) => statedStatus({ metadata: {}, ...object }, {}, report).conditions ?? []))
        // As Reconciled.
        .filter(({ type }) => type !== "Ready")
        .map(({ type, status, reason }) => `${type} ${status.toLowerCase()} ${reason}`),
    );
    const listed = [...section("## Conditions of operators").matchAll(/^\| `(\w+)` \| (True|False), `(\w+)`/gm)].map(
      ([, type = "", status = "", reason = ""]) => `${type} ${status.toLowerCase()} ${reason}`,
    );
    expect(listed.toSorted()).toEqual([...set].toSorted());
  });

  it.each([
    ["ApiError", "StatusReason"],
    ["TransportError", "TransportErrorReason"],
    ["ResponseError", "ResponseErrorReason"],
    ["KubeconfigError", "KubeconfigErrorReason"],
    ["CredentialError", "CredentialErrorReason"],
    ["StreamError", "StreamErrorReason"],
    ["NotSettledError", "NotSettledReason"],
  ])("lists the reasons of %s", (error, type) => {
    const declared = sources.flatMap(({ text }) =>
      literals(new RegExp(`^export type ${type} =([^;]+);`, "m").exec(text.replace(/\/\*.*?\*\//gs, ""))?.[1] ?? ""),
    );
    expect(declared.length).toBeGreaterThan(2);
    expect(firstColumn(section(`### ${error}`)).toSorted()).toEqual([...declared].toSorted());
  });

  it("lists the Events of the built-in controllers", () => {
    const written = inPackages("controller-manager", "dev-cluster").flatMap((text) =>
      [...text.matchAll(/type: "(?:Normal|Warning)",\s*reason: "(\w+)"|\btell\((?:\w+, )?"(?:Normal|Warning)", "(\w+)"/g)].map(
        ([, reason, told]) => reason ?? told ?? "",
      ),
    );
    expect(written.length).toBeGreaterThan(20);
    const listed = [...section("## Events of the built-in controllers").matchAll(/`(\w+)`/g)].map(([, reason = ""]) => reason);
    expect([...new Set(written)].filter((reason) => !listed.includes(reason))).toEqual([]);
    const known = new Set(inPackages("controller-manager", "dev-cluster").flatMap(literals));
    expect(listed.filter((reason) => !known.has(reason) && reason !== "startCluster")).toEqual([]);
  });
});
