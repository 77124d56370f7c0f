/** Headers: accept lists, impersonation, tokens, encodings, lengths, origins, front proxies. */
import { gzipSync } from "node:zlib";
import type { Draw } from "./draw.ts";
import { bytesOf, hostileNamespace, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";

type Header = readonly [name: string, value: string];

const accepts: readonly string[] = [
  [
    "application/json",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "text/html",
    "*/*",
    "application/*",
    "",
    ";",
    ",",
    "a/b/c",
    "application/json;q=2",
    "application/json;q=-1",
  ],
  [
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json;as=Nothing;v=v1;g=x",
    "application/json;as=Table;v=v9;g=meta.k8s.io",
  ],
  [
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
    "application/json;stream=watch",
    "application/cbor",
    'application/json;a="b',
    "application/vnd.kubernetes.protobuf;type=watch",
  ],
  [
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
    "application/json;profile=nopeer;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  ],
].flat();
const types: readonly string[] = [
  "application/json",
  "application/yaml",
  "text/plain",
  "application/json; charset=latin1",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
  ";",
  "application/json-patch+json",
  "application/cbor",
  "application/apply-patch+cbor",
  "a".repeat(3000),
];
const users: readonly string[] = [
  "system:admin",
  "system:masters",
  "system:anonymous",
  "system:serviceaccount:kube-system:default",
  "system:node:node-1",
  "",
  " ",
  "a\tb",
  "\u00e9",
  "__proto__",
  "a".repeat(5000),
  "%00",
];
const base64 = (text: string): string => Buffer.from(text).toString("base64url");

const headers: readonly ((draw: Draw) => readonly Header[])[] = [
  (draw) => [
    ["Accept", Array.from({ length: 1 + draw.int(draw.oneIn(20) ? 500 : 4) }, () => draw.of(accepts)).join(draw.of([",", ", ", ";"]))],
  ],
  (draw) => [["Accept", draw.of(accepts)]],
  (draw) => [["Accept-Encoding", draw.of(["gzip", "gzip;q=0", "br", "*", "gzip, gzip, gzip", "identity;q=0", ""])]],
  (draw) => [
    ["Impersonate-User", draw.of(users)],
    ["Impersonate-Group", draw.of(users)],
  ],
  (draw) => [["Impersonate-Group", "system:masters"], ...(draw.oneIn(2) ? [["Impersonate-Uid", "x"] as const] : [])],
  (draw) => [
    ["Impersonate-User", "a"],
    [`Impersonate-Extra-${draw.of(["a", "__proto__", "%zz", "%2f", "", "A B"])}`, draw.of(users)],
  ],
  (draw) => [
    ["X-Remote-User", "system:admin"],
    ["X-Remote-Group", "system:masters"],
    [`X-Remote-Extra-${draw.of(["a", "b"])}`, "c"],
  ],
  (draw) => [
    [
      "Authorization",
      draw.of([
        "Bearer",
        "Bearer ",
        "Bearer a",
        "Basic YTpi",
        "bearer x",
        "Bearer a b",
        `Bearer ${".".repeat(draw.int(3000))}`,
        "Negotiate x",
        "\u0001",
      ]),
    ],
  ],
  (draw) => [
    [
      "Authorization",
      `Bearer ${base64(`{"alg":"${draw.of(["none", "HS256", "RS256", "ES256", ""])}","kid":"${draw.of(["x", "__proto__", "../../x"])}"}`)}.${base64(draw.of(['{"sub":"system:admin","exp":9e99}', "{}", "[]", "null", '{"a":'.repeat(500)]))}.AAAA`,
    ],
  ],
  (draw) => [["Content-Type", draw.of(types)]],
  (draw) => [["Content-Encoding", draw.of(["gzip", "br", "deflate", "identity", "gzip, gzip", "x"])]],
  (draw) => [
    ["Origin", draw.of(["https://evil.example", "null", "http://localhost", "file://"])],
    ["Sec-Fetch-Site", draw.of(["cross-site", "same-origin", "x"])],
  ],
  (draw) => [["Host", draw.of(["evil.example", "localhost:1", "", "127.0.0.1", "a b", "localhost, evil.example", "[::1]"])]],
  (draw) => [["Expect", draw.of(["100-continue", "200-ok", ""])]],
  (draw) => [
    ["Connection", draw.of(["close", "keep-alive", "Authorization", "Upgrade, HTTP2-Settings", "x"])],
    ["Upgrade", draw.of(["h2c", "websocket", "SPDY/3.1", "TLS/1.0", ""])],
  ],
  (draw) => [
    ["If-None-Match", draw.of(['"x"', "*", "W/", '"'.repeat(2000)])],
    ["Range", draw.of(["bytes=0-", "bytes=-1", "x"])],
  ],
  (draw) => [
    ["X-Http-Method-Override", draw.of(["DELETE", "PUT"])],
    ["X-Original-Url", "/api/v1/secrets"],
    ["Forwarded", "for=127.0.0.1"],
  ],
  (draw) => [
    ["Warning", "299 - x"],
    ["Audit-Id", draw.of(["x", "\u00e9", "a".repeat(3000), "%0d%0aSet-Cookie: a=b"])],
    ["Traceparent", draw.of(["00-0-0-0", "x"])],
  ],
  (draw) =>
    Array.from({ length: 1 + draw.int(draw.oneIn(10) ? 150 : 5) }, (_, index): Header => [
      draw.of(["X-A", "Cookie", "Te", "Trailer", "Via"]) + (draw.oneIn(2) ? "" : `-${index}`),
      draw.of(["a", "", "\u00ff", "a".repeat(200)]),
    ]),
  (draw) => [[draw.of(["X A", "X\tA", "X:A", "", "\u00e9", "X\0A", "__proto__", "constructor"]), draw.of(["a", "a\0b", "a\rb", "\x7f"])]],
];

export function headerRequest(draw: Draw): FramedRequest {
  const chosen = Array.from({ length: 1 + draw.int(3) }, () => draw.of(headers)(draw)).flat();
  const maps = `/api/v1/namespaces/${hostileNamespace}/configmaps`;
  const isWrite = draw.oneIn(2);
  const isZipped = chosen.some(([name]) => name === "Content-Encoding") || draw.oneIn(20);
  const text = `{"metadata":{"name":"${draw.of(names)}"},"data":{"k":"${"v".repeat(draw.oneIn(10) ? 100_000 : 10)}"}}`;
  const path = isWrite
    ? maps
    : draw.of([
        maps,
        "/api",
        "/apis",
        "/openapi/v2",
        "/openapi/v3/api/v1",
        "/metrics",
        "/version",
        "/readyz",
        `${maps}/h1`,
        `/apis/apps/v1/namespaces/${hostileNamespace}/deployments`,
        `${maps}?watch=1&timeoutSeconds=1`,
      ]);
  return {
    wire: "framed",
    method: isWrite ? draw.of(["POST", "PUT", "PATCH"]) : draw.of(["GET", "GET", "HEAD"]),
    path: isWrite && draw.oneIn(2) ? `${maps}/${draw.of(names)}` : path,
    headers: isWrite && !chosen.some(([name]) => name === "Content-Type") ? [["Content-Type", "application/json"], ...chosen] : chosen,
    ...(isWrite ? { body: isZipped ? new Uint8Array(gzipSync(text)) : bytesOf(text) } : {}),
  };
}
