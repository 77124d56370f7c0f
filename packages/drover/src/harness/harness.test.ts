import { SubjectAccessReview } from "@drover/api/authorization/v1";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { after, done, stop } from "@drover/controller";
import { newSharedControllerFactoryFromConfig } from "@drover/lasso";
import { createCluster } from "@drover/cache";
import { isConflict, sleep } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { HarnessApp } from "./harness-app.ts";
import { harness } from "./harness.ts";
import type { Harness } from "./harness.ts";
import { NotSettledError } from "./not-settled-error.ts";
import { appOf, copies } from "../testing/tried-app.ts";
import type { Work } from "../testing/tried-app.ts";

async function failure(t: Harness, options?: Parameters<Harness["settled"]>[0]): Promise<NotSettledError> {
  const error: unknown = await t.settled(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof NotSettledError)) throw new Error(`settled did not fail as it should: ${String(error)}`);
  return error;
}

const cut = (text: string): string => Buffer.from(text, "base64").toString();

describe("harness", () => {
  it("settles after all consequences of a write, including deletions and manual changes", async () => {
    await using t = await harness(copies);
    await t.settled();
    await t.create(ConfigMap, { metadata: { name: "web" }, data: { colour: "red" } });
    await t.settled();
    expect(cut((await t.get(Secret, "web")).data?.["colour"] ?? "")).toBe("red");
    await t.patch(Secret, "web", { stringData: { colour: "blue" } });
    await t.patch(ConfigMap, "web", { data: { shape: "round" } });
    await t.settled();
    expect(Object.keys((await t.get(Secret, "web")).data ?? {})).toEqual(["colour", "shape"]);
    expect(cut((await t.get(Secret, "web")).data?.["colour"] ?? "")).toBe("red");
    await t.delete(Secret, "web");
    await t.settled();
    expect(await t.list(Secret)).toHaveLength(1);
    expect(await t.getOrUndefined(Secret, "other")).toBeUndefined();
    expect(t.why(ConfigMap, "web")).toContain("Secret default/web (owned) was deleted");
  });

  it("runs the admission plug-ins that it is asked for", async () => {
    await using t = await harness(copies, { admissionPlugins: { disable: ["NamespaceLifecycle"] } });
    await t.create(ConfigMap, { metadata: { name: "web", namespace: "nowhere" } });
    await expect(harness(copies, { admissionPlugins: { enable: ["Nope"] } })).rejects.toThrow(
      'admissionPlugins.enable: unknown plug-in "Nope"',
    );
  });

  it("runs with roles, unless the test wants everybody to do everything", async () => {
    const mayAlice = async (t: Harness): Promise<unknown> =>
      (
        await t.client.create(SubjectAccessReview, {
          metadata: {},
          spec: { user: "alice", resourceAttributes: { verb: "get", resource: "secrets", namespace: "default" } },
        })
      ).status?.allowed;
    await using t = await harness(copies);
    await using open = await harness(copies, { authorizationModes: ["AlwaysAllow"] });
    expect([await mayAlice(t), await mayAlice(open)]).toEqual([false, true]);
  });

  it("advances time as far as retries need, and not for a key that was requeued for later", async () => {
    const ran: string[] = [];
    await using t = await harness(
      appOf({
        flaky:
          (memory) =>
          async (source, { key }) => {
            const name = source.metadata.name ?? "";
            memory.set(name, (memory.get(name) ?? 0) + 1);
            ran.push(key);
            if (name === "flaky" && (memory.get(name) ?? 0) <= 5) throw new Error("not yet");
            return after("1h");
          },
      }),
    );
    const before = t.client.clock.now();
    await t.create(ConfigMap, { metadata: { name: "calm" } });
    await t.settled();
    expect(t.client.clock.now()).toBe(before);
    await t.create(ConfigMap, { metadata: { name: "flaky" } });
    await t.settled();
    const moved = t.client.clock.now() - before;
    expect(moved).toBeGreaterThanOrEqual(5 + 10 + 20 + 40 + 80);
    expect(moved).toBeLessThan(1.3 * (5 + 10 + 20 + 40 + 80));
    ran.length = 0;
    await t.advance("3h30m");
    expect(ran).toHaveLength(6);
  });

  it("names a key that keeps failing, with its last error", async () => {
    await using t = await harness(
      appOf({
        hopeless: () => () => {
          throw new Error("the disk is full");
        },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const { reason, message } = await failure(t);
    expect(reason).toBe("failing");
    expect(message).toMatch(
      /still failing after 3m[\d.]+s \[DRV0702\]:\n {2}default\/web in controller hopeless, \d+ attempts, the next in \d.*: the disk is full/u,
    );
    expect(message.split("\n").length).toBeLessThan(10);
  });

  it("does not wait for a stopped key or one without attempts left", async () => {
    await using t = await harness(appOf({ strict: () => () => stop("this can never be") }));
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled();
    expect(t.log.entries.some(({ message }) => message.includes("reconcile stopped"))).toBe(true);
  });

  it("names the field of a controller that causes its own runs, and stops it", async () => {
    await using t = await harness(
      appOf({
        counter:
          () =>
          async (source, { client }) => {
            await client.patch(ConfigMap, source.metadata.name ?? "", {
              type: "merge",
              body: { data: { count: String(Number(source.data?.["count"] ?? 0) + 1) } },
            });
          },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const { reason, message } = await failure(t);
    expect(reason).toBe("loop");
    expect(message).toMatch(/default\/web in controller counter ran \d\d times and does not become idle/u);
    expect(message).toMatch(/ConfigMap default\/web: data\[count\] goes .*: each write of controller counter causes its next run/u);
    expect(message.split("\n").length).toBeLessThan(40);
  });

  it("names two controllers that conflict, and the field", async () => {
    const wants =
      (colour: string) =>
      (): Work =>
      async (source, { client }) => {
        if (source.data?.["colour"] !== colour)
          await client.patch(ConfigMap, source.metadata.name ?? "", { type: "merge", body: { data: { colour } } });
      };
    await using t = await harness(appOf({ red: wants("red"), blue: wants("blue") }));
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const { reason, message } = await failure(t);
    expect(reason).toBe("loop");
    expect(message).toMatch(
      /data\[colour\] goes .*"red" → "blue".*: controller (?:red and controller blue|blue and controller red) write it in turn/u,
    );
  });

  it("stops a key that requeues itself forever without any request", async () => {
    await using t = await harness(appOf({ eager: () => () => after(0) }));
    await t.create(ConfigMap, { metadata: { name: "web" } });
    expect((await failure(t)).message).toContain("it requeues itself");
  });

  it("runs every key twice, and names the object and field that keep changing", async () => {
    await using t = await harness(
      appOf({
        stamp:
          (memory) =>
          async (source, { client, causes }) => {
            if (causes.every(({ type }) => type === "change") && memory.has("done")) return;
            memory.set("done", (memory.get("done") ?? 0) + 1);
            await client.apply(Secret, { metadata: { name: "stamp" }, stringData: { n: "x" } }, { force: true });
            await client.apply(
              ConfigMap,
              { metadata: { name: "stamp", annotations: { runs: String(memory.get("done")) } } },
              { force: true },
            );
            void source;
          },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const { reason, message } = await failure(t);
    expect(reason).toBe("unstable");
    expect(message).toMatch(/patch ConfigMap default\/stamp.*, by controller stamp for default\//u);
    expect(message).toMatch(/metadata\.annotations\[runs\] "\d+" → "\d+"/u);
    expect(message).not.toContain("Secret");
  });

  it("accepts a second write with twice: false", async () => {
    await using t = await harness(
      appOf({
        late:
          (memory) =>
          async (_, { client, causes }) => {
            if (causes.some(({ type }) => type === "enqueue")) await client.create(Secret, { metadata: { name: `late-${memory.size}` } });
          },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled({ twice: false });
    expect(await t.list(Secret)).toEqual([]);
    expect((await failure(t)).message).toContain("create Secret default/late-0, by controller late for default/web");
  });

  it("restart clears the operator's memory, and keeps the server's state", async () => {
    const seen: string[] = [];
    await using t = await harness(
      appOf({
        memory: (memory) => (source) => {
          const name = source.metadata.name ?? "";
          memory.set(name, (memory.get(name) ?? 0) + 1);
          seen.push(`${name} ${memory.get(name)}`);
          return done;
        },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled({ twice: false });
    await t.patch(ConfigMap, "web", { data: { a: "b" } });
    await t.settled({ twice: false });
    await t.restart();
    await t.settled({ twice: false });
    expect(seen.filter((line) => line.startsWith("web"))).toEqual(["web 1", "web 2", "web 1"]);
    expect((await t.get(ConfigMap, "web")).data).toEqual({ a: "b" });
  });

  it("shares nothing between two harnesses", async () => {
    await using one = await harness(copies);
    await using other = await harness(copies);
    await one.create(ConfigMap, { metadata: { name: "web" } });
    await one.advance("10m");
    await Promise.all([one.settled(), other.settled()]);
    expect(await one.list(Secret)).toHaveLength(1);
    expect(await other.list(Secret)).toEqual([]);
    expect(one.client.clock.now() - other.client.clock.now()).toBe(600_000);
  });

  it("settles after closed watches and failed answers", async () => {
    await using t = await harness(copies);
    t.cutWatches();
    await t.create(ConfigMap, { metadata: { name: "cut" } });
    await t.settled();
    expect(await t.get(Secret, "cut")).toMatchObject({ metadata: { name: "cut" } });
    for (const answer of [409, 429, 500, 503, 504, "lost", "refused", "timeout"] as const) {
      t.fault({ answer, verb: "patch", kind: Secret, times: 2 });
      await t.create(ConfigMap, { metadata: { name: `after-${answer}` } });
      await t.settled();
      expect(await t.getOrUndefined(Secret, `after-${answer}`)).toBeDefined();
    }
    t.fault({ answer: 409, verb: "get" });
    expect(() => t.fault({ answer: 409, times: 0 })).toThrow("times must be a positive integer, not 0");
  });

  it("completes the work of a crashed operator in its next life", async () => {
    for (let requests = 1; requests <= 6; requests++) {
      await using t = await harness(copies);
      t.crashAfter(requests);
      for (const name of ["a", "b", "c"]) await t.create(ConfigMap, { metadata: { name } });
      await t.settled();
      expect((await t.list(Secret)).map(({ metadata: { name } }) => name)).toEqual(["a", "b", "c"]);
    }
  });

  it("names a run that waits forever, and advances the clock for sleeping runs", async () => {
    const never = new Promise<void>(() => undefined);
    await using t = await harness(
      appOf({
        sleeper:
          () =>
          async (source, { client }) => {
            await sleep(client.clock, 30_000);
            await client.list(Secret);
            if (source.metadata.name === "stuck") await never;
          },
      }),
      { waitMs: 300 },
    );
    await t.create(ConfigMap, { metadata: { name: "sleepy" } });
    await t.settled();
    await t.create(ConfigMap, { metadata: { name: "stuck" } });
    const { reason, message } = await failure(t);
    expect(reason).toBe("stuck");
    expect(message).toMatch(
      /default\/stuck in controller sleeper is running\nRuns that have not ended.*\n {2}default\/stuck in controller sleeper, run .*: GET .*\/secrets 200/u,
    );
  });

  it("advances the clock before it reports a run as stuck, even when waitMs is over at once, as on a busy machine", async () => {
    const app = appOf({
      sleeper:
        () =>
        (_source, { client }) =>
          sleep(client.clock, 30_000),
    });
    await using t = await harness(app, { waitMs: 1 });
    await t.create(ConfigMap, { metadata: { name: "sleepy" } });
    await t.settled();
  });

  it("waits for runs that take real time, without advancing the clock", async () => {
    await using t = await harness(
      appOf({
        real: () => async () => {
          await new Promise((resolve) => {
            setTimeout(resolve, 10);
          });
        },
      }),
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const before = t.client.clock.now();
    await t.settled();
    expect(t.client.clock.now()).toBe(before);
  });

  it("reports why an operator does not start, and that it has ended", async () => {
    const broken: HarnessApp = () => ({ controllers: [], run: () => Promise.reject(new Error("no way")) });
    await expect(harness(broken)).rejects.toThrow("no way");
    const short: HarnessApp = () => ({ controllers: [], run: () => Promise.resolve() });
    await expect(harness(short)).rejects.toThrow("it ended by itself");
  });

  it("writes in place of others: merges statuses, and reports apply conflicts", async () => {
    await using t = await harness(copies, { namespace: "shop" });
    await t.create(ConfigMap, { metadata: { name: "web" }, data: { a: "b" } });
    await t.settled();
    expect((await t.get(Secret, "web")).metadata.namespace).toBe("shop");
    await expect(t.apply(Secret, { metadata: { name: "web" }, stringData: { a: "mine" } })).rejects.toSatisfy(isConflict);
  });

  it("gives the same run for the same seed", async () => {
    const story = async (seed: number): Promise<readonly string[]> => {
      await using t = await harness(copies, { seed });
      t.fault({ answer: 500, verb: "patch", times: 3 });
      t.crashAfter(9);
      for (const name of ["a", "b", "c"]) await t.create(ConfigMap, { metadata: { name } });
      await t.settled();
      return [...t.log.lines, ...(await t.list(Secret)).map((secret) => JSON.stringify(secret)), t.why(ConfigMap, "a")];
    };
    const first = await story(7);
    expect(first.length).toBeGreaterThan(5);
    expect(await story(7)).toEqual(first);
    expect(await story(8)).not.toEqual(first);
  });

  it("fires timers without delay immediately", async () => {
    await using t = await harness(
      appOf({
        polite:
          () =>
          async (_, { client }) => {
            for (let i = 0; i < 50; i++) await sleep(client.clock, 0);
          },
      }),
    );
    const before = t.client.clock.now();
    await t.create(ConfigMap, { metadata: { name: "web" } });
    const began = performance.now();
    await t.settled();
    expect(t.client.clock.now()).toBe(before);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it("waits for a failed list or watch like for any other failure", async () => {
    await using t = await harness(copies);
    t.fault({ answer: 500, verb: "watch", kind: ConfigMap, times: 2 });
    t.fault({ answer: 503, verb: "list", kind: ConfigMap, times: 2 });
    t.cutWatches();
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled();
    expect(await t.getOrUndefined(Secret, "web")).toBeDefined();
  });

  it("settles after a failed settled once the cause is fixed", async () => {
    let isBroken = true;
    await using t = await harness(
      appOf({
        fixed:
          () =>
          async (source, { client }) => {
            if (isBroken) throw new Error("broken");
            await client.apply(Secret, { metadata: { name: source.metadata.name ?? "", labels: { made: "by-us" } } });
          },
      }),
      { retryFor: "1m" },
    );
    await t.create(ConfigMap, { metadata: { name: "web" } });
    expect((await failure(t)).message).toContain("broken");
    isBroken = false;
    await t.patch(ConfigMap, "web", { data: { a: "b" } });
    await t.settled();
    expect(await t.getOrUndefined(Secret, "web")).toBeDefined();
  });

  it("restarts an operator that was stopped for a loop", async () => {
    const wants =
      (colour: string) =>
      (): Work =>
      async (source, { client }) => {
        if (source.data?.["calm"] === undefined && source.data?.["colour"] !== colour)
          await client.patch(ConfigMap, source.metadata.name ?? "", { type: "merge", body: { data: { colour } } });
      };
    await using t = await harness(appOf({ red: wants("red"), blue: wants("blue") }), { runsMax: 20 });
    await t.create(ConfigMap, { metadata: { name: "web" } });
    expect((await failure(t)).message).toContain("ran 21 times and does not become idle. The operator was stopped.");
    await t.patch(ConfigMap, "web", { data: { calm: "yes" } });
    expect((await failure(t)).reason).toBe("loop");
    await t.restart();
    await t.settled();
  });

  it("runs controllers under Lasso's names, whose queues it does not see", async () => {
    const lasso: HarnessApp = ({ runtime, transport, namespace }) => {
      const cluster = createCluster({ runtime, transport, namespace, fieldManager: "lasso" });
      const factory = newSharedControllerFactoryFromConfig({ cluster });
      let isUp = false;
      return {
        controllers: [],
        isReady: () => isUp,
        run: async (signal) => {
          factory.forObject(ConfigMap).registerHandler(signal, "copy", async (_, object) => {
            if (object?.metadata.namespace === namespace)
              await cluster.client.apply(Secret, { metadata: { name: object.metadata.name ?? "" }, stringData: { ...object.data } });
            return undefined;
          });
          await factory.start(signal, 2);
          isUp = true;
          await factory.ended();
        },
      };
    };
    await using t = await harness(lasso);
    await t.create(ConfigMap, { metadata: { name: "web" } });
    await t.settled();
    expect(await t.getOrUndefined(Secret, "web")).toBeDefined();
  });

  it("closes once on repeated calls", async () => {
    const t = await harness(copies);
    await Promise.all([t.close(), t.close()]);
    await t.close();
  });
});
