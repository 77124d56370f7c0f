/**
 * Many watches on one bare HTTP/2 connection, whose events are counted and not parsed.
 *
 *     TLS → frames → DATA → line feeds
 *
 * With thousands of watchers Node's HTTP clients need longer to read an event than a server needs to write it, so that the client would
 * be measured.
 */
import type { TcpSocketConnectOpts } from "node:net";
import { connect } from "node:tls";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import type { TargetAddress } from "./target.ts";

/** Frame types and flags of RFC 9113. */
const frames = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goAway: 7, windowUpdate: 8 } as const;
const endsStream = 0x1;
const endsHeaders = 0x4;
const isAck = 0x1;
const headBytes = 9;
const windowMax = 2 ** 31 - 1;
const firstWindow = 65_535;
/** ":status: 200" in the static table of HPACK. */
const statusOk = 0x88;
const lineFeed = 10;

export interface WatchConnectionOptions {
  readonly address: TargetAddress;
  readonly path: string;
  readonly watches: number;
  readonly onEvent: () => void;
}

/** Resolves with a function that closes the connection when the server has accepted all watches. */
export async function openWatches({ address, path, watches, onEvent }: WatchConnectionOptions): Promise<() => void> {
  const { hostname, port } = new URL(address.url);
  let socket: TLSSocket | undefined;
  await new Promise<void>((resolve, reject) => {
    let accepted = 0;
    const reader = new FrameReader({
      onAccepted: () => {
        if (++accepted === watches) resolve();
      },
      onEvent,
      answer: (bytes) => void socket?.write(bytes),
      onFailure: reject,
    });
    const options: ConnectionOptions & Pick<TcpSocketConnectOpts, "onread"> = {
      host: hostname,
      port: Number(port),
      ca: address.ca,
      checkServerIdentity: () => undefined,
      ALPNProtocols: ["h2"],
      onread: {
        buffer: Buffer.alloc(64 * 1024),
        callback: (length, bytes) => {
          reader.read(bytes as Buffer, length);
          return true;
        },
      },
    };
    socket = connect(options);
    socket.on("error", reject);
    const headers = headerBlock([
      [":method", "GET"],
      [":scheme", "https"],
      [":authority", `${hostname}:${port}`],
      [":path", path],
      ["authorization", `Bearer ${address.token}`],
      ["accept", "application/json"],
      ["user-agent", "bench"],
    ]);
    socket.write(
      Buffer.concat([
        Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        frame(frames.settings, 0, 0, Buffer.from([0, 2, 0, 0, 0, 0, 0, 4, ...uint32(windowMax)])),
        frame(frames.windowUpdate, 0, 0, Buffer.from(uint32(windowMax - firstWindow))),
        ...Array.from({ length: watches }, (_, index) => frame(frames.headers, endsStream | endsHeaders, 2 * index + 1, headers)),
      ]),
    );
  });
  return () => void socket?.destroy();
}

interface FrameEvents {
  readonly onAccepted: () => void;
  readonly onEvent: () => void;
  readonly answer: (bytes: Buffer) => void;
  readonly onFailure: (error: Error) => void;
}

/** Reads frames from pieces of any size. */
class FrameReader {
  readonly #events: FrameEvents;
  readonly #head = Buffer.alloc(headBytes);
  #headLength = 0;
  /** Bytes of the current frame that are still to come. */
  #left = 0;
  /** Payload of a short control frame. */
  #payload: number[] = [];

  constructor(events: FrameEvents) {
    this.#events = events;
  }

  read(bytes: Buffer, length: number): void {
    for (let at = 0; at < length;) {
      if (this.#headLength < headBytes) {
        this.#head[this.#headLength++] = bytes[at++] as number;
        if (this.#headLength < headBytes) continue;
        this.#left = this.#head.readUIntBE(0, 3);
        this.#payload = [];
      }
      const end = Math.min(length, at + this.#left);
      this.#take(bytes, at, end);
      this.#left -= end - at;
      at = end;
      if (this.#left > 0) return;
      this.#headLength = 0;
      this.#end();
    }
  }

  #take(bytes: Buffer, from: number, to: number): void {
    if (this.#head[3] !== frames.data) return void this.#payload.push(...bytes.subarray(from, to));
    for (let at = bytes.indexOf(lineFeed, from); at !== -1 && at < to; at = bytes.indexOf(lineFeed, at + 1)) this.#events.onEvent();
  }

  #end(): void {
    const { answer, onAccepted, onFailure } = this.#events;
    const [, , , type, flags = 0] = this.#head;
    if (type === frames.settings && (flags & isAck) === 0) answer(frame(frames.settings, isAck, 0));
    else if (type === frames.ping && (flags & isAck) === 0) answer(frame(frames.ping, isAck, 0, Buffer.from(this.#payload)));
    else if (type === frames.headers && this.#payload[0] === statusOk) onAccepted();
    else if (type === frames.headers) onFailure(new Error("the server did not answer a watch with 200"));
    else if (type === frames.reset || type === frames.goAway) onFailure(new Error("the server ended a watch"));
  }
}

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from([...uint32(payload.length).slice(1), type, flags, ...uint32(stream)]), payload]);
}

const uint32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];

/** Literal headers without a table, whose strings are shorter than 127 bytes or have a second byte of length. */
function headerBlock(headers: readonly (readonly [string, string])[]): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.from(prefixed(value.length)), Buffer.from(value, "latin1")]);
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]));
}

/** An integer with a prefix of seven bits (RFC 7541, 5.1). */
function prefixed(value: number): number[] {
  if (value < 127) return [value];
  const bytes = [127];
  let rest = value - 127;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}
