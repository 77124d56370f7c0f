import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, updated } from "../testing/changes.ts";
import { seen, shop, wrote } from "../tape/testing/tape-scene.ts";
import type { DebugQueue } from "./queue-page.ts";
import type { DebugRequests } from "./requests-page.ts";
import type { DebugStatus } from "./status-page.ts";
import type { DebugTree } from "./tree-page.ts";
import type { DebugWhy } from "./why-page.ts";
import { debugScene, deploymentKind, podKind, report } from "./testing/debug-scene.ts";

const shopWhy = "why?kind=deploy&name=shop&namespace=web";
const informer = (rest: object): never =>
  ({
    name: "deployments",
    hasSynced: true,
    size: 7,
    queued: 0,
    lastSyncResourceVersion: "1",
    handlers: [],
    reflector: { phase: "watching", lagMs: 1200.4, hasFailed: false, ...rest },
  }) as never;

describe("createDebugHandler", () => {
  it("refuses foreign hosts, web pages and writes, and names unknown pages and parameters", async () => {
    const { ask } = debugScene();
    const statusOf = async (path: string, rest?: Parameters<typeof ask>[1]): Promise<number> => (await ask(path, rest)).status;
    for (const host of ["localhost", "localhost:4679", "127.0.0.1:1", "127.8.9.1", "[::1]:4679", "LOCALHOST"])
      expect([host, await statusOf("status", { headers: { host } })]).toEqual([host, 200]);
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "10.0.0.1", "", "localhost:4679:1", "[::2]"])
      expect([host, await statusOf("status", { headers: { host } })]).toEqual([host, 403]);
    expect(await statusOf("status", { headers: {} })).toBe(403);
    expect(await statusOf("status", { headers: { host: "localhost", origin: "http://localhost:4679" } })).toBe(403);
    expect(await statusOf("status", { headers: { host: "localhost", "sec-fetch-site": "cross-site" } })).toBe(403);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) expect(await statusOf("status", { method })).toBe(405);
    expect((await ask("nothing")).body).toContain("/debug/drover/why");
    expect(await statusOf("__proto__")).toBe(404);
    expect((await ask("status?verbose")).body).toContain('no parameter \\"verbose\\"');
    for (const limit of ["0", "-1", "1e3", "99999999", "x"]) expect(await statusOf(`queue?limit=${limit}`)).toBe(400);
    const { headers } = await ask("status");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
  });

  it("status counts keys, shows caches and lists problems", async () => {
    const scene = debugScene();
    scene.keys.push(
      report(),
      report({ key: objectKey("b", "web"), state: "parked" }),
      report({ key: objectKey("c", "web"), state: "idle" }),
    );
    scene.state = {
      election: { lease: "home/shop", isLeader: false, leader: "other_1" },
      clusters: [
        { name: "", informers: [informer({}), informer({ hasFailed: true, lastError: { error: new Error("403\nforbidden"), atMs: 0 } })] },
      ],
    };
    const status = await scene.get<DebugStatus>("status");
    expect(status).toMatchObject({
      name: "shop-operator",
      version: "0.1.0",
      pid: 4711,
      election: { leader: "other_1" },
      controllers: [{ name: "web", kind: "Deployment", running: 1, queued: 2, waiting: 3, failing: 2, parked: 1 }],
      caches: [{ name: "deployments", synced: true, objects: 7, heardMsAgo: 1200 }, { error: "403 forbidden" }],
      tape: "on",
    });
    expect(status.problems).toEqual([
      "cache deployments: 403 forbidden",
      "1 of web fails and is retried",
      "1 of web is parked: no retries left",
    ]);
  });

  it("queue lists problems first, with due time, causes and error, and leaves out a delay that has not passed", async () => {
    const scene = debugScene();
    scene.keys.push(
      report({
        key: objectKey("calm", "web"),
        attempts: 0,
        nextRunInMs: 600_000,
        causes: [{ type: "after", afterMs: 600_000, run: "7f#1" }],
        causeCount: 1,
      }),
      report({
        key: objectKey("ready", "web"),
        state: "ready",
        attempts: 0,
        nextRunInMs: 0,
        causes: [{ type: "after", afterMs: 5, run: "7f#1" }],
        causeCount: 1,
      }),
      report({ causes: [seen(updated(shop(1), shop(2, { replicas: 3 })))], causeCount: 1, reason: "no\nquota" }),
      report({ key: objectKey("gone", "web"), state: "parked" }),
      report({ key: objectKey("idle", "web"), state: "idle" }),
    );
    const { keys, leftOff } = await scene.get<DebugQueue>("queue?limit=3");
    expect(keys.map(({ key }) => key)).toEqual(["web/gone", "web/shop", "web/ready"]);
    expect(leftOff).toBe(1);
    expect(keys[1]).toMatchObject({ state: "waiting", dueInMs: 2500, attempts: 2, error: "no quota" });
    expect(keys[1]?.because).toEqual(["Deployment web/shop was updated: spec.replicas 1 → 3 (version 2)"]);
    expect(keys[2]?.because).toEqual(["run 7f#1 requested another run after 5ms"]);
    const all = await scene.get<DebugQueue>("queue");
    expect(all.keys.at(-1)).toMatchObject({ key: "web/calm", dueInMs: 600_000, causes: [], causeCount: 0 });
    expect((await scene.ask("queue?controller=nope")).body).toContain("one of web");
  });

  it("answers are bounded in bytes, and say what was left off", async () => {
    const scene = debugScene();
    for (let index = 0; index < 2000; index++) scene.keys.push(report({ key: objectKey(`k${index}`, "web"), reason: "x".repeat(1000) }));
    const { body } = await scene.ask("queue?limit=2000");
    expect((body as string).length).toBeLessThan(4 * 2 ** 20);
    const { keys, leftOff } = JSON.parse(body as string) as DebugQueue;
    expect([keys.length + leftOff, leftOff > 0]).toEqual([2000, true]);
  });

  it("why prints runs, and text on request", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    await scene.run({ causes: [seen(added(shop(1)))], calls: [wrote(shop(2))] });
    const { text, explanations } = await scene.get<DebugWhy>(shopWhy);
    expect(text[0]).toBe("Deployment.apps web/shop in web ran once in the last 4 ms; it is done.");
    expect(explanations[0]).toMatchObject({ controller: "web", runCount: 1 });
    const plain = await scene.ask(`${shopWhy}&format=text`);
    expect([plain.headers["content-type"], plain.body]).toEqual(["text/plain; charset=utf-8", `${text.join("\n")}\n`]);
  });

  it.each([
    ["NotLeader", "waits for the lease", { state: { election: { lease: "home/shop", isLeader: false, leader: "other_1" } } }],
    ["Starting", "waits for the start", { state: { phase: "starting" as const } }],
    ["Stopping", "waits for another process", { state: { phase: "stopping" as const } }],
    ["CacheNotSynced", "waits for a cache", { controllerState: { watches: [{ name: "Pods", isSynced: false, waitingFor: "its list" }] } }],
    ["CacheFailing", "may have missed changes", { state: { clusters: [{ name: "", informers: [informer({ hasFailed: true })] }] } }],
  ] as const)("why names the obstacle %s", async (reason, words, change) => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    Object.assign(scene, change);
    const { explanations, text } = await scene.get<DebugWhy>(shopWhy);
    expect(explanations[0]?.obstacles).toMatchObject([{ reason }]);
    expect(text[0]).toContain(words);
  });

  it("why names a retry that is not due, a parked key, and what the operator knows", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    const firstLines = async (): Promise<readonly string[]> => (await scene.get<DebugWhy>(shopWhy)).text.slice(0, 3);
    scene.keys.push(report());
    expect(await firstLines()).toEqual([
      "Deployment.apps web/shop in web has no run on the tape; it failed and is retried in 2.5 s.",
      "    not run  retry 2 is due in 2.5 s: no quota",
      "next: it runs again in 2.5 s; 2 retries so far; the last failure: no quota",
    ]);
    scene.keys.splice(0, 1, report({ state: "parked" }));
    expect((await firstLines())[1]).toBe("    not run  it failed 2 times and has no retries left: no quota");
    scene.keys.splice(0);
    scene.obstacles.push({ reason: "Paused", state: "is paused", message: "the annotation is true", fix: "kubectl annotate" });
    expect(await firstLines()).toEqual([
      "Deployment.apps web/shop in web has no run on the tape; it is paused.",
      "    not run  the annotation is true",
      "    fix      kubectl annotate",
    ]);
  });

  it("why does not call a delay that has not passed a cause", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment web/shop", shop(1));
    await scene.run({ causes: [seen(added(shop(1)))], result: { type: "after", afterMs: 600_000 } });
    scene.keys.push(
      report({ attempts: 0, nextRunInMs: 600_000, causes: [{ type: "after", afterMs: 600_000, run: "7f#1" }], causeCount: 1 }),
    );
    const { text } = await scene.get<DebugWhy>(shopWhy);
    expect(text.at(-1)).toBe("next: it runs again in 10m; the last failure: no quota");
  });

  it("why tells a change that predicates ignored from versions that a run has seen or written", async () => {
    const scene = debugScene();
    await scene.run({ causes: [seen(added(shop(1)))], calls: [wrote(shop(2))] });
    const reasons = async (): Promise<unknown> =>
      (await scene.get<DebugWhy>(shopWhy)).explanations[0]?.obstacles?.map(({ reason }) => reason);
    for (const [version, expected] of [
      [1, undefined],
      [2, undefined],
      [3, ["Ignored"]],
    ] as const) {
      scene.objects.set("Deployment web/shop", shop(version));
      expect([version, await reasons()]).toEqual([version, expected]);
    }
  });

  it("why names kinds that exist, objects elsewhere, and kinds without a controller", async () => {
    const scene = debugScene();
    scene.objects.set("Deployment other/shop", shop(1));
    expect((await scene.get<DebugWhy>("why?kind=deployments.apps&name=shop")).explanations[0]?.obstacles).toMatchObject([
      {
        reason: "NotFound",
        message: "the cache of Deployment has no object web/shop",
        fix: "there is one in namespace other: use -n other",
      },
    ]);
    expect((await scene.get<DebugWhy>("why?kind=po&name=shop")).text[0]).toContain("it is not reconciled by shop-operator");
    expect((await scene.ask("why?kind=widget&name=shop")).body).toContain("it watches deployments.apps, pods");
    expect((await scene.ask("why?kind=deployments.batch&name=shop")).status).toBe(404);
    expect((await scene.ask("why?name=shop")).body).toContain("the parameter kind is missing");
    expect((await scene.ask("why?kind=po&name=a/b")).status).toBe(400);
    expect((await scene.ask(`${shopWhy}&controller=nope`)).body).toContain("one of web");
  });

  it("requests have verdicts, newest last, and can be limited to problems", async () => {
    const scene = debugScene();
    const call = { method: "PATCH", path: "/apis/apps/v1/namespaces/web/deployments/shop", tookMs: 3 };
    const statuses = [200, 404, 409, 403, 429, 422, 503, undefined];
    await scene.run({ calls: statuses.map((status) => ({ ...call, ...(status === undefined ? { error: "reset" } : { status }) })) });
    const { requests } = await scene.get<DebugRequests>("requests");
    expect(requests.map(({ verdict }) => verdict)).toEqual([
      "ok",
      "not-found",
      "conflict",
      "denied",
      "throttled",
      "refused",
      "server-error",
      "no-answer",
    ]);
    expect(requests.at(-1)).toMatchObject({ controller: "web", key: "web/shop", run: "7f#1", error: "reset" });
    const some = await scene.get<DebugRequests>("requests?limit=2");
    expect(some.requests.map(({ verdict }) => verdict)).toEqual(["server-error", "no-answer"]);
    expect((await scene.get<DebugRequests>("requests?verdict=problem")).requests).toHaveLength(7);
    expect(await scene.get("topology")).toMatchObject({
      kinds: ["Deployment.apps", "Pod"],
      controllers: [{ name: "web", owns: ["Pod"], writes: [{ method: "PATCH", resource: "deployments.apps", count: 8 }] }],
    });
  });

  it("tree shows owned objects, conditions and finalizers, and survives cycles", async () => {
    const scene = debugScene();
    const pod = (name: string): KubeObject => ({
      metadata: { name, namespace: "web", uid: name, deletionTimestamp: "2026-01-01T14:00:00Z", finalizers: ["a/b"] },
    });
    const root = { ...shop(1), status: { conditions: [null, { type: "Ready", status: "False", reason: "Waits" }] } };
    scene.objects.set("Deployment web/shop", root);
    scene.children.push({ kind: podKind, object: pod("b") }, { kind: podKind, object: pod("a") }, { kind: deploymentKind, object: root });
    const { tree } = await scene.get<DebugTree>("tree?kind=deployment&name=shop");
    expect(tree).toMatchObject({ kind: "Deployment", key: "web/shop", condition: { type: "Ready", status: "False", reason: "Waits" } });
    expect(tree.children.map(({ key, children, deleting }) => [key, children.length, deleting])).toEqual([
      ["web/shop", 0, undefined],
      ["web/a", 0, ["a/b"]],
      ["web/b", 0, ["a/b"]],
    ]);
    expect((await scene.ask("tree?kind=deployment&name=none")).status).toBe(404);
  });

  it("tape streams runs from a cursor in the order in which they ended, and goes on", async () => {
    const scene = debugScene();
    await scene.run();
    await scene.run({ key: objectKey("other", "web") });
    const text = async (path: string): Promise<string> => {
      const pieces: string[] = [];
      const read = (async () => {
        for await (const piece of (await scene.ask(path)).body as AsyncIterable<string>) pieces.push(piece);
      })();
      await scene.clock.advance(1000);
      await read;
      return pieces.join("");
    };
    const runsIn = (events: string): readonly string[] => [...events.matchAll(/"run":"([^"]+)"/g)].map(([, run = ""]) => run);
    const whole = await text("tape?follow=false");
    expect(runsIn(whole)).toEqual(["7f#1", "7f#2"]);
    expect(whole).toContain("id: 2\n");
    expect(runsIn(await text("tape?follow=false&cursor=1"))).toEqual(["7f#2"]);
    expect(runsIn(await text("tape?follow=false&kind=deploy&name=other"))).toEqual(["7f#2"]);
    const stop = new AbortController();
    const live = (await scene.ask("tape?cursor=2", { signal: stop.signal })).body as AsyncIterable<string>;
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of live) pieces.push(piece);
    })();
    await scene.clock.advance(1000);
    await scene.run();
    await scene.clock.advance(1000);
    expect(runsIn(pieces.join(""))).toEqual(["7f#3"]);
    await scene.clock.advance(20_000);
    expect(pieces.at(-1)).toBe(": still here\n\n");
    stop.abort();
    await reading;
  });

  it("tape limits the number of readers, and frees the place of one that leaves", async () => {
    const scene = debugScene();
    const readers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const reader = ((await scene.ask("tape")).body as AsyncIterable<string>)[Symbol.asyncIterator]();
        await reader.next();
        return reader;
      }),
    );
    expect((await scene.ask("tape")).status).toBe(503);
    await readers[0]?.return?.();
    expect((await scene.ask("tape")).status).toBe(200);
  });

  it("answers without a tape, and says so", async () => {
    const scene = debugScene({ hasTape: false });
    scene.objects.set("Deployment web/shop", shop(1));
    expect((await scene.get<DebugWhy>(shopWhy)).text.at(-1)).toBe("The tape is off, so no earlier runs are known.");
    expect(await scene.get("status")).toMatchObject({ tape: "off" });
    expect(await scene.get("requests")).toMatchObject({ requests: [] });
    expect((await scene.ask("tape")).status).toBe(404);
  });
});
