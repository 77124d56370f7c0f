import type { HttpRequest } from "@drover/machinery";
import { jsonResponse } from "@drover/client/testing";
import { expect, it } from "vitest";
import type { ChangeLine } from "./change-line.ts";
import { reportRequests } from "./report-requests.ts";

async function reported(request: Partial<HttpRequest>, status = 200): Promise<readonly string[]> {
  const lines: ChangeLine[] = [];
  const transport = reportRequests(
    () => Promise.resolve(jsonResponse({}, { status })),
    (line) => lines.push(line),
  );
  await transport({
    method: "POST",
    path: "/api/v1/namespaces/shop/configmaps",
    headers: { "user-agent": "kubectl/v1.36.3 (linux/amd64)" },
    ...request,
  });
  return lines.map(({ who, did, kind, name }) => `${who} ${did} ${kind} ${name}`);
}

it("reportRequests reports the writer and the object", async () => {
  expect(await reported({ body: '{"metadata":{"name":"a"}}' }, 201)).toEqual(["kubectl created ConfigMap shop/a"]);
  expect(await reported({ body: new TextEncoder().encode('{"metadata":{"generateName":"a-"}}') }, 201)).toEqual([
    "kubectl created ConfigMap shop/a-…",
  ]);
  expect(await reported({ body: "no JSON" }, 201)).toEqual(["kubectl created ConfigMap shop"]);
  expect(await reported({ method: "PATCH", path: "/apis/apps/v1/namespaces/shop/deployments/web/scale?x=1" })).toEqual([
    "kubectl changed scale of Deployment shop/web",
  ]);
  expect(
    await reported({
      method: "PATCH",
      path: "/api/v1/namespaces/shop/configmaps/a",
      headers: { "content-type": "application/apply-patch+yaml", "user-agent": "drover-up" },
    }),
  ).toEqual(["drover-up applied ConfigMap shop/a"]);
  expect(await reported({ path: "/api/v1/namespaces/shop/pods/web/eviction" }, 201)).toEqual([
    "kubectl requested eviction of Pod shop/web",
  ]);
  expect(await reported({ method: "DELETE", path: "/api/v1/nodes/n1", headers: {} })).toEqual(["an unknown client deleted Node n1"]);
});

it("reportRequests skips reads, rejections, dry runs and events", async () => {
  expect(await reported({ method: "GET" })).toEqual([]);
  expect(await reported({}, 409)).toEqual([]);
  expect(await reported({ path: "/api/v1/namespaces/shop/configmaps?dryRun=All" }, 201)).toEqual([]);
  expect(await reported({ path: "/api/v1/namespaces/shop/events" }, 201)).toEqual([]);
  expect(await reported({ path: "/version" })).toEqual([]);
});
