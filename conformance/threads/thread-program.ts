/**
 * A program with threads for tests: a controller that writes its thread into every ConfigMap.
 *
 *     node thread-program.js <settings as JSON>
 *
 * A ConfigMap tells what its reconcile does with `data.do`: "crash", "exit", "spin" or nothing special.
 */
import { threadId } from "node:worker_threads";
import { connect, done, kindSource, nodeManager, nodeRuntime, splitObjectKey, stopSignal } from "drover";
import { ConfigMap } from "drover/kinds";

/** Settings of the program. */
export interface ThreadProgramSettings {
  readonly server: string;
  readonly threads: number;
  readonly graceMs: number;
  readonly lease?: { readonly name: string; readonly identity: string; readonly onLostLease: "end" | "standAgain" };
}

const { server, threads, graceMs, lease } = JSON.parse(process.argv[2] ?? "") as ThreadProgramSettings;
const runtime = nodeRuntime({ logFormat: "json" });
await using connection = await connect({ access: { server, trust: {}, credentials: {}, namespace: "shop" }, runtime });
const { cluster } = connection;
const manager = await nodeManager({
  runtime,
  cluster,
  threads,
  graceMs,
  permissions: "off",
  serving: { host: "127.0.0.1", port: 0 },
  ...(lease === undefined
    ? {}
    : { leaderElection: { namespace: "shop", leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 300, ...lease } }),
});
const configMaps = kindSource(ConfigMap, { cluster, request: { namespace: "shop" } });
const controller = manager.controller({
  name: "maps",
  workers: 4,
  reconcile: async ({ key, client, signal }) => {
    const { metadata: { annotations = {} } = {}, data = {} } = configMaps.informer?.get(key) ?? {};
    const { name } = splitObjectKey(key);
    const { do: what = "", at = "" } = data;
    if (what === "crash" && annotations["by"] === undefined) {
      await mark(name, { by: String(threadId) });
      setImmediate(() => {
        throw new Error("the author's bug");
      });
      await new Promise(() => undefined);
    }
    if (what === "exit" && annotations["by"] === undefined) {
      await mark(name, { by: String(threadId) });
      process.exit(3);
    }
    if (what === "spin") {
      await mark(name, { spinning: String(threadId) });
      for (;;);
    }
    if (what === "slow" && annotations["by"] === undefined) {
      await mark(name, { began: "yes" });
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    if (annotations["by"] === undefined || annotations["at"] !== at) await mark(name, { by: String(threadId), at });
    return done;

    async function mark(of: string, values: Readonly<Record<string, string>>): Promise<void> {
      const body = { metadata: { annotations: values } };
      await client.patch(ConfigMap, of, { type: "merge", body }, { namespace: "shop", signal });
    }
  },
});
controller.watch(configMaps);
await manager.run(stopSignal());
runtime.log.info("program ended");
