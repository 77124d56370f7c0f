import { createMetrics } from "@drover/machinery";
import type { HttpResponse } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { HealthCheck } from "./health-check.ts";
import { createProbeHandler } from "./probe-handler.ts";
import type { ProbeHandlerOptions } from "./probe-handler.ts";

const ok: HealthCheck = () => undefined;
const bad: HealthCheck = () => Promise.reject(new Error("disk full"));

function rig(options: Partial<ProbeHandlerOptions>) {
  const { log } = testRuntime();
  const handler = createProbeHandler({ log, ...options });
  const ask = (path: string, method = "GET"): Promise<HttpResponse> => handler({ method, path, headers: {} });
  const text = async (path: string, method?: string): Promise<string> => {
    const { status, body } = await ask(path, method);
    return `${status} ${body as string}`;
  };
  return { ask, text, log };
}

describe("health and readiness endpoints", () => {
  it("answer ok while all checks pass, and list every check with ?verbose", async () => {
    const { ask, text } = rig({
      health: new Map([
        ["b", ok],
        ["a", ok],
      ]),
      ready: new Map([["c", ok]]),
    });
    for (const path of ["/healthz", "/healthz/", "/livez", "/readyz", "/healthz?x=1"]) expect(await text(path)).toBe("200 ok");
    expect(await text("/healthz?verbose")).toBe("200 [+]a ok\n[+]b ok\nhealthz check passed\n");
    expect(await text("/readyz?verbose=")).toBe("200 [+]c ok\nhealthz check passed\n");
    expect((await ask("/healthz")).headers).toEqual({ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  });

  it("answer 500 with every check if one fails; the reason is in the log and at the path of the check", async () => {
    const { text, log } = rig({
      health: new Map([
        ["good", ok],
        ["bad", bad],
      ]),
    });
    expect(await text("/healthz")).toBe("500 [-]bad failed: reason withheld\n[+]good ok\nhealthz check failed\n");
    expect(log.entries).toMatchObject([{ fields: { path: "/healthz", check: "bad", error: new Error("disk full") } }]);
    expect(await text("/healthz/bad")).toBe("500 internal server error: disk full\n");
    expect(await text("/livez/good")).toBe("200 ok");
    expect(await text("/healthz/other")).toBe("404 404 page not found\n");
  });

  it("skip excluded checks, and warn about unknown ones", async () => {
    const { text } = rig({
      health: new Map([
        ["good", ok],
        ["bad", bad],
      ]),
    });
    expect(await text("/healthz?exclude=bad")).toBe("200 ok");
    expect(await text("/healthz?exclude=bad&exclude=none&verbose")).toBe(
      '200 [+]bad excluded: ok\n[+]good ok\nwarn: some health checks cannot be excluded: no matches for "none"\nhealthz check passed\n',
    );
  });

  it("answer ok without any check", async () => {
    const { text } = rig({ health: new Map() });
    expect(await text("/healthz?verbose")).toBe("200 [+]ping ok\nhealthz check passed\n");
    expect(await text("/healthz/ping")).toBe("200 ok");
  });

  it("include checks added later, with any name", async () => {
    const health = new Map<string, HealthCheck>();
    const { text } = rig({ health });
    health.set("a b/c", ok).set("__proto__", bad);
    expect(await text("/healthz/a%20b/c")).toBe("200 ok");
    expect(await text("/healthz/__proto__")).toMatch(/^500/);
    expect(await text("/healthz/%")).toMatch(/^404/);
  });
});

describe("createProbeHandler", () => {
  it("serves only the configured paths", async () => {
    const { text } = rig({});
    for (const path of ["/healthz", "/livez", "/readyz", "/metrics", "/", "", "/debug/pprof", "/constructor"])
      expect(await text(path)).toBe("404 404 page not found\n");
    const { text: metricsOnly } = rig({ metrics: createMetrics() });
    for (const path of ["/healthz", "/metrics/x"]) expect(await metricsOnly(path)).toMatch(/^404/);
  });

  it("serves metrics in Prometheus' text format", async () => {
    const metrics = createMetrics();
    metrics.counter({ name: "things_total", help: "Things.", labels: [] }).with({}).add(3);
    const { ask } = rig({ metrics });
    expect(await ask("/metrics")).toEqual({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      body: "# HELP things_total Things.\n# TYPE things_total counter\nthings_total 3\n",
    });
  });

  it("serves further handlers at their exact path, and rejects a path that is taken", async () => {
    const { text } = rig({
      handlers: { "/debug/why": ({ method, path }) => Promise.resolve({ status: 200, headers: {}, body: `${method} ${path}` }) },
    });
    expect(await text("/debug/why?key=a", "POST")).toBe("200 POST /debug/why?key=a");
    for (const path of ["/debug", "/debug/why/more", "/debug/whynot"]) expect(await text(path)).toMatch(/^404/);
    for (const path of ["/metrics", "/healthz/mine", "/readyz", "/livez", "debug"])
      expect(() => rig({ handlers: { [path]: () => Promise.reject(new Error("never")) } })).toThrow(`cannot serve a handler at ${path}`);
  });

  it("answers HEAD without a body, and 405 for methods that write", async () => {
    const { ask, text } = rig({ health: new Map([["a", ok]]) });
    expect(await ask("/healthz", "HEAD")).toMatchObject({ status: 200, body: "" });
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"])
      expect(await ask("/healthz", method)).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
    expect(await text("/nothing", "POST")).toMatch(/^404/);
  });
});
