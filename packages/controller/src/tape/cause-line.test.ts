import { objectKey } from "@drover/machinery";
import { expect, it } from "vitest";
import { causeLine } from "./cause-line.ts";
import type { CauseRecord, ChangeRecord } from "./run-record.ts";

const change = (changed: Partial<ChangeRecord>): ChangeRecord => ({
  type: "change",
  event: "updated",
  via: "self",
  kind: { group: "apps", kind: "Deployment" },
  cluster: "",
  key: objectKey("web", "shop"),
  uid: "u",
  resourceVersion: "7",
  writers: [],
  ...changed,
});
const line = (...causes: readonly CauseRecord[]): string | undefined => causeLine(causes, "deployment-controller");

it("causeLine names the writer and the changed field", () => {
  expect(line(change({ event: "added", writers: [{ type: "manager", manager: "kubectl", operation: "Update" }] }))).toBe(
    "Deployment shop/web was created by kubectl",
  );
  expect(line(change({ fields: [{ path: "spec.replicas", before: "3", after: "5" }], fieldCount: 3 }))).toBe(
    "Deployment shop/web was changed: spec.replicas 3 → 5 and 2 more",
  );
  expect(
    line(
      change({
        fields: [
          { path: "metadata.annotations[a]", after: "1" },
          { path: "spec.replicas", before: "3", after: "5" },
        ],
        fieldCount: 2,
      }),
    ),
  ).toBe("Deployment shop/web was changed: spec.replicas 3 → 5 and 1 more");
  expect(line(change({ fields: [{ path: "spec.paused", before: "true" }], fieldCount: 1 }))).toBe(
    "Deployment shop/web was changed: spec.paused true removed",
  );
  expect(line(change({ fields: [{ path: "metadata.deletionTimestamp", after: '"2026"' }], fieldCount: 1 }))).toBe(
    "Deployment shop/web is being deleted",
  );
});

it("causeLine prefers changes by others, and prints causes that are not changes", () => {
  const own = change({
    event: "added",
    writers: [{ type: "self", controller: "deployment-controller", key: objectKey("web", "shop"), run: "1" }],
  });
  expect(line(own, change({ event: "deleted" }))).toBe("Deployment shop/web was deleted");
  expect(line(own)).toBe("Deployment shop/web was created by deployment-controller");
  expect(line({ type: "after", afterMs: 5000, run: "1" })).toBe("5s have passed");
  expect(line({ type: "retry", attempt: 1, error: "boom\nat x", run: "1", isConflict: false })).toBe("it failed before: boom");
  expect(line({ type: "enqueue", note: "its owner is gone" })).toBe("its owner is gone");
  expect(line()).toBeUndefined();
});
