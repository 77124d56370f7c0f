import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const endpoints: readonly string[] = [
  [
    "/debug",
    "/debug/pprof",
    "/debug/pprof/heap",
    "/debug/pprof/profile?seconds=1",
    "/debug/flags/v",
    "/debug/api_priority_and_fairness/dump_queues",
  ],
  [
    "/logs",
    "/logs/kube-apiserver.log",
    "/configz",
    "/flagz",
    "/statusz",
    "/heap",
    "/json",
    "/json/version",
    "/inspect",
    "/env",
    "/.env",
    "/node_modules",
  ],
].flat();

describe("endpoints for debugging", () => {
  it("are closed to users without a role (X31)", async () => {
    const server = await testServer();
    const asAlice = server.handleAs({ name: "alice", groups: ["system:authenticated"] });
    const statuses = await Promise.all(endpoints.map(async (path) => (await asAlice({ method: "GET", path, headers: {} })).status));
    expect(statuses).toEqual(endpoints.map(() => 403));
  });

  it("do not exist, and change nothing with any method (X31)", async () => {
    const server = await testServer();
    const before = await server.store.revision();
    for (const path of endpoints)
      for (const method of ["GET", "PUT", "POST", "DELETE"])
        expect((await server.call(method, path)).status, `${method} ${path}`).toBe(404);
    expect(await server.store.revision()).toBe(before);
  });
});
