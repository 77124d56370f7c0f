import { describe, expect, it } from "vitest";
import { objectResponse, refusedByRoute } from "./object-response.ts";

const object = { kind: "APIGroup", name: "<a>", versions: [{ version: "v1" }] };
const ask = (headers: Readonly<Record<string, string>>, path = "/apis/a"): ReturnType<typeof objectResponse> =>
  objectResponse({ method: "GET", path, headers }, object, { encode: () => Uint8Array.of(7) });

describe("objectResponse", () => {
  it("answers programs with one line of JSON", () => {
    expect(ask({})).toEqual({
      status: 200,
      headers: { "cache-control": "no-cache, private", "content-type": "application/json" },
      body: '{"kind":"APIGroup","name":"\\u003ca\\u003e","versions":[{"version":"v1"}]}\n',
    });
  });

  it("indents JSON for ?pretty, curl and browsers", () => {
    const indented = '{\n  "kind": "APIGroup",\n  "name": "\\u003ca\\u003e",\n  "versions": [\n    {\n      "version": "v1"\n    }\n  ]\n}';
    expect(ask({ "user-agent": "curl/8.0" }).body).toBe(indented);
    expect(ask({}, "/apis/a?pretty=true").body).toBe(indented);
    expect(ask({ accept: "application/json;pretty=1" }).body).toBe(indented);
    expect(ask({ "user-agent": "curl/8.0" }, "/apis/a?pretty=false").body).not.toBe(indented);
  });

  it("answers with YAML when it is preferred", () => {
    expect(ask({ accept: "application/yaml" })).toMatchObject({
      headers: { "content-type": "application/yaml" },
      body: "kind: APIGroup\nname: <a>\nversions:\n- version: v1\n",
    });
    expect(ask({ accept: "application/json, application/yaml;q=0.5" }).headers["content-type"]).toBe("application/json");
  });

  it("answers with protobuf when it is named, and with JSON for any type", () => {
    expect(ask({ accept: "application/vnd.kubernetes.protobuf,application/json" })).toMatchObject({
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body: Uint8Array.of(7),
    });
    expect(ask({ accept: "application/vnd.kubernetes.protobuf;stream=watch" }).headers["content-type"]).toBe(
      "application/vnd.kubernetes.protobuf",
    );
    expect(ask({ accept: "application/*" }).headers["content-type"]).toBe("application/json");
  });

  it("answers 406 for unsupported media types and conversions", () => {
    for (const accept of ["text/xml", "application/json;as=Table;g=meta.k8s.io;v=v1"]) {
      const { status, body } = ask({ accept });
      expect([status, JSON.parse(body as string)]).toEqual([
        406,
        {
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          reason: "NotAcceptable",
          code: 406,
          message: "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
        },
      ]);
    }
  });
});

describe("refusedByRoute", () => {
  it("refuses methods other than GET and unlisted media types", () => {
    const refused = (method: string, accept: string): number | undefined =>
      refusedByRoute({ method, path: "/api", headers: { accept } })?.status;
    expect(refused("POST", "")).toBe(405);
    expect(refused("GET", "application/*")).toBe(406);
    for (const accept of ["", "*/*", "text/xml, application/yaml;q=0.1", "application/json;as=Table"])
      expect(refused("GET", accept)).toBeUndefined();
  });
});
