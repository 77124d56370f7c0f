/** Every verb and every subresource of every kind of @drover/api, sent to a server: it knows each path, each method and each body. */
import { kinds } from "@drover/api";
import { createClient } from "@drover/client";
import type { Client, DynamicClient, NodeTransport } from "@drover/client";
import { isApiError } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();

describeOnServers("@drover/api", ({ missing, start }) => {
  let server: SuiteServer | undefined;
  let transport: NodeTransport | undefined;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const log = recordingLog(clock);
    transport = server.transport({ clock, log });
    client = createClient({ transport, clock, log, namespace: "default", fieldManager: "sweep", onWarning: () => undefined });
  }, 90_000);
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  const name = "nobody-here";
  const labelSelector = "drover=nobody";
  const dryRun = "All" as const;
  const object = { metadata: { name } };
  /** The one kind whose body is validated before anything else. */
  const binding = { ...object, target: { kind: "Node", name: "n" } };

  /** The result of a call: "done", or the reason of the refusal; for "NotFound" with what was not found. */
  async function outcome(call: Promise<unknown>): Promise<string> {
    try {
      await call;
      return "done";
    } catch (error) {
      if (!isApiError(error)) throw error;
      return error.reason === "NotFound" ? `NotFound ${error.details?.name ?? "this path"}` : (error.reason ?? "no reason");
    }
  }

  async function watched(resource: DynamicClient): Promise<void> {
    for await (const { type } of resource.watch({ labelSelector, timeoutSeconds: 1 }))
      if (type === "ERROR") throw new Error("the watch failed");
  }

  const verbs: Readonly<Record<string, (resource: DynamicClient) => Promise<unknown>>> = {
    get: (resource) => resource.get(name),
    list: (resource) => resource.list({ limit: 1 }),
    watch: watched,
    create: (resource) => resource.create(resource.target.kind === "Binding" ? binding : object, { dryRun }),
    update: (resource) => resource.update(object, { dryRun }),
    patch: (resource) => resource.patch(name, { type: "merge", body: { metadata: { labels: { a: "b" } } } }, { dryRun }),
    delete: (resource) => resource.delete(name, { dryRun }),
    deletecollection: (resource) => resource.deleteCollection({ labelSelector, dryRun }),
  };

  const subresourceVerbs: Readonly<Record<string, (resource: DynamicClient, subresource: string) => Promise<unknown>>> = {
    get: (resource, subresource) => resource.get(name, { subresource }),
    create: (resource, subresource) => resource.create(subresource === "binding" ? binding : object, { subresource, name, dryRun }),
    update: (resource, subresource) => resource.update(object, { subresource, dryRun }),
    patch: (resource, subresource) =>
      resource.patch(name, { type: "merge", body: { metadata: { labels: { a: "b" } } } }, { subresource, dryRun }),
    delete: (resource, subresource) => resource.delete(name, { subresource }),
  };

  /** Answers that prove that the server understood path and method: it looked for the object or validated the body. */
  const understood: ReadonlySet<string> = new Set(["done", `NotFound ${name}`, "Invalid", "BadRequest"]);

  describe("every kind of @drover/api", () => {
    it("is known by the server with each of its verbs", { timeout: 60_000 }, async () => {
      const asked = kinds.flatMap((kind) => kind.verbs.map((verb) => ({ kind, verb })));
      const answers = await Promise.all(
        asked.map(async ({ kind, verb }) => {
          const send = verbs[verb];
          return [
            `${verb} ${kind.plural}.${kind.version}.${kind.group}`,
            send === undefined ? "no such verb here" : await outcome(send(client.dynamic(kind))),
          ] as const;
        }),
      );
      expect(answers.filter(([, answer]) => !understood.has(answer))).toEqual([]);
      expect(
        answers.filter(([question]) => /^(?:list|watch|deletecollection) /.test(question)).filter(([, answer]) => answer !== "done"),
      ).toEqual([]);
      expect(
        answers.filter(([question]) => /^(?:get|patch) /.test(question)).filter(([, answer]) => answer !== `NotFound ${name}`),
      ).toEqual([]);
      expect(answers.length).toBeGreaterThan(480);
    });

    it("is known by the server with each of its subresources", { timeout: 60_000 }, async () => {
      // Streams need an upgrade: streams.test.ts. Requests to proxies are not answered by the server.
      const asked = kinds
        .flatMap((kind) =>
          Object.entries(kind.subresources).flatMap(([subresource, { verbs: known }]) =>
            known.map((verb) => ({ kind, subresource, verb })),
          ),
        )
        .filter(({ subresource }) => !["exec", "attach", "portforward"].includes(subresource));
      const answers = await Promise.all(
        asked.map(async ({ kind, subresource, verb }) => {
          const send = subresourceVerbs[verb];
          return [
            `${verb} ${kind.plural}/${subresource}`,
            send === undefined ? "no such verb here" : await outcome(send(client.dynamic(kind), subresource)),
          ] as const;
        }),
      );
      expect(answers.filter(([, answer]) => !understood.has(answer))).toEqual([]);
      expect(new Set(asked.map(({ subresource }) => subresource))).toEqual(
        new Set([
          "status",
          "scale",
          "approval",
          "finalize",
          "proxy",
          "binding",
          "ephemeralcontainers",
          "eviction",
          "log",
          "resize",
          "token",
        ]),
      );
    });
  });
});
