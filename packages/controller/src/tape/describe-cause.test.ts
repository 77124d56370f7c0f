import { deepFreeze } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cause } from "../causes/cause.ts";
import { added, deleted, updated } from "../testing/changes.ts";
import { createTape } from "./recording-tape.ts";
import type { Writer } from "./run-record.ts";
import { replicasField, seen, shop, shopKey, tapeScene, wrote } from "./testing/tape-scene.ts";

const labelField = { "f:metadata": { "f:labels": { "f:a": {} } } };

/** Returns the writers of one cause of a run that follows these writes of ours. */
async function writers(cause: Cause, ...own: readonly Parameters<typeof wrote>[]): Promise<readonly Writer[]> {
  const { tape, run } = tapeScene();
  for (const write of own) await run({ calls: [wrote(...write)] });
  await run({ causes: [cause] });
  const record = tape.runs().at(-1)?.causes[0];
  return record?.type === "change" ? record.writers : [];
}

const us = (run: string): Writer => ({ type: "self", controller: "web", key: shopKey, run });
const manager = (name: string): unknown => expect.objectContaining({ type: "manager", manager: name });
const unknown: Writer = { type: "unknown" };

describe("describeCause: the writer of a change", () => {
  const before = shop(5, { replicas: 1, labels: { a: "1" }, managers: [["web", { ...replicasField, ...labelField }]] });
  const byOther = shop(7, {
    replicas: 2,
    labels: { a: "1" },
    managers: [
      ["web", labelField],
      ["kubectl", replicasField],
    ],
  });

  it("is us if the version is the one our write returned", async () => {
    expect(await writers(seen(updated(before, byOther)), [byOther])).toEqual([us("7f#1")]);
    expect(await writers(seen(added(byOther)), [byOther])).toEqual([us("7f#1")]);
  });

  it("is us for a creation, although the first version that was seen is a later one of another writer", async () => {
    const seenFirst = shop(7, {
      managers: [
        ["web", replicasField],
        ["kubelet", {}, "status"],
      ],
    });
    expect(await writers(seen(added(seenFirst)), [shop(6), { method: "POST" }])).toEqual([us("7f#1"), unknown]);
    expect(await writers(seen(added(seenFirst)), [shop(6), { method: "POST", manager: "web" }])).toEqual([us("7f#1"), unknown]);
  });

  it("is not us if the version is not ours, although our field manager is named: another process may use it too", async () => {
    const sameName = shop(7, { replicas: 2, labels: { a: "1" }, managers: [["web", { ...replicasField, ...labelField }]] });
    expect(await writers(seen(updated(before, sameName)), [shop(6)], [shop(8)])).toEqual([us("7f#1"), unknown]);
    expect(await writers(seen(updated(before, sameName)), [shop(8, {}), { manager: "web" }])).toEqual([manager("web")]);
  });

  it("is the field manager of what changed, or the creator of the object", async () => {
    expect(await writers(seen(updated(before, byOther)))).toEqual([
      { type: "manager", manager: "kubectl", operation: "Update", time: "2026-01-01T14:02:01Z" },
    ]);
    expect(await writers(seen(added(byOther)))).toEqual([manager("web")]);
    expect(await writers(seen(updated(shop(5), shop(7, { replicas: 3, managers: [["kubelet", replicasField, "status"]] }))))).toEqual([
      expect.objectContaining({ manager: "kubelet", subresource: "status" }),
    ]);
  });

  it("is unknown if managed fields were not kept, and absent if nothing was written", async () => {
    expect(await writers(seen(updated(shop(5), shop(7, { replicas: 2 }))))).toEqual([unknown]);
    expect(await writers(seen(added(shop(5), true)), [shop(5)])).toEqual([]);
    const same = shop(5);
    expect(await writers(seen(updated(same, same)), [same])).toEqual([]);
  });

  it("is both if our write and another were merged: the other is named only if it is surely not us", async () => {
    const merged = shop(9, {
      replicas: 2,
      labels: { a: "2" },
      managers: [
        ["web", labelField],
        ["kubectl", replicasField],
      ],
    });
    expect(await writers(seen(updated(before, merged)), [shop(8), { manager: "web" }])).toEqual([us("7f#1"), manager("kubectl")]);
    expect(await writers(seen(updated(before, merged)), [shop(8)])).toEqual([us("7f#1"), unknown]);
    expect(await writers(seen(updated(before, merged)), [shop(9), { manager: "web" }])).toEqual([us("7f#1"), manager("kubectl")]);
    expect(await writers(seen(updated(before, merged)), [shop(9)])).toEqual([us("7f#1")]);
  });

  it("includes us if we only removed something, which leaves no trace", async () => {
    const without = shop(9, {
      replicas: 2,
      managers: [
        ["web", {}],
        ["kubectl", replicasField],
      ],
    });
    expect(await writers(seen(updated(before, without)), [shop(9), { manager: "web" }])).toEqual([us("7f#1"), manager("kubectl")]);
  });

  it("is not us if our write changed nothing and returned the version of another writer", async () => {
    expect(await writers(seen(updated(before, byOther)), [byOther, { manager: "web" }])).toEqual([manager("kubectl")]);
    const { tape, run } = tapeScene();
    await run({ causes: [seen(updated(before, byOther))], calls: [wrote(byOther)] });
    await run({ causes: [{ type: "timer", source: "s" }], calls: [wrote(byOther)] });
    expect(tape.runs()[0]?.causes).toEqual([expect.objectContaining({ writers: [manager("kubectl")] })]);
  });

  it("is us for a deletion that the server confirmed to us; other deletions are unknown", async () => {
    const gone = deleted(shop(9));
    expect(await writers(seen(gone), [shop(9), { method: "DELETE" }])).toEqual([us("7f#1")]);
    expect(await writers(seen(gone), [{ metadata: { uid: "shop-uid" } }, { method: "DELETE" }])).toEqual([us("7f#1")]);
    expect(await writers(seen(gone), [shop(9)])).toEqual([unknown]);
    expect(await writers(seen(deleted(shop(9, { terminating: true }))), [shop(9)])).toEqual([us("7f#1")]);
    expect(await writers(seen({ ...gone, isFinalStateUnknown: true }), [shop(9), { method: "DELETE" }])).toEqual([unknown]);
    expect(await writers(seen(gone))).toEqual([unknown]);
  });

  it("is unknown for an object that cannot be parsed, without an error", async () => {
    const { tape, run } = tapeScene();
    const poison = { ...updated(shop(1), shop(2)), resourceVersion: "2", resourceVersionBefore: "1" };
    Object.defineProperty(poison, "object", {
      get: () => {
        throw new Error("not JSON after all");
      },
    });
    await run({ causes: [seen(poison)] });
    expect(tape.runs()[0]?.causes).toEqual([expect.objectContaining({ resourceVersion: "2", writers: [unknown] })]);
    expect(tape.runs()[0]?.causes[0]).not.toHaveProperty("fields");
  });
});

// One object, written by our runs and by others, one of them under our own name, and seen by an informer that merges changes.
type Step =
  | { readonly type: "write"; readonly by: "us" | "twin" | "other"; readonly field: "a" | "b" }
  | { readonly type: "look" }
  | { readonly type: "idle write" };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("write" as const),
      by: fc.constantFrom("us", "twin", "other"),
      field: fc.constantFrom("a", "b"),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: "look" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "idle write" as const }) },
);
const nameOf: Readonly<Record<string, string>> = { us: "web", twin: "web", other: "other" };

interface World {
  readonly version: number;
  readonly values: Readonly<Record<string, number>>;
  readonly owners: Readonly<Record<string, string>>;
}

function objectIn({ version, values, owners }: World, keepsManagers: boolean): KubeObject {
  const managedFields = [...new Set(Object.values(owners))].map((name) => ({
    manager: name,
    operation: "Update",
    apiVersion: "v1",
    time: "2026-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: {
      "f:spec": Object.fromEntries(
        Object.keys(values)
          .filter((field) => owners[field] === name)
          .map((field) => [`f:${field}`, {}]),
      ),
    },
  }));
  const object = {
    metadata: { name: "shop", namespace: "web", uid: "u", resourceVersion: String(version), ...(keepsManagers ? { managedFields } : {}) },
    spec: values,
  };
  return deepFreeze<KubeObject>(object) as KubeObject;
}

describe("describeCause on random histories", () => {
  it("never names us for a version of another writer, nor another writer for ours", () => {
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20) + 100;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.boolean(), fc.boolean(), (steps, keepsManagers, namesManager) => {
        let ms = 0;
        const clock = { now: () => ms, monotonic: () => ms, timer: () => () => undefined };
        const tape = createTape({ clock, log: recordingLog(clock), loopRunsMax: 1000 });
        let world: World = { version: 1, values: { a: 0, b: 0 }, owners: { a: "other", b: "other" } };
        let shown = world;
        const authors = new Map<number, { readonly by: string; readonly run: string }>();
        let runs = 0;
        const taped = (causes: readonly Cause[], version?: number): string => {
          ms++;
          const run = `r${++runs}`;
          const tapedRun = tape.begin({
            run,
            controller: "web",
            key: shopKey,
            causes,
            causeCount: causes.length,
            attempts: 0,
            waitedMs: 0,
          });
          ms++;
          if (version !== undefined)
            tapedRun.call({
              method: "PUT",
              path: "/",
              atMs: 1,
              tookMs: 0,
              status: 200,
              wrote: { uid: "u", resourceVersion: String(version), ...(namesManager ? { manager: "web" } : {}) },
            });
          tapedRun.end({ type: "done" });
          return run;
        };
        for (const next of steps) {
          if (next.type === "look" && shown.version !== world.version) {
            taped([seen(updated(objectIn(shown, keepsManagers), objectIn(world, keepsManagers)))]);
            shown = world;
          } else if (next.type === "write") {
            world = {
              version: world.version + 1,
              values: { ...world.values, [next.field]: world.version },
              owners: { ...world.owners, [next.field]: nameOf[next.by] ?? "" },
            };
            authors.set(world.version, { by: next.by, run: next.by === "us" ? taped([], world.version) : "" });
          } else if (next.type === "idle write" && shown.version === world.version) taped([], world.version);
        }
        for (const { causes } of tape.runs()) {
          for (const cause of causes) {
            if (cause.type !== "change") continue;
            const last = Number(cause.resourceVersion);
            const span = [...authors]
              .filter(([version]) => version > Number(cause.resourceVersionBefore) && version <= last)
              .map(([, author]) => author);
            const ours = span.filter(({ by }) => by === "us").map(({ run }) => run);
            const blamed = cause.writers.flatMap((writer) => (writer.type === "self" ? [writer.run] : []));
            expect(ours).toEqual(expect.arrayContaining(blamed));
            if (authors.get(last)?.by === "us") expect(blamed).toContain(authors.get(last)?.run);
            if (ours.length === span.length) expect(cause.writers.every(({ type }) => type === "self")).toBe(true);
            const foreign = span.filter(({ by }) => by !== "us").map(({ by }) => nameOf[by]);
            for (const writer of cause.writers) if (writer.type === "manager") expect(foreign).toContain(writer.manager);
            if (ours.length === 0) expect(cause.writers.some(({ type }) => type === "manager")).toBe(keepsManagers);
          }
        }
      }),
      { numRuns },
    );
  });
});
