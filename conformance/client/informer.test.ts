/** Informers on an API server that restarts, compacts its history, rotates tokens or has a lot of work at once. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, Namespace, Secret as SecretKind, ServiceAccount } from "@drover/api/core/v1";
import { ClusterRoleBinding } from "@drover/api/rbac/v1";
import { createInformer, listWatcher } from "@drover/cache";
import type { Informer } from "@drover/cache";
import { createRandom, isUnauthorized, pick, poll } from "@drover/machinery";
import type { Kind, KubeObject, Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { connect, nodeRuntime } from "drover";
import type { Connection, ConnectOptions } from "drover";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { kubeconfigText, tokenBoundTo } from "../servers/real-login.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();

describeOnServers("informers", ({ missing, startOwn }) => {
  const log = recordingLog(runtime.clock);
  const namespace = "cached";
  const opened: Connection[] = [];
  const stops: AbortController[] = [];
  let server: SuiteServer | undefined;
  let folder = "";
  let admin: Connection;

  async function open(options: ConnectOptions): Promise<Connection> {
    const connection = await connect({ runtime: { ...runtime, log }, namespace, ...options });
    opened.push(connection);
    return connection;
  }

  /** A transport that can be blocked: open requests break off, and no request goes through until it is unblocked. */
  function gate(transport: Transport): { readonly transport: Transport; readonly close: () => void; readonly open: () => void } {
    let passage = new AbortController();
    return {
      transport: (request) => {
        const signal = request.signal === undefined ? passage.signal : AbortSignal.any([request.signal, passage.signal]);
        return transport({ ...request, signal });
      },
      close: () => passage.abort(new Error("the gate is closed")),
      open: () => {
        passage = new AbortController();
      },
    };
  }

  async function running<T extends KubeObject>(transport: Transport, kind: Kind<T>): Promise<Informer<T>> {
    const source = listWatcher({ transport, clock: runtime.clock, kind, namespace });
    const informer = createInformer<T>({ source, runtime: { ...runtime, log } });
    const stop = new AbortController();
    stops.push(stop);
    void informer.run(stop.signal);
    await informer.synced(AbortSignal.timeout(30_000));
    return informer;
  }

  const versions = (objects: readonly { readonly metadata?: { readonly name?: string; readonly resourceVersion?: string } }[]): string[] =>
    objects.map(({ metadata }) => `${metadata?.name}@${metadata?.resourceVersion}`).toSorted();

  /** Waits until the cache equals the server's list, and otherwise fails with the difference. */
  async function equals<T extends KubeObject>(informer: Informer<T>, kind: Kind<T, "Namespaced">): Promise<void> {
    let lists: [string[], string[]] = [[], []];
    const same = async (): Promise<boolean> => {
      lists = [versions(informer.list()), versions((await admin.client.list(kind)).items)];
      return lists[0].join() === lists[1].join();
    };
    await poll(runtime.clock, { interval: 100, timeout: 45_000, immediate: true }, same).catch(() => expect(lists[0]).toEqual(lists[1]));
  }

  beforeAll(async () => {
    if (missing !== undefined) return;
    folder = mkdtempSync(join(tmpdir(), "drover-cache-"));
    server = await startOwn();
    admin = await open({ kubeconfig: server.kubeconfig });
    await admin.client.create(Namespace, { metadata: { name: namespace } });
  }, 90_000);
  afterAll(async () => {
    for (const stop of stops) stop.abort();
    await Promise.all(opened.map((connection) => connection.close()));
    await server?.stop();
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  describe("an informer", () => {
    it("equals the server's list after a churn of a hundred objects, a thousand in long mode", { timeout: 120_000 }, async () => {
      const informer = await running(admin.transport, ConfigMap);
      const told = new Map<string, string>();
      informer.addHandler(
        (change) => {
          if (change.type === "deleted") told.delete(change.key);
          else told.set(change.key, change.object.metadata?.resourceVersion ?? "");
        },
        { name: "keeps a copy" },
      );
      const random = createRandom(5);
      const count = process.env["DROVER_LONG"] === "1" ? 1000 : 100;
      const names = Array.from({ length: count }, (_, index) => `churn-${index}`);
      await inParallel(
        32,
        names.values(),
        async (name) => void (await admin.client.create(ConfigMap, { metadata: { name }, data: { n: "0" } })),
      );
      const steps = Array.from({ length: count * 1.5 }, () => [pick(random, names), random.next() < 0.7] as const);
      await inParallel(32, steps.values(), async ([name, isUpdate]) => {
        const step = isUpdate
          ? admin.client.patch(ConfigMap, name, { type: "merge", body: { data: { n: String(random.next()) } } })
          : admin.client.delete(ConfigMap, name);
        await step.catch(() => undefined);
      });
      await equals(informer, ConfigMap);
      expect([...told.values()].toSorted()).toEqual(
        informer
          .list()
          .map(({ metadata }) => metadata?.resourceVersion ?? "")
          .toSorted(),
      );
      expect(informer.size).toBeGreaterThan(count / 2);
    });

    it("survives a restart of the server, and follows later changes", { timeout: 120_000 }, async () => {
      const informer = await running(admin.transport, ConfigMap);
      await admin.client.create(ConfigMap, { metadata: { name: "before" } });
      await equals(informer, ConfigMap);
      await server?.restart();
      await admin.client.create(ConfigMap, { metadata: { name: "after" } });
      await admin.client.delete(ConfigMap, "before");
      await equals(informer, ConfigMap);
      expect(informer.lister.namespace(namespace).get("after").metadata?.name).toBe("after");
    });

    it("reports after a compaction what was deleted while it was disconnected", { timeout: 120_000 }, async () => {
      const way = gate(admin.transport);
      for (const name of ["stays", "goes", "changes"]) await admin.client.create(SecretKind, { metadata: { name } });
      const informer = await running(way.transport, SecretKind);
      const told: string[] = [];
      informer.addHandler(
        (change) =>
          void (change.type === "added" && change.isInInitialList
            ? undefined
            : told.push(`${change.type} ${change.key}${change.type === "deleted" && change.isFinalStateUnknown ? " unseen" : ""}`)),
        { name: "scribe" },
      );
      way.close();
      await admin.client.delete(SecretKind, "goes");
      await admin.client.patch(SecretKind, "changes", { type: "merge", body: { metadata: { labels: { changed: "yes" } } } });
      for (let n = 0; n < 3; n++) await admin.client.create(ConfigMap, { metadata: { name: `filler-${n}` } });
      await server?.compact();
      way.open();
      await equals(informer, SecretKind);
      expect(told.toSorted()).toEqual([`deleted ${namespace}/goes unseen`, `updated ${namespace}/changes`]);
    });

    it("continues when its token is rotated and the old one is revoked", { timeout: 120_000 }, async () => {
      const { client } = admin;
      await client.create(ServiceAccount, { metadata: { name: "robot" } });
      await client.create(ClusterRoleBinding, {
        metadata: { name: "robot" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ kind: "ServiceAccount", name: "robot", namespace }],
      });
      const [first, second] = [await tokenBoundTo(client, "robot", "first"), await tokenBoundTo(client, "robot", "second")];
      const file = join(folder, "token");
      writeFileSync(file, first);
      const robot = await open({ kubeconfig: { text: kubeconfig({ tokenFile: file }) } });
      const old = await open({ kubeconfig: { text: kubeconfig({ token: first }) } });
      const way = gate(robot.transport);
      const informer = await running(way.transport, ConfigMap);
      writeFileSync(file, second);
      await client.delete(SecretKind, "first");
      // The server itself caches for about ten seconds that a token is valid.
      await poll(runtime.clock, { interval: 500, timeout: 60_000, immediate: true }, () =>
        old.client.list(ConfigMap).then(() => false, isUnauthorized),
      );
      way.close();
      way.open();
      await client.create(ConfigMap, { metadata: { name: "after-rotation" } });
      await equals(informer, ConfigMap);
      expect(informer.state().hasSynced).toBe(true);
    });
  });

  const kubeconfig = (user: object): string => kubeconfigText(server ?? { url: "", ca: "" }, namespace, user);

  async function inParallel<T>(workers: number, work: IterableIterator<T>, each: (item: T) => Promise<void>): Promise<void> {
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (const item of work) await each(item);
      }),
    );
  }
});
