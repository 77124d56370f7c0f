import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { isKubeconfigError } from "@drover/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRuntime } from "../node-runtime.ts";
import { appOf, copies } from "../testing/tried-app.ts";
import { harness } from "./harness.ts";

describe("harness on a given cluster", () => {
  const runtime = nodeRuntime({ write: () => undefined });
  let server: ApiServer;
  let client: Client;
  beforeAll(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
    client = createClient({ ...runtime, transport: server.handle, namespace: "default" });
  });
  afterAll(() => server.close());

  it("creates and deletes its own namespace, and watches no other", async () => {
    await client.create(ConfigMap, { metadata: { name: "not-mine" } });
    const t = await harness(copies, { on: server.handle, quietMs: 50 });
    expect(t.namespace).toMatch(/^harness-[0-9a-f]{8}$/u);
    await t.create(ConfigMap, { metadata: { name: "web" }, data: { a: "b" } });
    await t.settled();
    expect((await t.get(Secret, "web")).metadata.namespace).toBe(t.namespace);
    await t.restart();
    await t.settled();
    await expect(t.advance("1s")).rejects.toThrow("time cannot be advanced on a real cluster");
    await t.close();
    expect((await client.list(Secret)).items).toEqual([]);
    expect((await client.get(Namespace, t.namespace)).metadata.deletionTimestamp).toBeDefined();
  });

  it("waits for retries in real time, and names what does not become idle", async () => {
    let failures = 3;
    await using t = await harness(
      appOf({
        flaky: () => () => {
          if (failures-- > 0) throw new Error("not yet");
          return { type: "done" };
        },
      }),
      { on: { transport: server.handle }, quietMs: 50, waitMs: 1000 },
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled();
    expect(failures).toBeLessThan(0);
    failures = Infinity;
    await t.patch(ConfigMap, "web", { data: { a: "b" } });
    await expect(t.settled()).rejects.toThrow(/still failing after 1(?:\.\d+)?s \[DRV0702\]:\n.*not yet/u);
    failures = 0;
  });

  it("detects a write of a second run", async () => {
    await using t = await harness(
      appOf({
        counter:
          (memory) =>
          async (source, { client: own, causes }) => {
            memory.set("runs", (memory.get("runs") ?? 0) + 1);
            if (causes.some(({ type }) => type === "enqueue"))
              await own.apply(Secret, {
                metadata: { name: source.metadata.name ?? "", annotations: { runs: String(memory.get("runs")) } },
              });
          },
      }),
      { on: server.handle, quietMs: 50 },
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await expect(t.settled()).rejects.toThrow(/patch Secret harness-\w+\/web, by controller counter/u);
  });

  it("reads the environment only if configured", async () => {
    const variable = "DROVER_TEST_CLUSTER";
    const before = process.env[variable];
    try {
      delete process.env[variable];
      await using embedded = await harness(copies, { on: "environment" });
      expect(embedded.namespace).toBe("default");
      process.env[variable] = "/nowhere/kubeconfig";
      await expect(harness(copies, { on: "environment" })).rejects.toSatisfy(isKubeconfigError);
      await using silent = await harness(copies);
      expect(silent.namespace).toBe("default");
    } finally {
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  });
});
