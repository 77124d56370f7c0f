import { ConfigMap, Pod } from "@drover/api/core/v1";
import { isNotFound } from "@drover/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askedCluster } from "./testing/asked-cluster.ts";
import type { AskedCluster } from "./testing/asked-cluster.ts";

describe("commands that ask an operator in a cluster", () => {
  let cluster: AskedCluster;
  beforeEach(async () => void (cluster = await askedCluster()));
  afterEach(() => cluster.end());
  const inShop = ["-n", "shop"];
  /** Until the status of the pod has these words. */
  const says = async (pod: string, words: string): Promise<void> => {
    while (!(await cluster.ask("status", "--pod", pod, ...inShop)).output.replaceAll(/\s+/g, " ").includes(words))
      await new Promise(setImmediate);
  };

  it("--pod forwards port 4679, or --port, of the pod without opening a local port", async () => {
    await cluster.startOperator("op-0");
    await says("op-0", "running");
    const { code, output, warnings } = await cluster.ask("status", "--pod", "shop/op-0");
    expect([code, warnings]).toEqual([0, ""]);
    expect(output).toContain("copier (drover ");
    expect(cluster.paths.at(-1)).toBe("/api/v1/namespaces/shop/pods/op-0/portforward?ports=4679");
    expect((await cluster.ask("queue", "--json", "--pod", "op-0", ...inShop)).output).toMatch(/^\{"at":\d+,"keys":\[\]/);
    const other = await cluster.ask("status", "--pod", "op-0", ...inShop, "--port", "9000");
    expect([other.code, other.warnings]).toEqual([1, expect.stringContaining("port 9000 of pod shop/op-0 does not answer: ")]);
    expect(other.warnings).toContain("connection refused\n  fix: check the port");
  });

  it("--deployment asks the pod that holds the lease, and says which", async () => {
    const leaderElection = (identity: string): object => ({ leaderElection: { namespace: "shop", name: "copier", identity } });
    await cluster.startOperator("op-1", leaderElection("one"));
    await says("op-1", "leader of shop/copier");
    await cluster.startOperator("op-0", leaderElection("zero"));
    await says("op-0", "one holds shop/copier");
    for (const question of ["status", "queue"]) {
      const { code, warnings } = await cluster.ask(question, "--deployment", "op", ...inShop);
      expect([question, code, warnings]).toEqual([question, 0, "asking pod op-1, which holds the lease shop/copier\n"]);
    }
    // The leader does not answer any more.
    cluster.ports.set("op-1", undefined);
    const silent = " (1 of 2 ready pods did not answer)";
    const missing = "no ready pod holds the lease shop/copier, which one holds";
    expect(await cluster.ask("status", "--deployment", "op", ...inShop)).toMatchObject({
      code: 0,
      warnings: `asking pod op-0: ${missing}${silent}\n`,
    });
    const queue = await cluster.ask("queue", "--deployment", "shop/op");
    expect([queue.code, queue.output, queue.warnings]).toEqual([1, "", expect.stringContaining(`${missing}, so none of them reconciles`)]);
  });

  it("drover plan asks a replica of a new version, which waits for the lease, what it would change", async () => {
    const { client } = cluster.connection;
    const leaderElection = (identity: string): object => ({ leaderElection: { namespace: "shop", name: "copier", identity } });
    await client.create(ConfigMap, { metadata: { name: "web", namespace: "shop", labels: { copy: "yes" } } });
    const copied = async (): Promise<unknown> => {
      try {
        return (await client.get(ConfigMap, "web-copy", { namespace: "shop" })).data;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    };
    await cluster.startOperator("op-1", leaderElection("one"));
    while ((await copied()) === undefined) await new Promise(setImmediate);
    await cluster.startOperator("op-0", leaderElection("zero"), "v2");
    await says("op-0", "one holds shop/copier");
    const { code, output } = await cluster.ask("plan", "--pod", "op-0", ...inShop);
    expect([code, output]).toEqual([0, expect.stringContaining('~ ConfigMap shop/web-copy patched\n      data[version]: "v1" → "v2"\n')]);
    expect(output).toMatch(/Planned \d+ objects: 1 to change/);
    expect((await cluster.ask("diff", "cm/web", "--deployment", "op", ...inShop)).output).toContain("nothing would change");
    expect(await copied()).toEqual({ version: "v1" });
  });

  it("--deployment without a lease asks any ready pod", async () => {
    await cluster.createPod("op-0", { phase: "Pending" });
    await cluster.startOperator("op-1");
    await says("op-1", "running");
    const { code, warnings } = await cluster.ask("queue", "--deployment", "op", ...inShop);
    expect([code, warnings]).toEqual([0, "asking pod op-1, the only one that is ready\n"]);
  });

  it("names a pod or deployment that does not exist, does not run, is not ready, or may not be reached", async () => {
    await cluster.createPod("op-0", { phase: "Pending" });
    await cluster.createPod("op-1");
    const failing = async (...words: string[]): Promise<readonly [number, string]> => {
      const { code, output, warnings } = await cluster.ask("status", ...words);
      expect(output).toBe("");
      return [code, warnings];
    };
    expect(await failing("--pod", "none", ...inShop)).toEqual([
      3,
      expect.stringContaining("there is no pod none in namespace shop\n  fix: "),
    ]);
    expect(await failing("--deployment", "op")).toEqual([3, expect.stringContaining("no deployment op in namespace default")]);
    expect(await failing("--pod", "op-0", ...inShop)).toEqual([3, expect.stringContaining("does not run: it is Pending")]);
    expect(await failing("--deployment", "op", ...inShop)).toEqual([1, expect.stringContaining("none of 1 ready pods answers: port 4679")]);
    cluster.ports.set("op-1", "forbidden");
    const [code, warning] = await failing("--pod", "op-1", ...inShop);
    expect([code, warning]).toEqual([1, expect.stringContaining("cannot reach port 4679 of pod shop/op-1: ")]);
    expect(warning).toContain("fix: your user needs the verbs get and create on pods/portforward in namespace shop");
    await cluster.connection.client.delete(Pod, "op-1", { namespace: "shop" });
    expect(await failing("--deployment", "op", ...inShop)).toEqual([3, expect.stringContaining("has no ready pod: ")]);
  });
});
