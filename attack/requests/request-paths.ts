/** Paths and queries: escapes, dots, doubled slashes, control characters, unknown versions, selectors, tokens of pages. */
import type { Draw } from "./draw.ts";
import { bytesOf, hostileNamespace, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";

const roots: readonly string[] = [
  "/api",
  "/apis",
  "/api/v1",
  "/apis/apps/v1",
  "/openapi/v2",
  "/openapi/v3",
  "/openapi/v3/apis/apps/v1",
  "/version",
  "/healthz",
  "/readyz",
  "/livez",
  "/metrics",
  "/readyz/etcd",
  "/logs",
  "/debug/pprof",
  "/.well-known/openid-configuration",
  "/openid/v1/jwks",
  "/apis/hostile.example/v1",
  "/apis/nothing/v1",
  "/api/v2",
];
const resources: readonly string[] = [
  "configmaps",
  "secrets",
  "pods",
  "services",
  "serviceaccounts",
  "events",
  "deployments",
  "things",
  "namespaces",
  "nodes",
  "componentstatuses",
  "ConfigMaps",
  "nothing",
  "*",
  "",
];
const subresources: readonly string[] = [
  "status",
  "scale",
  "log",
  "exec",
  "attach",
  "portforward",
  "proxy",
  "proxy/../..",
  "eviction",
  "binding",
  "token",
  "finalize",
  "nothing",
  "status/status",
  "",
];
const segments: readonly string[] = [
  "..",
  ".",
  "%2e%2e",
  "%2E",
  "%2f",
  "%5c",
  "\\",
  "%00",
  "%",
  "%zz",
  "%25",
  "%252e%252e",
  ";",
  ";a=b",
  "%0d%0a",
  "%20",
  "+",
  "~",
  "*",
  "$",
  "@",
  ":",
  "::",
  "%c0%af",
  "%ff%fe",
  "\u00e9",
  "%e2%80%ae",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "then",
  "#",
  "?",
  "&",
  "=",
  '"',
  "<script>",
  "{}",
  "|",
  "a".repeat(300),
];
const methods: readonly string[] = [
  "GET",
  "GET",
  "GET",
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "LIST",
  "WATCH",
  "PROPFIND",
  "get",
  "CONNECT",
  "M-SEARCH",
  "PRI",
];

/** A path that a router could read in two ways. */
export function pathRequest(draw: Draw): FramedRequest {
  const method = draw.of(methods);
  const plain = plainPath(draw);
  const path = draw.oneIn(4) ? plain : edited(draw, plain);
  const hasBody = ["POST", "PUT", "PATCH", "DELETE"].includes(method) && draw.oneIn(2);
  return {
    wire: "framed",
    method,
    path: method === "CONNECT" && draw.oneIn(2) ? "localhost:443" : path + queryText(draw),
    headers: hasBody ? [["Content-Type", "application/json"]] : [],
    ...(hasBody ? { body: bytesOf('{"metadata":{"name":"h1"}}') } : {}),
  };
}

function plainPath(draw: Draw): string {
  if (draw.oneIn(4)) return draw.of(roots);
  const prefix = draw.of(["/api/v1", "/apis/apps/v1", "/apis/batch/v1", "/apis/hostile.example/v1", "/apis/rbac.authorization.k8s.io/v1"]);
  const namespace = draw.oneIn(4)
    ? ""
    : `/namespaces/${draw.oneIn(8) ? draw.of(segments) : draw.of([hostileNamespace, hostileNamespace, "default", "kube-system"])}`;
  const watch = draw.oneIn(10) ? "/watch" : "";
  const name = draw.oneIn(3) ? "" : `/${draw.oneIn(6) ? draw.of(segments) : draw.of(names)}`;
  const sub = name === "" || draw.oneIn(2) ? "" : `/${draw.of(subresources)}`;
  return `${prefix}${watch}${namespace}/${draw.of(resources)}${name}${sub}`;
}

/** Changes some characters of a path to others that mean the same, or something else. */
function edited(draw: Draw, path: string): string {
  let text = path;
  for (let edits = 1 + draw.int(3); edits > 0; edits--) {
    const at = draw.int(text.length + 1);
    const part = draw.of(segments);
    text = draw.rule([
      () => `${text.slice(0, at)}/${part}/${text.slice(at)}`,
      () => text.slice(0, at) + part + text.slice(at),
      () => text.replaceAll("/", draw.of(["//", "/./", "%2f", "/%2e/", "\\"])),
      () => text.slice(0, at) + encodeURIComponent(text.slice(at)),
      () => text.slice(0, at) + Buffer.from(text.slice(at)).toString("hex").replaceAll(/../g, "%$&"),
      () => text + "/".repeat(1 + draw.int(20)),
      () => text.toUpperCase(),
      () => `https://localhost${text}`,
      () => text.slice(1),
      () => (draw.oneIn(10) ? `${text}/${"a/".repeat(1 + draw.int(6000))}` : text),
      () => text.slice(0, at) + draw.of(["\0", "\t", "\x7f", "\u0001", " ", "\u2028"]) + text.slice(at),
    ]);
  }
  return text;
}

const pairs: readonly ((draw: Draw) => string)[] = [
  (draw) => `watch=${draw.of(["1", "true", "yes", "0", ""])}&timeoutSeconds=${draw.of(["1", "0", "-1", "99999999999", "a"])}`,
  (draw) => `limit=${draw.of(["1", "-1", "0", "99999999999999999999", "a", "1.5"])}`,
  (draw) => `continue=${draw.of(["a", "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MX0", "e30", "%00", "A".repeat(5000)])}`,
  (draw) => `resourceVersion=${draw.of(["0", "1", "-1", "999999999999", "a", "99999999999999999999999", ""])}`,
  (draw) => `resourceVersionMatch=${draw.of(["Exact", "NotOlderThan", "Newest", ""])}`,
  (draw) => `labelSelector=${encodeURIComponent(selector(draw))}`,
  (draw) =>
    `fieldSelector=${encodeURIComponent(draw.of(["metadata.name=h1", "metadata.name!=h1,metadata.namespace=a", "spec.nothing=1", "a", "=", "a==b==c", "\\", "status.phase=Running,"]))}`,
  (draw) => `fieldManager=${draw.of(["a", "", "%00", "a".repeat(200), "\u00e9"])}&force=${draw.of(["true", "false", "x", ""])}`,
  (draw) => `fieldValidation=${draw.of(["Strict", "Warn", "Ignore", "Nothing"])}`,
  (draw) => `dryRun=${draw.of(["All", "None", "", "all"])}`,
  (draw) => `timeout=${draw.of(["1ns", "1s", "-1s", "a", "99999999h", "0"])}`,
  (draw) => `pretty=${draw.of(["true", "false", "1", "x"])}`,
  (draw) => `sendInitialEvents=${draw.of(["true", "false", "x"])}&allowWatchBookmarks=true`,
  (draw) =>
    `propagationPolicy=${draw.of(["Orphan", "Background", "Nothing"])}&gracePeriodSeconds=${draw.of(["0", "-1", "a", "9999999999999999999"])}`,
  (draw) => `includeObject=${draw.of(["Metadata", "Object", "None", "x"])}`,
  (draw) =>
    `${draw.of(["__proto__", "constructor", "a[b]", "%zz", "", "a;b", "%00", "\u00e9"])}=${draw.of(["1", "%", "%ff", "", "a".repeat(2000)])}`,
  (draw) =>
    Array(1 + draw.int(300))
      .fill("a=b")
      .join("&"),
  (draw) => `follow=true&tailLines=${draw.of(["-1", "1", "a"])}&sinceTime=x&container=${draw.of(["c", "nope", "%00"])}`,
  (draw) => `exclude=${draw.of(["etcd", "nothing", "%00"])}&verbose`,
];

/** A query, or nothing. */
export const queryText = (draw: Draw): string =>
  draw.oneIn(3) ? "" : `?${Array.from({ length: 1 + draw.int(3) }, () => draw.of(pairs)(draw)).join("&")}`;

function selector(draw: Draw): string {
  const term = (): string =>
    draw.of([
      "a",
      "!a",
      "a=b",
      "a==b",
      "a!=b",
      "a in (b,c)",
      "a notin (b)",
      "a in ()",
      "a in (",
      "a>1",
      "a<x",
      "a>99999999999999999999",
      "",
      "=",
      ",",
      "!",
      "a b",
      "__proto__=x",
      "x.y/z=w",
      "/=",
      "a=\u0000",
    ]);
  return Array.from({ length: 1 + draw.int(draw.oneIn(20) ? 400 : 4) }, term).join(",");
}
