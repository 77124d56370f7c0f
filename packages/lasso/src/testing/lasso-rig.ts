/**
 * An in-process cluster with config maps and secrets on a manual clock, for tests of factories and controllers.
 *
 *     const { runtime, cluster, configMaps } = lassoRig();
 *     configMaps.put({ metadata: { namespace: "shop", name: "web" } });
 */
import { Secret } from "@drover/api/core/v1";
import { ScriptedApi } from "@drover/cache/testing";
import { newNotFound } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { statusResponse } from "@drover/client/testing";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";

export interface LassoRig {
  readonly runtime: TestRuntime;
  readonly cluster: Cluster;
  readonly configMaps: ScriptedApi;
  readonly secrets: ScriptedApi;
  /** Every request so far: "list configmaps", "watch secrets". */
  readonly asked: () => readonly string[];
  /** Advances the clock (by default two seconds) and returns the promise. */
  readonly inTime: <T>(promise: Promise<T>, ms?: number) => Promise<T>;
}

/** Serves only these two kinds. */
export function lassoRig(): LassoRig {
  const runtime = testRuntime();
  const { clock, random } = runtime;
  const configMaps = new ScriptedApi({ clock, random });
  const secrets = new ScriptedApi({ clock, random, resource: Secret });
  const asked: string[] = [];
  const transport: Transport = (request) => {
    const [path = ""] = request.path.split("?");
    const resource = path.split("/").at(-1) ?? "";
    asked.push(`${request.path.includes("watch=true") ? "watch" : "list"} ${resource}`);
    if (resource === "configmaps") return configMaps.transport(request);
    if (resource === "secrets") return secrets.transport(request);
    return Promise.resolve(statusResponse(newNotFound({ group: "", resource }, "")));
  };
  const inTime = async <T>(promise: Promise<T>, ms = 2000): Promise<T> => {
    promise.catch(() => undefined);
    await clock.advance(ms);
    return promise;
  };
  return { runtime, cluster: createCluster({ runtime, transport, namespace: "default" }), configMaps, secrets, asked: () => asked, inTime };
}
