/** StatefulSets: one pod after the other, in order. */
import { StatefulSet } from "@drover/api/apps/v1";
import { PersistentVolumeClaim, Pod, Service } from "@drover/api/core/v1";
import { create, patch, patchStatus, remove, scene, step, until } from "../scene.ts";
import type { Condition, Scene } from "../scene.ts";
import { all, counts, gone, image, isReady, rest, service, template } from "../scene-objects.ts";

type Spec = NonNullable<StatefulSet["spec"]>;

const statefulSet = (spec: Partial<Spec> = {}): StatefulSet => ({
  metadata: { name: "web" },
  spec: { replicas: 3, serviceName: "web", selector: { matchLabels: { app: "web" } }, template: template(), ...spec },
});
const headless = create(Service, service({ clusterIP: "None" }));
const settled: Condition = until("all pods are there, new and ready", (view) => {
  const found = view.get(StatefulSet, "web");
  const { status, spec } = found ?? {};
  const wanted = spec?.replicas ?? 1;
  return (
    found !== undefined &&
    status?.observedGeneration === found.metadata.generation &&
    [status?.replicas, status?.readyReplicas, status?.availableReplicas, status?.updatedReplicas].every(
      (count) => (count ?? 0) === wanted,
    ) &&
    status?.currentRevision === status?.updateRevision
  );
});
const ready = (count: number): Condition =>
  until(`${count} ready`, (view) => {
    const { status } = view.get(StatefulSet, "web") ?? {};
    return (
      (status?.readyReplicas ?? 0) === count &&
      status?.replicas === count &&
      view.list(Pod).filter((found) => isReady(found)).length === count
    );
  });
const updated = (count: number): Condition =>
  until(`${count} updated`, (view) => view.get(StatefulSet, "web")?.status?.updatedReplicas === count);
const start = (spec: Partial<Spec> = {}) => step("create", [headless, create(StatefulSet, statefulSet(spec))], settled);
const change = (name: string, body: object, condition: Condition = settled) => step(name, [patch(StatefulSet, "web", body)], condition);
/** These pods are not scheduled: the scene is about their claims. */
const claimed = (policy?: Spec["persistentVolumeClaimRetentionPolicy"]): Partial<Spec> => ({
  podManagementPolicy: "Parallel",
  template: template({ spec: { schedulerName: "nobody" } }),
  ...(policy === undefined ? {} : { persistentVolumeClaimRetentionPolicy: policy }),
  volumeClaimTemplates: [
    { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  ],
});
const startClaimed = (policy?: Spec["persistentVolumeClaimRetentionPolicy"]) =>
  step("create", [headless, create(StatefulSet, statefulSet(claimed(policy)))], all(counts(Pod, 3), counts(PersistentVolumeClaim, 3)));

export const statefulSets: readonly Scene[] = [
  scene("a StatefulSet", start()),
  scene(
    "a StatefulSet scaled up and down",
    start({ replicas: 1 }),
    change("up", { spec: { replicas: 3 } }),
    change("down", { spec: { replicas: 1 } }, all(settled, counts(Pod, 1))),
    change("to nothing", { spec: { replicas: 0 } }, all(settled, gone(Pod))),
  ),
  scene(
    "a StatefulSet all at once",
    start({ podManagementPolicy: "Parallel" }),
    change("down", { spec: { replicas: 1 } }, all(settled, counts(Pod, 1))),
    change("up", { spec: { replicas: 4 } }),
  ),
  scene("a StatefulSet that is updated", start(), change("new image", image("web:2"))),
  scene(
    "a StatefulSet that is updated in part",
    start({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } }),
    change("new image", image("web:2"), all(updated(1), ready(3))),
    change("all", { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } }),
  ),
  scene(
    "a StatefulSet that is updated by hand",
    start({ updateStrategy: { type: "OnDelete" } }),
    change(
      "new image",
      image("web:2"),
      until(
        "it was seen",
        (view) => view.get(StatefulSet, "web")?.status?.updateRevision !== view.get(StatefulSet, "web")?.status?.currentRevision,
      ),
    ),
    step("one deleted", [remove(Pod, "web-1")], all(updated(1), ready(3))),
  ),
  scene("a StatefulSet that is rolled back", start(), change("new image", image("web:2")), change("old image", image("web:1"))),
  scene(
    "a StatefulSet whose update is stuck",
    start(),
    change(
      "broken image",
      {
        spec: {
          template: {
            metadata: { annotations: { "drover.dev/ready": "false" } },
            spec: { containers: [{ name: "main", image: "broken:1" }] },
          },
        },
      },
      all(
        updated(1),
        counts(Pod, 2, (found) => isReady(found)),
      ),
    ),
  ),
  scene(
    "a StatefulSet whose pods are deleted",
    start(),
    step(
      "one deleted",
      [remove(Pod, "web-1")],
      all(
        settled,
        counts(Pod, 3, (found) => isReady(found)),
      ),
    ),
    step(
      "the first deleted",
      [remove(Pod, "web-0")],
      all(
        settled,
        counts(Pod, 3, (found) => isReady(found)),
      ),
    ),
  ),
  scene(
    "a StatefulSet with a failed pod",
    start({ replicas: 2 }),
    step(
      "failed",
      [patchStatus(Pod, "web-0", { status: { phase: "Failed" } })],
      all(
        settled,
        counts(Pod, 2, (found) => isReady(found) && found.status?.phase === "Running"),
      ),
    ),
  ),
  scene(
    "a StatefulSet that waits for its first pod",
    step("create", [headless, create(StatefulSet, statefulSet({ template: template({ conduct: { ready: "false" } }) }))], counts(Pod, 1)),
    step("ready", [patch(Pod, "web-0", { metadata: { annotations: { "drover.dev/ready": "true" } } })], counts(Pod, 2)),
  ),
  scene("a StatefulSet with minReadySeconds", start({ replicas: 2, minReadySeconds: 2 })),
  scene("a StatefulSet that counts from five", start({ replicas: 2, ordinals: { start: 5 } })),
  scene(
    "a StatefulSet with a short history",
    start({ replicas: 1, revisionHistoryLimit: 1 }),
    ...["web:2", "web:3", "web:4"].map((name) => change(name, image(name))),
  ),
  scene(
    "a StatefulSet with claims",
    startClaimed(),
    change("down", { spec: { replicas: 1 } }, counts(Pod, 1)),
    step("deleted", [remove(StatefulSet, "web")], all(gone(StatefulSet), gone(Pod))),
  ),
  scene(
    "claims that go with their pods",
    startClaimed({ whenScaled: "Delete", whenDeleted: "Retain" }),
    change(
      "down",
      { spec: { replicas: 1 } },
      all(
        counts(Pod, 1),
        until(
          "claims are marked",
          (view) => view.list(PersistentVolumeClaim).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length === 1,
        ),
      ),
    ),
  ),
  scene(
    "claims that go with their set",
    startClaimed({ whenScaled: "Retain", whenDeleted: "Delete" }),
    step(
      "deleted",
      [remove(StatefulSet, "web")],
      all(
        gone(StatefulSet),
        gone(Pod),
        until("claims are marked", (view) =>
          view.list(PersistentVolumeClaim).every(({ metadata }) => metadata.deletionTimestamp !== undefined),
        ),
      ),
    ),
  ),
  scene(
    "a StatefulSet that orphans its pods",
    start({ replicas: 2 }),
    step("orphaned", [remove(StatefulSet, "web", "Orphan")], all(gone(StatefulSet), counts(Pod, 2))),
    step("adopted", [create(StatefulSet, statefulSet({ replicas: 2 }))], settled),
  ),
  scene(
    "a StatefulSet whose name is taken",
    step(
      "pod",
      [create(Pod, { metadata: { name: "web-0", labels: { app: "stranger" } }, spec: { containers: [{ name: "main", image: "x" }] } })],
      rest,
    ),
    step("create", [headless, create(StatefulSet, statefulSet({ replicas: 1 }))], rest),
  ),
];
