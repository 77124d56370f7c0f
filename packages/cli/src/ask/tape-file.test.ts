import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunRecord } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createExclusive } from "../exclusive-file.ts";
import { readTapeFile, tapeText } from "./tape-file.ts";
import type { TapeFile } from "./tape-file.ts";
import { filteredRuns } from "./tape-filter.ts";

const record = (controller: string, key: string, kind: string): RunRecord => ({
  run: `r-${key}`,
  controller,
  key: key as ObjectKey,
  startedAt: 1,
  waitedMs: 0,
  attempts: 0,
  causes: [
    {
      type: "change",
      event: "added",
      via: "self",
      kind: { group: kind === "Pod" ? "" : "apps", kind },
      cluster: "",
      key: key as ObjectKey,
      uid: "u",
      resourceVersion: "1",
      writers: [],
    },
  ],
  causeCount: 1,
  calls: [],
  callCount: 0,
});
const file: TapeFile = {
  head: {
    program: "shop",
    drover: "0.1.0",
    savedAt: 5,
    resources: [
      { group: "apps", kind: "Deployment", names: ["deployment", "deployments", "deploy"] },
      { group: "", kind: "Pod", names: ["pod", "pods", "po"] },
    ],
    controllers: [{ name: "web", kind: "Deployment.apps" }, { name: "other" }],
  },
  runs: [record("web", "a/x", "Deployment"), record("web", "b/x", "Deployment"), record("other", "a/y", "Pod")],
};

describe("tape files", () => {
  let path = "";
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "drover-tape-"));
    path = join(folder, "tape");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("keep facts and runs, readable for their owner only", async () => {
    createExclusive(path, tapeText(file));
    expect(await readTapeFile(path)).toEqual(file);
    expect(statSync(path).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  });

  it("are refused with the line that is wrong", async () => {
    await expect(readTapeFile(path)).rejects.toThrow("does not exist");
    writeFileSync(path, "hello\n");
    await expect(readTapeFile(path)).rejects.toThrow("is not a tape: line 1 is not JSON\n  fix: drover tape save FILE");
    writeFileSync(path, '{"format":"drover-tape","version":2}\n');
    await expect(readTapeFile(path)).rejects.toThrow("unsupported format version 2; supported is 1");
    writeFileSync(path, `${tapeText(file)}{"run":7}\n`);
    await expect(readTapeFile(path)).rejects.toThrow("line 5: run must be a string");
    await expect(readTapeFile(folder)).rejects.toThrow("cannot read");
  });

  it("of tests have no facts, but can be read", async () => {
    writeFileSync(path, '{"format":"drover-tape","version":1,"resources":[{"kind":1}],"controllers":[null]}\n');
    expect(await readTapeFile(path)).toMatchObject({ head: { program: "unknown", resources: [], controllers: [] }, runs: [] });
  });

  it("are filtered as drover trace filters: by object, namespace and controller", () => {
    const keys = (kind: string, name: string, rest: object = {}): readonly string[] =>
      filteredRuns(file, { object: { kind, name, ...rest } }).map(({ key }) => key);
    expect(keys("deploy", "x")).toEqual(["a/x", "b/x"]);
    expect(keys("Deployments.apps", "x", { namespace: "b" })).toEqual(["b/x"]);
    // No controller reconciles Pods: the runs that one caused.
    expect(keys("po", "y")).toEqual(["a/y"]);
    expect(filteredRuns(file, { controller: "other" })).toHaveLength(1);
    expect(() => keys("widget", "x")).toThrow('shop watched no kind "widget"; it watched Deployment.apps, Pod');
  });
});
