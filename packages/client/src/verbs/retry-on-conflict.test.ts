import { ConfigMap } from "@drover/api/core/v1";
import { isConflict, isNotFound, newConflict, newNotFound } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import { retryOnConflict, updateWithRetry } from "./retry-on-conflict.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import type { ScriptedTransport } from "../testing/scripted-transport.ts";

const configMaps = { group: "", resource: "configmaps" };
const conflict = statusResponse(newConflict(configMaps, "c", "changed"));
const read = (version: string, data: Record<string, string> = {}): HttpResponse =>
  jsonResponse({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", resourceVersion: version }, data });
const runtime = testRuntime();
const set = (script: readonly HttpResponse[]): { readonly client: Client; readonly server: ScriptedTransport } => {
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, ...runtime, namespace: "shop" }), server };
};
/** Advances the clock during the work. */
const whileTimePasses = async <T>(work: Promise<T>): Promise<T> => {
  work.catch(() => undefined);
  for (let turn = 0; turn < 10; turn++) await runtime.clock.advance(20);
  return work;
};

describe("retryOnConflict", () => {
  it("tries five times by default and then rejects with the last conflict", async () => {
    const { client, server } = set(Array.from({ length: 5 }, () => conflict));
    const error: unknown = await whileTimePasses(
      retryOnConflict(runtime, () => client.update(ConfigMap, { metadata: { name: "c" } })),
    ).catch((reason: unknown) => reason);
    expect(isConflict(error)).toBe(true);
    expect(server.requests).toHaveLength(5);
  });

  it("accepts another backoff", async () => {
    const { client, server } = set([conflict, conflict]);
    await expect(
      whileTimePasses(
        retryOnConflict({ ...runtime, backoff: { duration: 1, steps: 2 } }, () => client.update(ConfigMap, { metadata: { name: "c" } })),
      ),
    ).rejects.toSatisfy(isConflict);
    expect(server.requests).toHaveLength(2);
  });

  it("rejects with any other error at once", async () => {
    const { client, server } = set([statusResponse(newNotFound(configMaps, "c"))]);
    await expect(retryOnConflict(runtime, () => client.get(ConfigMap, "c"))).rejects.toSatisfy(isNotFound);
    expect(server.requests).toHaveLength(1);
  });
});

describe("updateWithRetry", () => {
  it("rereads after a conflict, and writes what it read with the change", async () => {
    const { client, server } = set([read("1", { n: "1" }), conflict, read("2", { n: "2" }), read("3")]);
    const change = (draft: ConfigMap): void => {
      draft.data = { n: String(Number(draft.data?.["n"]) + 1) };
    };
    await whileTimePasses(
      updateWithRetry(client, ConfigMap, "c", change, { random: runtime.random, namespace: "other", fieldManager: "me", dryRun: "All" }),
    );
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/v1/namespaces/other/configmaps/c",
      "PUT /api/v1/namespaces/other/configmaps/c?dryRun=All&fieldManager=me",
      "GET /api/v1/namespaces/other/configmaps/c",
      "PUT /api/v1/namespaces/other/configmaps/c?dryRun=All&fieldManager=me",
    ]);
    expect(JSON.parse(server.requests[3]?.body ?? "")).toMatchObject({ metadata: { resourceVersion: "2" }, data: { n: "3" } });
  });

  it("writes nothing if nothing changes", async () => {
    const { client, server } = set([read("1", { n: "1" })]);
    expect(
      (
        await updateWithRetry(
          client,
          ConfigMap,
          "c",
          (draft) => {
            draft.data = { n: "1" };
          },
          runtime,
        )
      ).metadata.resourceVersion,
    ).toBe("1");
    expect(server.requests).toHaveLength(1);
  });
});
