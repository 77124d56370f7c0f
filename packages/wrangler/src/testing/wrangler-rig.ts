/**
 * Our API server in this process, on a manual clock, and a factory of Wrangler's controllers on it: for tests that
 * control time.
 *
 *     await wranglerRig(async ({ cluster, factory, signal, settle }) => { … })
 */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { Namespace } from "@drover/api/core/v1";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import type { HttpRequest, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { newFactory } from "../generic-factory.ts";
import type { Factory } from "../generic-factory.ts";

/** What a test receives. */
export interface WranglerRig {
  readonly runtime: TestRuntime;
  readonly cluster: Cluster;
  readonly factory: Factory;
  /** Ends everything that the test starts. */
  readonly signal: AbortSignal;
  /** Every request so far, without watches and lists of caches: "PUT configmaps/web/status". */
  readonly writes: () => readonly string[];
  /** Lets everything happen that is due within this time. @param ms - 100 by default */
  readonly settle: (ms?: number) => Promise<void>;
  /** Fails requests for which it returns an error. */
  readonly intercept: (verdict: (request: HttpRequest) => Error | undefined) => void;
}

/** The namespaces "shop" and "other" exist. Ends everything after the test. */
export async function wranglerRig(test: (rig: WranglerRig) => Promise<void>): Promise<void> {
  const clock = new ManualClock();
  const runtime = testRuntime({ clock });
  const server = await createApiServer({ runtime, host: nodeHost });
  // The server has a ConfigMap of its own; these tests expect theirs alone.
  const own = "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking";
  await server.handle({ method: "DELETE", path: own, headers: {} });
  const written: string[] = [];
  let verdict: (request: HttpRequest) => Error | undefined = () => undefined;
  const transport: Transport = async (request) => {
    const error = verdict(request);
    if (request.method !== "GET")
      written.push(
        `${request.method} ${(request.path.split("?")[0] ?? "").replace(/^\/apis?\/(?:[^/]+\/)?v[^/]+\/(?:namespaces\/[^/]+\/(?=.))?/, "")}`,
      );
    if (error !== undefined) throw error;
    return server.handle(request);
  };
  const cluster = createCluster({ runtime, transport, namespace: "shop" });
  const stop = new AbortController();
  const factory = newFactory({ cluster });
  try {
    for (const name of ["shop", "other"]) await cluster.client.create(Namespace, { metadata: { name } });
    written.length = 0;
    await test({
      runtime,
      cluster,
      factory,
      signal: stop.signal,
      writes: () => written,
      settle: async (ms = 100) => {
        await clock.advance(ms);
      },
      intercept: (next) => void (verdict = next),
    });
  } finally {
    stop.abort();
    const ended = factory.ended();
    await clock.advance(60_000);
    await ended;
    server.close();
  }
}
