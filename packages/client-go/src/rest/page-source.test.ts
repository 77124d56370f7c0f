import { listItems } from "@drover/client";
import { jsonResponse, scriptedTransport } from "@drover/client/testing";
import type { KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { pageSource } from "./page-source.ts";
import { RestClient } from "./rest-client.ts";

describe("pageSource", () => {
  it("sends the request for each page", async () => {
    const { clock, log } = testRuntime();
    const server = scriptedTransport([
      jsonResponse({ kind: "PodList", apiVersion: "v1", metadata: { continue: "t" }, items: [{ metadata: { name: "a" } }] }),
      jsonResponse({ kind: "PodList", apiVersion: "v1", metadata: {}, items: null }),
    ]);
    const client = new RestClient({ transport: server, clock, log, groupVersion: { group: "", version: "v1" } });
    const items: KubeObject[] = [];
    const pods = pageSource(client.get().namespace("shop").resource("pods"));
    for await (const item of listItems(pods, { labelSelector: "a=b" }, { pageSize: 1 })) items.push(item);
    expect(items).toEqual([{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" } }]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/api/v1/namespaces/shop/pods?labelSelector=a%3Db&limit=1",
      "/api/v1/namespaces/shop/pods?continue=t&labelSelector=a%3Db&limit=1",
    ]);
  });
});
