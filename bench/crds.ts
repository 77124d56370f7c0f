/**
 * `npm run bench -- crds [count] [rounds]`: CustomResourceDefinitions with 64 patterned properties each, created one after the other and
 * ten at once, on our server and on the real kube-apiserver with its etcd, in the same run, over TLS, with the same client. Measures the
 * time until all are established, the first and the last creates, a GET meanwhile, and how soon discovery and OpenAPI are current.
 *
 * Each server is a new process for each figure; ours runs from the built packages. Medians of the rounds. Needs the programs of
 * `npm run assets`. Exits with 1 when a goal does not hold.
 */
import { dirname } from "node:path";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureCrds } from "./apiserver/crd-measures.ts";
import type { CrdTimes } from "./apiserver/crd-measures.ts";
import { Target } from "./apiserver/target.ts";
import { startOurServer } from "./processes/our-server.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const counts = process.argv[3] === undefined ? [200, 1000] : [Number(process.argv[3])];
const rounds = Number(process.argv[4] ?? 3);

// This module looks up the programs when it is loaded.
Object.assign(process.env, assetEnvironment());
const { realServerMissing, startRealServer } = await import("../conformance/servers/real-server.ts");
if (realServerMissing !== undefined) {
  process.stderr.write(`bench crds: cannot compare with kube-apiserver: ${realServerMissing}.\n`);
  process.exit(2);
}

type Run = (target: Target) => Promise<CrdTimes>;

async function measureOurs(run: Run): Promise<CrdTimes> {
  const { child, started } = await startOurServer();
  const target = new Target({ name: "ours", ...started, processMark: "our-server.mjs" });
  try {
    return await run(target);
  } finally {
    target.close();
    child.kill();
  }
}

async function measureTheirs(run: Run): Promise<CrdTimes> {
  const { url, ca, token, kubeconfig, stop } = await startRealServer();
  const target = new Target({ name: "kube-apiserver", url, ca, token, processMark: dirname(kubeconfig) });
  try {
    return await run(target);
  } finally {
    target.close();
    await stop();
  }
}

const figures: readonly (readonly [name: string, pick: (times: CrdTimes) => number])[] = [
  ["all established", ({ allMs }) => allMs],
  ["create, first tenth p50", ({ firstMs }) => firstMs],
  ["create, last tenth p50", ({ lastMs }) => lastMs],
  ["GET meanwhile p50", ({ getP50Ms }) => getP50Ms],
  ["GET meanwhile p99", ({ getP99Ms }) => getP99Ms],
  ["discovery current after", ({ discoveryMs }) => discoveryMs],
  ["OpenAPI current after", ({ openApiMs }) => openApiMs],
];
const goals: (() => void)[] = [];
for (const count of counts)
  for (const atOnce of [1, 10]) {
    const measured: { readonly ours: CrdTimes; readonly theirs: CrdTimes }[] = [];
    const run: Run = (target) => measureCrds(target, { count, atOnce, group: "bench.example.com" });
    for (let round = 1; round <= rounds; round++) measured.push({ ours: await measureOurs(run), theirs: await measureTheirs(run) });
    const title = `${count} CRDs, ${atOnce === 1 ? "one after the other" : `${atOnce} at once`}`;
    const column = (side: "ours" | "theirs", pick: (times: CrdTimes) => number): number[] => measured.map((each) => pick(each[side]));
    const ms = (value: number): string => `${value.toFixed(1)} ms`;
    printTable([
      [title, "ours", "kube-apiserver", "ratio"],
      ...figures.map(([name, pick]) => {
        const [ours, theirs] = [column("ours", pick), column("theirs", pick)];
        return [name, ms(median(ours)), ms(median(theirs)), `${medianRatio(ours, theirs).toFixed(2)} ×`];
      }),
    ]);
    process.stdout.write("\n");
    const ours = (pick: (times: CrdTimes) => number): number => median(column("ours", pick));
    const [all] = [({ allMs }: CrdTimes): number => allMs];
    goals.push(
      () => judge(`${title}: all established`, medianRatio(column("ours", all), column("theirs", all)), "× kube-apiserver", { atMost: 1 }),
      () =>
        judge(
          `${title}: the last`,
          ours(({ lastMs, firstMs }) => lastMs / firstMs),
          "× the first",
          { atMost: 1.2 },
        ),
      () => judge(`${title}: GET p99 ms`, Math.round(ours(({ getP99Ms }) => getP99Ms)), "", { atMost: 50 }),
      () => judge(`${title}: discovery current after ms`, Math.round(ours(({ discoveryMs }) => discoveryMs)), "", { atMost: 1000 }),
      () => judge(`${title}: OpenAPI current after ms`, Math.round(ours(({ openApiMs }) => openApiMs)), "", { atMost: 1000 }),
    );
  }
process.stdout.write("Goals:\n");
for (const goal of goals) goal();
process.exit();
