import { describe, expect, it } from "vitest";
import { objectResponse, refusedByRoute } from "./object-response.ts";

const object = { kind: "APIGroup", name: "<a>", versions: [{ version: "v1" }] };
const ask = (headers: Readonly<Record<string, string>>, path = "/apis/a"): ReturnType<typeof objectResponse> =>
  objectResponse({ method: "GET", path, headers }, object, { encode: () => Uint8Array.of(7) });

describe("an object that is of no resource", () => {
  it("is JSON on a line of its own for programs", () => {
    expect(ask({})).toEqual({
      status: 200,
      headers: { "cache-control": "no-cache, private", "content-type": "application/json" },
      body: '{"kind":"APIGroup","name":"\\u003ca\\u003e","versions":[{"version":"v1"}]}\n',
    });
  });

  it("is indented for people, who say so or use a program for people", () => {
    const indented = '{\n  "kind": "APIGroup",\n  "name": "\\u003ca\\u003e",\n  "versions": [\n    {\n      "version": "v1"\n    }\n  ]\n}';
    expect(ask({ "user-agent": "curl/8.0" }).body).toBe(indented);
    expect(ask({}, "/apis/a?pretty=true").body).toBe(indented);
    expect(ask({ accept: "application/json;pretty=1" }).body).toBe(indented);
    expect(ask({ "user-agent": "curl/8.0" }, "/apis/a?pretty=false").body).not.toBe(indented);
  });

  it("is YAML for those who like that more", () => {
    expect(ask({ accept: "application/yaml" })).toMatchObject({
      headers: { "content-type": "application/yaml" },
      body: "kind: APIGroup\nname: <a>\nversions:\n- version: v1\n",
    });
    expect(ask({ accept: "application/json, application/yaml;q=0.5" }).headers["content-type"]).toBe("application/json");
  });

  it("is protobuf for those who name it, and JSON for those who take anything", () => {
    expect(ask({ accept: "application/vnd.kubernetes.protobuf,application/json" })).toMatchObject({
      headers: { "content-type": "application/vnd.kubernetes.protobuf" },
      body: Uint8Array.of(7),
    });
    expect(ask({ accept: "application/vnd.kubernetes.protobuf;stream=watch" }).headers["content-type"]).toBe(
      "application/vnd.kubernetes.protobuf",
    );
    expect(ask({ accept: "application/*" }).headers["content-type"]).toBe("application/json");
  });

  it("is refused to those who take none of them, or want it as something else", () => {
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

describe("a path with fixed forms", () => {
  it("refuses methods and forms before it looks closer", () => {
    const refused = (method: string, accept: string): number | undefined =>
      refusedByRoute({ method, path: "/api", headers: { accept } })?.status;
    expect(refused("POST", "")).toBe(405);
    expect(refused("GET", "application/*")).toBe(406);
    for (const accept of ["", "*/*", "text/xml, application/yaml;q=0.1", "application/json;as=Table"])
      expect(refused("GET", accept)).toBeUndefined();
  });
});
