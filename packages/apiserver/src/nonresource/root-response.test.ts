import { describe, expect, it } from "vitest";
import { Deployment } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { rootResponse } from "./root-response.ts";

const options = {
  resources: [
    { kind: Pod, isCustom: false },
    { kind: Deployment, isCustom: false },
  ],
  checks: [
    { name: "ping", failure: () => undefined },
    { name: "shutdown", failure: () => undefined, endpoints: ["readyz"] as const },
  ],
  otherPaths: ["/metrics"],
};

describe("rootResponse", () => {
  it("lists the served paths, sorted and indented", () => {
    const { body } = rootResponse("/", options) ?? expect.fail("no answer");
    expect((body as string).startsWith('{\n  "paths": [\n    "/api",\n')).toBe(true);
    expect(JSON.parse(body as string)).toEqual({
      paths: [
        "/api",
        "/api/v1",
        "/apis",
        "/apis/",
        "/apis/apps",
        "/apis/apps/v1",
        "/healthz",
        "/healthz/ping",
        "/livez",
        "/livez/ping",
        "/metrics",
        "/openapi/v2",
        "/openapi/v3",
        "/openapi/v3/",
        "/readyz",
        "/readyz/ping",
        "/readyz/shutdown",
        "/version",
      ],
    });
    expect(rootResponse("/index.html", options)?.body).toBe(body);
  });

  it("returns undefined for other paths", () => {
    expect(rootResponse("/nope", options)).toBeUndefined();
  });
});
