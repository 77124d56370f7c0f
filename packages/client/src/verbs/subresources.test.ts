import { Pod, Service } from "@drover/api/core/v1";
import type { Kind, KubeObject } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import { jsonResponse, scriptedTransport, textResponse } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";

const set = (script: Script): { readonly client: Client; readonly server: ScriptedTransport } => {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop" }), server };
};

// The table in client.test.ts has the request of each subresource.
describe("subresources", () => {
  it("are those of the descriptor that have verbs", () => {
    const { client } = set([]);
    const names = (kind: Kind): string[] => Object.keys(client.resource(kind)).filter((name) => Object.hasOwn(kind.subresources, name));
    expect(names(Pod)).toEqual(["binding", "ephemeralcontainers", "eviction", "log", "resize", "status"]);
    expect(names(Service)).toEqual(["status"]);
  });

  it("reject a body of another kind", async () => {
    const { client } = set([]);
    const status = client.resource(Pod).status;
    const node: KubeObject = { kind: "Node", metadata: { name: "web" } };
    await expect(status.update(node as Pod)).rejects.toThrow("pods/status: the object is a v1 Node, but this is the client of v1 Pod");
  });

  it("keep given metadata, but use the name of the path", async () => {
    const { client, server } = set(() => jsonResponse({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" }));
    await client.resource(Pod).eviction.create("web-0", { metadata: { annotations: { why: "drain" } } });
    expect(server.requests[0]).toMatchObject({ pathname: "/api/v1/namespaces/shop/pods/web-0/eviction" });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toMatchObject({ metadata: { name: "web-0", annotations: { why: "drain" } } });
  });

  it("yield a log line by line, in the client's namespace or another", async () => {
    const { client, server } = set(() => textResponse("one\ntwo"));
    const lines: string[] = [];
    for await (const line of client.resource(Pod).log.lines("web-0", { container: "c" })) lines.push(line);
    for await (const line of client.resource(Pod).log.lines("web-0", { namespace: "other" })) lines.push(line);
    expect(lines).toEqual(["one", "two", "one", "two"]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/api/v1/namespaces/shop/pods/web-0/log?container=c",
      "/api/v1/namespaces/other/pods/web-0/log",
    ]);
    expect(() => client.resource(Pod).log.lines("web-0", { namespace: "*" })).toThrow("one object is in one namespace");
  });
});
