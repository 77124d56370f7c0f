import { inspect } from "node:util";
import { encodeListOptions } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { RequestError, verb } from "./request.ts";
import type { RestRequest } from "./request.ts";

const core = { groupVersion: { group: "", version: "v1" } };
const get = (): RestRequest => verb("GET", core);

describe("the path of a RestRequest", () => {
  it("is base, prefix, namespace, resource, name, subresource and suffix, in any order of the calls", () => {
    const request = get().suffix("end").name("web-0").subResource("proxy", "metrics").resource("Pods").namespace("shop").prefix("watch");
    expect(request.url()).toBe("/api/v1/watch/namespaces/shop/pods/web-0/proxy/metrics/end");
  });

  it("starts with the version of the client, or at the root", () => {
    expect(
      verb("GET", { groupVersion: { group: "apps", version: "v1" } })
        .resource("deployments")
        .url(),
    ).toBe("/apis/apps/v1/deployments");
    expect(verb("GET").prefix("version").url()).toBe("/version");
    expect(verb("GET").url()).toBe("/");
  });

  it.each([["/k8s/clusters/c-1"], ["/k8s/clusters/c-1/"]])("starts with the base path %s, also with absPath", (basePath) => {
    expect(
      verb("GET", { basePath, ...core })
        .resource("pods")
        .url(),
    ).toBe("/k8s/clusters/c-1/api/v1/pods");
    expect(
      verb("GET", { basePath, ...core })
        .absPath("/healthz")
        .url(),
    ).toBe("/k8s/clusters/c-1/healthz");
  });

  it("keeps the trailing slash of a single absPath segment only", () => {
    expect(get().absPath("/foo/").url()).toBe("/foo/");
    expect(get().absPath("foo/bar", "baz").url()).toBe("/foo/bar/baz");
    expect(get().absPath("foo", "bar/").url()).toBe("/foo/bar");
    expect(get().absPath("/").url()).toBe("/");
    // Go produces "//" here, which a URL parser reads as the start of a host.
    expect(get().absPath("//").url()).toBe("/");
    expect(verb("GET", { basePath: "/base" }).absPath("/").url()).toBe("/base/");
    expect(get().absPath("/foo/").name("a").url()).toBe("/foo/a");
  });

  it("drops the prefix when absPath is called", () => {
    expect(get().prefix("other").absPath("/metrics").url()).toBe("/metrics");
  });

  it("is set by requestURI together with its query, which replaces all parameters", () => {
    expect(
      verb("GET", { basePath: "/context" }).param("foo", "a").param("bar", "b").prefix("other").requestURI("/test?foo=b&a=b&c=1&c=2").url(),
    ).toBe("/context/test?a=b&c=1&c=2&foo=b");
    expect(verb("GET", { basePath: "/context" }).requestURI("../test?a=%C3%BC#part").url()).toBe("/test?a=%C3%BC");
    expect(get().param("a", "b").requestURI("/x").url()).toBe("/x");
    expect(get().requestURI("/%zz").error?.message).toBe('parse "/%zz": invalid URL escape');
  });

  it("is escaped as in Go", () => {
    expect(get().resource("pods").name("a b?c#d:e;f=g@h!*'()").url()).toBe("/api/v1/pods/a%20b%3Fc%23d:e;f=g@h%21%2A%27%28%29");
    expect(get().namespace("ü").resource("pods").url()).toBe("/api/v1/namespaces/%C3%BC/pods");
  });

  it("means all namespaces for an empty namespace", () => {
    expect(get().namespace("").resource("pods").url()).toBe("/api/v1/pods");
    expect(get().namespaceIfScoped("shop", false).resource("nodes").url()).toBe("/api/v1/nodes");
    expect(get().namespaceIfScoped("shop", true).resource("pods").url()).toBe("/api/v1/namespaces/shop/pods");
  });
});

describe("the query of a RestRequest", () => {
  it("is sorted by name, and sends a parameter set twice twice, in order", () => {
    expect(get().param("foo", "a").param("bar", "2").param("bar", "1").url()).toBe("/api/v1?bar=2&bar=1&foo=a");
  });

  it("adds options encoded by a codec", () => {
    const request = get().versionedParams({ resourceVersion: "1" }, encodeListOptions);
    expect(request.url()).toBe("/api/v1?resourceVersion=1");
    expect(request.versionedParams({ resourceVersion: "2", timeoutSeconds: 10 }, encodeListOptions).url()).toBe(
      "/api/v1?resourceVersion=1&resourceVersion=2&timeoutSeconds=10",
    );
  });

  it("passes the version of the client, or the requested one, to the codec", () => {
    const codec = (_: object, { group, version }: { readonly group: string; readonly version: string }) => `v=${group}/${version}`;
    expect(
      verb("GET", { groupVersion: { group: "apps", version: "v1" } })
        .versionedParams({}, codec)
        .url(),
    ).toBe("/apis/apps/v1?v=apps%2Fv1");
    expect(get().specificallyVersionedParams({}, codec, { group: "batch", version: "v2" }).url()).toBe("/api/v1?v=batch%2Fv2");
  });

  it("keeps the error of the codec", () => {
    const failing = (): string => {
      throw new TypeError("not registered");
    };
    expect(get().versionedParams({}, failing).error).toMatchObject({ name: "RequestError", message: "not registered" });
  });

  it("contains the timeout, which replaces a parameter of that name", () => {
    expect(get().param("timeout", "1h").timeout(61_500).url()).toBe("/api/v1?timeout=1m1.5s");
    expect(get().timeout(0).url()).toBe("/api/v1");
    expect(get().timeout(Number.NaN).error?.message).toBe("timeout must be a finite number of milliseconds, zero or more, not NaN");
    expect(get().timeout(-1).error).toBeInstanceOf(RequestError);
  });

  it.each(["watch", "a/b", "a b", "__proto__", "toString", ""])("accepts %j as the name of a parameter", (name) => {
    expect(verb("GET").param(name, "x").url()).toBe(`/?${encodeURIComponent(name).replace("%20", "+")}=x`);
  });
});

describe("errors of a RestRequest", () => {
  const setters: readonly (readonly [string, (request: RestRequest, value: string) => RestRequest])[] = [
    ["namespace", (request, value) => request.namespace(value)],
    ["resource", (request, value) => request.resource(value)],
    ["resource name", (request, value) => request.name(value)],
    ["subresource", (request, value) => request.subResource(value)],
  ];
  it.each(setters)("occur when a %s is set twice", (what, set) => {
    expect(set(set(get(), "bar"), "baz").error?.message).toBe(`${what} already set to "bar", cannot change to "baz"`);
  });
  it.each(setters)("occur for a %s that a path cannot contain", (what, set) => {
    for (const [segment, problem] of [
      [".", "may not be '.'"],
      ["..", "may not be '..'"],
      ["test/segment", "may not contain '/'"],
      ["test%2bsegment", "may not contain '%'"],
    ] as const) {
      expect(set(get(), segment).error?.message).toBe(`invalid ${what} "${segment}": [${problem}]`);
    }
    expect(set(get(), "a/%").error?.message).toBe(`invalid ${what} "a/%": [may not contain '/' may not contain '%']`);
  });

  it("occur for an empty name, and for a namespace set twice even if it was empty (§3.2)", () => {
    expect(get().name("").error?.message).toBe("resource name may not be empty");
    expect(get().namespace("").namespace("x").error?.message).toBe('namespace already set to "", cannot change to "x"');
  });

  it("are kept: later steps change nothing, and sending fails with the first one", async () => {
    const wrong = get().name("");
    const later = wrong
      .param("foo", "bar")
      .absPath("/abs")
      .prefix("test")
      .suffix("testing")
      .namespace("new")
      .resource("foos")
      .name("bars")
      .body("foo")
      .timeout(1)
      .setHeader("a", "b");
    expect(later).toBe(wrong);
    expect(() => later.toHttpRequest()).toThrow("resource name may not be empty");
  });

  it("occur for an empty namespace where one is required, and only there", () => {
    const inNone = (method: string): RestRequest => verb(method, core).namespace("").resource("pods");
    expect(() => inNone("POST").toHttpRequest()).toThrow("an empty namespace may not be set during creation");
    for (const method of ["GET", "PUT", "DELETE"])
      expect(() => inNone(method).name("x").toHttpRequest()).toThrow("an empty namespace may not be set when a resource name is provided");
    for (const request of [inNone("GET"), inNone("DELETE"), inNone("PATCH").name("x"), verb("POST", core).resource("nodes")])
      expect(request.toHttpRequest().path).toMatch(/^\/api\/v1/);
  });

  it("occur when a request without a client is sent", async () => {
    await expect(get().do()).rejects.toThrow("the request has no client");
    expect(() => get().watch()).toThrow(RequestError);
  });
});

describe("the body of a RestRequest", () => {
  it("is unchanged text, never a file name", () => {
    expect(verb("POST").body("/etc/passwd").toHttpRequest()).toEqual({
      method: "POST",
      path: "/",
      headers: { accept: "application/json, */*" },
      body: "/etc/passwd",
    });
  });
  it("is unchanged bytes or an unchanged stream", () => {
    const bytes = new Uint8Array([1]);
    expect(verb("POST").body(bytes).toHttpRequest().body).toBe(bytes);
    async function* chunks() {
      yield "a";
    }
    const stream = chunks();
    expect(verb("POST").body(stream).toHttpRequest().body).toBe(stream);
  });
  it("is an object as JSON, encoded at once and with its content type", () => {
    const object = { a: 2n ** 60n };
    const request = verb("POST").body(object);
    object.a = 0n;
    expect(request.toHttpRequest()).toMatchObject({ headers: { "content-type": "application/json" }, body: '{"a":1152921504606846976}' });
  });
  it("does not replace a content type that was set before", () => {
    expect(
      verb("PATCH")
        .setHeader("Content-Type", "application/json-patch+json")
        .body([{ op: "test" }])
        .toHttpRequest(),
    ).toMatchObject({ headers: { "content-type": "application/json-patch+json" }, body: '[{"op":"test"}]' });
  });
  it("is empty for undefined, and an error for other types", () => {
    expect(verb("DELETE").body(undefined).toHttpRequest()).not.toHaveProperty("body");
    expect(verb("POST").body(5 as never).error?.message).toBe("unknown type used for body: number");
    expect(verb("POST").body({ f: () => 1 }).error).toBeInstanceOf(RequestError);
  });
});

describe("RestRequest", () => {
  it("is immutable: a step does not change the request it is called on", () => {
    const pods = get().resource("pods");
    const one = pods.name("a").param("x", "1");
    expect([pods.url(), one.url(), pods.name("b").url(), pods.url()]).toEqual([
      "/api/v1/pods",
      "/api/v1/pods/a?x=1",
      "/api/v1/pods/b",
      "/api/v1/pods",
    ]);
    expect(one.toHttpRequest()).toEqual(one.toHttpRequest());
  });

  it("converts methods to upper case, and verb replaces the method", () => {
    expect(verb("get").toHttpRequest().method).toBe("GET");
    expect(get().verb("post").toHttpRequest().method).toBe("POST");
  });

  it("setHeader replaces values, accepts several, and removes the header without values", () => {
    expect(get().setHeader("X-A", "1").setHeader("x-a", "2", "3").toHttpRequest().headers).toEqual({
      accept: "application/json, */*",
      "x-a": ["2", "3"],
    });
    expect(get().setHeader("Accept", "text/plain").toHttpRequest().headers).toEqual({ accept: "text/plain" });
    expect(get().setHeader("accept").toHttpRequest().headers).toEqual({});
    expect(verb("GET", { accept: "application/other" }).toHttpRequest().headers).toEqual({ accept: "application/other" });
  });

  it("rejects header values with line breaks without showing the value", () => {
    expect(get().setHeader("authorization", "Bearer canary\r\nx: y").error?.message).toBe('invalid header field value for "authorization"');
    expect(get().setHeader("a b", "x").error?.message).toBe('invalid header field name "a b"');
  });

  it("shows no headers, and so no credentials, when it is inspected", () => {
    const request = get().setHeader("authorization", "Bearer canary");
    expect(
      inspect(request, { depth: 10, showHidden: true }) + JSON.stringify(request) + inspect(request.settings, { depth: 10 }),
    ).not.toContain("canary");
  });

  it("maxRetries treats negative numbers as zero", () => {
    expect(get().maxRetries(-3).settings.maxRetries).toBe(0);
    expect(get().maxRetries(5).settings.maxRetries).toBe(5);
    expect(get().settings.maxRetries).toBeUndefined();
  });

  it.each<[RestRequest, string]>([
    [get().namespace("shop").resource("pods").name("web-0"), "get pods/web-0 in shop"],
    [get().namespace("").resource("pods"), "list pods in all namespaces"],
    [get().resource("nodes").param("watch", "true"), "watch nodes"],
    [verb("POST", core).namespace("shop").resource("pods"), "create pods in shop"],
    [verb("PUT", core).namespace("shop").resource("Pods").name("web-0").subResource("status"), "update pods/web-0/status in shop"],
    [verb("PATCH", core).resource("nodes").name("a"), "patch nodes/a"],
    [verb("DELETE", core).resource("nodes").name("a"), "delete nodes/a"],
    [verb("DELETE", core).namespace("shop").resource("pods"), "delete all pods in shop"],
    [verb("GET").absPath("/version").param("a", "b"), "GET /version"],
  ])("says in words what it is about: %#", (request, attempt) => {
    expect(request.about.attempt).toBe(attempt);
  });
});
