import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";

const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/nobody";

describe("a patch of an object that is not there", () => {
  it.each(["application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json"])("as %s is a 404, also of a kind that an update makes", async (type) => {
    const { call } = await testServer();
    const body = type.startsWith("application/json-patch") ? [] : { metadata: { labels: { a: "b" } } };
    expect(await call("PATCH", lease, body, { "content-type": type })).toMatchObject({ status: 404, object: { reason: "NotFound", message: 'leases.coordination.k8s.io "nobody" not found' } });
  });

  it("makes it when it is an apply, but not for one who means an object of before", async () => {
    const { call } = await testServer();
    const apply = (meta: Record<string, string>): ReturnType<typeof call> =>
      call("PATCH", `${lease}?fieldManager=me`, { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "nobody", ...meta } }, { "content-type": "application/apply-patch+yaml" });
    expect(await apply({ uid: "u-1" })).toMatchObject({
      status: 409,
      object: { reason: "Conflict", message: 'Operation cannot be fulfilled on leases.coordination.k8s.io "nobody": uid mismatch: the provided object specified uid u-1, and no existing object was found' },
    });
    expect(await apply({})).toMatchObject({ status: 201 });
    expect(await apply({ uid: "u-1" })).toMatchObject({ status: 422, object: { message: 'Lease.coordination.k8s.io "nobody" is invalid: metadata.uid: Invalid value: "u-1": field is immutable' } });
  });
});
