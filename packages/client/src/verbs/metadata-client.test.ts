import { Node, Pod } from "@drover/api/core/v1";
import type { PartialObjectMetadata } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient } from "./client.ts";
import type { MetadataClient } from "./metadata-client.ts";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { jsonResponse, scriptedTransport } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";

const set = (script: Script): { readonly client: MetadataClient<"Namespaced">; readonly server: ScriptedTransport } => {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop" }).metadata(Pod), server };
};
const type = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };
const whole = { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [] } };
const one = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const many = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

describe("metadataClient", () => {
  it.for<readonly [string, (client: MetadataClient<"Namespaced">) => unknown, string, string]>([
    ["get", (c) => c.get("web"), "GET /api/v1/namespaces/shop/pods/web", one],
    ["list", (c) => c.list({ namespace: "*", limit: 5 }), "GET /api/v1/pods?limit=5", many],
    ["listAll", (c) => c.listAll({ pageSize: 5 }).next(), "GET /api/v1/namespaces/shop/pods?limit=5", many],
    ["watch", (c) => c.watch().next(), "GET /api/v1/namespaces/shop/pods?allowWatchBookmarks=true&watch=true", one],
    [
      "patch",
      (c) => c.patch("web", { type: "merge", body: { metadata: { labels: { a: null } } } }),
      "PATCH /api/v1/namespaces/shop/pods/web",
      one,
    ],
    ["delete", (c) => c.delete("web", { gracePeriodSeconds: 0 }), "DELETE /api/v1/namespaces/shop/pods/web", one],
    ["deleteCollection", (c) => c.deleteCollection({ labelSelector: "a" }), "DELETE /api/v1/namespaces/shop/pods?labelSelector=a", many],
  ])("requests metadata: %s", async ([, call, expected, accept]) => {
    const { client, server } = set(({ query }) =>
      query.has("watch") ? jsonResponse({ type: "ADDED", object: whole }) : jsonResponse({ metadata: {}, items: [] }),
    );
    await call(client);
    expect(server.requests.map(({ method, path, headers }) => [`${method} ${path}`, headers["accept"]])).toEqual([[expected, accept]]);
  });

  it("reduces whole objects of a server that cannot, and keeps metadata as it is", async () => {
    const { client } = set([
      jsonResponse(whole),
      jsonResponse({ ...type, metadata: { name: "web" } }),
      jsonResponse({ apiVersion: "v1", kind: "PodList", metadata: { resourceVersion: "7" }, items: [whole] }),
    ]);
    expect(await client.get("web")).toEqual({ ...type, metadata: { name: "web" } });
    expect(await client.get("web")).toEqual({ ...type, metadata: { name: "web" } });
    expect(await client.list()).toEqual({
      apiVersion: "meta.k8s.io/v1",
      kind: "PartialObjectMetadataList",
      metadata: { resourceVersion: "7" },
      items: [{ ...type, metadata: { name: "web" } }],
    });
  });

  it("reduces the objects of a watch, and keeps bookmarks and errors", async () => {
    const stream = new ScriptedStream();
    const { client } = set([stream.response]);
    stream.event("ADDED", whole);
    stream.event("BOOKMARK", { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "9" } });
    stream.event("ERROR", { kind: "Status", apiVersion: "v1", metadata: {}, code: 410 });
    const objects: unknown[] = [];
    for await (const { object } of client.watch()) objects.push(object);
    expect(objects).toMatchObject([{ ...type, metadata: { name: "web" } }, { kind: "Pod" }, { kind: "Status" }]);
  });

  it("returns the Status of a deletion", async () => {
    const { client } = set(() => jsonResponse({ apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" }));
    expect(await client.delete("web")).toMatchObject({ kind: "Status" });
    expect(await client.deleteCollection()).toMatchObject({ kind: "Status" });
  });

  it("is typed by scope", async () => {
    const clock = new ManualClock();
    const client = createClient({
      transport: scriptedTransport(() => jsonResponse({ metadata: {} })),
      clock,
      log: recordingLog(clock),
      namespace: "shop",
    });
    expectTypeOf(client.metadata(Pod).get("web", { namespace: "a" })).resolves.toEqualTypeOf<PartialObjectMetadata>();
    // @ts-expect-error -- nodes are not namespaced
    const refused = client.metadata(Node).get("n1", { namespace: "shop" });
    await expect(refused).rejects.toThrow("not namespaced");
    // @ts-expect-error -- metadata cannot be applied or created
    expect(client.metadata(Pod).apply).toBeUndefined();
  });
});
