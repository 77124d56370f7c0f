/** The table of hostile values thrown by what keeps and restores snapshots of a cache; see hostile-values.test.ts. */
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createInformer, listWatcher } from "@drover/cache";
import type { SnapshotStore, VersionSource } from "@drover/cache";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { chosen, expectBounded, quietly } from "./testing/hostile-scene.ts";

const places = ["restorer", "read", "write", "write bytes", "commit", "discard", "server"] as const;
type Place = (typeof places)[number];

describe("hostile values thrown by the snapshot of a cache (SEC6)", { timeout: 60_000 }, () => {
  it.each(places)("VersionSource.restorer and SnapshotStore", (place) =>
    quietly(async () => {
      for (const hostile of chosen) {
        const runtime = testRuntime();
        const server = await createApiServer({ runtime, host: nodeHost });
        const body = JSON.stringify({ metadata: { name: "web" } });
        await server.handle({ method: "POST", path: "/api/v1/namespaces/default/configmaps", headers: {}, body });
        const explode = (here: Place): void => {
          // oxlint-disable-next-line typescript/only-throw-error -- that is the point
          if (here === place || (here === "write bytes" && place === "discard")) throw hostile.make();
        };
        const informer = createInformer({
          runtime,
          source: minedSource(listWatcher({ kind: ConfigMap, namespace: "default", transport: server.handle, clock: runtime.clock }), () =>
            explode("restorer"),
          ),
          snapshot: {
            name: "configmaps",
            collection: "all",
            intervalMs: 1000,
            server: async () => {
              await Promise.resolve();
              explode("server");
              return "here";
            },
            store: minedStore(explode),
          },
        });
        const stop = new AbortController();
        const ended = informer.run(stop.signal);
        await runtime.clock.advance(10_000);
        expect([informer.hasSynced, informer.size], hostile.name).toEqual([true, 1]);
        stop.abort();
        await runtime.clock.advance(10_000);
        await ended.catch(() => undefined);
        expectBounded(runtime.log.entries.map(({ message, fields }) => `${message} ${Object.keys(fields ?? {}).join()}`));
        server.close();
      }
    }),
  );
});

function minedSource(source: VersionSource<ConfigMap>, explode: () => void): VersionSource<ConfigMap> {
  return {
    description: source.description,
    supportsWatchList: source.supportsWatchList,
    ...(source.shelf === undefined ? {} : { shelf: source.shelf }),
    list: (options, call) => source.list(options, call),
    watch: (options, call) => source.watch(options, call),
    restorer: async () => {
      explode();
      return (await source.restorer?.()) ?? expect.fail("no restorer");
    },
  };
}

function minedStore(explode: (place: Place) => void): SnapshotStore {
  return {
    read: async () => {
      await Promise.resolve();
      explode("read");
      return undefined;
    },
    write: async () => {
      await Promise.resolve();
      explode("write");
      return {
        write: async () => {
          await Promise.resolve();
          explode("write bytes");
        },
        commit: async () => {
          await Promise.resolve();
          explode("commit");
        },
        discard: async () => {
          await Promise.resolve();
          explode("discard");
        },
      };
    },
  };
}
