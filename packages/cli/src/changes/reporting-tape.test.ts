import { createTape } from "@drover/controller";
import type { ResultRecord } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { expect, it } from "vitest";
import type { ChangeLine } from "./change-line.ts";
import { KindWords } from "./kind-words.ts";
import { reportingTape } from "./reporting-tape.ts";

const write = (
  method: string,
  path: string,
  status = 200,
): { readonly method: string; readonly path: string; readonly status: number; readonly atMs: number; readonly tookMs: number } => ({
  method,
  path,
  status,
  atMs: 0,
  tookMs: 1,
});

it("reportingTape reports failures except conflicts", () => {
  expect(reported("job-controller", { type: "retry", error: "boom\nat x", isConflict: false })).toEqual([
    { who: "job-controller", did: "failed for shop/web, will retry: boom", kind: "", name: "" },
  ]);
  expect(reported("job-controller", { type: "retry", error: "conflict", isConflict: true })).toEqual([]);
});

function reported(controller: string, ...parts: readonly (ReturnType<typeof write> | ResultRecord)[]): readonly ChangeLine[] {
  const lines: ChangeLine[] = [];
  const tape = reportingTape(createTape(testRuntime()), { report: (line) => lines.push(line), kinds: new KindWords() });
  const run = tape.begin({
    run: "1",
    controller,
    key: objectKey("web", "shop"),
    causes: [{ type: "enqueue", note: "a test wants it" }],
    causeCount: 1,
    attempts: 0,
    waitedMs: 0,
  });
  for (const part of parts) if ("method" in part) run.call(part);
  run.end(parts.find((part) => "type" in part) ?? { type: "done" });
  expect(tape.runs()).toHaveLength(1);
  return lines;
}

it("reportingTape reports the writes of a controller with key and cause", () => {
  expect(
    reported(
      "replicaset-controller",
      write("POST", "/api/v1/namespaces/shop/pods", 201),
      write("DELETE", "/api/v1/namespaces/shop/pods/web-1"),
    ),
  ).toEqual([
    { who: "replicaset-controller", did: "created", kind: "Pod", name: "", of: "shop/web", why: "a test wants it" },
    { who: "replicaset-controller", did: "deleted", kind: "Pod", name: "shop/web-1", of: "shop/web", why: "a test wants it" },
  ]);
});

it("reportingTape names what a controller created by the key in the answer", () => {
  const created = {
    ...write("POST", "/api/v1/namespaces/shop/pods", 201),
    wrote: { uid: "u", resourceVersion: "1", key: objectKey("web-x", "shop") },
  };
  expect(reported("replicaset-controller", created).map(({ name }) => name)).toEqual(["shop/web-x"]);
});

it("reportingTape reports that a namespace was emptied, but not the deletions per kind", () => {
  expect(
    reported("namespace-controller", write("DELETE", "/api/v1/namespaces/shop/pods"), write("PUT", "/api/v1/namespaces/shop/finalize")),
  ).toEqual([expect.objectContaining({ did: "emptied", kind: "Namespace", name: "shop" })]);
});

it("reportingTape skips reads, rejections, status, events and writes of kubelets", () => {
  expect(
    reported(
      "replicaset-controller",
      write("GET", "/api/v1/namespaces/shop/pods"),
      write("POST", "/api/v1/namespaces/shop/pods", 409),
      write("PATCH", "/apis/apps/v1/namespaces/shop/replicasets/web/status"),
      write("POST", "/apis/events.k8s.io/v1/namespaces/shop/events", 201),
    ),
  ).toEqual([]);
  expect(reported("kubelet", write("DELETE", "/api/v1/namespaces/shop/pods/web-1"))).toEqual([]);
});

it("reportingTape leaves out the roles that every new cluster completes, and reports those of users", () => {
  const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const lines = reported("clusterrole-aggregation-controller", write("PATCH", `${roles}/admin`), write("PATCH", `${roles}/mine`));
  expect(lines.map(({ kind, name }) => [kind, name])).toEqual([["ClusterRole", "mine"]]);
});
