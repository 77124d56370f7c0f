import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

describe("health checks of a server", () => {
  it("are those of kube-apiserver, with the roles only in mode RBAC", async () => {
    const rbac = (await (await testServer({ authorizationModes: ["RBAC"] })).call("GET", "/readyz?verbose")).text.split("\n");
    expect(rbac).toHaveLength(38);
    expect(rbac.slice(0, 5)).toEqual(["[+]ping ok", "[+]log ok", "[+]etcd ok", "[+]etcd-readiness ok", "[+]informer-sync ok"]);
    expect(rbac.slice(-3)).toEqual(["[+]shutdown ok", "readyz check passed", ""]);
    const other = (await (await testServer({ authorizationModes: ["AlwaysAllow"] })).call("GET", "/readyz?verbose")).text.split("\n");
    expect(rbac.filter((line) => !other.includes(line))).toEqual(["[+]poststarthook/rbac/bootstrap-roles ok"]);
  });

  it("can be asked for one by one, and left out", async () => {
    const server = await testServer();
    const ask = async (path: string): Promise<unknown> => {
      const { status, text } = await server.call("GET", path);
      return [status, text];
    };
    expect(await ask("/readyz/etcd")).toEqual([200, "ok"]);
    expect(await ask("/readyz?exclude=etcd")).toEqual([200, "ok"]);
    expect(await ask("/livez/shutdown")).toEqual([404, "404 page not found\n"]);
    expect(await ask("/livez/loopback-serving-certificate")).toEqual([200, "ok"]);
  });
});
