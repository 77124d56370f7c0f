import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { requestInfo } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WriteAudit } from "./write-audit.ts";

describe("WriteAudit", () => {
  const runtime = testRuntime();
  let server: ApiServer;
  let audit: WriteAudit;
  let client: Client;
  beforeEach(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
    audit = new WriteAudit();
    client = createClient({
      ...runtime,
      transport: (request) => audit.send(request, requestInfo(request.method, request.path), server.handle),
      namespace: "default",
      fieldManager: "a",
    });
  });
  afterEach(() => server.close());
  const found = (): readonly unknown[] =>
    audit.found.map(({ verb, object, fields }) => [
      verb,
      object,
      ...fields.map(({ path, before, after }) => `${path} ${before} → ${after}`),
    ]);

  it("records created, changed (with fields) and deleted objects", async () => {
    await client.create(ConfigMap, { metadata: { name: "x" }, data: { a: "1" } });
    await client.patch(ConfigMap, "x", { type: "merge", body: { data: { a: "2" } } });
    await client.deleteCollection(ConfigMap, { labelSelector: "nobody=has-it" });
    await client.delete(ConfigMap, "x");
    await client.create(ConfigMap, { metadata: { name: "y", labels: { some: "thing" } } });
    await client.deleteCollection(ConfigMap, { labelSelector: "some" });
    expect(found()).toEqual([
      ["create", "ConfigMap default/x"],
      ["patch", "ConfigMap default/x", 'data[a] "1" → "2"'],
      ["delete", "ConfigMap default/x"],
      ["create", "ConfigMap default/y"],
      ["deletecollection", "configmaps default"],
    ]);
    expect(audit.found.map(({ change }) => change)).toEqual(["came", "changed", "went", "came", "went"]);
  });

  it("ignores writes without effect, dry runs, rejections and reads", async () => {
    await client.apply(ConfigMap, { metadata: { name: "x" }, data: { a: "1" } });
    const first = audit.found.length;
    await client.apply(ConfigMap, { metadata: { name: "x" }, data: { a: "1" } });
    await client.patch(ConfigMap, "x", { type: "merge", body: { data: { a: "2" } } }, { dryRun: "All" });
    await expect(client.create(ConfigMap, { metadata: { name: "x" } })).rejects.toThrow("already exists");
    await expect(client.delete(ConfigMap, "y")).rejects.toThrow("not found");
    await client.list(ConfigMap);
    expect([first, audit.found.length]).toEqual([1, 1]);
  });
});
