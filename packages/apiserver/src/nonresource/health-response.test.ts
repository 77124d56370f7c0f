import { describe, expect, it } from "vitest";
import { healthResponse, refreshChecks } from "./health-response.ts";
import type { HealthCheck } from "./health-response.ts";
import { splitPath } from "../plain-request.ts";

const ask = (address: string, etcd: () => string | undefined = () => undefined): ReturnType<typeof healthResponse> => {
  const checks: HealthCheck[] = [
    { name: "ping", failure: () => undefined },
    { name: "etcd", failure: etcd },
    { name: "shutdown", failure: () => undefined, endpoints: ["readyz"] },
  ];
  const [path, query] = splitPath(address);
  return healthResponse(path, query, checks);
};

describe("health endpoints", () => {
  it("answer ok in plain text at healthz, livez and readyz", () => {
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      expect(ask(path)).toEqual({
        status: 200,
        body: "ok",
        headers: { "cache-control": "no-cache, private", "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
      });
    }
  });

  it("list every check for ?verbose, whatever its value", () => {
    expect(ask("/livez?verbose")?.body).toBe("[+]ping ok\n[+]etcd ok\nlivez check passed\n");
    expect(ask("/readyz?verbose=0")?.body).toBe("[+]ping ok\n[+]etcd ok\n[+]shutdown ok\nreadyz check passed\n");
  });

  it("skip excluded checks and name unknown ones", () => {
    expect(ask("/livez?verbose&exclude=etcd", () => "gone")?.body).toBe("[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n");
    expect(ask("/livez?verbose&exclude=b&exclude=a")?.body).toBe(
      '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n',
    );
    expect(ask("/livez?exclude=a")?.body).toBe("ok");
  });

  it("answer 500 without the reason when a check fails", () => {
    expect(ask("/healthz", () => "disk full")).toMatchObject({
      status: 500,
      body: "[+]ping ok\n[-]etcd failed: reason withheld\nhealthz check failed\n",
    });
  });

  it("serve a single check with its failure reason", () => {
    expect(ask("/livez/ping?verbose")).toEqual({
      status: 200,
      body: "ok",
      headers: { "cache-control": "no-cache, private", "content-type": "text/plain; charset=utf-8" },
    });
    expect(ask("/healthz/etcd", () => "disk full")).toMatchObject({ status: 500, body: "internal server error: disk full\n" });
    expect(ask("/readyz/shutdown")?.status).toBe(200);
  });

  it("refresh the checks that they make, and no others", async () => {
    const refreshed: string[] = [];
    const checks: HealthCheck[] = [
      { name: "ping", failure: () => undefined },
      { name: "etcd", failure: () => undefined, refresh: () => Promise.resolve(void refreshed.push("etcd")) },
    ];
    for (const address of ["/readyz/ping", "/livez?exclude=etcd", "/version"]) {
      const [path, query] = splitPath(address);
      expect(refreshChecks(path, query, checks)).toBeUndefined();
    }
    for (const address of ["/readyz", "/healthz/etcd", "/livez?verbose"]) {
      const [path, query] = splitPath(address);
      await refreshChecks(path, query, checks);
    }
    expect(refreshed).toEqual(["etcd", "etcd", "etcd"]);
  });

  it("answer 404 for unknown checks", () => {
    for (const path of ["/healthz/nope", "/healthz/", "/livez/shutdown"])
      expect(ask(path)).toMatchObject({ status: 404, body: "404 page not found\n" });
    expect(ask("/healthy")).toBeUndefined();
    expect(ask("/")).toBeUndefined();
  });
});
