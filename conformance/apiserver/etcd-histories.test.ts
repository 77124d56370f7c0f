/** Random histories of our API server on a real etcd. */
import { afterAll, describe, expect, it } from "vitest";
import { nodeRuntime } from "../../packages/drover/src/index.ts";
import { nodeHost } from "../../packages/apiserver/src/http/node-host.ts";
import { etcdObjectValues } from "../../packages/apiserver/src/data/etcd-object-values.ts";
import { EtcdClient } from "../../packages/apiserver/src/storage/etcd/etcd-client.ts";
import { EtcdStore } from "../../packages/apiserver/src/storage/etcd/etcd-store.ts";
import { connectEtcd } from "../../packages/apiserver/src/storage/etcd/grpc-transport.ts";
import { runHistories } from "../../packages/apiserver/src/testing/histories/history-batch.ts";
import { distantGround } from "../../packages/apiserver/src/testing/histories/history-ground.ts";
import { HistoryServer } from "../../packages/apiserver/src/testing/histories/history-server.ts";
import { realEtcdMissing, startRealEtcd } from "../servers/real-etcd.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const count = isLong ? 200 : 10;
const firstSeed = Number(process.env["DROVER_SEED"] ?? 20);
/** Readers of a watch are faster than etcd. */
const rare = "a watch falls behind while it is on";

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const runtime = nodeRuntime({ write: () => undefined });

describe.skipIf(realEtcdMissing !== undefined)(`random histories of the API server on etcd (${realEtcdMissing ?? "found"})`, () => {
  it(`satisfy all watch and object guarantees: ${count} of them, from seed ${firstSeed} on`, async () => {
    const server = new HistoryServer(nodeHost, async ({ clock, historyLength }) => {
      const etcd = await startRealEtcd();
      closing.push(etcd.stop);
      const store = await EtcdStore.open({
        client: new EtcdClient({ clock: runtime.clock, transports: connectEtcd([etcd.url], runtime) }),
        values: etcdObjectValues(clock),
        roots: { served: "/registry", stored: "/registry" },
        clock: runtime.clock,
        log: runtime.log,
        // A compaction takes a revision, which no client has asked for.
        compactionMs: 3_600_000,
        ...(historyLength === undefined ? {} : { historyLength }),
      });
      return distantGround(store, { keepsLonger: true });
    });
    closing.unshift(() => server.close());
    const { story, missing } = await runHistories(server, { firstSeed, count });
    expect(story).toBeUndefined();
    // Which situations a few histories contain depends on the speed of etcd.
    if (isLong) expect(missing.filter((name) => name !== rare)).toEqual([]);
  }, 600_000);
});
