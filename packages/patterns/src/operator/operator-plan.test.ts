import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Pod, Secret } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import { declareController } from "./declared-controller.ts";
import { watchedKinds } from "./operator-plan.ts";
import { many } from "./slot.ts";

it("watchedKinds lists every kind once: reconciled, owned, read and indexed", () => {
  const reconcile = (): undefined => undefined;
  const controllers = [
    declareController("shop", ConfigMap, { owns: { pods: many(Pod), deployment: Deployment }, reads: [Secret], reconcile }),
    declareController("shop", Secret, { owns: { pod: Pod }, reconcile }),
  ];
  const indexes = [{ kind: Pod, name: "byNode", values: () => [] }];
  expect(watchedKinds({ name: "shop", controllers, indexes, runnables: [], admissions: [] })).toEqual([ConfigMap, Pod, Deployment, Secret]);
});
