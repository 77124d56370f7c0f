import type { HttpRequest } from "@drover/machinery";
import { jsonResponse } from "@drover/client/testing";
import { expect, it } from "vitest";
import type { Happening } from "./happening.ts";
import { tellRequests } from "./tell-requests.ts";

async function told(request: Partial<HttpRequest>, status = 200): Promise<readonly string[]> {
  const happenings: Happening[] = [];
  const transport = tellRequests(
    () => Promise.resolve(jsonResponse({}, { status })),
    (happening) => happenings.push(happening),
  );
  await transport({
    method: "POST",
    path: "/api/v1/namespaces/shop/configmaps",
    headers: { "user-agent": "kubectl/v1.36.3 (linux/amd64)" },
    ...request,
  });
  return happenings.map(({ who, did, kind, name }) => `${who} ${did} ${kind} ${name}`);
}

it("tellRequests reports the writer and the object", async () => {
  expect(await told({ body: '{"metadata":{"name":"a"}}' }, 201)).toEqual(["kubectl created ConfigMap shop/a"]);
  expect(await told({ body: new TextEncoder().encode('{"metadata":{"generateName":"a-"}}') }, 201)).toEqual([
    "kubectl created ConfigMap shop/a-…",
  ]);
  expect(await told({ body: "no JSON" }, 201)).toEqual(["kubectl created ConfigMap shop"]);
  expect(await told({ method: "PATCH", path: "/apis/apps/v1/namespaces/shop/deployments/web/scale?x=1" })).toEqual([
    "kubectl changed scale of Deployment shop/web",
  ]);
  expect(
    await told({
      method: "PATCH",
      path: "/api/v1/namespaces/shop/configmaps/a",
      headers: { "content-type": "application/apply-patch+yaml", "user-agent": "drover-up" },
    }),
  ).toEqual(["drover-up applied ConfigMap shop/a"]);
  expect(await told({ path: "/api/v1/namespaces/shop/pods/web/eviction" }, 201)).toEqual(["kubectl requested eviction of Pod shop/web"]);
  expect(await told({ method: "DELETE", path: "/api/v1/nodes/n1", headers: {} })).toEqual(["an unknown client deleted Node n1"]);
});

it("tellRequests skips reads, rejections, dry runs and events", async () => {
  expect(await told({ method: "GET" })).toEqual([]);
  expect(await told({}, 409)).toEqual([]);
  expect(await told({ path: "/api/v1/namespaces/shop/configmaps?dryRun=All" }, 201)).toEqual([]);
  expect(await told({ path: "/api/v1/namespaces/shop/events" }, 201)).toEqual([]);
  expect(await told({ path: "/version" })).toEqual([]);
});
