import { newForbidden } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { jsonResponse, ScriptedStream, scriptedTransport, statusResponse } from "@drover/client/testing";
import type { Script, ScriptedTransport } from "@drover/client/testing";
import { newClient } from "./new-client.ts";
import type { Client } from "./new-client.ts";
import { RestClient } from "@drover/client-go";

const jobs = { group: "batch", version: "v1", resource: "jobs" };
function set(
  script: Script,
  { namespaced = true, kind = "Job", timeoutMs = 0, gvr = jobs } = {},
): { readonly client: Client; readonly server: ScriptedTransport; readonly clock: ReturnType<typeof testRuntime>["clock"] } {
  const { clock, log } = testRuntime();
  const server = scriptedTransport(script);
  return { client: newClient(gvr, kind, namespaced, new RestClient({ transport: server, clock, log }), timeoutMs), server, clock };
}
const job = { metadata: { name: "a" } };
const typed = { apiVersion: "batch/v1", kind: "Job", ...job };
const deletion = { apiVersion: "v1", kind: "DeleteOptions" };

describe("newClient", () => {
  it.for<readonly [string, (client: Client) => Promise<unknown>, string, unknown?]>([
    ["get", (c) => c.get("shop", "a", { resourceVersion: "0" }), "GET /apis/batch/v1/namespaces/shop/jobs/a?resourceVersion=0"],
    ["create", (c) => c.create("shop", job, { dryRun: ["All"] }), "POST /apis/batch/v1/namespaces/shop/jobs?dryRun=All", job],
    ["update", (c) => c.update("shop", job, { fieldManager: "me" }), "PUT /apis/batch/v1/namespaces/shop/jobs/a?fieldManager=me", job],
    ["updateStatus", (c) => c.updateStatus("shop", job), "PUT /apis/batch/v1/namespaces/shop/jobs/a/status", job],
    [
      "delete",
      (c) => c.delete("shop", "a", { gracePeriodSeconds: 0 }),
      "DELETE /apis/batch/v1/namespaces/shop/jobs/a",
      { ...deletion, gracePeriodSeconds: 0 },
    ],
    [
      "patch",
      (c) => c.patch("shop", "a", "merge", { spec: {} }, {}, "status"),
      "PATCH /apis/batch/v1/namespaces/shop/jobs/a/status",
      { spec: {} },
    ],
    [
      "patch of text",
      (c) => c.patch("shop", "a", "json", "[]", { force: true }),
      "PATCH /apis/batch/v1/namespaces/shop/jobs/a?force=true",
      [],
    ],
  ])("sends %s, and gives the object with its kind (§3.1)", async ([, call, request, body]) => {
    const { client, server } = set([jsonResponse(job)]);
    expect(await call(client)).toEqual(typed);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([request]);
    expect(server.requests[0]?.body === "" ? undefined : JSON.parse(server.requests[0]?.body ?? "")).toEqual(body);
  });

  it("lists, watches and deletes in one namespace or, with an empty one, in all (§3.1)", async () => {
    const { client, server } = set(({ query }) => {
      const stream = new ScriptedStream();
      stream.event("ADDED", job);
      stream.end();
      return query.has("watch") ? stream.response : jsonResponse({ metadata: {}, items: [job] });
    });
    expect((await client.list("", { limit: 5 })).items).toEqual([typed]);
    expect(await client.watch("shop", { resourceVersion: "7", silenceMs: 1000 }).next()).toEqual({
      done: false,
      value: { type: "ADDED", object: typed },
    });
    expect(await client.deleteCollection("", { propagationPolicy: "Orphan" }, { labelSelector: "a=b" })).toMatchObject({ items: [typed] });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /apis/batch/v1/jobs?limit=5",
      "GET /apis/batch/v1/namespaces/shop/jobs?resourceVersion=7&watch=true",
      "DELETE /apis/batch/v1/jobs?labelSelector=a%3Db",
    ]);
  });

  it("requires a namespace for a single namespaced object, and none for cluster-scoped ones (§3.2)", async () => {
    const { client, server } = set([]);
    for (const call of [
      () => client.get("", "a"),
      () => client.update("", job),
      () => client.delete("", "a"),
      () => client.patch("", "a", "merge", {}),
    ])
      await expect(call()).rejects.toThrow("jobs/a is namespaced; pass a namespace");
    await expect(client.create("", job)).rejects.toThrow("an empty namespace may not be set during creation");
    expect(server.requests).toEqual([]);
    const nodes = set([jsonResponse({ metadata: { name: "n" } })], {
      namespaced: false,
      kind: "Node",
      gvr: { group: "", version: "v1", resource: "nodes" },
    });
    await nodes.client.get("", "n");
    expect(nodes.server.requests[0]?.path).toBe("/api/v1/nodes/n");
  });

  it("limits every verb except watch, by the default or by timeoutSeconds, whichever is shorter (§9.38)", async () => {
    const { client, server, clock } = set(() => new Promise(() => undefined), { timeoutMs: 5000 });
    const calls = [client.get("shop", "a"), client.list("shop", { timeoutSeconds: 2 }), client.list("shop", { timeoutSeconds: 9 })].map(
      (call) => call.catch((error: unknown) => error),
    );
    const watch = client
      .watch("shop", { allowWatchBookmarks: true, silenceMs: 60_000 })
      .next()
      .catch((error: unknown) => error);
    await clock.advance(5000);
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ name: "TimeoutError" });
    expect(
      server.requests.map(({ query }) => `${query.has("watch") ? "watch " : ""}${query.get("timeout")?.[0] ?? ""}`).toSorted(),
    ).toEqual(["2s", "5s", "5s", "watch "]);
    await clock.advance(55_000);
    expect(await watch).toMatchObject({ name: "WatchSilenceError" });
  });

  it("rejects with the server's errors, and sets no kind where none is known, nor in a Status", async () => {
    const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
    await expect(
      set([statusResponse(newForbidden({ group: "batch", resource: "jobs" }, "a", "no"))]).client.get("shop", "a"),
    ).rejects.toMatchObject({ name: "ApiError", attempt: "get jobs/a in shop" });
    expect(await set([jsonResponse(job)], { kind: "" }).client.get("shop", "a")).toEqual(job);
    expect(await set([jsonResponse(status)]).client.delete("shop", "a")).toEqual(status);
  });
});
