import { ApiError, newResourceExpired, prometheusText } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { AuditOptions } from "./audit.ts";
import { createInformer } from "./informer.ts";
import type { Informer } from "./informer.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { handFedSource } from "../testing/hand-fed-source.ts";
import type { HandFedSource } from "../testing/hand-fed-source.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const day = 24 * 3_600_000;
const web = podVersion("shop/web", 1);
const db = podVersion("shop/db", 2);

interface Stage {
  readonly runtime: TestRuntime;
  readonly source: HandFedSource<TestPod>;
  /** The state of the server, as the audit sees it. */
  readonly truth: HandFedSource<TestPod>;
  readonly informer: Informer<TestPod>;
  readonly told: string[];
  /** Runs until the next audit is over. */
  readonly audit: () => Promise<void>;
  readonly counted: (metric: string) => string[];
}

async function stage(options: Partial<AuditOptions> = {}, items: ObjectVersion<TestPod>[] = [web, db]): Promise<Stage> {
  const runtime = testRuntime();
  const [source, truth] = [handFedSource(items, "2"), handFedSource(items, "2")];
  const informer = createInformer<TestPod>({ source, runtime, name: "pods", audit: { source: truth, ...options } });
  const told: string[] = [];
  informer.addHandler((change) => {
    told.push(`${change.type} ${change.key}${change.type === "deleted" && change.isFinalStateUnknown ? " unknown" : ""}`);
  });
  void informer.run(new AbortController().signal);
  await runtime.clock.settle();
  told.length = 0;
  const audits = (): number => truth.lists.length;
  return {
    runtime,
    source,
    truth,
    informer,
    told,
    audit: async () => {
      const before = audits();
      await runtime.clock.runUntil(() => audits() > before, { limitMs: day });
      await runtime.clock.settle();
    },
    counted: (metric) =>
      prometheusText(runtime.metrics)
        .split("\n")
        .filter((line) => line.startsWith(`${metric}{`)),
  };
}

describe("auditCache", () => {
  it("lists exactly at the store's version, within ten minutes, and finds nothing if nothing was lost", async () => {
    const { runtime, truth, told, audit, counted } = await stage();
    await runtime.clock.advance(389_999);
    expect(truth.lists).toEqual([]);
    await audit();
    expect(runtime.clock.monotonic()).toBeLessThan(600_000);
    expect(truth.lists).toEqual([{ resourceVersion: "2", resourceVersionMatch: "Exact", limit: 500 }]);
    expect([told, counted("informer_audits_total"), runtime.log.entries.filter(({ level }) => level === "error")]).toEqual([
      [],
      ['informer_audits_total{name="pods",outcome="ok"} 1'],
      [],
    ]);
  });

  it("emits a lost deletion without a relist (W7)", async () => {
    const { runtime, source, truth, informer, told, audit, counted } = await stage();
    truth.serve([web], "2");
    await audit();
    expect([told, informer.keys(), source.lists.length]).toEqual([["deleted shop/db unknown"], ["shop/web"], 1]);
    expect(counted("informer_audit_repairs_total")).toEqual([
      'informer_audit_repairs_total{name="pods",type="missed"} 0',
      'informer_audit_repairs_total{name="pods",type="vanished"} 1',
    ]);
    expect(runtime.log.entries.at(-1)).toMatchObject({
      level: "error",
      fields: { informer: "pods", vanished: ["shop/db"], missed: [], count: 1 },
    });
  });

  it("relists when an addition or a change was lost", async () => {
    const { runtime, source, truth, told, audit } = await stage();
    const now = [podVersion("shop/web", 2), db, podVersion("shop/new", 2)];
    truth.serve(now, "2");
    source.serve(now, "3");
    await audit();
    await runtime.clock.advance(60_000);
    expect([told, source.lists.length]).toEqual([["updated shop/web", "added shop/new"], 2]);
  });

  it("relists when only the content differs under the same uids and versions, and the relist takes it (SEC2)", async () => {
    const content = handFedSource([web, podVersion("shop/db", 2, { nodeName: "restored" })], "2");
    const { runtime, source, informer, told } = await stage({ content });
    source.serve([web, podVersion("shop/db", 2, { nodeName: "restored" })], "2");
    await runtime.clock.advance(16 * 60_000);
    expect([told, informer.get(keyOf("shop/db"))?.spec?.nodeName, source.lists.length]).toEqual([["updated shop/db"], "restored", 2]);
    await runtime.clock.advance(5 * 3_600_000);
    expect(source.lists.length).toBe(2);
  });

  it("compares content in every third audit, after the transform, and relists once for a transform that never returns the same", async () => {
    const content = handFedSource([web, db], "2");
    const runtime = testRuntime();
    const [source, truth] = [handFedSource([web, db], "2"), handFedSource([web, db], "2")];
    let calls = 0;
    const informer = createInformer<TestPod>({
      source,
      runtime,
      name: "pods",
      transform: (pod) => ({ ...pod, spec: { nodeName: pod.metadata.name === "web" ? String(calls++) : "same" } }),
      audit: { source: truth, content },
    });
    void informer.run(new AbortController().signal);
    await runtime.clock.settle();
    await runtime.clock.runUntil(() => content.lists.length + truth.lists.length === 9, { limitMs: day });
    await runtime.clock.advance(60_000);
    expect([content.lists.length, truth.lists.length, source.lists.length]).toEqual([3, 6, 2]);
  });

  it("ignores objects that have changed since", async () => {
    const { runtime, source, truth, told, audit } = await stage({ pageSize: 1 });
    const pages = [[podVersion("shop/other", 1)], []];
    truth.list = (options) => {
      (truth.lists as unknown[]).push(options);
      // During the first page, the watch delivers a change that the list does not contain.
      source.send(
        { type: "MODIFIED", version: podVersion("shop/web", 5) },
        { type: "DELETED", version: podVersion("shop/db", 6) },
        { type: "ADDED", version: podVersion("shop/other", 7) },
      );
      return Promise.resolve({
        items: pages.shift() ?? [],
        resourceVersion: "2",
        continue: pages.length > 0 ? "more" : undefined,
        poison: [],
      });
    };
    await audit();
    await runtime.clock.advance(1000);
    expect([told, source.lists.length, truth.lists.at(-1)]).toEqual([
      ["updated shop/web", "deleted shop/db", "added shop/other"],
      1,
      { limit: 1, continue: "more" },
    ]);
  });

  it("does not delete objects that the list could not decode, and nothing if one has no name", async () => {
    const { runtime, truth, informer, told, audit } = await stage();
    const poison = (key: string | undefined) => [{ key, resourceVersion: undefined, message: "broken" }];
    const pages = [
      { items: [], poison: poison("shop/db") },
      { items: [], poison: poison(undefined) },
    ];
    truth.list = (options) => {
      (truth.lists as unknown[]).push(options);
      return Promise.resolve({ resourceVersion: "2", continue: undefined, items: [], poison: [], ...pages.shift() });
    };
    await audit();
    expect([told, informer.keys()]).toEqual([["deleted shop/web unknown"], ["shop/db"]]);
    await audit();
    expect([informer.keys(), runtime.log.entries.at(-1)?.level]).toEqual([["shop/db"], "warn"]);
  });

  it("does not relist repeatedly for an object that no list contains", async () => {
    const { runtime, source, truth, audit } = await stage();
    truth.serve([web, db, podVersion("shop/unreadable", 2)], "2");
    await audit();
    await runtime.clock.advance(60_000);
    expect(source.lists).toHaveLength(2);
    await audit();
    await runtime.clock.advance(60_000);
    expect(source.lists).toHaveLength(2);
    truth.serve([web, db, podVersion("shop/unreadable", 3)], "3");
    await audit();
    await runtime.clock.advance(60_000);
    expect(source.lists).toHaveLength(3);
  });

  it("tries again after the next interval when the version has expired or the list fails", async () => {
    const { runtime, truth, informer, audit, counted } = await stage();
    truth.refuse(new ApiError(newResourceExpired("too old")));
    await audit();
    expect(runtime.log.entries.filter(({ level }) => level === "warn")).toEqual([]);
    truth.refuse(new Error("down"));
    await audit();
    expect(runtime.log.entries.at(-1)).toMatchObject({
      level: "warn",
      message: "cache audit failed, trying again later",
    });
    truth.refuse(undefined);
    truth.serve([], "2");
    await audit();
    expect(counted("informer_audits_total")).toEqual(
      ["error", "expired", "ok"].map((outcome) => `informer_audits_total{name="pods",outcome="${outcome}"} 1`),
    );
    expect(informer.size).toBe(0);
  });

  it("compares a large cache in slices, and deletes every one of many vanished objects", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => podVersion(`shop/p${index}`, 1));
    const [source, truth, runtime] = [handFedSource(many, "2"), handFedSource<TestPod>([], "2"), testRuntime()];
    let [nowMs, turns] = [0, 0];
    // Every look at the clock takes some time, so that work takes time.
    const clock = {
      now: () => nowMs,
      monotonic: () => (nowMs += 0.2),
      timer: (delayMs: number, callback: () => void) => {
        if (delayMs === 0) turns++;
        return runtime.clock.timer(delayMs, callback);
      },
    };
    const informer = createInformer<TestPod>({ source, runtime: { ...runtime, clock }, name: "pods", audit: { source: truth } });
    void informer.run(new AbortController().signal);
    await runtime.clock.runUntil(() => informer.size === 3000, { limitMs: 1000 });
    let before = turns;
    await runtime.clock.runUntil(() => truth.lists.length > 0, { limitMs: day });
    // The table of keys.
    expect(turns - before).toBeGreaterThanOrEqual(3);
    before = turns;
    await runtime.clock.runUntil(() => informer.size === 0, { limitMs: 1000 });
    expect(turns - before).toBeGreaterThanOrEqual(3);
  });

  it("runs only the sampled audits", async () => {
    const { runtime, truth } = await stage({ sample: 0.25, periodMs: 1000 });
    await runtime.clock.advance(800_000);
    expect(truth.lists.length).toBeGreaterThan(200);
    expect(truth.lists.length).toBeLessThan(300);
  });
});
