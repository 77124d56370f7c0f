import type { HttpRequest } from "@drover/machinery";
import { jsonResponse } from "@drover/client/testing";
import { expect, it } from "vitest";
import type { ChangeLine } from "./change-line.ts";
import { KindWords } from "./kind-words.ts";
import { reportRequests } from "./report-requests.ts";

async function reported(request: Partial<HttpRequest>, status = 200, answer: object = {}): Promise<readonly string[]> {
  const lines: ChangeLine[] = [];
  const transport = reportRequests(() => Promise.resolve(jsonResponse(answer, { status })), {
    report: (line) => lines.push(line),
    kinds: new KindWords(),
  });
  await transport({
    method: "POST",
    path: "/api/v1/namespaces/shop/configmaps",
    headers: { "user-agent": "kubectl/v1.36.3 (linux/amd64)" },
    ...request,
  });
  return lines.map(
    ({ who, did, kind, name, of, why }) =>
      `${who} ${did} ${kind} ${name}${of === undefined ? "" : ` for ${of}`}${why === undefined ? "" : `, because ${why}`}`,
  );
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

it("reportRequests takes kinds and generated names from the answer", async () => {
  const path = "/apis/example.com/v1/namespaces/shop/widgets";
  const widget = { kind: "Widget", metadata: { name: "a-x7k2p", generateName: "a-" } };
  expect(await reported({ path, body: '{"metadata":{"generateName":"a-"}}' }, 201, widget)).toEqual([
    "kubectl created Widget shop/a-x7k2p",
  ]);
  expect(await reported({ method: "DELETE", path: `${path}/a` }, 200, { kind: "Status", details: { name: "a" } })).toEqual([
    "kubectl deleted widgets shop/a",
  ]);
});

it("reportRequests names the run that a write belongs to, and ignores an invalid header", async () => {
  const because = { controller: "widget", key: "shop/a", why: "Widget shop/a was changed by kubectl: spec.size 1 → 2" };
  const [method, path] = ["PATCH", "/apis/apps/v1/namespaces/shop/deployments/a"];
  expect(
    await reported({ method, path, headers: { "user-agent": "op/1", "drover-because": encodeURIComponent(JSON.stringify(because)) } }),
  ).toEqual(["op changed Deployment shop/a for shop/a, because Widget shop/a was changed by kubectl: spec.size 1 → 2"]);
  for (const value of ["%", "null", "7", "%7B%7D", "x".repeat(10_000)])
    expect(await reported({ method, path, headers: { "user-agent": "op/1", "drover-because": value } })).toEqual([
      "op changed Deployment shop/a",
    ]);
});
