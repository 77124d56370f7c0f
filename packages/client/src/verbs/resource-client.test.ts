import { ConfigMap, Pod } from "@drover/api/core/v1";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { jsonResponse, scriptedTransport } from "../testing/scripted-transport.ts";

// The table in client.test.ts has the request of each verb.
describe("a client of one kind", () => {
  const clock = new ManualClock();
  const server = scriptedTransport(() => jsonResponse({ metadata: { name: "c" } }));
  const client = createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop" });

  it("is created once per kind, and again for another namespace", () => {
    expect(client.resource(ConfigMap)).toBe(client.resource(ConfigMap));
    expect(client.resource(ConfigMap)).not.toBe(client.resource(Pod));
    expect(client.with({ namespace: "other" }).resource(ConfigMap)).not.toBe(client.resource(ConfigMap));
  });

  it("can be copied and extended", async () => {
    const copy = { ...client.resource(ConfigMap), note: "mine" };
    await copy.update(await copy.get("c"));
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/namespaces/shop/configmaps/c",
      "PUT /api/v1/namespaces/shop/configmaps/c",
    ]);
  });
});
