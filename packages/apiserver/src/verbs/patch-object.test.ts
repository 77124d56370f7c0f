import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/nobody";
const secrets = "/api/v1/namespaces/default/secrets";
const asApply = { "content-type": "application/apply-patch+yaml" };
const crd = {
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { name: { type: "string" }, mode: { type: "string", default: "a" } } } },
          },
        },
      },
    ],
  },
};

describe("PATCH of a missing object", () => {
  it.each(["application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json"])(
    "as %s is a 404, even for a kind that PUT creates",
    async (type) => {
      const { call } = await testServer();
      const body = type.startsWith("application/json-patch") ? [] : { metadata: { labels: { a: "b" } } };
      expect(await call("PATCH", lease, body, { "content-type": type })).toMatchObject({
        status: 404,
        object: { reason: "NotFound", message: 'leases.coordination.k8s.io "nobody" not found' },
      });
    },
  );

  it("creates it for an apply without uid, and conflicts for an apply with one", async () => {
    const { call } = await testServer();
    const apply = (meta: Record<string, string>): ReturnType<typeof call> =>
      call(
        "PATCH",
        `${lease}?fieldManager=me`,
        { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "nobody", ...meta } },
        { "content-type": "application/apply-patch+yaml" },
      );
    expect(await apply({ uid: "u-1" })).toMatchObject({
      status: 409,
      object: {
        reason: "Conflict",
        message:
          'Operation cannot be fulfilled on leases.coordination.k8s.io "nobody": uid mismatch: the provided object specified uid u-1, and no existing object was found',
      },
    });
    expect(await apply({})).toMatchObject({ status: 201 });
    expect(await apply({ uid: "u-1" })).toMatchObject({
      status: 422,
      object: { message: 'Lease.coordination.k8s.io "nobody" is invalid: metadata.uid: Invalid value: "u-1": field is immutable' },
    });
  });
});

describe("server-side apply", () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { a: "?" } };
  it("reports a value of the wrong type as a failed conversion", async () => {
    const { call } = await testServer();
    const message =
      "failed to convert new object (/a; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 0";
    const answer = await call("PATCH", `${secrets}/a?fieldManager=m`, secret, asApply);
    expect(answer).toMatchObject({ status: 500, object: { message } });
    expect(answer.object).not.toHaveProperty("reason");
  });
  it("reports field conflicts before it validates values", async () => {
    const { call } = await testServer();
    await call("POST", secrets, { metadata: { name: "a" }, data: { a: "MQ==" } });
    expect(await call("PATCH", `${secrets}/a?fieldManager=m`, secret, asApply)).toMatchObject({ status: 409 });
  });
  it("refuses nulls in a custom object, except for fields with a default", async () => {
    const { call } = await testServer();
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
    const widgets = "/apis/example.com/v1/namespaces/default/widgets";
    const widget = (spec: {
      readonly name?: null;
      readonly mode?: null;
    }): { apiVersion: string; kind: string; metadata: { name: string }; spec: { name?: null; mode?: null } } => ({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "a" },
      spec,
    });
    expect(await call("PATCH", `${widgets}/a?fieldManager=m`, widget({ name: null }), asApply)).toMatchObject({
      status: 422,
      object: {
        message: 'Widget.example.com "a" is invalid: spec.name: Invalid value: "null": spec.name in body must be of type string: "null"',
      },
    });
    expect(await call("POST", widgets, widget({ name: null, mode: null }))).toMatchObject({ status: 201, object: { spec: { mode: "a" } } });
    expect(await call("PATCH", `${widgets}/a?fieldManager=m&force=true`, widget({ mode: null }), asApply)).toMatchObject({ status: 200 });
  });
});

describe("JSON patch", () => {
  it("accepts a path without its leading slash, as kube-apiserver does", async () => {
    const { call } = await testServer();
    await call("POST", secrets, { metadata: { name: "a" } });
    const answer = await call("PATCH", `${secrets}/a`, [{ op: "add", path: "x/immutable", value: true }], {
      "content-type": "application/json-patch+json",
    });
    expect(answer).toMatchObject({ status: 200, object: { immutable: true } });
  });
});
