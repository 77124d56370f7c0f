import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import { createOperator } from "@drover/patterns";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newClientset, newSharedInformerFactory, resourceEventHandlerFuncs } from "./client-go.ts";
import { Pod } from "./kinds.ts";
import { newSharedControllerFactoryFromConfig } from "./lasso.ts";

const pod = (name: string): Pod => ({
  metadata: { name, namespace: "default" },
  spec: { containers: [{ name: "app", image: "app:1" }] },
});

async function stage() {
  const runtime = testRuntime();
  const server = await createApiServer({ runtime, host: nodeHost });
  const watches: string[] = [];
  const transport: Transport = (request) => {
    if (request.path.includes("watch=true") || request.path.includes("watch=1")) watches.push(request.path.split("?", 1).join(""));
    return server.handle(request);
  };
  return { runtime, transport, watches, cluster: createCluster({ runtime, transport, namespace: "default" }) };
}

describe("one cluster", () => {
  it("opens one watch for an informer of client-go, a cache of Lasso and an operator", async () => {
    const { runtime, transport, watches, cluster } = await stage();
    const stop = new AbortController();
    const seen = { clientGo: [] as string[], lasso: [] as string[], operator: [] as string[] };

    const informers = newSharedInformerFactory(newClientset(cluster));
    informers
      .core()
      .v1()
      .pods()
      .informer()
      .addEventHandler(resourceEventHandlerFuncs<Pod>({ addFunc: ({ metadata }) => void seen.clientGo.push(metadata.name ?? "") }));
    informers.start(stop.signal);

    const lasso = newSharedControllerFactoryFromConfig({ cluster });
    lasso.forObject(Pod).registerHandler(stop.signal, "log", (key, object) => void (object !== undefined && seen.lasso.push(key)));
    const lassoRun = lasso.run(stop.signal);

    const app = createOperator({ name: "pod-logger" });
    app.controller(Pod, { reconcile: ({ object }) => void seen.operator.push(object.metadata.name ?? "") });
    const operatorRun = app.runOn({ runtime, transport, cluster, permissions: "off" }).run(stop.signal);

    await cluster.client.create(Pod, pod("web"));
    await runtime.clock.advance(5000);
    expect(seen).toEqual({ clientGo: ["web"], lasso: ["default/web"], operator: ["web"] });
    expect(watches.filter((path) => path.endsWith("/pods"))).toEqual(["/api/v1/pods"]);

    stop.abort();
    await runtime.clock.advance(5000);
    await Promise.all([lassoRun, operatorRun, informers.shutdown()]);
    expect(cluster.informers.state()).toEqual([]);
  });
});
