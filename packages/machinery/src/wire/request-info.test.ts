import { describe, expect, it } from "vitest";
import { requestInfo } from "./request-info.ts";
import { ResourcePathError } from "./resource-path.ts";

/** verb, prefix, group, version, namespace, resource, subresource, name */
type Row = readonly [method: string, target: string, ...expected: string[]];

const resources: readonly Row[] = [
  ["GET", "/api/v1/namespaces", "list", "api", "", "v1", "", "namespaces", "", ""],
  ["GET", "/api/v1/namespaces/other", "get", "api", "", "v1", "other", "namespaces", "", "other"],
  ["GET", "/api/v1/namespaces/other/pods", "list", "api", "", "v1", "other", "pods", "", ""],
  ["GET", "/api/v1/namespaces/other/pods/foo", "get", "api", "", "v1", "other", "pods", "", "foo"],
  ["HEAD", "/api/v1/namespaces/other/pods/foo", "get", "api", "", "v1", "other", "pods", "", "foo"],
  ["GET", "/api/v1/pods", "list", "api", "", "v1", "", "pods", "", ""],
  ["HEAD", "/api/v1/pods", "list", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods/", "list", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/namespaces/other/status", "get", "api", "", "v1", "other", "namespaces", "status", "other"],
  ["PUT", "/api/v1/namespaces/other/finalize", "update", "api", "", "v1", "other", "namespaces", "finalize", "other"],
  ["PATCH", "/apis/apps/v1/namespaces/other/deployments/web/scale", "patch", "apis", "apps", "v1", "other", "deployments", "scale", "web"],
  ["POST", "/api/v1/namespaces/other/pods", "create", "api", "", "v1", "other", "pods", "", ""],
  ["DELETE", "/api/v1/namespaces/other/pods", "deletecollection", "api", "", "v1", "other", "pods", "", ""],
  ["DELETE", "/api/v1/namespaces/other/pods/foo", "delete", "api", "", "v1", "other", "pods", "", "foo"],
  ["OPTIONS", "/api/v1/namespaces/other/pods/foo", "", "api", "", "v1", "other", "pods", "", "foo"],
  ["GET", "/api/v1/watch/pods", "watch", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/watch/namespaces/other/pods", "watch", "api", "", "v1", "other", "pods", "", ""],
  ["GET", "/api/v1/watch/namespaces/other/pods/foo", "watch", "api", "", "v1", "other", "pods", "", "foo"],
  ["GET", "/api/v1/proxy/namespaces/other/pods/foo/a/b", "proxy", "api", "", "v1", "other", "pods", "", "foo"],
  ["GET", "/api/v1/namespaces/other/pods/foo/proxy/a/b", "get", "api", "", "v1", "other", "pods", "proxy", "foo"],
  ["GET", "/api/v1/pods?watch=1", "watch", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?watch", "watch", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?watch=false&watch=true", "list", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?watch=banana&limit=abc", "watch", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dfoo", "list", "api", "", "v1", "", "pods", "", "foo"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dfoo&limit=abc", "list", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Dfoo&labelSelector=%3D%3D", "list", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb", "list", "api", "", "v1", "", "pods", "", ""],
  ["DELETE", "/api/v1/pods?fieldSelector=metadata.name%3Dfoo", "deletecollection", "api", "", "v1", "", "pods", "", ""],
  ["GET", "/api/v1/namespaces/other/pods/a%20b", "get", "api", "", "v1", "other", "pods", "", "a b"],
  ["GET", "/api//pods", "list", "api", "", "", "", "pods", "", ""],
];

describe("requestInfo", () => {
  it.each(resources)("%s %s", (method, target, ...expected) => {
    const { isResourceRequest, verb, apiPrefix, apiGroup, apiVersion, namespace, resource, subresource, name } = requestInfo(
      method,
      target,
    );
    expect(isResourceRequest).toBe(true);
    expect([verb, apiPrefix, apiGroup, apiVersion, namespace, resource, subresource, name]).toEqual(expected);
  });
  it.each([
    ["GET", "/"],
    ["GET", "/api"],
    ["POST", "/api/v1"],
    ["GET", "/apis/apps/v1"],
    ["GET", "/healthz/a/b/c"],
    ["GET", "/apis/x/"],
  ])("%s %s is not a resource request", (method, target) => {
    expect(requestInfo(method, target)).toMatchObject({ isResourceRequest: false, verb: method.toLowerCase(), path: target, resource: "" });
  });
  it("keeps selectors for the verbs that have them", () => {
    expect(requestInfo("GET", "/api/v1/pods?labelSelector=a%3Db&fieldSelector=c%3Dd")).toMatchObject({
      labelSelector: "a=b",
      fieldSelector: "c=d",
    });
    expect(requestInfo("GET", "/api/v1/namespaces/n/pods/foo?labelSelector=a%3Db")).toMatchObject({ labelSelector: "", fieldSelector: "" });
    expect(requestInfo("GET", "/api/v1/watch/pods?labelSelector=a%3Db")).toMatchObject({ labelSelector: "" });
  });
  it("keeps all parts of the path", () => {
    expect(requestInfo("GET", "/api/v1/namespaces/other/pods/foo/proxy/a/b").parts).toEqual(["pods", "foo", "proxy", "a", "b"]);
  });
  it("rejects a verb in the path without anything after it", () => {
    expect(() => requestInfo("GET", "/api/v1/watch?x=1")).toThrow(
      new ResourcePathError("unable to determine kind and namespace from url, /api/v1/watch?x=1"),
    );
    expect(() => requestInfo("GET", "/api/v1/%")).toThrow(ResourcePathError);
  });
});
