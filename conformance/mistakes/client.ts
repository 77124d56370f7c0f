/** Mistakes in calls of the client, on an API server. */
import { operator } from "drover";
import type { Client } from "drover";
import { ConfigMap, Deployment, Namespace, Pod } from "drover/kinds";
import { harness } from "drover/testing";
import type { Mistake } from "./mistake.ts";
import { untyped, Widget } from "./widget.ts";

/** Calls the client of a cluster in which the kind Widget is installed. */
const called =
  (call: (client: Client) => unknown): (() => Promise<unknown>) =>
  async () => {
    const app = operator({ name: "shop" });
    app.controller(Widget, { reconcile: () => undefined });
    const t = await harness(app);
    try {
      return await call(t.client);
    } finally {
      await t.close();
    }
  };

const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "web", image: "x" }] } };

export const client: readonly Mistake[] = [
  { title: "a create without a name", act: called((api) => api.create(ConfigMap, { metadata: {} })), says: ["metadata.name"] },
  {
    title: "a name with capitals",
    act: called((api) => api.create(ConfigMap, { metadata: { name: "Settings" } })),
    says: ["metadata.name", "lowercase"],
  },
  {
    title: "a label with a space",
    act: called((api) => api.create(ConfigMap, { metadata: { name: "a", labels: { team: "the shop" } } })),
    says: ["metadata.labels", "the shop"],
  },
  {
    title: "a namespace that does not exist",
    act: called((api) => api.create(ConfigMap, { metadata: { name: "a", namespace: "nowhere" } })),
    says: ["nowhere", "not found"],
  },
  {
    title: "an object that exists",
    act: called((api) => api.create(Namespace, { metadata: { name: "default" } })),
    says: ["default", "already exists"],
  },
  { title: "an object that does not exist", act: called((api) => api.get(ConfigMap, "none")), says: ["none", "not found"] },
  { title: "a get without a name", act: called((api) => api.get(ConfigMap, untyped(undefined))), says: ["configmaps", "name"] },
  { title: "an undefined kind", act: called((api) => api.list(untyped(undefined))), says: ["kind", "import"] },
  {
    title: "a selector that cannot be parsed",
    act: called((api) => api.list(Pod, { labelSelector: "app in web" })),
    says: ["web", "expected"],
  },
  {
    title: "a field selector that the kind does not have",
    act: called((api) => api.list(ConfigMap, { fieldSelector: "data.a=b" })),
    says: ["data.a"],
  },
  {
    title: "a stale update",
    act: called(async (api) => {
      const first = await api.create(ConfigMap, { metadata: { name: "a" } });
      await api.update(ConfigMap, { ...first, data: { a: "1" } });
      return api.update(ConfigMap, { ...first, data: { a: "2" } });
    }),
    says: ["configmaps", "modified"],
  },
  {
    title: "a change of an immutable field",
    act: called(async (api) => {
      const labels = { app: "web" };
      const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod.spec } };
      const made = await api.create(Deployment, { metadata: { name: "web" }, spec });
      return api.update(Deployment, {
        ...made,
        spec: {
          ...spec,
          selector: { matchLabels: { app: "other" } },
          template: { metadata: { labels: { app: "other" } }, spec: pod.spec },
        },
      });
    }),
    says: ["spec.selector", "immutable"],
  },
  {
    title: "a pod without containers",
    act: called((api) => api.create(Pod, { metadata: { name: "web" }, spec: { containers: [] } })),
    says: ["spec.containers", "Required"],
  },
  {
    title: "a quantity in words",
    act: called((api) =>
      api.create(Pod, { ...pod, spec: { containers: [{ name: "web", image: "x", resources: { limits: { cpu: "half" } } }] } }),
    ),
    says: ["quantities"],
  },
  {
    title: "a value outside the schema of a resource",
    act: called((api) => api.create(Widget, { metadata: { name: "w" }, spec: { image: "x", replicas: -1 } })),
    says: ["spec.replicas", "greater than or equal to 0"],
  },
  {
    title: "a missing field of a resource",
    act: called((api) => api.create(Widget, untyped({ metadata: { name: "w" }, spec: {} }))),
    says: ["spec.image", "Required"],
  },
  {
    title: "a body that JSON cannot express",
    act: called((api) => api.create(ConfigMap, untyped({ metadata: { name: "a" }, data: { at: new Date(0) } }))),
    says: ["data.at", "toJSON"],
  },
];
