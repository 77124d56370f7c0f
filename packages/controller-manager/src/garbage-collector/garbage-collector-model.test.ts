/** Random objects that own each other, deleted one after the other with every policy: the result equals that of a small model. */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { isNotFound, newOwnerReference } from "@drover/machinery";
import type { DeletionPropagation, OwnerReference } from "@drover/machinery";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { garbageCollectorController } from "./garbage-collector.ts";
import { openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { RunningControllers, SceneServer } from "../testing/controllers-scene.ts";

const objectsMax = 8;
/** An owner that never existed. */
const nobody = -1;

interface Plan {
  /** For each object its owners, and whether it blocks them. */
  readonly owners: readonly (readonly { readonly owner: number; readonly blocks: boolean }[])[];
  readonly deletions: readonly { readonly object: number; readonly policy: DeletionPropagation }[];
}

const plans: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: objectsMax }).chain((count) => {
  const object = fc.integer({ min: 0, max: count - 1 });
  const owner = fc.oneof({ weight: 12, arbitrary: object }, { weight: 1, arbitrary: fc.constant(nobody) });
  return fc.record({
    owners: fc.array(
      fc.uniqueArray(fc.record({ owner, blocks: fc.boolean() }), { maxLength: 3, selector: (reference) => reference.owner }),
      { minLength: count, maxLength: count },
    ),
    deletions: fc.array(fc.record({ object, policy: fc.constantFrom<DeletionPropagation[]>("Background", "Foreground", "Orphan") }), {
      minLength: 1,
      maxLength: 4,
    }),
  });
});

const ascending = (a: number, b: number): number => a - b;

/** The remaining objects and their owners: an object is deleted when it had owners and all of them are gone. */
function model({ owners, deletions }: Plan): ReadonlyMap<number, readonly number[]> {
  const left = new Map(owners.map((references, object) => [object, new Set(references.map(({ owner }) => owner))]));
  const collect = (): void => {
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const [object, its] of left) {
        const there = new Set([...its].filter((owner) => left.has(owner)));
        if (its.size > 0 && there.size === 0) isChanged = left.delete(object);
      }
    }
    for (const [object, its] of left) left.set(object, new Set([...its].filter((owner) => left.has(owner))));
  };
  collect();
  for (const { object, policy } of deletions) {
    if (!left.delete(object)) continue;
    if (policy === "Orphan") for (const its of left.values()) its.delete(object);
    collect();
  }
  return new Map(Array.from(left, ([object, its]) => [object, [...its].toSorted(ascending)]));
}

describe("the garbage collector with random owners", () => {
  let scene: SceneServer;
  let running: RunningControllers;
  let count = 0;

  beforeAll(async () => {
    scene = await openManualScene();
    running = runControllers(scene, { controllers: [garbageCollectorController] });
  });
  afterAll(async () => {
    await running.end();
    await scene.close();
  });

  /** Creates without owners first, because of cycles. */
  async function act({ owners, deletions }: Plan, namespace: string): Promise<ReadonlyMap<number, readonly number[]>> {
    const { client } = scene;
    const made = await Promise.all(owners.map((_, index) => client.create(ConfigMap, { metadata: { name: `o${index}` } }, { namespace })));
    const referenceTo = (owner: number, blocks: boolean): OwnerReference => {
      const object = made[owner] ?? { metadata: { name: "nobody", uid: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}` } };
      return newOwnerReference(object, ConfigMap, { blockOwnerDeletion: blocks });
    };
    // All owners are set at once, because an object whose owners are all gone may be deleted at any moment.
    await scene.calm();
    await Promise.all(
      owners.map(async (references, index) => {
        const body = { metadata: { ownerReferences: references.map(({ owner, blocks }) => referenceTo(owner, blocks)) } };
        if (references.length > 0) await client.patch(ConfigMap, `o${index}`, { type: "merge", body }, { namespace });
      }),
    );
    await scene.calm(500);
    for (const { object, policy } of deletions) {
      await client.delete(ConfigMap, `o${object}`, { namespace, propagationPolicy: policy }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      await scene.calm(500);
    }
    const { items } = await client.list(ConfigMap, { namespace });
    return new Map(
      items.map(({ metadata: { name = "", ownerReferences = [] } }) => [
        Number(name.slice(1)),
        ownerReferences.map((reference) => Number(reference.name.slice(1))).toSorted(ascending),
      ]),
    );
  }

  it("leaves the objects and owners of the model", { timeout: 120_000 }, async () => {
    const cases = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / (process.env["DROVER_LONG"] === undefined ? 5 : 500));
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const namespace = `model-${++count}`;
        await scene.client.create(Namespace, { metadata: { name: namespace } });
        const left = await act(plan, namespace);
        await scene.client.deleteCollection(ConfigMap, { namespace, propagationPolicy: "Background" });
        expect(left).toEqual(model(plan));
      }),
      { numRuns: cases },
    );
  });
});
