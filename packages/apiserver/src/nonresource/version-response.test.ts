import { describe, expect, it } from "vitest";
import { versionResponse } from "./version-response.ts";

const ask = (path: string, { method = "GET", accept = "" } = {}): ReturnType<typeof versionResponse> =>
  versionResponse({ method, path, headers: { accept } });

describe("/version", () => {
  it("reports the Kubernetes version, indented for browsers", () => {
    const { status, headers, body } = ask("/version") ?? expect.fail("no answer");
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/json" });
    expect((body as string).split("\n").slice(0, 3)).toEqual(["{", '  "major": "1",', '  "minor": "36",']);
    expect(JSON.parse(body as string)).toMatchObject({ gitVersion: "v1.36.3+drover", minCompatibilityMinor: "35" });
    expect(ask("/version/?timeout=32s")?.status).toBe(200);
  });

  it("supports JSON and GET only", () => {
    expect(ask("/version", { accept: "application/json, */*" })?.status).toBe(200);
    expect(JSON.parse(ask("/version", { accept: "text/xml" })?.body as string)).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "406: Not Acceptable\n\nAvailable representations: application/json",
      reason: "NotAcceptable",
      details: {},
      code: 406,
    });
    expect(JSON.parse(ask("/version", { method: "POST" })?.body as string)).toMatchObject({
      code: 405,
      message: "the server does not allow this method on the requested resource",
      details: {},
    });
  });

  it("is not served at other paths", () => {
    expect(ask("/versions")).toBeUndefined();
  });
});
