import { definedOnly } from "../json/defined-only.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResourcePathError, formatResourcePath, parseResourcePath } from "./resource-path.ts";
import type { ResourcePath } from "./resource-path.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const deployments = { group: "apps", version: "v1", resource: "deployments" };

describe("formatResourcePath and parseResourcePath", () => {
  it.each<[ResourcePath, string]>([
    [pods, "/api/v1/pods"],
    [{ ...pods, namespace: "default" }, "/api/v1/namespaces/default/pods"],
    [{ ...pods, namespace: "default", name: "web" }, "/api/v1/namespaces/default/pods/web"],
    [{ ...pods, namespace: "default", name: "web", subresource: "log" }, "/api/v1/namespaces/default/pods/web/log"],
    [{ ...deployments, namespace: "shop", name: "web", subresource: "scale" }, "/apis/apps/v1/namespaces/shop/deployments/web/scale"],
    [{ group: "", version: "v1", resource: "namespaces" }, "/api/v1/namespaces"],
    [{ group: "", version: "v1", resource: "namespaces", name: "shop" }, "/api/v1/namespaces/shop"],
    [{ group: "", version: "v1", resource: "namespaces", name: "shop", subresource: "finalize" }, "/api/v1/namespaces/shop/finalize"],
    [{ group: "", version: "v1", resource: "namespaces", name: "shop", subresource: "status" }, "/api/v1/namespaces/shop/status"],
    [
      { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles", name: "system:node proxy+é!" },
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node%20proxy+%C3%A9%21",
    ],
    [{ ...pods, namespace: "default", name: "web", subresource: "proxy/a/b" }, "/api/v1/namespaces/default/pods/web/proxy/a/b"],
  ])("convert %o to %s", (path, text) => {
    expect(formatResourcePath(path)).toBe(text);
    expect(parseResourcePath(text)).toEqual(path);
  });
  it.each<[ResourcePath, string]>([
    [{ ...pods, name: "" }, "resource name may not be empty"],
    [{ ...pods, name: ".." }, `invalid resource name "..": [may not be '..']`],
    [{ ...pods, name: "a/b%c" }, `invalid resource name "a/b%c": [may not contain '/' may not contain '%']`],
    [{ ...pods, namespace: "." }, `invalid namespace ".": [may not be '.']`],
    [{ ...pods, resource: "po/ds" }, `invalid resource "po/ds": [may not contain '/']`],
    [{ ...pods, name: "x", subresource: "a/../b" }, `invalid subresource "..": [may not be '..']`],
    [{ ...pods, namespace: "", name: "x" }, "an empty namespace may not be set when a resource name is provided"],
    [{ ...pods, subresource: "status" }, "resource name may not be empty"],
  ])("reject %o", (path, message) => {
    expect(() => formatResourcePath(path)).toThrow(new ResourcePathError(message));
  });
  it("mean all namespaces for an empty one, and write lower case", () => {
    expect(formatResourcePath({ ...pods, namespace: "", resource: "Pods" })).toBe("/api/v1/pods");
  });
  it.each(["/", "/version", "/api", "/api/v1", "/apis/apps/v1", "/apis", "/healthz/ping/x/y"])("do not accept %s", (path) =>
    expect(parseResourcePath(path)).toBeUndefined(),
  );
  it("reject an invalid escape", () => {
    expect(() => parseResourcePath("/api/v1/pods/%zz")).toThrow(new ResourcePathError('invalid URL escape "%zz"'));
  });
  it("round-trip", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9.-]{0,9}$/);
    const name = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !/^\.\.?$|[/%]/.test(text));
    const subresource = fc.array(fc.oneof(word, name), { minLength: 1, maxLength: 2 }).map((parts) => parts.join("/"));
    const path = fc.record({
      group: fc.oneof(fc.constant(""), word),
      version: word,
      resource: word,
      namespace: fc.option(name, { nil: undefined }),
      name: fc.option(name, { nil: undefined }),
      subresource: fc.option(subresource, { nil: undefined }),
    });
    fc.assert(
      fc.property(path, (given) => {
        // The two words that are verbs in a path, and namespaces, which contain the others.
        fc.pre(!["watch", "proxy", "namespaces"].includes(given.resource));
        // Inside a namespace these two are not resources but parts of the namespace itself.
        fc.pre(given.namespace === undefined || !["status", "finalize"].includes(given.resource));
        const wanted: ResourcePath = {
          group: given.group,
          version: given.version,
          resource: given.resource,
          ...definedOnly({ namespace: given.namespace }),
          ...(given.name === undefined ? {} : { name: given.name, ...definedOnly({ subresource: given.subresource }) }),
        };
        expect(parseResourcePath(formatResourcePath(wanted))).toEqual(wanted);
      }),
    );
  });
});
