/** helm on `drover up`, as a service account that administers one namespace. */
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { softwareClusters, softwareMissing, softwarePath } from "./software-cluster.ts";
import type { Printed, SoftwareCluster } from "./software-cluster.ts";

const clusters = softwareClusters({ long: process.env["DROVER_LONG"] === "1" });
const programsAreMissing = softwareMissing("helm");
const chart = join(import.meta.dirname, "chart");

describe.each(clusters)("helm on $name", { timeout: 180_000 }, ({ missing: clusterMissing, start: startCluster }) => {
  const missing = programsAreMissing ?? clusterMissing;
  let cluster: SoftwareCluster;
  let account = "";
  beforeAll(async () => {
    if (missing !== undefined) return;
    cluster = await startCluster();
    await cluster.kubectl("create", "namespace", "shop");
    await cluster.kubectl("create", "serviceaccount", "deployer", "-n", "shop");
    await cluster.kubectl("create", "rolebinding", "deployer", "-n", "shop", "--clusterrole=admin", "--serviceaccount=shop:deployer");
    account = await cluster.kubeconfigOf("shop", "deployer");
  }, 120_000);
  afterAll(() => cluster?.stop(), 60_000);
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing);
  });

  const helm = (...args: readonly string[]): Promise<Printed> => cluster.run(softwarePath("helm"), args, account);
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, output } = await helm(...args);
    expect({ code, output }).toEqual({ code: 0, output });
    return output;
  };
  const field = (what: string, path: string): Promise<string> => cluster.kubectl("get", what, "-n", "shop", "-o", `jsonpath={${path}}`);
  const jobs = async (): Promise<string[]> =>
    (await field("jobs", "range .items[*]}{.metadata.name}={.status.succeeded} {end")).split(" ").filter((word) => word !== "");

  it("installs a chart: hooks run around it, and it waits for the Deployment", async () => {
    await done("install", "web", chart, "--wait", "--timeout=60s");
    expect(await jobs()).toEqual(["web-post-install=1", "web-pre-install=1"]);
    expect(await field("deployment/web", ".status.readyReplicas")).toBe("1");
    expect(await field("configmap/web-settings", ".data")).toBe('{"hasLeases":"true","minor":"36","namespaceFound":"true","revision":"1"}');
    expect(await field("deployment/web", ".metadata.managedFields[0].manager")).toBe("helm");
  });

  it("upgrades it, and leaves the Deployment alone when a hook fails", async () => {
    await done("upgrade", "web", chart, "--set=replicas=3", "--wait", "--timeout=60s");
    expect(await field("deployment/web", ".status.readyReplicas")).toBe("3");
    const failed = await helm("upgrade", "web", chart, "--set=replicas=5,migrationExitCode=1", "--wait", "--timeout=60s");
    expect(failed).toMatchObject({ code: 1, output: expect.stringMatching(/pre-upgrade hooks failed/) as string });
    expect(await field("deployment/web", ".spec.replicas")).toBe("3");
  });

  it("rolls back to the first revision and shows the history", async () => {
    await done("rollback", "web", "1", "--wait", "--timeout=60s");
    expect(await field("deployment/web", ".spec.replicas")).toBe("1");
    const history = JSON.parse(await done("history", "web", "-o", "json")) as readonly {
      readonly revision: number;
      readonly status: string;
    }[];
    expect(history.map(({ revision, status }) => [revision, status])).toEqual([
      [1, "superseded"],
      [2, "superseded"],
      [3, "failed"],
      [4, "deployed"],
    ]);
  });

  it("runs the chart's test pod", async () => {
    expect(await done("test", "web", "--timeout=60s")).toMatch(/Phase: +Succeeded/);
  });

  it("removes what it installed, after a hook", async () => {
    await done("uninstall", "web", "--wait", "--timeout=60s");
    expect(await jobs()).toContain("web-pre-delete=1");
    await cluster.eventually(/^$/, "get", "deployments,replicasets,pods", "-n", "shop", "-l", "app=web", "-o", "name");
    expect(await cluster.kubectl("get", "secrets", "-n", "shop", "-o", "name")).toBe("");
  });

  it("is refused where its account has no rights", async () => {
    expect(await helm("list", "-n", "default")).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        /secrets is forbidden: User "system:serviceaccount:shop:deployer" cannot list resource "secrets" in API group "" in the namespace "default"/,
      ) as string,
    });
  });
});
