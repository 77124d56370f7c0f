/**
 * Namespaces on a server: they start with a service account and the root certificate, and when they are deleted nothing
 * is left of them.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, Pod, Secret, Service, ServiceAccount } from "@drover/api/core/v1";
import { Lease } from "@drover/api/coordination/v1";
import { isForbidden } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { garbageCollectorController } from "../../packages/controller-manager/src/garbage-collector/garbage-collector.ts";
import { namespaceController } from "../../packages/controller-manager/src/namespace/namespace-controller.ts";
import { rootCaPublisherController } from "../../packages/controller-manager/src/serviceaccount/root-ca-publisher.ts";
import { serviceAccountController } from "../../packages/controller-manager/src/serviceaccount/service-account-controller.ts";
import { isGone, isNotServedYet, namesOf, runControllers } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { describeScenes } from "./scene-servers.ts";
import type { RunningControllers, SceneServer } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { definition, objectSchema, version } from "../apiserver/custom-definitions.ts";

describeScenes("namespaces", ({ missing, open }) => {
  let scene: SceneServer;
  let running: RunningControllers | undefined;
  let count = 0;
  let namespace = "";

  beforeAll(async () => {
    if (missing !== undefined) return;
    scene = await open();
    running = runControllers(scene, {
      controllers: [garbageCollectorController, namespaceController, serviceAccountController, rootCaPublisherController("the authority")],
    });
  }, 90_000);
  afterAll(async () => {
    if (running === undefined) return;
    await running.end();
    await scene.close();
  }, 30_000);
  beforeEach(async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    namespace = `ns-${++count}`;
    await scene.client.create(Namespace, { metadata: { name: namespace } });
    await scene.until(
      "the default service account is there",
      async () => !(await isGone(scene.client, ServiceAccount, "default", namespace)),
    );
  });

  const gone = (): Promise<void> => scene.until("the namespace is gone", () => isGone(scene.client, Namespace, namespace));
  const conditions = async (): Promise<
    Readonly<Record<string, readonly [status: string, reason: string | undefined, message: string | undefined]>>
  > =>
    Object.fromEntries(
      ((await scene.client.get(Namespace, namespace)).status?.conditions ?? []).map(({ type, status, reason, message }) => [
        type,
        [status, reason, message] as const,
      ]),
    );
  const pod = (finalizers: readonly string[] = []): Pod => ({
    metadata: { name: "web", finalizers: [...finalizers] },
    spec: { nodeName: "node-1", terminationGracePeriodSeconds: 20, containers: [{ name: "web", image: "web" }] },
  });

  it("get a service account and the root certificate, which are restored when they are deleted or changed", async () => {
    const authority = async (): Promise<string | undefined> =>
      (await isGone(scene.client, ConfigMap, "kube-root-ca.crt", namespace))
        ? undefined
        : (await scene.client.get(ConfigMap, "kube-root-ca.crt", { namespace })).data?.["ca.crt"];
    await scene.until("the authority is there", async () => (await authority()) === "the authority");
    await scene.client.delete(ServiceAccount, "default", { namespace });
    await scene.until("the account is back", async () => !(await isGone(scene.client, ServiceAccount, "default", namespace)));
    await scene.client.delete(ConfigMap, "kube-root-ca.crt", { namespace });
    await scene.until("the authority is back", async () => (await authority()) === "the authority");
    await scene.client.patch(
      ConfigMap,
      "kube-root-ca.crt",
      { type: "merge", body: { data: { "ca.crt": "other", more: "x" }, metadata: { annotations: null } } },
      { namespace },
    );
    await scene.until("the authority is right again", async () => (await authority()) === "the authority");
    const { data, metadata } = await scene.client.get(ConfigMap, "kube-root-ca.crt", { namespace });
    expect([Object.keys(data ?? {}), metadata.annotations?.["kubernetes.io/description"]?.slice(0, 20)]).toEqual([
      ["ca.crt"],
      "Contains a CA bundle",
    ]);
  });

  it("are deleted with all their content", async () => {
    const selector = { matchLabels: { app: "web" } };
    const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };
    for (let index = 0; index < 5; index++) await scene.client.create(ConfigMap, { metadata: { name: `map-${index}` } }, { namespace });
    await scene.client.create(Secret, { metadata: { name: "secret" } }, { namespace });
    await scene.client.create(Service, { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } }, { namespace });
    await scene.client.create(Lease, { metadata: { name: "lease" } }, { namespace });
    await scene.client.create(Deployment, { metadata: { name: "web" }, spec: { selector, template } }, { namespace });
    await scene.client.delete(Namespace, namespace);
    await gone();
    for (const kind of [ConfigMap, Secret, Service, Lease, Deployment, ServiceAccount] as readonly Kind[])
      expect(await namesOf(scene.client, kind, namespace)).toEqual([]);
  });

  it("wait for pods and their grace period before other content is deleted, and for nothing else afterwards", async () => {
    await scene.client.create(ConfigMap, { metadata: { name: "needed" } }, { namespace });
    await scene.client.create(Pod, pod(), { namespace });
    await scene.client.delete(Namespace, namespace);
    await scene.until(
      "the pod is being deleted",
      async () => (await scene.client.get(Pod, "web", { namespace })).metadata.deletionTimestamp !== undefined,
    );
    await scene.until("it says what it waits for", async () => (await conditions())["NamespaceContentRemaining"]?.[0] === "True");
    expect(await conditions()).toEqual({
      NamespaceDeletionDiscoveryFailure: ["False", "ResourcesDiscovered", "All resources successfully discovered"],
      NamespaceDeletionGroupVersionParsingFailure: ["False", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
      NamespaceDeletionContentFailure: ["False", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
      NamespaceContentRemaining: ["True", "SomeResourcesRemain", "Some resources are remaining: pods. has 1 resource instances"],
      NamespaceFinalizersRemaining: ["False", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    });
    await scene.calm(3000);
    expect(await isGone(scene.client, ConfigMap, "needed", namespace)).toBe(false);
    await expect(scene.client.create(Secret, { metadata: { name: "late" } }, { namespace })).rejects.toSatisfy(isForbidden);
    await scene.client.delete(Pod, "web", { namespace, gracePeriodSeconds: 0 });
    const since = scene.runtime.clock.now();
    await gone();
    // The next periodic sync would be ten seconds away.
    expect(scene.runtime.clock.now() - since).toBeLessThan(5000);
  });

  it("are held by finalizers of their content, report it, and are deleted when those are removed", async () => {
    await scene.client.create(ConfigMap, { metadata: { name: "held", finalizers: ["example.com/held"] } }, { namespace });
    await scene.client.create(
      ConfigMap,
      { metadata: { name: "held-too", finalizers: ["example.com/held", "example.com/other"] } },
      { namespace },
    );
    await scene.client.delete(Namespace, namespace);
    await scene.until("it says what it waits for", async () => (await conditions())["NamespaceFinalizersRemaining"]?.[0] === "True");
    expect(await conditions()).toMatchObject({
      NamespaceContentRemaining: ["True", "SomeResourcesRemain", "Some resources are remaining: configmaps. has 2 resource instances"],
      NamespaceFinalizersRemaining: [
        "True",
        "SomeFinalizersRemain",
        "Some content in the namespace has finalizers remaining: example.com/held in 2 resource instances, example.com/other in 1 resource instances",
      ],
    });
    expect((await scene.client.get(Namespace, namespace)).status?.phase).toBe("Terminating");
    for (const name of ["held", "held-too"])
      await scene.client.patch(ConfigMap, name, { type: "merge", body: { metadata: { finalizers: null } } }, { namespace });
    await gone();
  });

  it("are deleted with objects of kinds that were just defined", async () => {
    const group = `${namespace}.example.com`;
    const Widget: Kind = {
      group,
      version: "v1",
      kind: "Widget",
      listKind: "WidgetList",
      plural: "widgets",
      singular: "widget",
      shortNames: [],
      categories: [],
      scope: "Namespaced",
      verbs: [],
      subresources: {},
    };
    await scene.client.create(
      CustomResourceDefinition,
      definition("widgets", "Widget", [version("v1", objectSchema({}))], { group }) as unknown as CustomResourceDefinition,
    );
    const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "first", finalizers: ["example.com/held"] } };
    await scene.until("a widget is there", async () => {
      try {
        return (await scene.client.create(Widget, widget, { namespace })).metadata.name === "first";
      } catch (error) {
        if (isNotServedYet(error)) return false;
        throw error;
      }
    });
    await scene.client.delete(Namespace, namespace);
    await scene.until(
      "it says what it waits for",
      async () =>
        (await conditions())["NamespaceContentRemaining"]?.[2] ===
        `Some resources are remaining: widgets.${group} has 1 resource instances`,
    );
    await scene.client.patch(Widget, "first", { type: "merge", body: { metadata: { finalizers: null } } }, { namespace });
    await gone();
    await scene.client.delete(CustomResourceDefinition, `widgets.${group}`);
    await scene.until("the definition is gone", () => isGone(scene.client, CustomResourceDefinition, `widgets.${group}`));
  });

  it("are deleted only when their spec has no finalizers", async () => {
    const held = await scene.client.get(Namespace, namespace);
    await scene.client.resource(Namespace).finalize.update({ ...held, spec: { finalizers: ["kubernetes", "example.com/mine"] } });
    await scene.client.delete(Namespace, namespace);
    await scene.until(
      "ours is gone",
      async () => String((await scene.client.get(Namespace, namespace)).spec?.finalizers) === "example.com/mine",
    );
    await scene.calm(2000);
    const waiting = await scene.client.get(Namespace, namespace);
    await scene.client.resource(Namespace).finalize.update({ ...waiting, spec: { finalizers: [] } });
    await gone();
  });
});
