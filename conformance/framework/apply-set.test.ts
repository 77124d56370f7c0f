/** Sets of objects applied for an owner, on our server and on the real one: which requests are sent, what is left alone, what is pruned. */
import { gunzipSync, gzipSync } from "node:zlib";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { Job } from "@drover/api/batch/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service, ServiceAccount } from "@drover/api/core/v1";
import { NetworkPolicy } from "@drover/api/networking/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { createClient } from "@drover/client";
import { isNotFound, isTooManyRequests, sleep } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject } from "@drover/machinery";
import {
  ApplySetError,
  apply,
  createApplyMemory,
  defineResource,
  ForeignOwnerError,
  installResource,
  planApply,
  printPlan,
  setLabel,
} from "@drover/patterns";
import type { ApplyOutcome, ApplySet, DesiredObject } from "@drover/patterns";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { applyScene, configMap, desired } from "../../packages/patterns/src/apply/apply-set-scene.ts";
import type { ApplyScene } from "../../packages/patterns/src/apply/apply-set-scene.ts";
import { applyStage } from "./apply-set-stage.ts";
import type { ApplyStage } from "./apply-set-stage.ts";
import { describeOnServers } from "../servers/servers.ts";

const set: ApplySet = { name: "web-app" };
const types = ({ changes }: ApplyOutcome): readonly string[] => changes.map(({ kind, name, type }) => `${type} ${kind.kind} ${name}`);
/** A real server asks clients to retry shortly after a definition is established. */
async function patiently<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isTooManyRequests(error) || tries === 100) throw error;
      await sleep(clock, 50);
    }
  }
}
const labelsApp = { app: "web" };
const pod = (image: string, more: object = {}): DeepReadonly<NonNullable<Deployment["spec"]>["template"]> => ({
  metadata: { labels: labelsApp },
  spec: { containers: [{ name: "web", image, ...more }] },
});
const deployment = (image: string, more: object = {}): DesiredObject =>
  desired(Deployment, { metadata: { name: "web" }, spec: { selector: { matchLabels: labelsApp }, template: pod(image), ...more } });
const job = (image: string): DesiredObject =>
  desired(Job, {
    metadata: { name: "once" },
    spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "a", image }] } } },
  });

describeOnServers("apply sets", (source) => {
  const { missing } = source;
  let stage: ApplyStage | undefined;
  const there = (): ApplyStage => {
    if (stage === undefined) throw new Error("no server");
    return stage;
  };
  let count = 0;
  beforeAll(async () => {
    if (missing === undefined) stage = await applyStage(source);
  }, 90_000);
  afterAll(async () => await stage?.end());
  const suffix = Math.random().toString(36).slice(2, 8);
  const scene = (): Promise<ApplyScene> => applyScene(there().transport, there().runtime, `apply-${suffix}-${count++}`);
  const test = (name: string, body: (scene: ApplyScene) => Promise<void>): void =>
    it(name, { timeout: 90_000 }, async (ctx) => {
      if (missing !== undefined) ctx.skip(missing);
      await there().play(async () => body(await scene()));
    });

  test("creates members, marks them, and sends nothing the second time, with or without a memory", async ({
    owner,
    context,
    sent,
    others,
  }) => {
    const objects = [deployment("web:1"), configMap("settings", { colour: "blue" })];
    const outcome = await apply(set, await owner(), objects, context());
    expect(types(outcome)).toEqual(["created ConfigMap settings", "created Deployment web"]);
    expect(sent()).toEqual(["PATCH configmaps/owner", "PATCH configmaps/settings", "PATCH deployments/web"]);
    expect(outcome.owner.metadata.resourceVersion).toBe((await owner()).object.metadata.resourceVersion);
    const settings = await others.get(ConfigMap, "settings");
    const { object } = await owner();
    expect(settings.metadata.ownerReferences).toEqual([
      { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: object.metadata.uid, controller: true, blockOwnerDeletion: true },
    ]);
    expect(settings.metadata.annotations).toMatchObject({
      "drover.dev/set-name": "web-app",
      "drover.dev/owner": `ConfigMap ${object.metadata.namespace ?? ""}/owner`,
    });
    for (const memory of [context().memory, createApplyMemory()]) {
      const again = await apply(set, await owner(), objects, context(memory === undefined ? {} : { memory }));
      expect(types(again)).toEqual(["unchanged ConfigMap settings", "unchanged Deployment web"]);
      expect(again.isSettled).toBe(true);
      expect(again.objects.map((live) => live?.kind)).toEqual(["Deployment", "ConfigMap"]);
    }
    expect(sent()).toEqual([]);
  });

  test("sends no request when a cache has the members, even without managedFields (§3.14)", async ({ owner, context, sent, others }) => {
    const objects = [configMap("settings", { colour: "blue" }), deployment("web:1")];
    await apply(set, await owner(), objects, context());
    sent();
    const cached = new Map<string, readonly DeepReadonly<KubeObject>[]>();
    for (const kind of [ConfigMap, Deployment])
      cached.set(
        kind.kind,
        (await others.list(kind as typeof ConfigMap, { labelSelector: setLabel })).items.map(
          ({ metadata: { managedFields: _, ...metadata }, ...rest }) => ({ ...rest, metadata }),
        ),
      );
    const outcome = await apply(set, await owner(), objects, context({ members: (kind) => cached.get(kind.kind) }));
    expect(outcome.isSettled).toBe(true);
    expect(sent({ reads: true })).toEqual([]);
  });

  test("removes a field that is no longer wanted, reverts one that others changed, and leaves theirs alone", async ({
    owner,
    context,
    others,
    sent,
  }) => {
    await apply(set, await owner(), [configMap("settings", { colour: "blue", size: "10" })], context());
    await others.patch(ConfigMap, "settings", { type: "merge", body: { data: { theirs: "x" }, metadata: { labels: { team: "a" } } } });
    sent();
    expect(types(await apply(set, await owner(), [configMap("settings", { colour: "blue", size: "10" })], context()))).toEqual([
      "unchanged ConfigMap settings",
    ]);
    expect(sent()).toEqual([]);
    await others.patch(ConfigMap, "settings", { type: "merge", body: { data: { colour: "red" } } });
    const back = await apply(set, await owner(), [configMap("settings", { colour: "blue", size: "10" })], context());
    expect(back.changes[0]).toMatchObject({ type: "patched", why: 'data.colour was "red"' });
    await apply(set, await owner(), [configMap("settings", { colour: "blue" })], context());
    const { data, metadata } = await others.get(ConfigMap, "settings");
    expect(data).toEqual({ colour: "blue", theirs: "x" });
    expect(metadata.labels).toMatchObject({ team: "a" });
  });

  test("treats defaults, quantities, stringData, empty values and zeros as equal (§9.25)", async ({ owner, context, sent }) => {
    const container = {
      resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { cpu: 2 as unknown as string } },
      ports: [{ containerPort: 80 }],
      args: [],
      env: [
        { name: "A", value: "" },
        { name: "IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
        { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
      ],
      livenessProbe: { httpGet: { path: "/", port: "http" } },
    };
    const objects: readonly DesiredObject[] = [
      desired(Deployment, {
        metadata: { name: "web", labels: {} },
        spec: { replicas: 0, minReadySeconds: 0, strategy: {}, selector: { matchLabels: labelsApp }, template: pod("web:1", container) },
      }),
      desired(Secret, { metadata: { name: "login" }, stringData: { password: "grüße" }, data: { user: "YQ==" } }),
      desired(Service, {
        metadata: { name: "web" },
        spec: {
          selector: labelsApp,
          ports: [
            { name: "http", port: 80, targetPort: "http" },
            { name: "dns", port: 80, protocol: "UDP" },
          ],
        },
      }),
      desired(NetworkPolicy, { metadata: { name: "closed" }, spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [] } }),
      desired(PersistentVolumeClaim, {
        metadata: { name: "disk" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "0.5Gi" } } },
      }),
    ];
    expect((await apply(set, await owner(), objects, context())).changes.map(({ type }) => type)).toEqual([
      "created",
      "created",
      "created",
      "created",
      "created",
    ]);
    sent();
    expect((await apply(set, await owner(), objects, context())).changes.map(({ type }) => type)).toEqual([
      "unchanged",
      "unchanged",
      "unchanged",
      "unchanged",
      "unchanged",
    ]);
    expect(sent()).toEqual([]);
  });

  test("a wrong comparison costs one request and not one in every run (§9.24)", async ({ owner, context, sent }) => {
    const objects = [deployment("web:1", { minReadySeconds: 0 })];
    await apply(set, await owner(), objects, context());
    sent();
    // A new process does not know yet that the server omits a zero.
    const memory = createApplyMemory();
    expect(types(await apply(set, await owner(), objects, context({ memory })))).toEqual(["unchanged Deployment web"]);
    expect(sent().length).toBeLessThanOrEqual(1);
    await apply(set, await owner(), objects, context({ memory }));
    expect(sent()).toEqual([]);
  });

  test("prunes the last object of a kind that the program no longer names, and forgets the kind", async ({
    owner,
    context,
    others,
    sent,
  }) => {
    await apply(set, await owner(), [configMap("settings"), desired(ServiceAccount, { metadata: { name: "robot" } })], context());
    expect((await owner()).object.metadata.annotations).toEqual({
      "web-app.sets.drover.dev/kinds": "v1/configmaps/ConfigMap/Namespaced,v1/serviceaccounts/ServiceAccount/Namespaced",
    });
    expect(types(await apply(set, await owner(), [configMap("settings")], context({ memory: createApplyMemory() })))).toEqual([
      "unchanged ConfigMap settings",
      "deleted ServiceAccount robot",
    ]);
    await expect(others.get(ServiceAccount, "robot")).rejects.toSatisfy(isNotFound);
    expect((await owner()).object.metadata.annotations).toEqual({ "web-app.sets.drover.dev/kinds": "v1/configmaps/ConfigMap/Namespaced" });
    const gone = await apply(set, await owner(), [], context());
    expect([types(gone), gone.isSettled]).toEqual([["deleted ConfigMap settings"], true]);
    expect((await owner()).object.metadata.annotations).toBeUndefined();
    sent();
    await apply(set, await owner(), [], context());
    expect(sent({ reads: true })).toEqual([]);
  });

  test("does not lose a kind of the inventory to a stale owner", async ({ owner, context, others }) => {
    const before = await owner();
    await apply(set, before, [configMap("settings"), desired(ServiceAccount, { metadata: { name: "robot" } })], context());
    await apply(
      set,
      before,
      [configMap("settings"), desired(Secret, { metadata: { name: "login" } })],
      context({ memory: createApplyMemory() }),
    );
    await expect(others.get(ServiceAccount, "robot")).rejects.toSatisfy(isNotFound);
  });

  test("writes no inventory on an owner that is being deleted, and can still prune its members", async ({
    owner,
    context,
    others,
    sent,
  }) => {
    await apply(set, await owner(), [configMap("settings")], context());
    await others.patch(ConfigMap, "owner", { type: "merge", body: { metadata: { finalizers: ["example.com/hold"] } } });
    await others.delete(ConfigMap, "owner");
    sent();
    await apply(set, await owner(), [], context());
    expect(sent()).toEqual(["DELETE configmaps/settings"]);
    await others.patch(ConfigMap, "owner", { type: "merge", body: { metadata: { finalizers: [] } } });
  });

  test("refuses an object of another controller or set without touching it, and applies the others", async ({ owner, context, others }) => {
    const theirs = await others.create(ConfigMap, {
      metadata: {
        name: "taken",
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name: "other", uid: "11111111-2222-3333-4444-555555555555", controller: true },
        ],
      },
      data: { a: "b" },
    });
    await apply({ name: "other-set" }, await owner(), [configMap("shared")], context());
    const failed = await apply(
      set,
      await owner(),
      [configMap("taken", { a: "ours" }), configMap("free"), configMap("shared", { a: "ours" })],
      context(),
    ).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApplySetError);
    const { errors, changes } = failed as ApplySetError;
    expect(errors.every((error) => error instanceof ForeignOwnerError)).toBe(true);
    expect(errors.map(({ message }: Error) => message)).toEqual([
      expect.stringMatching(
        /^ConfigMap .*\/taken belongs to Deployment\.apps .*\/other, so set web-app of ConfigMap .*\/owner does not change it/,
      ),
      expect.stringMatching(/shared belongs to the set other-set of ConfigMap .*\/owner/),
    ]);
    expect(changes.map(({ name, type }) => `${type} ${name}`)).toEqual(["created free"]);
    expect((await others.get(ConfigMap, "taken")).metadata.resourceVersion).toBe(theirs.metadata.resourceVersion);
  });

  test("refuses an object without an owner unless adoption is allowed, and takes over what its owner controls", async ({
    owner,
    context,
    others,
  }) => {
    await others.create(ConfigMap, { metadata: { name: "settings" }, data: { a: "b", theirs: "x" } });
    await expect(apply(set, await owner(), [configMap("settings", { a: "c" })], context())).rejects.toThrow(
      "has no owner, so set web-app of",
    );
    expect((await others.get(ConfigMap, "settings")).data).toEqual({ a: "b", theirs: "x" });
    await apply({ ...set, adopt: "unowned" }, await owner(), [configMap("settings", { a: "c" })], context());
    expect((await others.get(ConfigMap, "settings")).data).toEqual({ a: "c", theirs: "x" });
    const {
      object: {
        metadata: { uid = "" },
      },
    } = await owner();
    await others.create(ConfigMap, {
      metadata: {
        name: "child",
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true, blockOwnerDeletion: true }],
      },
    });
    await apply(set, await owner(), [configMap("settings", { a: "c" }), configMap("child", { a: "ours" })], context());
    expect((await others.get(ConfigMap, "child")).data).toEqual({ a: "ours" });
  });

  test("does not prune objects that others control, that have only our reference, or that are marked to stay (§2.2.6)", async ({
    owner,
    context,
    others,
  }) => {
    await apply(
      set,
      await owner(),
      ["a", "b", "c", "d"].map((name) => configMap(name)),
      context(),
    );
    const {
      object: {
        metadata: { uid = "" },
      },
    } = await owner();
    const label = (name: string, labels: object): Promise<unknown> =>
      others.patch(ConfigMap, name, { type: "merge", body: { metadata: { labels: labels } } });
    await label("a", { "drover.dev/prune": "false" });
    await label("b", { "objectset.rio.cattle.io/prune": "false" });
    await others.patch(ConfigMap, "c", {
      type: "json",
      body: [
        {
          op: "replace",
          path: "/metadata/ownerReferences/0",
          value: {
            apiVersion: "apps/v1",
            kind: "Deployment",
            name: "other",
            uid: "11111111-2222-3333-4444-555555555555",
            controller: true,
          },
        },
      ],
    });
    await others.create(ConfigMap, {
      metadata: { name: "e", ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid, controller: true }] },
    });
    expect(types(await apply(set, await owner(), [], context()))).toEqual(["deleted ConfigMap d"]);
    expect((await others.list(ConfigMap)).items.map(({ metadata }) => metadata.name).filter((name) => name?.length === 1)).toEqual([
      "a",
      "b",
      "c",
      "e",
    ]);
    await label("a", { "drover.dev/prune": null as unknown as string });
    const kept = await apply({ ...set, prune: ({ metadata }) => metadata.name !== "a" }, await owner(), [], context());
    expect(types(kept)).toEqual([]);
  });

  test("keeps its members after a rename when it names its old name", async ({ owner, context, others }) => {
    await apply({ name: "old-name", kinds: [ConfigMap] }, await owner(), [configMap("a"), configMap("b")], context());
    const {
      metadata: { uid },
    } = await others.get(ConfigMap, "a");
    const renamed: ApplySet = { name: "new-name", supersedes: ["old-name"] };
    expect(types(await apply(renamed, await owner(), [configMap("a")], context()))).toEqual(["patched ConfigMap a", "deleted ConfigMap b"]);
    expect((await others.get(ConfigMap, "a")).metadata.uid).toBe(uid);
  });

  test("keeps a member that is wanted in another version of its kind (§2.2.8)", async ({ owner, context, others, namespace }) => {
    const spec = z.object({ size: z.string() });
    const V2 = defineResource({
      group: `${namespace}.example.com`,
      version: "v2",
      kind: "Thing",
      plural: "things",
      spec,
      olderVersions: { v1: { spec } },
    });
    const V1 = { ...V2, version: "v1" };
    await installResource(others, V2);
    await patiently(there().runtime.clock, async () =>
      apply(set, await owner(), [desired(V2, { metadata: { name: "one" }, spec: { size: "L" } })], context()),
    );
    const {
      metadata: { uid },
    } = await others.get(V2, "one");
    expect(
      types(
        await patiently(there().runtime.clock, async () =>
          apply(set, await owner(), [desired(V1, { metadata: { name: "one" }, spec: { size: "S" } })], context()),
        ),
      ),
    ).toEqual(["patched Thing one"]);
    expect(await others.get(V2, "one")).toMatchObject({ metadata: { uid }, spec: { size: "S" } });
    // The inventory names a version that is no longer served: its objects are found in another version.
    await others.patch(CustomResourceDefinition, `things.${namespace}.example.com`, {
      type: "json",
      body: [{ op: "replace", path: "/spec/versions/1/served", value: false }],
    });
    await others.patch(ConfigMap, "owner", {
      type: "merge",
      body: { metadata: { annotations: { "web-app.sets.drover.dev/kinds": `${namespace}.example.com/v1/things/Thing/Namespaced` } } },
    });
    await expect
      .poll(
        () =>
          others.list(V1).then(
            () => "served",
            () => "gone",
          ),
        { timeout: 30_000 },
      )
      .toBe("gone");
    expect(
      types(await patiently(there().runtime.clock, async () => apply(set, await owner(), [], context({ memory: createApplyMemory() })))),
    ).toEqual(["deleted Thing one"]);
    await others.delete(CustomResourceDefinition, `things.${namespace}.example.com`);
  });

  test("fails with the name of an immutable field, leaves it alone, or re-creates the object", async ({ owner, context, others, sent }) => {
    await apply(set, await owner(), [job("a:1")], context());
    const before = await others.get(Job, "once");
    await expect(apply(set, await owner(), [job("a:2")], context())).rejects.toThrow(
      /Job\.batch .*\/once: spec\.template cannot be changed; set onImmutable: "recreate"/,
    );
    const leaving: ApplySet = { ...set, onImmutable: "leave" };
    expect((await apply(leaving, await owner(), [job("a:2")], context())).changes[0]).toMatchObject({
      type: "left",
      why: "spec.template cannot be changed",
    });
    sent();
    expect(types(await apply(leaving, await owner(), [job("a:2")], context()))).toEqual(["left Job once"]);
    expect(sent()).toEqual([]);
    const recreated = await apply({ ...set, onImmutable: "recreate" }, await owner(), [job("a:2")], context());
    expect(types(recreated)).toEqual(["recreated Job once"]);
    const after = await others.get(Job, "once");
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.spec?.template.spec?.containers[0]?.image).toBe("a:2");
  });

  test("waits for an object to replace that a finalizer holds, and creates it when it is gone", async ({ owner, context, others }) => {
    await apply(set, await owner(), [job("a:1")], context());
    await others.patch(Job, "once", { type: "merge", body: { metadata: { finalizers: ["example.com/hold"] } } });
    const recreating: ApplySet = { ...set, onImmutable: "recreate" };
    const held = await apply(recreating, await owner(), [job("a:2")], context());
    expect([held.isSettled, held.objects]).toEqual([false, [undefined]]);
    expect(held.changes[0]).toMatchObject({
      type: "waiting",
      why: "spec.template cannot be changed; it is being deleted, held by the finalizer example.com/hold and will be created again afterwards",
    });
    expect(types(await apply(recreating, await owner(), [job("a:2")], context()))).toEqual(["waiting Job once"]);
    await others.patch(Job, "once", { type: "merge", body: { metadata: { finalizers: null } } });
    expect(types(await apply(recreating, await owner(), [job("a:2")], context()))).toEqual(["created Job once"]);
  });

  test("puts members into the owner's namespace, and elsewhere only if the set's scope allows it", async ({
    owner,
    context,
    others,
    namespace,
    sent,
  }) => {
    const role = `${namespace}-role`;
    const elsewhere = desired(ConfigMap, { metadata: { name: "far", namespace: "default", labels: { from: namespace } } });
    const clusterWide = desired(ClusterRole, { metadata: { name: role }, rules: [] });
    await expect(apply(set, await owner(), [elsewhere], context())).rejects.toThrow(
      'the set\'s scope is "namespace"; set scope: "cross-namespace"',
    );
    await expect(apply({ ...set, scope: "cross-namespace" }, await owner(), [clusterWide], context())).rejects.toThrow(
      'the set\'s scope is "cross-namespace"; set scope: "cluster"',
    );
    await expect(apply(set, await owner(), [configMap("a"), configMap("b"), configMap("a")], context())).rejects.toThrow(
      "objects[0] and objects[2] are both ConfigMap",
    );
    expect(sent()).toEqual([]);
    const wide: ApplySet = { ...set, name: namespace, scope: "cluster" };
    await apply(
      wide,
      await owner(),
      [
        { ...elsewhere, object: { ...elsewhere.object, metadata: { ...elsewhere.object.metadata, name: `far-${namespace}` } } },
        clusterWide,
      ],
      context(),
    );
    expect((await others.get(ClusterRole, role)).metadata.ownerReferences).toBeUndefined();
    expect(types(await apply(wide, await owner(), [], context()))).toEqual([
      `deleted ClusterRole ${role}`,
      `deleted ConfigMap far-${namespace}`,
    ]);
  });

  test("supports a cluster-scoped owner with members in any namespace (§3.14)", async ({ others, context, namespace }) => {
    const cluster = { kind: Namespace, object: await others.get(Namespace, namespace) };
    await expect(apply(set, cluster, [configMap("settings")], context())).rejects.toThrow(
      `it has no metadata.namespace, and its owner Namespace ${namespace} is cluster-scoped`,
    );
    await apply(set, cluster, [desired(ConfigMap, { metadata: { name: "settings", namespace } })], context());
    expect((await others.get(ConfigMap, "settings")).metadata.ownerReferences?.[0]?.kind).toBe("Namespace");
    expect(types(await apply(set, { ...cluster, object: await others.get(Namespace, namespace) }, [], context()))).toEqual([
      "deleted ConfigMap settings",
    ]);
  });

  test("applies in order, waits at gates, and reports for what", async ({ owner, context, others, sent }) => {
    const waiting: ApplySet = { ...set, wait: true };
    const objects = [
      deployment("web:1"),
      configMap("settings"),
      desired(PersistentVolumeClaim, {
        metadata: { name: "disk" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
      }),
      configMap("old"),
    ];
    const first = await apply(waiting, await owner(), objects, context());
    expect(types(first)).toEqual([
      "created ConfigMap settings",
      "created ConfigMap old",
      "created PersistentVolumeClaim disk",
      "waiting Deployment web",
    ]);
    expect(first.changes[3]?.why).toMatch(/^waits for PersistentVolumeClaim .*\/disk, which is Pending$/);
    expect(first.isSettled).toBe(false);
    sent();
    // Nothing is pruned before everything is applied.
    expect(types(await apply(waiting, await owner(), objects.slice(0, 3), context()))).toEqual([
      "unchanged ConfigMap settings",
      "unchanged PersistentVolumeClaim disk",
      "waiting Deployment web",
    ]);
    expect(sent()).toEqual([]);
    await others.resource(PersistentVolumeClaim).status.patch("disk", { type: "merge", body: { status: { phase: "Bound" } } });
    const second = await apply(waiting, await owner(), objects.slice(0, 3), context());
    expect(types(second)).toEqual([
      "unchanged ConfigMap settings",
      "unchanged PersistentVolumeClaim disk",
      "created Deployment web",
      "deleted ConfigMap old",
    ]);
    expect(second.isSettled).toBe(false);
    const gated = await apply(
      set,
      await owner(),
      [
        desired(ConfigMap, { metadata: { name: "first" } }, { isReady: ({ data }) => data?.["go"] === "yes" || "has no go" }),
        configMap("second"),
      ],
      context(),
    );
    expect(gated.changes.map(({ type, why }) => `${type} ${why ?? ""}`)).toEqual([
      "created ",
      expect.stringMatching(/^waiting waits for ConfigMap .*\/first, which has no go$/),
    ]);
  });

  test("applies a definition and, once it is served, its objects, compared by their schema", async ({
    owner,
    context,
    namespace,
    others,
    sent,
  }) => {
    const group = `${namespace}.example.com`;
    const port = z.object({ name: z.string(), number: z.int32(), protocol: z.enum(["TCP", "UDP"]).default("TCP") });
    const Gadget = defineResource({
      group,
      version: "v1",
      kind: "Gadget",
      plural: "gadgets",
      spec: z.object({
        size: z.string().default("M"),
        ports: z
          .array(port)
          .optional()
          .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
      }),
    });
    const wide: ApplySet = { name: "gadgets", scope: "cluster" };
    const definition = desired(CustomResourceDefinition, Gadget.definition());
    const objects = [
      desired(Gadget, {
        metadata: { name: "one" },
        spec: {
          size: "M",
          ports: [
            { name: "b", number: 2, protocol: "TCP" },
            { name: "a", number: 1 },
          ],
        },
      } as never),
      definition,
    ];
    let outcome = await apply(wide, await owner(), objects, context());
    expect(outcome.changes[1]?.why).toContain("waits for CustomResourceDefinition.apiextensions.k8s.io");
    for (let tries = 0; !outcome.isSettled && tries < 100; tries++) {
      expect(outcome.changes[1]).toMatchObject({ type: "waiting", why: expect.stringContaining("waits for") as string });
      await sleep(there().runtime.clock, 50);
      outcome = await patiently(there().runtime.clock, async () => apply(wide, await owner(), objects, context()));
    }
    expect(types(outcome)).toEqual([expect.stringContaining("unchanged CustomResourceDefinition"), "created Gadget one"]);
    await others.patch(Gadget, "one", {
      type: "json",
      body: [{ op: "add", path: "/spec/ports/0", value: { name: "z", number: 9, protocol: "UDP" } }],
    });
    sent();
    expect((await apply(wide, await owner(), objects, context({ memory: createApplyMemory() }))).changes.map(({ type }) => type)).toEqual([
      "unchanged",
      "unchanged",
    ]);
    expect(sent()).toEqual([]);
    // Of a kind this program does not know, whose definition is deleted after it.
    expect((await apply(wide, await owner(), [], context())).changes.map(({ kind, type }) => `${type} ${kind.kind}`)).toEqual([
      "deleted Gadget",
      expect.stringMatching(/^(?:deleted|waiting) CustomResourceDefinition$/),
    ]);
  });

  test("plans without writing, field by field, and never shows a secret (§9.39)", async ({ owner, context, others, sent }) => {
    await apply(
      set,
      await owner(),
      [
        configMap("settings", { colour: "blue", size: "1" }),
        desired(Secret, { metadata: { name: "login" }, stringData: { password: "earlier" } }),
        configMap("old"),
      ],
      context(),
    );
    sent();
    const objects = [
      configMap("settings", { colour: "red" }),
      desired(Secret, { metadata: { name: "login" }, stringData: { password: "hunter2", token: "sesame" } }),
      deployment("web:1"),
      configMap("same"),
      job("a:1"),
    ];
    const plan = await planApply(set, await owner(), objects, context());
    const text = printPlan(plan);
    expect(sent().every((request) => request.endsWith("?dryRun") || request.startsWith("DELETE"))).toBe(true);
    expect(text).toContain('    data.colour: "blue" → "red"\n    data.size: "1" → nothing');
    expect(text).toContain('    data.password: "[redacted]" → "[redacted]"');
    expect(text).toMatch(/\+ Deployment\.apps .*\/web\n/);
    expect(text).toMatch(/- ConfigMap .*\/old \(it is no longer desired\)/);
    for (const secret of ["hunter2", "sesame", "earlier", btoa("hunter2"), btoa("earlier")])
      expect(JSON.stringify(plan) + text).not.toContain(secret);
    expect((await others.get(ConfigMap, "settings")).data).toEqual({ colour: "blue", size: "1" });
    expect((await others.list(ConfigMap, { labelSelector: setLabel })).items.map(({ metadata }) => metadata.name)).toEqual([
      "old",
      "settings",
    ]);
    await expect(others.get(Deployment, "web")).rejects.toSatisfy(isNotFound);
    const outcome = await apply(
      set,
      await owner(),
      [desired(Secret, { metadata: { name: "login" }, stringData: { password: "after" } })],
      context(),
    );
    expect(outcome.changes[0]?.why).toBe("data.password changed");
  });

  test("three-way: creates, removes what went since the last apply, keeps fields of others, and sends nothing without a change (§3.29)", async ({
    owner,
    context,
    others,
    sent,
  }) => {
    const threeWay: ApplySet = { ...set, method: "three-way" };
    const both = [
      deployment("web:1", { replicas: 2, minReadySeconds: 5 }),
      desired(Secret, { metadata: { name: "login" }, stringData: { a: "b", c: "d" } }),
    ];
    await apply(threeWay, await owner(), both, context());
    await others.patch(Deployment, "web", {
      type: "strategic",
      body: { spec: { template: { spec: { containers: [{ name: "sidecar", image: "s:1" }] } } } },
    });
    sent();
    expect((await apply(threeWay, await owner(), both, context({ memory: createApplyMemory() }))).changes.map(({ type }) => type)).toEqual([
      "unchanged",
      "unchanged",
    ]);
    expect(sent()).toEqual([]);
    await apply(
      threeWay,
      await owner(),
      [deployment("web:2", { replicas: 2 }), desired(Secret, { metadata: { name: "login" }, stringData: { a: "b" } })],
      context(),
    );
    const { spec } = await others.get(Deployment, "web");
    expect(spec?.minReadySeconds).toBeUndefined();
    expect(spec?.template.spec?.containers.map(({ image }) => image).toSorted()).toEqual(["s:1", "web:2"]);
    const login = await others.get(Secret, "login");
    expect(login.data).toEqual({ a: btoa("b") });
    expect(login.metadata.annotations?.["drover.dev/last-applied"]).not.toContain(btoa("b"));
  });

  test("takes over members that Wrangler created for the owner, removes its unwanted fields, and prunes the rest", async ({
    owner,
    context,
    others,
    namespace,
  }) => {
    const made = (name: string, id: string, applied: string): Promise<unknown> =>
      others.create(ConfigMap, {
        metadata: {
          name,
          labels: { "objectset.rio.cattle.io/hash": "0123456789abcdef" },
          annotations: {
            "objectset.rio.cattle.io/id": id,
            "objectset.rio.cattle.io/owner-gvk": "/v1, Kind=ConfigMap",
            "objectset.rio.cattle.io/owner-name": "owner",
            "objectset.rio.cattle.io/owner-namespace": namespace,
            "objectset.rio.cattle.io/applied": applied,
          },
        },
        data: { a: "1", gone: "x" },
      });
    const applied = JSON.stringify({ data: { a: "1", gone: "x" } });
    await made("plain", "my-handler", applied);
    await made("packed", "my-handler", gzipSync(applied).toString("base64").replace(/=+$/, ""));
    await made("unwanted", "my-handler", applied);
    await made("another", "other-handler", applied);
    const taking: ApplySet = { ...set, method: "three-way", supersedes: ["my-handler"], wrangler: true };
    const outcome = await apply(
      taking,
      await owner(),
      [configMap("plain", { a: "2" }), configMap("packed", { a: "2" })],
      context({ inflate: gunzipSync }),
    );
    expect(types(outcome)).toEqual(["patched ConfigMap plain", "patched ConfigMap packed", "deleted ConfigMap unwanted"]);
    for (const name of ["plain", "packed"]) expect((await others.get(ConfigMap, name)).data).toEqual({ a: "2" });
    await expect(
      apply(taking, await owner(), [configMap("plain", { a: "2" }), configMap("packed", { a: "2" }), configMap("another")], context()),
    ).rejects.toThrow("another belongs to ConfigMap");
    expect((await others.get(ConfigMap, "another")).data).toEqual({ a: "1", gone: "x" });
  });

  test("takes a field from another manager, or fails and names the manager, as configured", async ({ owner, context, others }) => {
    await apply(set, await owner(), [configMap("settings", { colour: "blue" })], context());
    await others.apply(ConfigMap, { metadata: { name: "settings" }, data: { colour: "red" } }, { fieldManager: "painter", force: true });
    await expect(
      apply({ ...set, onConflict: "fail" }, await owner(), [configMap("settings", { colour: "blue" })], context()),
    ).rejects.toThrow(/conflict with "painter".*\.data\.colour/);
    expect((await others.get(ConfigMap, "settings")).data).toEqual({ colour: "red" });
    await apply(set, await owner(), [configMap("settings", { colour: "blue" })], context());
    expect((await others.get(ConfigMap, "settings")).data).toEqual({ colour: "blue" });
  });

  test("applies the other members when one is refused, and then prunes nothing (§2.2.7)", async ({ owner, context, others }) => {
    await apply(set, await owner(), [configMap("old")], context());
    const error = await apply(
      set,
      await owner(),
      [desired(Service, { metadata: { name: "Not_A_Name" }, spec: { ports: [{ port: 80 }] } }), configMap("settings"), deployment("web:1")],
      context(),
    ).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApplySetError);
    expect((error as Error).message).toMatch(/^apply set web-app of ConfigMap .*\/owner: one object failed: Service .*\/Not_A_Name: /);
    expect((error as ApplySetError).changes.map(({ name }) => name)).toEqual(["settings", "web"]);
    expect((await others.get(ConfigMap, "old")).metadata.name).toBe("old");
  });

  test("fails when members of a kind cannot be listed: applies other kinds, and prunes nothing (§3.14)", async ({
    namespace,
    owner,
    context,
    others,
  }) => {
    await apply(set, await owner(), [configMap("old"), desired(Secret, { metadata: { name: "key" } })], context());
    const hindered = createClient({
      ...there().runtime,
      namespace,
      transport: (request) =>
        request.method === "GET" && /\/secrets\?/.test(request.path) ? Promise.reject(new Error("not now")) : there().transport(request),
    });
    const error = await apply(set, await owner(), [configMap("new")], context({ client: hindered })).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApplySetError);
    expect((error as Error).message).toMatch(/one object failed: looking for members of kind Secret: .*not now/);
    const names = async (): Promise<readonly unknown[]> =>
      (await others.list(ConfigMap, { labelSelector: setLabel })).items.map(({ metadata }) => metadata.name);
    expect([await names(), (await others.get(Secret, "key")).metadata.name]).toEqual([["new", "old"], "key"]);
    await apply(set, await owner(), [configMap("new")], context());
    expect(await names()).toEqual(["new"]);
  });

  test("ends with the signal's reason on abort", async ({ owner, context }) => {
    const reason = new Error("enough");
    await expect(apply(set, await owner(), [configMap("settings")], context({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
  });
});
