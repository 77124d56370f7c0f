/**
 * A kind known only by its definition works like any other on a server, ours and the real one: as a value created at
 * run time, and as the code that `drover kinds` wrote from the same definition.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createInformer, listWatcher } from "@drover/cache";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { isInvalid } from "@drover/machinery";
import type { JsonObject, KubeObject, Kind } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { InvalidObjectError, generateKinds, installResource, kindFromCrd } from "@drover/patterns";
import { parseYamlDocuments } from "@drover/yaml";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Record } from "../../packages/patterns/src/crd/testing/kinds/names.example.com/v1.ts";
import { WebApp } from "../../packages/patterns/src/crd/testing/kinds/shop.example.com/v1.ts";
import { WebApp as OldWebApp } from "../../packages/patterns/src/crd/testing/kinds/shop.example.com/v1beta1.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const definitions = parseYamlDocuments(
  readFileSync(join(import.meta.dirname, "../../packages/patterns/src/crd/testing/kinds/sample.yaml"), "utf8"),
) as readonly JsonObject[];
const nameOf = (definition: JsonObject): string => (definition["metadata"] as { readonly name: string }).name;
const descriptorOf = ({
  group,
  version,
  kind,
  listKind,
  plural,
  singular,
  shortNames,
  categories,
  scope,
  verbs,
  subresources,
}: Kind): object => ({ group, version, kind, listKind, plural, singular, shortNames, categories, scope, verbs, subresources });

describeOnServers("a kind from its definition", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock: runtime.clock, log });
    client = createClient({ transport, clock: runtime.clock, log, namespace: "default" });
    for (const definition of definitions) await installResource(client, kindFromCrd(definition));
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    for (const definition of definitions) await client.delete(CustomResourceDefinition, nameOf(definition)).catch(() => undefined);
    transport.close();
    await server.stop();
  });

  it("is the same from a file, from the server and from generated code", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const served: unknown[] = [];
    for await (const definition of client.listAll(CustomResourceDefinition))
      if (definitions.some((own) => nameOf(own) === definition.metadata.name)) served.push(definition);
    expect([...generateKinds(served)]).toEqual([...generateKinds(definitions)]);
    const [webapps, records] = definitions;
    expect(descriptorOf(kindFromCrd(webapps))).toEqual(descriptorOf(WebApp));
    expect(descriptorOf(kindFromCrd(webapps, { version: "v1beta1" }))).toEqual(descriptorOf(OldWebApp));
    expect(descriptorOf(kindFromCrd(records))).toEqual(descriptorOf(Record));
  });

  it("creates, lists, watches and writes the status of objects", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const kind = kindFromCrd(await client.get(CustomResourceDefinition, "webapps.shop.example.com"));
    const created = await client.create(
      kind,
      { metadata: { name: "dynamic" }, spec: { image: "a", ports: [{ name: "http", port: 80 }], unknown: true } },
      { namespace: "default" },
    );
    expect(created).toMatchObject({
      apiVersion: "shop.example.com/v1",
      kind: "WebApp",
      spec: { image: "a", replicas: 1, paused: false, strategy: "RollingUpdate", ports: [{ name: "http", port: 80, protocol: "TCP" }] },
    });
    expect(created["spec"]).not.toHaveProperty("unknown");
    const { items, metadata } = await client.list(kind);
    expect(items.map(({ metadata: { name } }) => name)).toEqual(["dynamic"]);
    const events = client.watch(kind, { resourceVersion: metadata.resourceVersion ?? "" })[Symbol.asyncIterator]();
    await client.dynamic(kind).update({ ...created, status: { phase: "Running" } }, { subresource: "status" });
    expect(await events.next()).toMatchObject({ value: { type: "MODIFIED", object: { kind: "WebApp", status: { phase: "Running" } } } });
    await events.return?.();
    await client.delete(kind, "dynamic");
  });

  it("fills an informer", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const kind = kindFromCrd(definitions[1]);
    await client.create(kind, { metadata: { name: "www" }, data: { a: "192.0.2.1" } });
    const stop = new AbortController();
    const informer = createInformer({ source: listWatcher({ transport, clock: runtime.clock, kind }), runtime });
    const running = informer.run(stop.signal);
    await informer.synced(stop.signal);
    expect(informer.list().map((object) => object["data"])).toEqual([{ a: "192.0.2.1" }]);
    stop.abort();
    await running;
  });

  it("is typed when it comes from generated code", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const created = await client.create(WebApp, {
      metadata: { name: "typed" },
      spec: {
        image: "a",
        ports: [{ name: "http", port: 80 }],
        maxSurge: "25%",
        startAt: null,
        routes: { "/": { hosts: ["a.example.com"] } },
        loose: { known: true, more: 1 },
        values: { any: [1] },
        template: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: {} },
        "x-dashed-key": "y",
      },
    });
    expect([
      created.spec.replicas,
      created.spec.ports[0]?.protocol,
      created.spec.maxSurge,
      created.spec.loose?.["more"],
      created.spec.template?.metadata?.name,
    ]).toEqual([1, "TCP", "25%", 1, "x"]);
    const scale = await client.resource(WebApp).scale.get("typed");
    expect(scale.spec?.replicas).toBe(1);
    const { items } = await client.list(WebApp);
    expect(items.map(({ spec }) => spec.image)).toEqual(["a"]);
    // @ts-expect-error: the image is missing, and the server says so, too.
    await expect(client.create(WebApp, { metadata: { name: "wrong" }, spec: { ports: [] } })).rejects.toSatisfy(isInvalid);
  });

  it("validates objects as the server does", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const kind = kindFromCrd(definitions[0]);
    const whole = { image: "a", ports: [{ name: "http", port: 80 }] };
    const specs: readonly object[] = [
      whole,
      {},
      { ...whole, image: "" },
      { ...whole, replicas: -1 },
      { ...whole, replicas: 1.5 },
      { ...whole, strategy: "Never" },
      { ...whole, level: 4 },
      { ...whole, startAt: "soon" },
      { ...whole, startAt: null },
      { ...whole, image: null },
      { ...whole, maxSurge: true },
      {
        ...whole,
        ports: [
          { name: "a", port: 1 },
          { name: "a", port: 2 },
        ],
      },
      { ...whole, ports: [{ name: "a" }] },
      { ...whole, labels: { a: 1 } },
      { ...whole, nothing: { a: 1 } },
      { ...whole, template: { apiVersion: "v1" } },
      { ...whole, template: { apiVersion: "v1", kind: "Pod" } },
      { ...whole, anything: [{}] },
    ];
    const verdicts: string[] = [];
    for (const [index, spec] of specs.entries()) {
      const object = { apiVersion: "shop.example.com/v1", kind: "WebApp", metadata: { name: `j-${index}` }, spec };
      const stored = await client
        .dynamic(kind)
        .create(object, { dryRun: "All" })
        .catch((error: unknown) => {
          if (isInvalid(error)) return undefined;
          throw error;
        });
      const parsed = parse(() => kind.parse(object)) as { spec?: unknown } | undefined;
      expect([spec, stored?.["spec"]]).toEqual([spec, parsed?.spec]);
      verdicts.push(stored === undefined ? "refused" : "taken");
    }
    expect(new Set(verdicts)).toEqual(new Set(["refused", "taken"]));
  });
});

function parse(judge: () => KubeObject): KubeObject | undefined {
  try {
    return judge();
  } catch (error) {
    if (error instanceof InvalidObjectError) return undefined;
    throw error;
  }
}
