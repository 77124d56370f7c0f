import { constants } from "node:http2";
import type { HttpRequest } from "@drover/machinery";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, startHttp2 } from "./testing/http2-client.ts";
import type { Http2Server } from "./testing/http2-client.ts";
import { endHeaders, endStream, frame, FrameClient, frameType, headerBlock, requestBlock, resetFrame } from "./testing/http2-frames.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

async function* silence({ signal }: HttpRequest): AsyncGenerator<string> {
  await new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
  yield "over";
}

async function* broken(): AsyncGenerator<string> {
  yield "one";
  throw new Error("kaput");
}

describe("an HTTP/2 client that writes its own frames", () => {
  let server: Http2Server;
  let client: FrameClient;
  const seen: HttpRequest[] = [];
  beforeAll(async () => {
    server = await startHttp2((request) => {
      seen.push(request);
      const body = request.path === "/watch" ? silence(request) : request.path === "/broken" ? broken() : "x".repeat(1000);
      return Promise.resolve({ status: 200, headers: {}, body });
    });
  });
  beforeEach(async () => {
    seen.length = 0;
    client = new FrameClient(server.port, server.authorityPem);
    await client.open();
  });
  afterEach(async () => {
    client.socket.destroy();
    // The next client must still be served.
    const session = await server.open();
    expect(await ask(session, {})).toMatchObject({ status: 200 });
    session.destroy();
  });
  afterAll(() => server.end());

  const send = (...frames: readonly Buffer[]): void => void client.socket.write(Buffer.concat(frames));
  const head = (stream: number, block: Buffer, flags: number = endHeaders | endStream): Buffer =>
    frame({ type: frameType.headers, flags, stream, payload: block });
  const arrived = async (type: number): Promise<Uint8Array> => {
    for (;;) {
      const found = client.frames.find((one) => one.type === type);
      if (found !== undefined) return found.payload;
      if (client.socket.closed) throw new Error("closed before the frame arrived");
      await turn();
    }
  };
  const codeOf = (payload: Uint8Array, at: number): number => Buffer.from(payload).readUInt32BE(at);

  it("that resets a request within its body, even without an error, does not reach the handler", async () => {
    const half = frame({ type: frameType.data, stream: 1, payload: Buffer.from('{"half":') });
    send(head(1, requestBlock("POST", "/half"), endHeaders), half, resetFrame(1, constants.NGHTTP2_NO_ERROR));
    send(head(3, requestBlock("GET", "/next")));
    await arrived(frameType.data);
    expect(seen.map(({ path }) => path)).toEqual(["/next"]);
  });

  it.each([
    ["Upgrade", headerBlock("upgrade", "websocket")],
    ["Connection", headerBlock("connection", "upgrade")],
    ["Transfer-Encoding", headerBlock("transfer-encoding", "chunked")],
    ["a header name in capitals", headerBlock("X-A", "b")],
    ["a second :path", headerBlock(":path", "/admin")],
  ])("that sends %s gets its request reset as invalid", async (_, block) => {
    send(head(1, requestBlock("GET", "/bad", block)));
    expect(codeOf(await arrived(frameType.reset), 0)).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
    expect(seen).toEqual([]);
  });

  it("cannot inject headers through line breaks", async () => {
    send(head(1, requestBlock("GET", "/bad", headerBlock("x-a", "b\r\nimpersonate-user: root"))));
    await arrived(frameType.headers);
    expect(seen.map(({ headers }) => headers)).toEqual([{ host: "localhost" }]);
  });

  it("that declares another length than it sends gets its request reset", async () => {
    send(head(1, requestBlock("POST", "/bad", headerBlock("content-length", "5")), endHeaders));
    send(frame({ type: frameType.data, flags: endStream, stream: 1, payload: Buffer.from("abc") }));
    expect(codeOf(await arrived(frameType.reset), 0)).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
    expect(seen).toEqual([]);
  });

  it("that opens and resets thousands of streams is disconnected", async () => {
    const block = requestBlock("GET", "/reset");
    const pairs = Array.from({ length: 5000 }, (_, index) =>
      Buffer.concat([head(2 * index + 1, block), resetFrame(2 * index + 1, constants.NGHTTP2_CANCEL)]),
    );
    send(...pairs);
    await client.closed();
    expect(seen.length).toBeLessThan(300);
  });

  it.each([
    ["settings", frame({ type: frameType.settings, payload: Buffer.of(0, 4, 0, 0, 255, 255) })],
    ["pings", frame({ type: frameType.ping, payload: Buffer.alloc(8) })],
  ])("that sends %s and reads no answer is disconnected", async (_, one) => {
    client.socket.pause();
    const many = Buffer.concat(Array.from({ length: 10_000 }, () => one));
    // The buffers of the two sockets hold megabytes of answers.
    for (let round = 0; client.socket.writable && round < 1000; round++)
      await new Promise<void>((resolve) => void client.socket.write(many, () => resolve()));
    expect(client.socket.writable).toBe(false);
  });

  it("that watches and answers no ping for stallTimeoutMs is disconnected", async () => {
    send(head(1, requestBlock("GET", "/watch")));
    await arrived(frameType.headers);
    await server.clock.advance(31_000);
    await arrived(frameType.ping);
    await server.clock.advance(57_000);
    expect(seen[0]?.signal?.aborted).toBe(false);
    await server.clock.advance(4000);
    await client.closed();
    expect(seen[0]?.signal?.aborted).toBe(true);
  });

  it("that has streamsMax watches can replace each of them in one packet", async () => {
    const watch = requestBlock("GET", "/watch");
    send(...Array.from({ length: 100 }, (_, index) => head(2 * index + 1, watch)));
    const answered = async (count: number): Promise<void> => {
      while (client.frames.filter(({ type }) => type === frameType.headers).length < count) await turn();
    };
    await answered(100);
    for (let index = 0; index < 100; index++) send(resetFrame(2 * index + 1, constants.NGHTTP2_CANCEL), head(2 * (100 + index) + 1, watch));
    await answered(200);
    expect(client.frames.some(({ type }) => type === frameType.reset || type === frameType.goaway)).toBe(false);
  });

  it("never sees the end of a response that failed", async () => {
    send(head(1, requestBlock("GET", "/broken")));
    expect(codeOf(await arrived(frameType.reset), 0)).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    const data = client.frames.filter(({ type }) => type === frameType.data);
    expect(data.map(({ payload, flags }) => [Buffer.from(payload).toString(), flags & endStream])).toEqual([["one", 0]]);
  });

  it("that continues a head without end is disconnected", async () => {
    const more = frame({ type: frameType.continuation, stream: 1, payload: headerBlock("x-a", "b".repeat(10_000)) });
    send(head(1, requestBlock("GET", "/endless"), endStream), ...Array.from({ length: 200 }, () => more));
    await client.closed();
    expect(seen).toEqual([]);
  });

  it("that sends more than the window allows is refused", async () => {
    const piece = Buffer.alloc(16_384);
    send(head(1, requestBlock("POST", "/large", headerBlock("content-length", "99999999")), endHeaders));
    send(...Array.from({ length: 400 }, () => frame({ type: frameType.data, stream: 1, payload: piece })));
    await Promise.race([arrived(frameType.reset), arrived(frameType.goaway), client.closed()]);
    expect(client.frames.some(({ type }) => type === frameType.reset || type === frameType.goaway)).toBe(true);
  });

  it.each([
    ["data on a stream that does not exist", frame({ type: frameType.data, stream: 5, payload: Buffer.from("x") })],
    ["headers on the connection itself", frame({ type: frameType.headers, flags: endHeaders, payload: Buffer.of(0x82) })],
    ["an invalid header block", frame({ type: frameType.headers, flags: endHeaders, stream: 1, payload: Buffer.alloc(50, 0xff) })],
    ["a window that overflows", frame({ type: frameType.windowUpdate, payload: Buffer.of(0x7f, 0xff, 0xff, 0xff) })],
    ["noise", Buffer.alloc(1000, 0xaa)],
  ])("that sends %s loses its session", async (_, bytes) => {
    send(bytes);
    await Promise.race([arrived(frameType.goaway), client.closed()]);
    // nghttp2 may leave the connection open.
    await server.clock.advance(100_000);
    await client.closed();
    expect(seen).toEqual([]);
  });
});
