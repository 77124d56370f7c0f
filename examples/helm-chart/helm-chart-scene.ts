/** The life cycle of a HelmChart as a test scenario, for the embedded API server and for a real one. */
import { Job } from "drover/kinds";
import type { Harness } from "drover/testing";
import { expect } from "vitest";
import { endJob } from "../play-job-controller.ts";
import { HelmChart } from "./helm-chart.ts";

export async function helmChartScene(t: Harness): Promise<void> {
  const jobs = async (): Promise<readonly string[]> =>
    (await t.list(Job))
      .filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined)
      .map(({ metadata: { name = "" } }) => name);
  const status = async (): Promise<unknown> => (await t.get(HelmChart, "redis")).status;

  await t.create(HelmChart, {
    metadata: { name: "redis" },
    spec: { chart: "oci://charts.example.com/redis", version: "1.0.0", set: { replicas: "3" } },
  });
  await t.settled();
  const [first = ""] = await jobs();
  expect((await t.get(Job, first)).spec?.template.spec?.containers[0]?.args).toEqual([
    "upgrade",
    "--install",
    "--wait",
    "--create-namespace",
    "--namespace",
    "default",
    "--version",
    "1.0.0",
    "--set-string",
    "replicas=3",
    "redis",
    "oci://charts.example.com/redis",
  ]);
  expect(await status()).toMatchObject({
    job: first,
    installed: "",
    conditions: [{ type: "Ready", status: "Unknown", reason: "Installing" }],
  });

  // The chart changes while helm is running: the Job stays, and the next one waits for its end.
  await t.patch(HelmChart, "redis", { spec: { version: "1.1.0" } });
  await t.settled();
  expect(await jobs()).toEqual([first]);
  expect(await status()).toMatchObject({
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Held", status: "True", message: expect.stringContaining("still running") as unknown }),
    ]) as unknown,
  });
  await endJob(t, first, "Complete");
  await t.settled();
  const [second = "", ...others] = await jobs();
  expect([second === first, others]).toEqual([false, []]);
  await endJob(t, second, "Complete");
  await t.settled();
  expect(await status()).toMatchObject({ job: second, installed: "oci://charts.example.com/redis 1.1.0" });

  await t.delete(HelmChart, "redis");
  await t.settled();
  expect(await jobs()).toEqual([second, "helm-uninstall-redis"].toSorted());
  expect(await t.getOrUndefined(HelmChart, "redis")).toBeDefined();
  await endJob(t, "helm-uninstall-redis", "Complete");
  await t.settled();
  expect(await t.getOrUndefined(HelmChart, "redis")).toBeUndefined();
}
