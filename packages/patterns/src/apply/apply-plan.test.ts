import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printPlan } from "./print-plan.ts";
import type { PlannedChange } from "./apply-plan.ts";

const change = (fields: Partial<PlannedChange>): PlannedChange => ({
  kind: ConfigMap,
  namespace: "shop",
  name: "a",
  type: "patched",
  fields: [],
  ...fields,
});

describe("printPlan", () => {
  it("prints a line per object and field, and counts unchanged objects", () => {
    const changes = [
      change({ type: "created", fields: [{ path: "data.colour", after: "blue" }] }),
      change({
        kind: Deployment,
        name: "web",
        why: "spec.replicas was 3",
        fields: [
          { path: "spec.replicas", before: 3, after: 5 },
          { path: "spec.paused", before: true },
        ],
      }),
      change({
        kind: Secret,
        name: "login",
        type: "recreated",
        why: "type cannot be changed",
        fields: [{ path: "data.token", after: "[redacted]" }],
      }),
      change({ type: "unchanged", name: "same" }),
      change({ type: "waiting", name: "late", why: "waits for Namespace shop" }),
      change({ type: "deleted", name: "old", namespace: "", why: "it is no longer desired" }),
    ];
    expect(printPlan({ title: "apply set web of WebApp shop/web", changes, errors: [new Error("Service shop/x: no")] })).toBe(
      [
        "apply set web of WebApp shop/web",
        "+ ConfigMap shop/a",
        '    data.colour: "blue"',
        "~ Deployment.apps shop/web",
        "    spec.replicas: 3 → 5",
        "    spec.paused: true → nothing",
        "± Secret shop/login (type cannot be changed)",
        '    data.token: "[redacted]"',
        "… ConfigMap shop/late (waits for Namespace shop)",
        "- ConfigMap old (it is no longer desired)",
        "! Service shop/x: no",
        "5 to change, 1 unchanged, 1 failing",
      ].join("\n"),
    );
  });
});
