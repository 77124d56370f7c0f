/** What the compiler infers about an operator, and what it refuses. Nothing runs on a cluster: the test is that this file compiles. */
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Pod, Secret } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { condition, createOperator, defineResource, hold, many, one, reference, terminal } from "../index.ts";
import type { Cached, Duration, Operator } from "../index.ts";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";

const WebApp = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "WebApp",
  spec: z.object({
    image: z.string(),
    replicas: z.int().default(1),
    host: z.string().optional(),
    tls: reference(Secret, z.string()).optional(),
  }),
  status: z.object({ ready: z.int().default(0) }),
});

const app = (): Operator => createOperator({ name: "shop" });
const child = { metadata: { name: "x" } };

describe("types that an operator infers", () => {
  it("the object, with its defaults and its name", () => {
    app().controller(WebApp, {
      reconcile: ({ object }) => {
        expectTypeOf(object.spec.image).toEqualTypeOf<string>();
        expectTypeOf(object.spec.replicas).toEqualTypeOf<number>();
        expectTypeOf(object.spec.host).toEqualTypeOf<string | undefined>();
        expectTypeOf(object.spec.tls).toEqualTypeOf<string | undefined>();
        expectTypeOf(object.metadata.name).toEqualTypeOf<string>();
        expectTypeOf(object.status?.ready).toEqualTypeOf<number | undefined>();
      },
    });
  });

  it("owned objects: one or undefined per slot, a list for many", () => {
    app().controller(WebApp, {
      owns: {
        deployment: Deployment,
        pods: many(Pod),
        settings: one(ConfigMap, { onImmutable: "recreate", isReady: (live) => live.data !== undefined }),
      },
      desired: ({ owned }) => {
        expectTypeOf(owned.deployment).toEqualTypeOf<Cached<Deployment> | undefined>();
        expectTypeOf(owned.deployment?.status?.readyReplicas).toEqualTypeOf<number | undefined>();
        expectTypeOf(owned.pods).toEqualTypeOf<readonly Cached<Pod>[]>();
        expectTypeOf(owned.settings?.data).toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
        return { deployment: undefined, pods: [], settings: hold("not yet") };
      },
      status: ({ owned, holds, error }) => {
        expectTypeOf(owned.pods.length).toEqualTypeOf<number>();
        expectTypeOf(holds).toEqualTypeOf<readonly { readonly slot: string; readonly why: string }[]>();
        expectTypeOf(error).toEqualTypeOf<unknown>();
        return { ready: owned.pods.length, conditions: [condition("Ready", true, "Fine")] };
      },
    });
  });

  it("results of caches, live reads and indexes", () => {
    const shop = app();
    const byHost = shop.index(WebApp, "byHost", (object) => [object.spec.host]);
    shop.controller(WebApp, {
      reads: [ConfigMap],
      reconcile: async ({ get, list, live, index, client }) => {
        expectTypeOf(get(ConfigMap, "x")).toEqualTypeOf<DeepReadonly<ConfigMap> | undefined>();
        expectTypeOf(list(ConfigMap)).toEqualTypeOf<readonly DeepReadonly<ConfigMap>[]>();
        expectTypeOf(await live.get(Secret, "x")).toEqualTypeOf<Secret | undefined>();
        expectTypeOf(await live.list(Secret)).toEqualTypeOf<readonly Secret[]>();
        expectTypeOf(index(byHost).get("x")[0]?.spec.image).toEqualTypeOf<string | undefined>();
        expectTypeOf(await client.get(ConfigMap, "x")).toEqualTypeOf<ConfigMap>();
      },
    });
  });

  it("return values: nothing, a duration, a result, synchronous or not", () => {
    for (const answer of [() => undefined, () => ({ after: "10m" as const }), () => ({ after: 500 })])
      app().controller(WebApp, { reconcile: answer });
    app().controller(WebApp, { reconcile: async () => ({ after: "1h30m" }) });
    app().controller(WebApp, {
      cleanup: () => {
        throw terminal("never");
      },
    });
    expectTypeOf<"10m">().toExtend<Duration>();
    expectTypeOf<"1.5s">().toExtend<Duration>();
    expectTypeOf<"10 minutes">().not.toExtend<Duration>();
    expectTypeOf<"10d">().not.toExtend<Duration>();
  });

  it("fields of a desired object may be undefined, and a function may return the whole kind", () => {
    const whole = (): Deployment => ({ metadata: { name: "x" }, spec: { selector: {}, template: {} } });
    app().controller(WebApp, {
      owns: { deployment: Deployment, copy: ConfigMap },
      desired: ({ object }) => ({
        deployment: whole(),
        copy: { metadata: { name: object.metadata.name, labels: undefined }, immutable: undefined },
      }),
    });
  });
});

describe("types that an operator refuses", () => {
  it("a missing slot, a promise, another kind's fields", () => {
    // @ts-expect-error -- key is missing
    app().controller(WebApp, { owns: { copy: ConfigMap, key: Secret }, desired: () => ({ copy: undefined }) });
    // @ts-expect-error -- a promise is no desired state
    expect(() => app().controller(WebApp, { owns: { copy: ConfigMap }, desired: async () => ({ copy: undefined }) })).toThrow(
      "desired is async",
    );
    // @ts-expect-error -- data holds texts
    app().controller(WebApp, { owns: { copy: ConfigMap }, desired: () => ({ copy: { ...child, data: { count: 1 } } }) });
    // @ts-expect-error -- one object where there may be many
    app().controller(WebApp, { owns: { pods: many(Pod) }, desired: () => ({ pods: child }) });
    // @ts-expect-error -- a list where there is one
    app().controller(WebApp, { owns: { pod: Pod }, desired: () => ({ pod: [child] }) });
  });

  it("writing to the object, or to owned objects", () => {
    app().controller(WebApp, {
      owns: { copy: ConfigMap },
      reconcile: ({ object, owned }) => {
        // @ts-expect-error -- read-only, all the way down
        object.spec.replicas = 3;
        // @ts-expect-error -- so is what is owned
        if (owned.copy?.data !== undefined) owned.copy.data["x"] = "y";
        // @ts-expect-error -- there is no such slot
        void owned.kopy;
      },
    });
  });

  it("a status that is invalid, asynchronous or incomplete", () => {
    // @ts-expect-error -- ready is missing
    app().controller(WebApp, { status: () => ({ conditions: [] }) });
    // @ts-expect-error -- ready is a number
    app().controller(WebApp, { status: () => ({ ready: "yes" }) });
    // @ts-expect-error -- a promise is no status
    expect(() => app().controller(WebApp, { status: async () => ({ ready: 1 }) })).toThrow("status is async");
    // @ts-expect-error -- a ConfigMap has no status
    expect(() => app().controller(ConfigMap, { status: () => ({ ready: 1 }) })).toThrow("ConfigMap has no status");
  });

  it("an invalid duration, an invalid result, an unknown option", () => {
    // @ts-expect-error -- "10m"
    app().controller(WebApp, { reconcile: () => ({ after: "10 minutes" }) });
    // @ts-expect-error -- true means nothing
    app().controller(WebApp, { reconcile: () => true });
    // @ts-expect-error -- it is called deadline
    expect(() => app().controller(WebApp, { reconcile: () => undefined, timeout: "5m" })).toThrow("there is no option timeout");
    // @ts-expect-error -- a name is a text
    reference(Secret, z.int());
  });

  it("side effects in pure functions", () => {
    app().controller(WebApp, {
      owns: { copy: ConfigMap },
      // @ts-expect-error -- desired has no client
      desired: ({ client }) => ({ copy: { metadata: { name: String(client) } } }),
      // @ts-expect-error -- and status no clock
      status: ({ now }) => ({ ready: Number(now) }),
    });
  });
});
