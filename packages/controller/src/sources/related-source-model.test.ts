import { ConfigMap } from "@drover/api/core/v1";
import { refused } from "@drover/cache/testing";
import type { ScriptedApi } from "@drover/cache/testing";
import { getOwn, objectKey, splitObjectKey } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import fc from "fast-check";
import { expect, it } from "vitest";
import { relatedSource } from "./related-source.ts";
import { sourceRig } from "./testing/source-rig.ts";

type Step =
  | { readonly type: "put"; readonly name: string; readonly app: string }
  | { readonly type: "remove" | "lose"; readonly name: string }
  | { readonly type: "cut" | "restart" | "refuse" }
  | { readonly type: "wait"; readonly ms: number };

const names = fc.constantFrom("x", "y", "z");
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant("put" as const), name: names, app: fc.constantFrom("a", "b", "c") }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("remove" as const, "lose" as const), name: names }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("cut" as const, "restart" as const, "refuse" as const) }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat(2000) }) },
  ),
  { maxLength: 20 },
);

function happen(api: ScriptedApi, step: Exclude<Step, { readonly type: "wait" }>): void {
  switch (step.type) {
    case "put":
      api.put({ metadata: { namespace: "shop", name: step.name, labels: { app: step.app } } });
      return;
    case "remove":
      api.remove(`shop/${step.name}`);
      return;
    case "lose":
      api.unseen(() => {
        api.remove(`shop/${step.name}`);
      });
      api.restart();
      return;
    case "cut":
      api.cut();
      return;
    case "restart":
      api.restart();
      return;
    case "refuse":
      api.fault(() => refused());
  }
}

/** Objects related to a key, as a reconcile would find them. */
const relatedTo = (
  key: ObjectKey,
  objects: Iterable<{ readonly metadata: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> } }>,
): string =>
  Array.from(objects)
    .filter(({ metadata: { labels = {} } }) => getOwn(labels, "app") === splitObjectKey(key).name)
    .map(({ metadata: { name = "" } }) => name)
    .toSorted()
    .join();

/** One case simulates a small server for minutes, so it counts for twenty. */
const numRuns = Math.max(50, Math.floor((fc.readConfigureGlobal()?.numRuns ?? 200) / 20));

it(
  "L2: a reader of the cache has seen, for every requested key, all objects that relate to it in the end, whatever happened to objects, relations and connections",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const rig = sourceRig();
        const { configMaps, clock } = rig;
        const source = relatedSource(ConfigMap, {
          cluster: rig.cluster,
          map: ({ metadata: { labels = {} } }) => [objectKey(getOwn(labels, "app") ?? "")],
        });
        const seen = new Map<ObjectKey, string>();
        const stop = new AbortController();
        const over = source.run(
          {
            request: (key) => {
              seen.set(key, relatedTo(key, source.informer?.list() ?? []));
            },
            synced: () => undefined,
            waitingFor: () => undefined,
          },
          stop.signal,
        );
        await rig.start();
        for (const step of history) {
          if (step.type === "wait") await clock.advance(step.ms);
          else happen(configMaps, step);
        }
        configMaps.repair();
        await clock.advance(120_000);
        for (const name of ["a", "b", "c"])
          expect([name, seen.get(objectKey(name)) ?? ""]).toEqual([name, relatedTo(objectKey(name), configMaps.objects.values())]);
        stop.abort();
        await clock.settle();
        await over;
        await rig.end();
        expect(clock.pending).toEqual([]);
      }),
      { numRuns },
    );
  },
);
