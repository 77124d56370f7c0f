/** The roles and bindings of a new cluster in mode RBAC: those of a real server compared with ours. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Without what differs between any two clusters. */
function itemsOf(text: string): readonly Item[] {
  const masked = text.replaceAll(/"(?:uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"masked":""');
  return (JSON.parse(masked) as { readonly items: readonly Item[] }).items;
}

it("has the same objects as a new real cluster in mode RBAC, managed fields included", async (ctx) => {
  if (realServerMissing !== undefined) ctx.skip(realServerMissing);
  const real = await startRealServer();
  try {
    const ours = await createApiServer({ runtime: testRuntime(), host: nodeHost, authorizationModes: ["RBAC"] });
    for (const resource of ["clusterroles", "clusterrolebindings", "roles", "rolebindings"]) {
      const path = `/apis/rbac.authorization.k8s.io/v1/${resource}?labelSelector=kubernetes.io/bootstrapping%3Drbac-defaults`;
      const { body } = await ours.handle({ method: "GET", path, headers: {} });
      expect(itemsOf(body as string), resource).toEqual(itemsOf((await real.send({ method: "GET", path })).body));
    }
  } finally {
    await real.stop();
  }
}, 120_000);
