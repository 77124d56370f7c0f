import { findStatusCondition } from "@drover/machinery";
import type { Condition, Transport } from "@drover/machinery";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createOperator, defineResource } from "../index.ts";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene } from "./operator-scene.ts";

const Site = defineResource({ group: "test.drover.dev", version: "v1", kind: "Site", spec: z.object({ title: z.string() }) });

describe("conditions of a run without a status function", () => {
  let scene: OperatorScene;
  let runs = 0;
  afterEach(() => scene.end());

  /** The first runs fail; `refuse` says which status writes the server refuses, by their number. */
  const start = async (failing: number, refuse: (write: number) => boolean): Promise<void> => {
    runs = 0;
    let statusWrites = 0;
    const wrap =
      (next: Transport): Transport =>
      async (request) =>
        /\/sites\/home\/status/.test(request.path) && refuse(++statusWrites)
          ? { status: 500, headers: { "content-type": "application/json" }, body: '{"kind":"Status","code":500,"reason":"InternalError"}' }
          : await next(request);
    const app = createOperator({ name: "sites" });
    app.controller(Site, {
      reconcile: () => {
        if (++runs <= failing) throw new Error("the disk is full");
      },
    });
    scene = await operatorScene(app, { wrap, install: true });
    await scene.client.create(Site, { metadata: { name: "home" }, spec: { title: "one" } });
    await scene.settle(60_000);
  };
  const reconciled = async (): Promise<Condition | undefined> => {
    const { status } = (await scene.client.get(Site, "home")) as { readonly status?: { readonly conditions?: readonly Condition[] } };
    return findStatusCondition(status?.conditions, "Reconciled");
  };

  // The run that succeeded was taken for shown, although its write had failed: the object said for ever that it was not reconciled.
  it("are cleared by a later success if the write of the first one failed", async () => {
    await start(1, (write) => write === 2);
    expect(runs).toBeGreaterThan(2);
    expect(await reconciled()).toMatchObject({ status: "True", reason: "Reconciled" });
  });

  // Nothing wrote the status of a new generation after a success, so that tools which compare generations waited for ever.
  it("name the generation of the last success once a failure has been shown", async () => {
    await start(1, () => false);
    await scene.client.patch(Site, "home", { type: "merge", body: { spec: { title: "two" } } });
    await scene.settle(60_000);
    const { metadata, status } = (await scene.client.get(Site, "home")) as {
      readonly metadata: { readonly generation?: number };
      readonly status?: { readonly observedGeneration?: number };
    };
    expect([metadata.generation, status?.observedGeneration, (await reconciled())?.observedGeneration]).toEqual([2, 2, 2]);
  });

  it("are not written while no run has failed", async () => {
    await start(0, () => false);
    expect([await reconciled(), scene.writes.filter((write) => write.endsWith("/status"))]).toEqual([undefined, []]);
  });
});
