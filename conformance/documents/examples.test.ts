/**
 * The operators of examples/ on a real API server: the same scenes that their own tests play on the embedded one, with
 * the same expectations.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { NodeTransport } from "@drover/client";
import { nodeRuntime } from "drover";
import { harness } from "drover/testing";
import type { Harness, HarnessApp } from "drover/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryCloud } from "../../examples/cluster/cloud.ts";
import { clusterScene } from "../../examples/cluster/cluster-scene.ts";
import { clusterOperator } from "../../examples/cluster/cluster.ts";
import { gitJobScene } from "../../examples/git-job/git-job-scene.ts";
import { app as gitJob } from "../../examples/git-job/git-job.ts";
import { helmChartScene } from "../../examples/helm-chart/helm-chart-scene.ts";
import { app as helmChart } from "../../examples/helm-chart/helm-chart.ts";
import { webAppScene } from "../../examples/web-app/web-app-scene.ts";
import { app as webApp } from "../../examples/web-app/web-app.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";
import { realTransport } from "../servers/real-transport.ts";

describe("the examples on a real server", () => {
  const { clock, log } = nodeRuntime({ write: () => undefined });
  let server: RealServer | undefined;
  let on: NodeTransport | undefined;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    // A server of its own: other suites install a WebApp of another shape.
    server = await startRealServer();
    on = realTransport(server, { clock, log });
  }, 90_000);
  afterAll(async () => {
    on?.close();
    await server?.stop();
  }, 30_000);

  const scene = (name: string, app: HarnessApp, play: (t: Harness) => Promise<void>): void =>
    it(name, { timeout: 90_000 }, async (ctx) => {
      if (on === undefined) {
        ctx.skip(realServerMissing);
        return;
      }
      await using t = await harness(app, { on });
      await play(t);
    });

  scene("web-app", webApp, webAppScene);
  scene("git-job", gitJob, gitJobScene);
  scene("helm-chart", helmChart, helmChartScene);
  const cloud = memoryCloud();
  scene("cluster", clusterOperator({ cloud, every: "1s" }), (t) =>
    clusterScene(t, {
      cloud,
      pass: async () => {
        await delay(1500);
        await t.settled({ twice: false });
      },
    }),
  );
  scene("what only a clock that is turned by hand can do is refused", gitJob, async (t) => {
    await expect(t.advance("1m")).rejects.toThrow("time cannot be advanced on a real cluster");
  });
});
