/**
 * controller-runtime's own suites on the folder of `drover envtest path`: every spec has the verdict that it has on the real
 * kube-apiserver and etcd (recorded/controller-runtime.json; DROVER_RECORD=1 records it anew).
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { controlPlaneStart } from "./control-plane-start.ts";
import { processesOf } from "./processes.ts";
import { runSuite } from "./suite-run.ts";
import type { Verdicts } from "./suite-run.ts";

const root = join(import.meta.dirname, "..", "..");
const recordPath = join(root, "conformance", "recorded", "controller-runtime.json");
const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, "suites", "packages.json"), "utf8")) as {
  readonly packages: readonly string[];
};
const suites = process.env["DROVER_ENVTEST_SUITES"];
const real = process.env["KUBEBUILDER_ASSETS"];
const isRecording = process.env["DROVER_RECORD"] === "1" && suites !== undefined && real !== undefined;
/** Suites that wait in real time for more than ten seconds. */
const slow: readonly string[] = ["pkg/cache", "pkg/manager", "pkg/internal/controller", "pkg/envtest"];
const isWhole = process.env["DROVER_LONG"] === "1" || process.env["DROVER_ENVTEST"] === "1" || isRecording;
const asked = packages.filter((name) => isWhole || !slow.includes(name));
const recorded = (): Record<string, Verdicts> =>
  existsSync(recordPath) ? (JSON.parse(readFileSync(recordPath, "utf8")) as Record<string, Verdicts>) : {};

describe("the drop-in for envtest", () => {
  let folder = "";
  let assets = "";
  const fresh: Record<string, Verdicts> = {};

  beforeAll(() => {
    if (suites === undefined) return;
    folder = mkdtempSync(join(tmpdir(), "drover-envtest-"));
    const run = (...words: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        cwd: root,
        env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
    run(join("scripts", "bundle-program.mjs"), "--command", join(folder, "cli"), "drover=packages/cli/src/main.ts");
    assets = run(join(folder, "cli", "bin", "drover.js"), "envtest", "path").trim();
  }, 60_000);
  afterAll(() => {
    if (isRecording) writeFileSync(recordPath, `${JSON.stringify({ ...recorded(), ...fresh }, undefined, 1)}\n`);
    if (folder !== "") rmSync(folder, { recursive: true });
  });

  it.concurrent.for(asked)(
    "passes controller-runtime's suite %s as the real programs do",
    { timeout: 600_000 },
    async (name, { skip, expect }) => {
      if (suites === undefined) {
        skip("there are no suites of controller-runtime; npm run assets builds them");
        return;
      }
      const { verdicts, tail } = await runSuite(name, {
        assets: isRecording && real !== undefined ? real : assets,
        suites,
        leftovers: isRecording ? "end" : "leave",
      });
      if (isRecording) {
        // A spec that fails on the real programs is a busy machine, and no verdict.
        expect(verdicts.others["failed"], tail).toBeUndefined();
        fresh[name] = verdicts;
      } else expect(verdicts, tail).toEqual(recorded()[name]);
    },
  );

  it("has ended every process, also those that a suite does not stop", async ({ expect }) => {
    // They look for their parent twice a second.
    await vi.waitFor(() => expect(folder === "" ? [] : processesOf(join(folder, "cli")).map(({ line }) => line)).toEqual([]), {
      timeout: 15_000,
    });
  });

  it("starts a control plane in a fraction of the time of the real programs", { timeout: 120_000 }, async ({ skip, expect }) => {
    if (suites === undefined || real === undefined) {
      skip("there are no real programs to compare with; npm run assets builds them");
      return;
    }
    if (!isWhole || isRecording) {
      skip("it takes half a minute; npm run test:envtest");
      return;
    }
    const ours: number[] = [];
    const theirs: number[] = [];
    // In turns, so that both meet the same load of the machine.
    for (let round = 0; round < 3; round++) {
      ours.push(await controlPlaneStart(assets));
      theirs.push(await controlPlaneStart(real));
    }
    const ratio = Math.min(...ours) / Math.min(...theirs);
    console.log(
      `a control plane starts in ${Math.min(...ours).toFixed(0)} ms, the real one in ${Math.min(...theirs).toFixed(0)} ms: ${ratio.toFixed(3)}`,
    );
    // 0.165 on two cores with 25 runnable processes. The bound leaves room for busier machines.
    expect(ratio).toBeLessThan(0.4);
  });
});
