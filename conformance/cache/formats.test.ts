/**
 * Informers that request JSON and informers that request protobuf, of the same objects. Random creations, updates and deletions must
 * give both the same views, to the order of the keys, and tell their handlers the same. Informers with declared fields must show what is
 * left of the views of the others.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Namespace } from "@drover/api/core/v1";
import { exampleOf } from "@drover/api/testing";
import { createInformer, listWatcher } from "@drover/cache";
import type { Change, Informer, ListWatcherSettings } from "@drover/cache";
import { createClient, targetOf } from "@drover/client";
import type { Client, NodeTransport, ResourceTarget } from "@drover/client";
import {
  createRandom,
  decodeJson,
  encodeJson,
  fieldTree,
  isApiError,
  isJsonObject,
  isNotFound,
  keptFields,
  pick,
  poll,
} from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, KubeObject, ObjectKey, Random, Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { fullObjects } from "../apiserver/full-objects.ts";
import { bodyOf, kindOf } from "../apiserver/kind-requests.ts";
import { minimalObjects } from "../apiserver/minimal-objects.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const builtIn = [
  "/v1/ConfigMap",
  "/v1/Event",
  "/v1/PersistentVolumeClaim",
  "/v1/Pod",
  "/v1/Secret",
  "/v1/Service",
  "apiextensions.k8s.io/v1/CustomResourceDefinition",
  "apps/v1/ControllerRevision",
  "apps/v1/Deployment",
  "apps/v1/StatefulSet",
  "autoscaling/v1/HorizontalPodAutoscaler",
  "autoscaling/v2/HorizontalPodAutoscaler",
  "batch/v1/CronJob",
  "batch/v1/Job",
  "coordination.k8s.io/v1/Lease",
  "discovery.k8s.io/v1/EndpointSlice",
  "networking.k8s.io/v1/NetworkPolicy",
] as const;
const custom = "formats.example.com/v1/Widget";
const widget = { group: "formats.example.com", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" } as const;

/** Settings that both formats must not differ in. */
const settings: readonly Partial<ListWatcherSettings>[] = [
  {},
  { keepManagedFields: true },
  { projection: "metadata" },
  { decode: "eager" },
  { watchList: false },
  { freeze: false, afterLook: "bytes" },
];

/** Settings of informers with declared fields, beside the fields of the kind. */
const limited: readonly Partial<ListWatcherSettings>[] = [{}, { decode: "eager" }, { watchList: false, afterLook: "bytes" }];

/** Declared fields by kind: scalars, lists, parts of lists, types with their own format, and what is often absent. */
const declared: Readonly<Record<string, readonly string[]>> = {
  "/v1/ConfigMap": ["data", "immutable"],
  "/v1/Event": ["involvedObject.name", "reason", "eventTime", "series.count"],
  "/v1/PersistentVolumeClaim": ["spec.resources.requests", "status.conditions.type"],
  "/v1/Pod": ["spec.nodeName", "spec.containers.image", "spec.volumes.configMap.name", "status.phase", "status.startTime"],
  "/v1/Secret": ["type"],
  "/v1/Service": ["spec.ports.targetPort", "spec.clusterIP", "status.loadBalancer"],
  "apiextensions.k8s.io/v1/CustomResourceDefinition": ["spec.names", "spec.versions.name", "status.acceptedNames.kind"],
  "apps/v1/ControllerRevision": ["revision"],
  "apps/v1/Deployment": ["spec.template.spec.containers.name", "spec.strategy.rollingUpdate.maxSurge", "status"],
  "apps/v1/StatefulSet": ["spec.volumeClaimTemplates.spec", "spec.replicas"],
  "autoscaling/v1/HorizontalPodAutoscaler": ["spec.scaleTargetRef"],
  "autoscaling/v2/HorizontalPodAutoscaler": ["spec.metrics.resource.target", "status.currentReplicas"],
  "batch/v1/CronJob": ["spec.jobTemplate.spec.template.spec.containers.env", "status.active.name"],
  "batch/v1/Job": ["spec.podFailurePolicy.rules.action", "status.conditions"],
  "coordination.k8s.io/v1/Lease": ["spec.renewTime", "spec.holderIdentity"],
  "discovery.k8s.io/v1/EndpointSlice": ["endpoints.addresses", "endpoints.conditions.ready", "ports"],
  "networking.k8s.io/v1/NetworkPolicy": ["spec.ingress.from.ipBlock", "spec.policyTypes"],
  "formats.example.com/v1/Widget": ["spec.count", "spec.list.three", "status.phase"],
};

const isLong = process.env["DROVER_LONG"] === "1";
const scripts = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / (isLong ? 10_000 : 100));
const steps = 12;

const runtime = nodeRuntime();
const { clock } = runtime;

describeOnServers("informers in JSON and in protobuf", ({ missing, start }) => {
  const log = recordingLog(clock);
  const id = `formats-${Date.now().toString(36)}`;
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock, log });
    client = clientIn("default");
    await client.create(CustomResourceDefinition, widgetDefinition as unknown as CustomResourceDefinition);
    const isServed = async (): Promise<boolean> =>
      client
        .dynamic(widget)
        .list({ limit: 1 })
        .then(
          () => true,
          () => false,
        );
    await poll(clock, { interval: 20, timeout: 30_000, immediate: true }, isServed);
  }, 90_000);
  afterAll(async () => {
    if (server !== undefined) await client.delete(CustomResourceDefinition, "widgets.formats.example.com");
    transport?.close();
    await server?.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  it.each([...builtIn, custom])("show the same objects of %s and the same changes", { timeout: 60_000 * scripts }, async (key) => {
    for (let seed = 1; seed <= scripts; seed++) await play(key, createRandom(seed), `${id}-${nameOf(key)}-${seed}`);
  });

  const clientIn = (namespace: string): Client =>
    createClient({ transport, clock, log, namespace, fieldManager: "formats", onWarning: () => undefined });

  async function play(key: string, random: Random, name: string): Promise<void> {
    const scene = new Scene(key, random, name, clientIn(name));
    if (scene.isNamespaced) await client.create(Namespace, { metadata: { name } });
    const pairs: Pair[] = [];
    const open = async (): Promise<void> => {
      pairs.push(...settings.map((each) => scene.pair(transport, each)));
      pairs.push(...limited.map((each) => scene.pair(transport, { ...each, fields: declared[key] ?? [] })));
      await Promise.all(pairs.flat().map(({ informer }) => informer.synced(AbortSignal.timeout(20_000))));
    };
    try {
      for (let step = 0; step < steps / 3; step++) await scene.change();
      await open();
      for (let step = 0; step < steps; step++) {
        await scene.change();
        await agree(pairs, scene, "after a step");
      }
      // New ones, which have only listed.
      const followers = [...pairs];
      await open();
      await agree(pairs, scene, "at the end");
      for (const [json, protobuf] of pairs) {
        expect(json.formats).toEqual(new Set(["json"]));
        const isJson = (key === custom || key.startsWith("apiextensions.k8s.io/")) && protobuf.settings.projection !== "metadata";
        expect(protobuf.formats).toEqual(new Set([isJson ? "json" : "protobuf"]));
      }
      expect(followers[0]?.[0].view()).toEqual(pairs[followers.length]?.[1].view());
      // Many random changes are invalid.
      expect(scene.history.filter((step) => !step.includes(":")).length, scene.history.join(", ")).toBeGreaterThan(steps / 2);
    } finally {
      for (const observer of pairs.flat()) observer.stop();
      await scene.remove();
    }
  }

  /** Waits until all observers have seen the state of the server, and compares what they have seen. */
  async function agree(pairs: readonly Pair[], scene: Scene, when: "after a step" | "at the end"): Promise<void> {
    const isEnd = when === "at the end";
    // The server changes definitions as well, at any time.
    const isListed = isEnd || scene.isChangedByServer;
    const all = pairs.flat();
    let expected = scene.expected;
    const haveSeen = async (): Promise<boolean> => {
      if (isListed) expected = await scene.listed();
      return all.every(({ versions }) => sameVersions(versions, expected));
    };
    await poll(clock, { interval: 2, timeout: 20_000, immediate: true }, haveSeen).catch(() =>
      expect(all.map(({ versions }) => Object.fromEntries(versions))).toEqual(all.map(() => Object.fromEntries(expected))),
    );
    for (const [json, protobuf] of pairs) {
      const about = encodeJson([json.settings, scene.history]);
      expect(protobuf.view(), about).toEqual(json.view());
      expect(protobuf.told(scene), about).toEqual(json.told(scene));
    }
    // The first has whole objects.
    const [whole] = pairs[0] ?? expect.fail("no informers");
    for (const observer of all.filter(({ settings: { fields } }) => fields !== undefined)) {
      const about = encodeJson([observer.settings, scene.history]);
      expect(observer.view(), about).toEqual(whole.viewOf(observer.settings.fields ?? []));
      // Later observers have heard less, and changes that follow each other fast are merged.
      if (!isListed) expect(observer.heard(), about).toEqual(whole.heard());
    }
  }
});

type Pair = readonly [Observer, Observer];

/** An informer, and what it tells its handler. */
class Observer {
  readonly informer: Informer<KubeObject>;
  readonly settings: Partial<ListWatcherSettings>;
  /** Versions by key, as the handler knows them. */
  readonly versions = new Map<string, string>();
  /** Formats of all lists and watches. */
  readonly formats = new Set<string>();
  readonly #stop = new AbortController();
  readonly #changes: { readonly key: string; readonly type: string; readonly text: string }[] = [];

  constructor(transport: Transport, target: ResourceTarget, options: Partial<ListWatcherSettings>) {
    this.settings = options;
    const source = listWatcher({ transport: this.#heard(transport), clock, resource: target, ...options });
    this.informer = createInformer({ source, runtime: { ...runtime, log: recordingLog(clock) }, reflector: { pageSize: 2 } });
    this.informer.addHandler((change) => this.#changed(change), { name: "observer" });
    void this.informer.run(this.#stop.signal);
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Every object as text. */
  view(): Readonly<Record<string, string>> {
    const keys = [...this.versions.keys()].toSorted();
    return Object.fromEntries(keys.map((key) => [key, encodeJson(this.informer.get(key as ObjectKey))]));
  }

  /** What is left of every object if only these fields are declared, as text. */
  viewOf(fields: readonly string[]): Readonly<Record<string, string>> {
    const tree = fieldTree(["apiVersion", "kind", "metadata", ...fields]);
    return Object.fromEntries(
      Object.entries(this.view()).map(([key, text]) => [key, encodeJson(keptFields(decodeJson(text) as JsonObject, tree))]),
    );
  }

  /** Number of changes of each type, whatever their objects. */
  heard(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { key, type } of this.#changes) counts[`${key} ${type}`] = (counts[`${key} ${type}`] ?? 0) + 1;
    return counts;
  }

  /** The changes of each key as text; of objects that the server changes only additions and deletions. */
  told({ isChangedByServer }: Scene): readonly string[] {
    return this.#changes
      .filter(({ type }) => !isChangedByServer || type !== "updated")
      .map(({ key, type, text }) => (isChangedByServer ? `${key} ${type}` : `${key} ${type} ${text}`))
      .toSorted();
  }

  #changed(change: Change): void {
    const { key, type } = change;
    if (type === "deleted") this.versions.delete(key);
    else this.versions.set(key, change.object.metadata.resourceVersion ?? "");
    const order = this.#changes.filter((each) => each.key === key).length;
    const text = encodeJson([order, change.object, type === "updated" ? change.before : null]);
    this.#changes.push({ key, type, text });
  }

  #heard(transport: Transport): Transport {
    return async (request) => {
      const response = await transport(request);
      if (request.path === "/version") return response;
      const type = String(response.headers["content-type"]);
      this.formats.add(type.includes("protobuf") ? "protobuf" : type.includes("json") ? "json" : type);
      return response;
    };
  }
}

/** Objects of one kind that change at random. */
class Scene {
  readonly #kind: Kind | undefined;
  readonly #target: ResourceTarget;
  readonly #random: Random;
  readonly #name: string;
  readonly #client: ReturnType<Client["dynamic"]>;
  readonly #bodies: readonly JsonObject[];
  readonly #steps: readonly string[];
  /** The objects as the server returned them last. */
  readonly #objects = new Map<string, JsonObject>();
  /** What was done, for failures. */
  readonly history: string[] = [];

  constructor(key: string, random: Random, name: string, client: Client) {
    this.#kind = key === custom ? undefined : kindOf(key);
    this.#target = targetOf(this.#kind ?? widget);
    this.#random = random;
    this.#name = name;
    this.#client = client.dynamic(this.#target);
    const hasStatus = this.#kind === undefined || "status" in this.#kind.subresources;
    this.#steps = ["update", "update", "label", "leave", "hold", "delete", ...(hasStatus ? ["status", "status", "status"] : ["update"])];
    this.#bodies =
      this.#kind === undefined
        ? [widgetBody]
        : [minimalObjects[key] ?? {}, ...fullObjects.filter((each) => each.kind === key).map(({ object }) => object)];
  }

  get isNamespaced(): boolean {
    return this.#target.scope === "Namespaced";
  }

  get isChangedByServer(): boolean {
    return this.#target.kind === "CustomResourceDefinition";
  }

  /** Version by key of the objects that are selected. */
  get expected(): ReadonlyMap<string, string> {
    return versionsOf([...this.#objects.values()].filter((object) => labelsOf(object)["suite"] === this.#name));
  }

  async listed(): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#client.list({ labelSelector: `suite=${this.#name}` });
    return versionsOf(items as unknown as readonly JsonObject[]);
  }

  pair(transport: Transport, options: Partial<ListWatcherSettings>): Pair {
    const all = { ...options, labelSelector: `suite=${this.#name}`, ...(this.isNamespaced ? { namespace: this.#name } : {}) };
    const observer = (format: "json" | "protobuf"): Observer => new Observer(transport, this.#target, { ...all, format });
    return [observer("json"), observer("protobuf")];
  }

  /** Does one random step. The server may refuse it. */
  async change(): Promise<void> {
    const name = this.#objectName(this.#random.int(3));
    if (this.isChangedByServer) await this.#refresh(name);
    const current = this.#objects.get(name);
    const step = current === undefined ? "create" : pick(this.#random, this.#steps);
    try {
      const answer = await this.#step(step, name, current ?? {});
      if (answer === undefined) this.#objects.delete(name);
      else this.#objects.set(name, answer);
      this.history.push(`${step} ${name}`);
    } catch (error) {
      if (!isApiError(error)) throw error;
      this.history.push(`${step} ${name}: ${error.reason}`);
    }
  }

  async remove(): Promise<void> {
    const names = [0, 1, 2].map((number) => this.#objectName(number));
    for (const name of names) {
      await this.#client.patch(name, { type: "merge", body: { metadata: { finalizers: null } } }).catch(() => undefined);
      await this.#client.delete(name).catch(() => undefined);
    }
  }

  async #refresh(name: string): Promise<void> {
    const object = await this.#found(name);
    if (object === undefined) this.#objects.delete(name);
    else this.#objects.set(name, object);
  }

  async #found(name: string): Promise<JsonObject | undefined> {
    return this.#client.get(name).then(
      (object) => object as unknown as JsonObject,
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      },
    );
  }

  /** Waits until the server has removed the objects of a definition that is being deleted. */
  async #removed(name: string): Promise<JsonObject | undefined> {
    let object: JsonObject | undefined;
    await poll(clock, { interval: 5, timeout: 20_000, immediate: true }, async () => {
      object = await this.#found(name);
      const { finalizers = [] } = (object?.["metadata"] ?? {}) as JsonObject;
      return !(finalizers as readonly string[]).includes("customresourcecleanup.apiextensions.k8s.io");
    });
    return object;
  }

  async #step(step: string, name: string, current: JsonObject): Promise<JsonObject | undefined> {
    const send = this.#client;
    const answer = async (call: Promise<unknown>): Promise<JsonObject> => (await call) as JsonObject;
    switch (step) {
      case "create":
        return answer(send.create(this.#body(name) as never));
      case "update":
        return answer(send.update({ ...current, ...this.#grafted(current) } as never));
      case "status":
        return answer(send.update({ ...current, status: this.#status() } as never, { subresource: "status" }));
      case "label":
        return this.#patched(name, { labels: { [pick(this.#random, ["a", "b", "1"])]: pick(this.#random, ["x", "", null]) } });
      case "leave":
        return this.#patched(name, { labels: { suite: pick(this.#random, [this.#name, "none"]) } });
      case "hold":
        return this.#patched(name, { finalizers: pick(this.#random, [["example.com/hold"], null]) });
      default: {
        await send.delete(name, { gracePeriodSeconds: 0 });
        return this.#removed(name);
      }
    }
  }

  /** Removing the last finalizer removes the object. */
  async #patched(name: string, metadata: JsonObject): Promise<JsonObject | undefined> {
    const patched = (await this.#client.patch(name, { type: "merge", body: { metadata } })) as unknown as JsonObject;
    const { deletionTimestamp, finalizers = [] } = patched["metadata"] as JsonObject;
    return deletionTimestamp !== undefined && (finalizers as readonly unknown[]).length === 0 ? undefined : patched;
  }

  #objectName(number: number): string {
    if (this.isNamespaced) return `object-${number}`;
    return `${this.#plural(number)}.formats.example.com`;
  }

  #plural(number: number): string {
    return `${this.#name.replaceAll("-", "")}x${number}`;
  }

  #body(name: string): JsonObject {
    const body = this.isNamespaced ? pick(this.#random, this.#bodies) : definition(name.split(".")[0] ?? "", this.#random);
    const metadata = {
      ...(body["metadata"] as JsonObject | undefined),
      name,
      labels: { suite: this.#name, app: "web" },
      annotations: { text: pick(this.#random, ["", "é\u2028<&>", "x".repeat(300), '{"a":"\\n"}']) },
    };
    const whole = { ...bodyOf(this.#target, body, name), metadata };
    if (this.#target.kind === "Event") return { ...whole, involvedObject: { namespace: this.#name } };
    return this.#random.next() < 0.5 || !this.isNamespaced ? whole : { ...whole, ...this.#grafted(whole) };
  }

  /** One field of a random object, at the top or in the spec. The server refuses many of them. */
  #grafted(object: JsonObject): JsonObject {
    if (this.#kind === undefined) return { spec: { count: this.#random.int(5), ratio: this.#random.next(), text: "é" } };
    const example = exampleOf(this.#kind, this.#random) as unknown as JsonObject;
    const fields = Object.keys(example).filter((name) => !["apiVersion", "kind", "metadata", "status"].includes(name));
    if (fields.length === 0) return {};
    const field = pick(this.#random, fields);
    const [value, current] = [example[field] as JsonValue, object[field]];
    if (field !== "spec" || !isJsonObject(value) || !isJsonObject(current)) return { [field]: value };
    const inner = Object.keys(value);
    if (inner.length === 0) return {};
    const name = pick(this.#random, inner);
    return { spec: { ...current, [name]: value[name] as JsonValue } };
  }

  #status(): JsonValue {
    if (this.#kind === undefined) return { phase: pick(this.#random, ["", "Ready"]) };
    return (exampleOf(this.#kind, this.#random) as unknown as JsonObject)["status"] ?? {};
  }
}

const nameOf = (key: string): string => key.split("/").slice(1).join("").toLowerCase();

const labelsOf = (object: JsonObject): JsonObject => ((object["metadata"] as JsonObject)["labels"] ?? {}) as JsonObject;

function versionsOf(objects: readonly JsonObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects.map(({ metadata }) => {
      const { namespace, name, resourceVersion } = metadata as Readonly<Record<string, string>>;
      return [namespace === undefined ? `${name}` : `${namespace}/${name}`, `${resourceVersion}`];
    }),
  );
}

const sameVersions = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  some.size === others.size && [...some].every(([key, version]) => others.get(key) === version);

const widgetDefinition: JsonObject = {
  metadata: { name: "widgets.formats.example.com" },
  spec: {
    group: widget.group,
    scope: widget.scope,
    names: { plural: widget.plural, singular: "widget", kind: widget.kind, listKind: "WidgetList" },
    versions: [
      {
        name: widget.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

const widgetBody: JsonObject = { spec: { count: 1, list: [1, "two", { three: null }] } };

/** A definition whose schema has every kind of value that has a format of its own in protobuf. */
function definition(plural: string, random: Random): JsonObject {
  const schema = {
    type: "object",
    description: pick(random, ["", "a description"]),
    properties: {
      a: { type: "string", default: "x", example: { b: [1] }, enum: ["x", "y"] },
      b: { type: "array", items: { type: "integer", maximum: 1.5, minimum: -2, format: "int64" } },
      c: { type: "object", additionalProperties: pick<JsonValue>(random, [true, { type: "string" }]) },
      d: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      e: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    },
  };
  return {
    spec: {
      group: "formats.example.com",
      scope: "Namespaced",
      names: { plural, kind: `K${plural}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(random.next() < 0.5
            ? { subresources: { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.b" } } }
            : {}),
        },
      ],
    },
  };
}
