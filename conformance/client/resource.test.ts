/** The typed, dynamic and metadata clients with an API server: every verb, every subresource, every option that changes what happens. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { CertificateSigningRequest } from "@drover/api/certificates/v1";
import { ConfigMap, Namespace, Node, Pod, ServiceAccount } from "@drover/api/core/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import {
  DiscoveryClient,
  DynamicMapper,
  allNamespaces,
  conditionTrue,
  createClient,
  deleted,
  exists,
  only,
  retryOnConflict,
  updateWithRetry,
  waitFor,
} from "@drover/client";
import { newClient } from "@drover/lasso";
import { RestClient } from "@drover/client-go";
import type { Client, NodeTransport, WaitCondition, Warning } from "@drover/client";
import {
  and,
  createRandom,
  definedOnly,
  hasFinalizer,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnsupportedMediaType,
  poll,
} from "@drover/machinery";
import type { ApiError, JsonObject, KubeObject, WatchEvent } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();
const random = createRandom(1);

describeOnServers("clients", ({ missing, start }) => {
  const warnings: Warning[] = [];
  let server: SuiteServer | undefined;
  let transport: NodeTransport | undefined;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const log = recordingLog(clock);
    transport = server.transport({ clock, log });
    client = createClient({
      transport,
      clock,
      log,
      namespace: "shop",
      fieldManager: "drover",
      onWarning: (warning) => warnings.push(warning),
    });
    await client.create(Namespace, { metadata: { name: "shop" } });
    await client.create(Namespace, { metadata: { name: "other" } });
  }, 90_000);
  afterAll(async () => {
    transport?.close();
    await server?.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  const sockets = (): NodeTransport => {
    if (transport === undefined) throw new Error("there is no server");
    return transport;
  };
  const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toSatisfy(isApiError);
    return error as ApiError;
  };
  const collect = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const value of values) all.push(value);
    return all;
  };
  const nameOf = ({ metadata }: KubeObject): string | undefined => metadata.name;
  const podTemplate = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "registry.example/web:1" }] } };
  const webSpec = { replicas: 1, selector: { matchLabels: { app: "web" } }, template: podTemplate };

  describe("verbs", () => {
    it("create, get, list, update, delete", async () => {
      const made = await client.create(ConfigMap, { metadata: { name: "verbs" }, data: { a: "1" } });
      expect(made).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "shop" } });
      expect(await failure(client.create(ConfigMap, { metadata: { name: "verbs" } }))).toSatisfy(isAlreadyExists);
      expect(await client.get(ConfigMap, "verbs")).toEqual(made);
      expect((await client.list(ConfigMap, { fieldSelector: "metadata.name=verbs" })).items).toEqual([made]);
      const changed = await client.update(ConfigMap, { ...made, data: { a: "2" } });
      expect(changed.data).toEqual({ a: "2" });
      const stale = await failure(client.update(ConfigMap, { ...made, data: { a: "3" } }));
      expect(stale).toSatisfy(isConflict);
      expect(stale.attempt).toBe("update configmaps/verbs in shop");
      expect(await client.delete(ConfigMap, "verbs")).toMatchObject({ kind: "Status", status: "Success" });
      expect(await failure(client.get(ConfigMap, "verbs"))).toSatisfy(isNotFound);
    });

    it("generate names", async () => {
      const made = await client.create(ConfigMap, { metadata: { generateName: "made-" } }, { namespace: "other" });
      expect(made.metadata.name).toMatch(/^made-.{5}$/);
      expect(
        (await client.list(ConfigMap, { namespace: allNamespaces, fieldSelector: `metadata.name=${made.metadata.name}` })).items.map(
          nameOf,
        ),
      ).toEqual([made.metadata.name]);
    });

    it("page, and walk over all pages", async () => {
      for (let index = 0; index < 7; index++)
        await client.create(ConfigMap, { metadata: { name: `page-${index}`, labels: { page: "yes" } } });
      const labelSelector = { matchLabels: { page: "yes" } };
      const page = await client.list(ConfigMap, { labelSelector, limit: 3 });
      expect(page.items.map(nameOf)).toEqual(["page-0", "page-1", "page-2"]);
      expect((await client.list(ConfigMap, { labelSelector, limit: 3, continue: page.metadata.continue ?? "" })).items.map(nameOf)).toEqual(
        ["page-3", "page-4", "page-5"],
      );
      expect((await collect(client.listAll(ConfigMap, { labelSelector, pageSize: 2 }))).map(nameOf)).toEqual(
        [0, 1, 2, 3, 4, 5, 6].map((index) => `page-${index}`),
      );
      expect(await client.deleteCollection(ConfigMap, { labelSelector: "page=yes", dryRun: "All" })).toMatchObject({
        kind: "ConfigMapList",
      });
      expect((await client.list(ConfigMap, { labelSelector })).items).toHaveLength(7);
      await client.deleteCollection(ConfigMap, { labelSelector: "page=yes" });
      expect((await client.list(ConfigMap, { labelSelector })).items).toEqual([]);
    });

    it("watch", async () => {
      const {
        metadata: { resourceVersion = "" },
      } = await client.list(ConfigMap);
      await client.create(ConfigMap, { metadata: { name: "watched" } });
      await client.patch(ConfigMap, "watched", { type: "merge", body: { data: { a: "1" } } });
      await client.delete(ConfigMap, "watched");
      const events = await collect(client.watch(ConfigMap, { resourceVersion, fieldSelector: "metadata.name=watched", timeoutSeconds: 1 }));
      expect(events.filter(({ type }) => type !== "BOOKMARK").map((event) => [event.type, event.object.kind])).toEqual([
        ["ADDED", "ConfigMap"],
        ["MODIFIED", "ConfigMap"],
        ["DELETED", "ConfigMap"],
      ]);
    });

    it("patch in three ways", async () => {
      await client.create(Deployment, { metadata: { name: "patched" }, spec: webSpec });
      const image = (deployment: Deployment): readonly (string | undefined)[] =>
        deployment.spec?.template?.spec?.containers.map((container) => container.image) ?? [];
      expect(
        image(
          await client.patch(Deployment, "patched", {
            type: "strategic",
            body: { spec: { template: { spec: { containers: [{ name: "side", image: "side:1" }] } } } },
          }),
        ),
      ).toEqual(["side:1", "registry.example/web:1"]);
      expect(
        image(
          await client.patch(Deployment, "patched", { type: "json", body: [{ op: "remove", path: "/spec/template/spec/containers/0" }] }),
        ),
      ).toEqual(["registry.example/web:1"]);
      expect((await client.patch(Deployment, "patched", { type: "merge", body: { spec: { replicas: 4 } } })).spec?.replicas).toBe(4);
      expect(
        await failure(client.patch(Deployment, "patched", { type: "json", body: [{ op: "test", path: "/spec/replicas", value: 5 }] })),
      ).toSatisfy(isInvalid);
    });
  });

  describe("options of writes", () => {
    it("a dry run stores nothing", async () => {
      expect((await client.create(ConfigMap, { metadata: { name: "dry" } }, { dryRun: "All" })).metadata.uid).toBeDefined();
      expect(await failure(client.get(ConfigMap, "dry"))).toSatisfy(isNotFound);
    });

    it("field validation refuses, warns, or ignores", async () => {
      const odd = { metadata: { name: "odd" }, data: { a: "1" }, unknown: true } as ConfigMap;
      const refused = await failure(client.create(ConfigMap, odd, { fieldValidation: "Strict", dryRun: "All" }));
      expect(refused).toSatisfy(isBadRequest);
      expect(refused.message).toContain('unknown field "unknown"');
      warnings.length = 0;
      await client.create(ConfigMap, odd, { fieldValidation: "Ignore", dryRun: "All" });
      expect(warnings).toEqual([]);
      await client.create(ConfigMap, odd, { fieldValidation: "Warn", dryRun: "All" });
      expect(warnings.map(({ text }) => text)).toEqual(['unknown field "unknown"']);
    });

    it("preconditions delete only the observed version", async () => {
      const made = await client.create(ConfigMap, { metadata: { name: "seen" } });
      expect(await failure(client.delete(ConfigMap, "seen", { preconditions: { uid: "another" } }))).toSatisfy(isConflict);
      expect(await failure(client.delete(ConfigMap, "seen", { preconditions: { resourceVersion: "1" } }))).toSatisfy(isConflict);
      await client.delete(ConfigMap, "seen", {
        preconditions: { uid: made.metadata.uid ?? "", resourceVersion: made.metadata.resourceVersion ?? "" },
      });
      expect(await failure(client.get(ConfigMap, "seen"))).toSatisfy(isNotFound);
    });

    it("the propagation policy sets the matching finalizer", async () => {
      for (const [propagationPolicy, finalizer] of [
        ["Foreground", "foregroundDeletion"],
        ["Orphan", "orphan"],
      ] as const) {
        await client.create(ConfigMap, { metadata: { name: `held-${finalizer.toLowerCase()}` } });
        const held = await client.delete(ConfigMap, `held-${finalizer.toLowerCase()}`, { propagationPolicy });
        expect(held.kind === "ConfigMap" && hasFinalizer(held, finalizer)).toBe(true);
      }
      await client.create(ConfigMap, { metadata: { name: "not-held" } });
      expect(await client.delete(ConfigMap, "not-held", { propagationPolicy: "Background" })).toMatchObject({ kind: "Status" });
    });

    it("a grace period reaches the pod", async () => {
      await client.create(Node, { metadata: { name: "grace" } });
      await client.create(Pod, { ...podTemplate, metadata: { name: "grace" }, spec: { ...podTemplate.spec, nodeName: "grace" } });
      expect(await client.delete(Pod, "grace", { gracePeriodSeconds: 7 })).toMatchObject({ metadata: { deletionGracePeriodSeconds: 7 } });
      await client.delete(Pod, "grace", { gracePeriodSeconds: 0 });
      expect(await failure(client.get(Pod, "grace"))).toSatisfy(isNotFound);
    });
  });

  describe("server-side apply", () => {
    it("creates, changes, conflicts with other owners, and takes over by force", async () => {
      const apply = (
        data: Record<string, string>,
        options: { readonly fieldManager: string; readonly force?: boolean },
      ): Promise<ConfigMap> => client.apply(ConfigMap, { metadata: { name: "applied" }, data }, options);
      expect((await apply({ a: "1", b: "1" }, { fieldManager: "one" })).data).toEqual({ a: "1", b: "1" });
      const conflict = await failure(apply({ a: "2" }, { fieldManager: "two" }));
      expect(conflict).toSatisfy(isConflict);
      expect(conflict.attempt).toBe("apply configmaps/applied in shop");
      expect(conflict.details?.causes?.map(({ field }) => field)).toEqual([".data.a"]);
      expect((await apply({ a: "2" }, { fieldManager: "two", force: true })).data).toEqual({ a: "2", b: "1" });
      expect((await apply({ c: "1" }, { fieldManager: "one" })).data).toEqual({ a: "2", c: "1" });
      const owners = (await client.get(ConfigMap, "applied")).metadata.managedFields?.map(
        ({ manager, operation }) => `${manager} ${operation}`,
      );
      expect(owners).toEqual(["one Apply", "two Apply"]);
    });

    it("owns no identity fields, and never re-creates a deleted object", async () => {
      const made = await client.create(ConfigMap, { metadata: { name: "identity" }, data: { theirs: "1" } }, { fieldManager: "them" });
      const labelled = await client.apply(ConfigMap, only(made, { metadata: { labels: { ours: "yes" } } }));
      expect(labelled).toMatchObject({ data: { theirs: "1" }, metadata: { labels: { ours: "yes" }, uid: made.metadata.uid } });
      expect(labelled.metadata.managedFields?.find(({ manager }) => manager === "drover")?.fieldsV1).toEqual({
        "f:metadata": { "f:labels": { "f:ours": {} } },
      });
      await client.delete(ConfigMap, "identity");
      const gone = await failure(client.apply(ConfigMap, only(made, { data: { a: "1" } })));
      expect(gone).toSatisfy(isConflict);
      await client.create(ConfigMap, { metadata: { name: "identity" } });
      const other = await failure(client.apply(ConfigMap, only(made, { data: { a: "1" } })));
      expect(other).toSatisfy(isInvalid);
      expect(other.details?.causes?.[0]?.field).toBe("metadata.uid");
    });
  });

  describe("subresources", () => {
    it("scale, and status", async () => {
      await client.create(Deployment, { metadata: { name: "web" }, spec: webSpec });
      const { scale, status } = client.resource(Deployment);
      const read = await scale.get("web");
      expect(read).toMatchObject({ apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 1 } });
      expect((await scale.update({ ...read, spec: { replicas: 2 } })).spec?.replicas).toBe(2);
      expect((await scale.patch("web", { type: "merge", body: { spec: { replicas: 3 } } })).spec?.replicas).toBe(3);
      expect((await scale.apply({ metadata: { name: "web" }, spec: { replicas: 5 } }, { force: true })).spec?.replicas).toBe(5);
      const web = await client.get(Deployment, "web");
      expect(web.spec?.replicas).toBe(5);
      expect(await status.update({ ...web, spec: webSpec, status: { replicas: 5, observedGeneration: 1 } })).toMatchObject({
        spec: { replicas: 5 },
        status: { replicas: 5 },
      });
      expect((await status.patch("web", { type: "merge", body: { status: { readyReplicas: 4 } } })).status?.readyReplicas).toBe(4);
      expect((await status.apply({ metadata: { name: "web" }, status: { availableReplicas: 4 } })).status?.availableReplicas).toBe(4);
      expect((await status.get("web")).status).toMatchObject({ replicas: 5, readyReplicas: 4, availableReplicas: 4 });
    });

    it("binding, ephemeral containers, resize, eviction, and a disruption budget that prevents it", async () => {
      const pods = client.resource(Pod);
      await client.create(Node, { metadata: { name: "n1" } });
      await pods.create({ ...podTemplate, metadata: { ...podTemplate.metadata, name: "web-0" } });
      expect(await pods.binding.create("web-0", { target: { kind: "Node", name: "n1" } })).toMatchObject({
        kind: "Status",
        status: "Success",
      });
      expect((await pods.get("web-0")).spec?.nodeName).toBe("n1");
      const debugged = await pods.ephemeralcontainers.patch("web-0", {
        type: "strategic",
        body: {
          spec: { ephemeralContainers: [{ name: "debug", image: "debug:1", terminationMessagePolicy: "File", imagePullPolicy: "Always" }] },
        },
      });
      expect(debugged.spec?.ephemeralContainers?.map(({ name }) => name)).toEqual(["debug"]);
      const resized = await pods.resize.patch("web-0", {
        type: "strategic",
        body: { spec: { containers: [{ name: "c", resources: {} }] } },
      });
      expect(nameOf(resized)).toBe("web-0");
      const running = await pods.status.patch("web-0", {
        type: "merge",
        body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      });
      expect(running.status?.phase).toBe("Running");
      const budget = await client.create(PodDisruptionBudget, {
        metadata: { name: "web" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
      });
      await client.resource(PodDisruptionBudget).status.update({
        ...budget,
        status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 },
      });
      const refused = await failure(pods.eviction.create("web-0"));
      expect(refused).toSatisfy(isTooManyRequests);
      expect(refused.attempt).toBe("create pods/web-0/eviction in shop");
      await client.delete(PodDisruptionBudget, "web");
      expect(await pods.eviction.create("web-0", { deleteOptions: { gracePeriodSeconds: 30 } })).toMatchObject({ status: "Success" });
      expect((await pods.get("web-0")).status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
        status: "True",
        reason: "EvictionByEvictionAPI",
        message: "Eviction API: evicting",
      });
      expect(await pods.eviction.create("web-0", { deleteOptions: { gracePeriodSeconds: 0 } })).toMatchObject({ status: "Success" });
      expect(await failure(pods.get("web-0"))).toSatisfy(isNotFound);
    });

    it("token", async () => {
      await client.create(ServiceAccount, { metadata: { name: "robot" } });
      const { status } = await client
        .resource(ServiceAccount)
        .token.create("robot", { spec: { audiences: ["https://127.0.0.1"], expirationSeconds: 600 } });
      expect(status?.token?.split(".")).toHaveLength(3);
      expect((await client.resource(ServiceAccount).token.create("robot")).status?.expirationTimestamp).toBeDefined();
    });

    it("approval", async () => {
      const request =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIS01IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RVpHVnRiekJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQktpTTE0cFBVUjJNQ0NUbFVZcXpFaVNoUVZOZmxjTmZPMVFyZkNpbVV3Y2I4QWNhV2sxcnRlcHR3eFc4ClpqVTExWWtXTFFmTUJUcFdVbVdzbVN5d3BsK2dBREFLQmdncWhrak9QUVFEQWdOSkFEQkdBaUVBNCtMNS9GYlYKem5QQUI0OXlCNDhyY1E3TDRrcXpaUzBKYjV1RnV2TVkxZ3NDSVFDV3AzbzBlbWdzQTFNYWF5UndYK05QNjZZVApjZkgrVmtjdjRtYU1RMkVqa0E9PQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
      const made = await client.create(CertificateSigningRequest, {
        metadata: { name: "demo" },
        spec: { request, signerName: "example.com/demo", usages: ["client auth"] },
      });
      const approved = await client
        .resource(CertificateSigningRequest)
        .approval.update({ ...made, status: { conditions: [{ type: "Approved", status: "True", reason: "Test" }] } });
      expect(approved.status?.conditions?.map(({ type }) => type)).toEqual(["Approved"]);
    });

    it("finalize releases a namespace", async () => {
      await client.create(Namespace, { metadata: { name: "leaving" } });
      await client.delete(Namespace, "leaving");
      const leaving = await client.get(Namespace, "leaving");
      expect(leaving.status?.phase).toBe("Terminating");
      await client.resource(Namespace).finalize.update({ ...leaving, spec: { finalizers: [] } });
      expect(await failure(client.get(Namespace, "leaving"))).toSatisfy(isNotFound);
    });
  });

  describe("a kind that appears while the program runs", () => {
    it("is used at once by the dynamic client", async () => {
      const mapper = new DynamicMapper(new DiscoveryClient(sockets(), { clock, log: recordingLog(clock) }), {
        clock,
        log: recordingLog(clock),
      });
      expect(client.dynamic(await mapper.mappingFor("deploy")).target).toMatchObject({
        group: "apps",
        version: "v1",
        resource: "deployments",
        kind: "Deployment",
      });
      const names = { kind: "WebApp", plural: "webapps", singular: "webapp" };
      await client.create(CustomResourceDefinition, {
        metadata: { name: "webapps.demo.drover.dev" },
        spec: {
          group: "demo.drover.dev",
          scope: "Namespaced",
          names,
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  properties: {
                    spec: { type: "object", properties: { image: { type: "string" } } },
                    status: { type: "object", properties: { ready: { type: "integer" } } },
                  },
                },
              },
            },
          ],
        },
      });
      await waitFor(client, CustomResourceDefinition, "webapps.demo.drover.dev", conditionTrue("Established"), { timeoutMs: 20_000 });
      const webApps = client.dynamic({ group: "demo.drover.dev", version: "v1", resource: "webapps", kind: "WebApp", scope: "Namespaced" });
      // The discovery document follows shortly after the resource itself.
      await poll(
        clock,
        { interval: 100, timeout: 20_000, immediate: true },
        async () => (await mapper.restMappings({ group: "demo.drover.dev", kind: "WebApp" }).catch(() => [])).length > 0,
      );
      expect(client.dynamic(await mapper.restMapping({ group: "demo.drover.dev", kind: "WebApp" })).target).toEqual(webApps.target);
      const made = await webApps.create({ metadata: { name: "shop" }, spec: { image: "shop:1" } });
      expect(made).toMatchObject({ apiVersion: "demo.drover.dev/v1", kind: "WebApp", spec: { image: "shop:1" } });
      expect(await webApps.update({ ...made, status: { ready: 1 } }, { subresource: "status" })).toMatchObject({ status: { ready: 1 } });
      expect((await webApps.get("shop", { subresource: "status" }))["status"]).toEqual({ ready: 1 });
      expect((await webApps.apply({ metadata: { name: "shop" }, spec: { image: "shop:2" } }, { force: true }))["spec"]).toEqual({
        image: "shop:2",
      });
      expect((await webApps.patch("shop", { type: "merge", body: { spec: { image: "shop:3" } } }))["spec"]).toEqual({ image: "shop:3" });
      expect(await failure(webApps.patch("shop", { type: "strategic", body: {} }))).toSatisfy(isUnsupportedMediaType);
      expect((await webApps.list()).items.map(({ kind, apiVersion }) => `${apiVersion} ${kind}`)).toEqual(["demo.drover.dev/v1 WebApp"]);
      const events = await collect(webApps.watch({ timeoutSeconds: 1 }));
      expect(events.find(({ type }) => type === "ADDED")?.object).toMatchObject({ metadata: { name: "shop" } });
      expect(await webApps.deleteCollection()).toMatchObject({ kind: "WebAppList" });
    });
  });

  it("objects are limited by their size in etcd, where a Node with 10,000 conditions is smaller than in JSON", async () => {
    await client.create(Node, { metadata: { name: "large" } });
    const conditions = (message: string): JsonObject => ({
      status: { conditions: Array.from({ length: 10_000 }, (_, n) => ({ type: `T${n}`, status: "True", message })) },
    });
    const nodes = client.dynamic(Node);
    const patch = (message: string): Promise<object> =>
      nodes.patch("large", { type: "merge", body: conditions(message) }, { subresource: "status" });
    expect(await patch("x".repeat(70))).toMatchObject({ kind: "Node" });
    expect((await client.get(Node, "large")).status?.conditions).toHaveLength(10_000);
    expect(await failure(patch("x".repeat(180)))).toMatchObject({ message: expect.stringContaining("too large") as string });
    await client.delete(Node, "large");
  });

  describe("a kind whose definition is deleted", () => {
    it("sends DELETED for each of its objects to a watch (SEC10)", async () => {
      await client.create(CustomResourceDefinition, {
        metadata: { name: "ballads.demo.drover.dev" },
        spec: {
          group: "demo.drover.dev",
          scope: "Namespaced",
          names: { kind: "Ballad", plural: "ballads" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
        },
      });
      await waitFor(client, CustomResourceDefinition, "ballads.demo.drover.dev", conditionTrue("Established"), { timeoutMs: 20_000 });
      const ballads = client.dynamic({ group: "demo.drover.dev", version: "v1", resource: "ballads", kind: "Ballad", scope: "Namespaced" });
      for (const name of ["a", "b"])
        await poll(clock, { interval: 100, timeout: 20_000, immediate: true }, () =>
          ballads.create({ metadata: { name } }).then(
            () => true,
            () => false,
          ),
        );
      const { metadata } = await ballads.list();
      const events = ballads.watch({ ...definedOnly({ resourceVersion: metadata.resourceVersion }), timeoutSeconds: 60 });
      const watch = events[Symbol.asyncIterator]();
      const first = watch.next();
      await client.delete(CustomResourceDefinition, "ballads.demo.drover.dev");
      const seen = [await first, await watch.next()].map(({ value }) => value as WatchEvent<KubeObject>);
      expect(seen.map(({ type, object }) => `${type} ${nameOf(object)}`).toSorted()).toEqual(["DELETED a", "DELETED b"]);
      await watch.return?.();
    });
  });

  describe("metadata only", () => {
    it("is the answer of every verb", async () => {
      await client.create(ConfigMap, { metadata: { name: "large", labels: { meta: "yes" } }, data: { a: "x".repeat(1000) } });
      const metadata = client.metadata(ConfigMap);
      const type = { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata" };
      const one = await metadata.get("large");
      expect(one).toMatchObject({ ...type, metadata: { name: "large" } });
      expect(Object.keys(one).toSorted()).toEqual(["apiVersion", "kind", "metadata"]);
      const list = await metadata.list({ labelSelector: "meta=yes" });
      expect(list).toMatchObject({ kind: "PartialObjectMetadataList", items: [{ ...type, metadata: { name: "large" } }] });
      const events = await collect(metadata.watch({ labelSelector: "meta=yes", timeoutSeconds: 1 }));
      const added = events.find(({ type: event }) => event === "ADDED") as WatchEvent<KubeObject> | undefined;
      expect(added?.object).toMatchObject({ ...type, metadata: { name: "large" } });
      expect(added?.object).not.toHaveProperty("data");
      expect(await metadata.patch("large", { type: "merge", body: { metadata: { annotations: { a: "b" } } } })).toMatchObject({
        ...type,
        metadata: { annotations: { a: "b" } },
      });
      expect((await collect(metadata.listAll({ labelSelector: "meta=yes", pageSize: 1 }))).map(nameOf)).toEqual(["large"]);
      expect(await metadata.delete("large")).toMatchObject({ kind: "Status" });
      expect(await metadata.deleteCollection({ labelSelector: "meta=yes" })).toMatchObject({ items: [] });
    });
  });

  describe("waiting for a condition", () => {
    it("resolves on a creation, a condition and a deletion", async () => {
      const created = waitFor(client, Pod, "late", exists, { timeoutMs: 30_000 });
      await client.create(Pod, { ...podTemplate, metadata: { name: "late" } });
      expect(nameOf((await created) ?? { metadata: {} })).toBe("late");
      const isReady: WaitCondition<Pod> = and(exists, conditionTrue("Ready"));
      const ready = waitFor(client, Pod, "late", isReady, { timeoutMs: 30_000 });
      await client
        .resource(Pod)
        .status.patch("late", { type: "merge", body: { status: { conditions: [{ type: "Ready", status: "True" }] } } });
      expect((await ready)?.status?.conditions).toMatchObject([{ type: "Ready" }]);
      const gone = waitFor(client, Pod, "late", deleted, { timeoutMs: 30_000 });
      await client.delete(Pod, "late", { gracePeriodSeconds: 0 });
      expect(await gone).toBeUndefined();
    }, 60_000);

    it("retryOnConflict writes again after a conflict", async () => {
      await client.create(ConfigMap, { metadata: { name: "contended" }, data: { n: "0" } });
      const increment = (): Promise<ConfigMap> =>
        updateWithRetry(
          client,
          ConfigMap,
          "contended",
          (draft) => {
            draft.data = { n: String(Number(draft.data?.["n"] ?? 0) + 1) };
          },
          { random, backoff: { steps: 50, duration: 5, jitter: 1 } },
        );
      await Promise.all(Array.from({ length: 8 }, increment));
      expect((await client.get(ConfigMap, "contended")).data).toEqual({ n: "8" });
      const stale = await client.get(ConfigMap, "contended");
      await client.update(ConfigMap, { ...stale, data: { n: "9" } });
      const hopeless = retryOnConflict({ clock, random }, () => client.update(ConfigMap, { ...stale, data: { n: "10" } }));
      expect(await failure(hopeless)).toSatisfy(isConflict);
    });
  });

  describe("other forms of the same objects", () => {
    it("are tables as kubectl prints them, with the server's cells", async () => {
      await client.create(ConfigMap, { metadata: { name: "printed" }, data: { a: "1", b: "2" } });
      const one = await client.table(ConfigMap).get("printed");
      expect(one.columnDefinitions.map(({ name }) => name)).toEqual(["Name", "Data", "Age"]);
      expect(one.rows.map(({ cells, object }) => [cells.slice(0, 2), object?.metadata.name])).toEqual([[["printed", 2], "printed"]]);
      const all = await client.table(ConfigMap).list({ fieldSelector: "metadata.name=printed", includeObject: "None" });
      expect(all.rows.map(({ cells, object }) => [cells[0], object])).toEqual([["printed", null]]);
    });
    it("are reached by the nine verbs of a client that knows only the resource", async () => {
      const rest = new RestClient({ transport: sockets(), clock, log: recordingLog(clock) });
      const maps = newClient<ConfigMap>({ group: "", version: "v1", resource: "configmaps" }, "ConfigMap", true, rest, 10_000);
      const made = await maps.create("shop", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "nine" },
        data: { a: "1" },
      });
      await maps.update("shop", { ...made, data: { a: "2" } });
      const patched = await maps.patch("shop", "nine", "merge", { data: { b: "3" } });
      expect([patched.kind, patched.data]).toEqual(["ConfigMap", { a: "2", b: "3" }]);
      expect((await maps.list("shop", { fieldSelector: "metadata.name=nine" })).items.map(nameOf)).toEqual(["nine"]);
      await maps.delete("shop", "nine");
      await expect(maps.get("shop", "nine")).rejects.toSatisfy(isNotFound);
    });
  });
});
