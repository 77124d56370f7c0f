/** Bytes on connections: HTTP/1.1 with ambiguous framing, HTTP/2 frames in any order, upgrades with any WebSocket frames. */
import {
  endHeaders,
  endStream,
  frame,
  frameType,
  headerBlock,
  preface,
  requestBlock,
  resetFrame,
} from "../../packages/apiserver/src/http/testing/http2-frames.ts";
import { readCorpus } from "./corpus-texts.ts";
import type { Draw } from "./draw.ts";
import { hostileNamespace } from "./hostile-request.ts";
import type { RawRequest } from "./hostile-request.ts";

const corpus = readCorpus("frames");
const maps = `/api/v1/namespaces/${hostileNamespace}/configmaps`;
const tokens: readonly string[] = [
  [
    "GET ",
    "POST ",
    "PATCH ",
    "DELETE ",
    " HTTP/1.1\r\n",
    " HTTP/1.0\r\n",
    " HTTP/9.9\r\n",
    "\r\n",
    "\r\n\r\n",
    "\n",
    "\r",
    "Host: localhost\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: -1\r\n",
  ],
  [
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "0\r\n\r\n",
    "5\r\nhello\r\n",
    "ffffffffffffffff\r\n",
    ";ext=1",
    "Expect: 100-continue\r\n",
    "Connection: close\r\n",
  ],
  [
    "Connection: Upgrade\r\nUpgrade: websocket\r\n",
    "Content-Encoding: gzip\r\n",
    maps,
    "?watch=1",
    "%00",
    "//",
    "/../",
    '{"metadata":{"name":"h1"}}',
  ],
].flat();

/** HTTP/1.1: an example with edits, or a head and chunks from the grammar. */
export function http1Request(draw: Draw, token: string): RawRequest {
  if (draw.oneIn(2)) return { wire: "http1", bytes: draw.mutated(draw.of(corpus), tokens, draw.of(corpus)) };
  const lengths = draw.some(2, () =>
    draw.of([
      "Content-Length: 5",
      "Content-Length: 6",
      "Content-Length: 18446744073709551616",
      "Transfer-Encoding: chunked",
      "Transfer-Encoding: identity",
      "Transfer-Encoding: chunked, chunked",
      "Content-Length : 5",
      "content-length: 0x5",
    ]),
  );
  const chunk = (): string =>
    draw.of([
      "5\r\nhello\r\n",
      "0\r\n\r\n",
      "1;a=b\r\nx\r\n",
      "g\r\n",
      "-1\r\n",
      "5\r\nhel",
      "00000000000000005\r\nhello\r\n",
      `1;${"x".repeat(draw.int(3000))}\r\nx\r\n`,
      "0\r\nX: y\r\n\r\n",
      "\r\n",
    ]);
  const head = [
    `${draw.of(["POST", "PUT", "GET"])} ${maps} HTTP/1.${draw.of(["1", "1", "0"])}`,
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    ...lengths,
  ];
  const text = `${head.join(draw.oneIn(20) ? "\n" : "\r\n")}\r\n\r\n${draw.some(6, chunk).join("")}`;
  return { wire: "http1", bytes: Buffer.from(draw.oneIn(5) ? text.repeat(1 + draw.int(20)) : text) };
}

const number = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** HTTP/2: requests, resets, windows, settings, pings and unknown frames, in any order and on any stream. */
export function http2Request(draw: Draw, token: string): RawRequest {
  const stream = (): number => draw.of([0, 1, 1, 3, 3, 5, 7, 2, 2 ** 31 - 1]);
  const block = (): Buffer =>
    draw.rule<Buffer>([
      () =>
        requestBlock(
          draw.of(["GET", "POST", "CONNECT", "get", ""]),
          draw.of([maps, `${maps}?watch=1`, "/openapi/v2", "*", "", "//", "/api/v1/secrets"]),
          headerBlock("authorization", `Bearer ${token}`),
          headerBlock("content-type", "application/json"),
        ),
      () =>
        requestBlock(
          "POST",
          maps,
          headerBlock(
            draw.of(["content-length", ":path", "Upper", "connection", "te", "transfer-encoding", "x\0"]),
            draw.of(["5", "-1", "trailers", "", "a\r\nb", "x".repeat(5000)]),
          ),
        ),
      () => Buffer.from(Array.from({ length: draw.int(30) }, () => draw.int(256))),
    ]);
  const one = (): Buffer =>
    draw.rule<Buffer>([
      () =>
        frame({
          type: frameType.headers,
          flags: draw.of([endHeaders, endStream, endHeaders | endStream, 0x20 | endHeaders, 0x08 | endHeaders]),
          stream: stream(),
          payload: block(),
        }),
      () => frame({ type: frameType.headers, flags: endHeaders | endStream, stream: stream(), payload: block() }),
      () =>
        frame({
          type: frameType.data,
          flags: draw.of([0, endStream, 0x08]),
          stream: stream(),
          payload: Buffer.from(draw.of(["", "{", '{"metadata":{"name":"h1"}}', "\xff"])),
        }),
      () => frame({ type: frameType.continuation, flags: draw.of([0, endHeaders]), stream: stream(), payload: block() }),
      () => resetFrame(stream(), draw.int(20)),
      () => frame({ type: frameType.windowUpdate, stream: stream(), payload: number(draw.of([0, 1, 65_535, 2 ** 31 - 1, 2 ** 32 - 1])) }),
      () =>
        frame({
          type: frameType.settings,
          flags: draw.of([0, 1]),
          stream: draw.of([0, 0, 1]),
          payload: Buffer.concat(
            draw.some(3, () => Buffer.concat([Buffer.of(0, draw.int(10)), number(draw.of([0, 1, 16_384, 2 ** 24, 2 ** 31, 2 ** 32 - 1]))])),
          ),
        }),
      () => frame({ type: frameType.ping, stream: draw.of([0, 0, 1]), payload: Buffer.alloc(draw.of([8, 8, 0, 9])) }),
      () => frame({ type: frameType.goaway, payload: Buffer.alloc(draw.of([8, 0, 100])) }),
      () => frame({ type: draw.of([2, 5, 10, 12, 255]), flags: draw.int(256), stream: stream(), payload: Buffer.alloc(draw.int(20)) }),
    ]);
  const bytes = Buffer.concat([preface, ...Array.from({ length: 1 + draw.int(draw.oneIn(10) ? 200 : 8) }, one)]);
  return { wire: "http2", bytes: draw.oneIn(5) ? draw.mutated(bytes, []) : bytes };
}

/** An upgrade to a stream of a pod or to a watch, and frames after it. */
export function upgradeRequest(draw: Draw, token: string): RawRequest {
  const path = draw.of([
    `/api/v1/namespaces/${hostileNamespace}/pods/h0/exec?command=sh&stdin=true&stdout=true`,
    `/api/v1/namespaces/${hostileNamespace}/pods/target/exec?command=cat&stdin=true&stdout=true&tty=${draw.of(["true", "false", "x"])}`,
    `/api/v1/namespaces/${hostileNamespace}/pods/target/attach?stdin=true&stdout=true`,
    `/api/v1/namespaces/${hostileNamespace}/pods/target/portforward?ports=${draw.of(["80", "0", "99999", "80,80", "x"])}`,
    `/api/v1/namespaces/${hostileNamespace}/pods/target/log?follow=true`,
    `/api/v1/namespaces/${hostileNamespace}/pods/target/proxy/a`,
    `${maps}?watch=1&timeoutSeconds=1`,
    maps,
  ]);
  const protocol = draw.of([
    "v5.channel.k8s.io",
    "v4.channel.k8s.io",
    "channel.k8s.io",
    "base64.channel.k8s.io",
    "portforward.k8s.io",
    "SPDY/3.1+portforward.k8s.io",
    "evil",
    "",
    Array(200).fill("p").join(","),
  ]);
  const head = [
    `${draw.of(["GET", "GET", "POST"])} ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    "Connection: Upgrade",
    `Upgrade: ${draw.of(["websocket", "websocket", "websocket", "SPDY/3.1", "WEBSOCKET", "h2c"])}`,
    `Sec-WebSocket-Version: ${draw.of(["13", "13", "13", "8", "x"])}`,
    `Sec-WebSocket-Key: ${draw.of(["dGhlIHNhbXBsZSBub25jZQ==", "x", ""])}`,
    ...(protocol === "" ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
    ...(draw.oneIn(6) ? ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=99"] : []),
  ];
  const frames = draw.some(draw.oneIn(10) ? 200 : 6, () => webSocketFrame(draw));
  return { wire: "http1", bytes: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), ...frames]) };
}

function webSocketFrame(draw: Draw): Buffer {
  const payload = Buffer.from(
    draw.of(["", "\0hello", "\x01x", '\x04{"Width":99999,"Height":-1}', "\x04{", "\xff\x00", "\x04", "a".repeat(draw.int(2000))]),
    "latin1",
  );
  const opcode = draw.of([0x82, 0x81, 0x02, 0x80, 0x88, 0x89, 0x8a, 0x83, 0x8f, 0xc2, 0xf2]);
  const mask = draw.oneIn(10) ? 0 : 0x80;
  const length = draw.oneIn(20)
    ? Buffer.from([mask | 127, draw.of([0x7f, 0x80, 0]), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    : payload.length < 126
      ? Buffer.of(mask | payload.length)
      : Buffer.of(mask | 126, payload.length >> 8, payload.length & 255);
  return Buffer.concat([Buffer.of(opcode), length, ...(mask === 0 ? [] : [Buffer.alloc(4)]), payload]);
}
