import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import type { NewEvent, ReconcileContext } from "@drover/controller";
import type { HttpRequest, KubeObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { effectContext } from "./effect-context.ts";
import type { EffectContext, StateContext } from "./operator-context.ts";
import type { Owns } from "./slot.ts";

/** The context of a run for an object in namespace "shop", with a client whose namespace is "default". */
function rig(answer: (request: HttpRequest) => { readonly status: number; readonly body: unknown }): {
  readonly context: EffectContext<KubeObject, Owns>;
  readonly paths: string[];
  readonly events: NewEvent[];
} {
  const runtime = testRuntime();
  const [paths, events]: [string[], NewEvent[]] = [[], []];
  const client = createClient({
    ...runtime,
    namespace: "default",
    transport: (request) => {
      paths.push(request.path);
      const { status, body } = answer(request);
      return Promise.resolve({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    },
  });
  const state = {
    object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "web", namespace: "shop" } },
  } as unknown as StateContext<KubeObject, Owns>;
  return {
    paths,
    events,
    context: effectContext(state, { client } as unknown as ReconcileContext, {
      clock: runtime.clock,
      recorder: { eventf: (event) => void events.push(event) },
    }),
  };
}

const gone = { status: 404, body: { kind: "Status", status: "Failure", reason: "NotFound", code: 404 } };

describe("effectContext", () => {
  it("sends requests to the object's namespace, unless another is given or the kind is cluster-scoped", async () => {
    const {
      context: { live, client },
      paths,
    } = rig(() => gone);
    expect(await live.get(ConfigMap, "a")).toBeUndefined();
    await live.get(ConfigMap, "a", { namespace: "other" });
    await live.get(Namespace, "a");
    await client.get(ConfigMap, "a").catch(() => undefined);
    expect(paths).toEqual([
      "/api/v1/namespaces/shop/configmaps/a",
      "/api/v1/namespaces/other/configmaps/a",
      "/api/v1/namespaces/a",
      "/api/v1/namespaces/shop/configmaps/a",
    ]);
  });

  it("lists all pages, and rethrows errors other than NotFound", async () => {
    const {
      context: { live },
    } = rig(({ path }) =>
      path.includes("/namespaces/shop")
        ? { status: 200, body: { kind: "ConfigMapList", apiVersion: "v1", metadata: {}, items: [{ metadata: { name: "a" } }] } }
        : { status: 403, body: { kind: "Status", status: "Failure", reason: "Forbidden", code: 403 } },
    );
    expect((await live.list(ConfigMap)).map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await expect(live.get(Namespace, "x")).rejects.toThrow();
  });

  it("records Events about the object", () => {
    const { context, events } = rig(() => gone);
    context.events.normal("Scaled", "from 1 to 3");
    context.events.warning("Failed", "no", { action: "Scale" });
    expect(events).toEqual([
      { regarding: context.object, type: "Normal", reason: "Scaled", action: "Scaled", note: "from 1 to 3" },
      { regarding: context.object, type: "Warning", reason: "Failed", action: "Scale", note: "no" },
    ]);
    expect(context.now()).toBe(context.clock.now());
  });
});
