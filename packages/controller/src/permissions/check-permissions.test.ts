import { Deployment } from "@drover/api/apps/v1";
import type { SelfSubjectAccessReview } from "@drover/api/authorization/v1";
import { createClient } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newForbidden, newNotFound } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { MissingPermissionsError, checkPermissions } from "./check-permissions.ts";
import { eventNeed, leaseNeed, needOf } from "./permission-need.ts";
import type { PermissionNeed } from "./permission-need.ts";

/** A server that allows what is listed, as "verb resource[/subresource] [namespace]". */
function rig({
  allowed = [],
  user = "system:serviceaccount:shop:web",
  refusal,
}: { readonly allowed?: readonly string[]; readonly user?: string; readonly refusal?: () => HttpResponse } = {}) {
  const runtime = testRuntime();
  const asked: string[] = [];
  const client = createClient({
    ...runtime,
    namespace: "shop",
    transport: async ({ path, body }) => {
      if (refusal !== undefined) return refusal();
      if (path.endsWith("selfsubjectreviews"))
        return jsonResponse(
          { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview", metadata: {}, status: { userInfo: { username: user } } },
          { status: 201 },
        );
      const review = JSON.parse(body as string) as SelfSubjectAccessReview;
      const { verb = "", resource = "", subresource, namespace = "" } = review.spec.resourceAttributes ?? {};
      asked.push(`${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`} ${namespace}`.trim());
      return jsonResponse({ ...review, status: { allowed: allowed.includes(asked.at(-1) ?? "") } }, { status: 201 });
    },
  });
  const check = (needs: readonly PermissionNeed[], signal = new AbortController().signal): Promise<unknown> =>
    checkPermissions({ client, needs, log: runtime.log, signal }).then(
      () => "well",
      (error: unknown) => error,
    );
  return { asked, check, log: runtime.log };
}

describe("checkPermissions", () => {
  it("asks for each verb once, and resolves if all are allowed", async () => {
    const { check, asked, log } = rig({ allowed: ["list deployments", "watch deployments", "patch deployments/status shop"] });
    const needs = [
      needOf(Deployment, ["list", "watch"]),
      needOf(Deployment, ["list"]),
      needOf(Deployment, ["patch"], { subresource: "status", namespace: "shop" }),
    ];
    expect(await check(needs)).toBe("well");
    expect(asked.toSorted()).toEqual(["list deployments", "patch deployments/status shop", "watch deployments"]);
    expect(log.entries).toEqual([]);
  });

  it("rejects with what is missing, for whom, and the YAML that grants it", async () => {
    const { check } = rig({ allowed: ["get leases shop", "list deployments"] });
    const error = await check([leaseNeed("shop"), needOf(Deployment, ["list", "watch"]), eventNeed]);
    expect(error).toBeInstanceOf(MissingPermissionsError);
    const { message, yaml, missing } = error as MissingPermissionsError;
    expect(message.split("\n")[0]).toBe(
      "system:serviceaccount:shop:web may not create and update leases.coordination.k8s.io in shop, nor watch deployments.apps in all namespaces, nor create and patch events.events.k8s.io in all namespaces. An administrator can grant it with kubectl apply -f - and this [DRV0350]:",
    );
    expect(message).toContain(yaml);
    expect(yaml).toContain("kind: ServiceAccount\n  name: web\n  namespace: shop\n");
    expect(missing.map(({ resource, verbs }) => [resource, verbs])).toEqual([
      ["leases", ["create", "update"]],
      ["deployments", ["watch"]],
      ["events", ["create", "patch"]],
    ]);
  });

  it("resolves with a warning if the server cannot answer", async () => {
    const review = { group: "authorization.k8s.io", resource: "selfsubjectaccessreviews" };
    for (const refusal of [
      () => statusResponse(newNotFound(review, "")),
      () => statusResponse(newForbidden(review, "", "no")),
      () => jsonResponse({ metadata: {} }),
      (): never => {
        throw new Error("connection refused");
      },
    ]) {
      const { check, log } = rig({ refusal });
      expect(await check([eventNeed])).toBe("well");
      expect(log.entries).toMatchObject([{ level: "warn", message: expect.stringContaining("starting without the check") as string }]);
    }
  });

  it("asks nothing without needs, and rejects when its signal aborts", async () => {
    const { check, asked } = rig();
    expect(await check([])).toBe("well");
    const reason = new Error("enough");
    expect(await check([eventNeed], AbortSignal.abort(reason))).toBe(reason);
    expect(asked).toEqual([]);
  });
});
