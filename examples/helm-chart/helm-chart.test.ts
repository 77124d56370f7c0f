import { Job } from "drover/kinds";
import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { endJob } from "../play-job-controller.ts";
import { HelmChart, app } from "./helm-chart.ts";
import { helmChartScene } from "./helm-chart-scene.ts";

it("installs the chart, upgrades it when the spec changes, and uninstalls it before deletion", async () => {
  await using t = await harness(app);
  await helmChartScene(t);
});

it("completes its life cycle wherever the operator crashes", async () => {
  for (let requests = 1; requests <= 20; requests += process.env["DROVER_LONG"] === "1" ? 1 : 6) {
    await using t = await harness(app);
    t.crashAfter(requests);
    await helmChartScene(t);
  }
});

it("reports why it cannot uninstall, and keeps the chart until it can", async () => {
  await using t = await harness(app);
  await t.create(HelmChart, { metadata: { name: "redis" }, spec: { chart: "redis" } });
  await t.settled();
  const [{ metadata: { name = "" } } = { metadata: {} }] = await t.list(Job);
  await endJob(t, name, "Failed", "no such chart");
  await t.delete(HelmChart, "redis");
  await t.settled();
  await endJob(t, "helm-uninstall-redis", "Failed", "the release is locked");
  await expect(t.settled()).rejects.toThrow(
    /default\/redis in controller helmchart, \d+ attempts, .*helm could not uninstall redis: the release is locked/u,
  );
  const chart = await t.get(HelmChart, "redis");
  expect((await t.events(chart)).map(({ reason }) => reason)).toContain("CleanupFailed");
  await t.delete(Job, "helm-uninstall-redis", { propagationPolicy: "Background" });
  await t.settled();
  await endJob(t, "helm-uninstall-redis", "Complete");
  await t.settled();
  expect(await t.getOrUndefined(HelmChart, "redis")).toBeUndefined();
});

it("refuses another target namespace, in which nothing would uninstall the old release (SEC15)", async () => {
  await using t = await harness(app);
  await t.create(HelmChart, { metadata: { name: "redis" }, spec: { chart: "redis" } });
  await t.settled();
  await expect(t.patch(HelmChart, "redis", { spec: { targetNamespace: "other" } })).rejects.toThrow("targetNamespace is immutable");
});
