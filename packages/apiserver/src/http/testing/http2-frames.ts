/** HTTP/2 frames that no library would send. */
import { once } from "node:events";
import { connect } from "node:tls";
import type { TLSSocket } from "node:tls";

export const frameType = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8, continuation: 9 } as const;
export const endStream = 1;
export const endHeaders = 4;

export interface Frame {
  readonly type: number;
  /** @default 0 */
  readonly flags?: number;
  /** @default 0, the connection */
  readonly stream?: number;
  /** @default no bytes */
  readonly payload?: Uint8Array;
}

/** Encodes a frame. */
export function frame({ type, flags = 0, stream = 0, payload = new Uint8Array() }: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** What a client sends first. */
export const preface: Buffer = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame({ type: frameType.settings })]);

/** Encodes a header without indexing or compression. */
export function headerBlock(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.of(0), lengthOf(name.length), Buffer.from(name), lengthOf(value.length), Buffer.from(value)]);
}

function lengthOf(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** Encodes the head of a request to localhost. */
export const requestBlock = (method: string, path: string, ...more: readonly Buffer[]): Buffer =>
  Buffer.concat([
    headerBlock(":method", method),
    headerBlock(":path", path),
    headerBlock(":scheme", "https"),
    headerBlock(":authority", "localhost"),
    ...more,
  ]);

/** A reset of a stream, with an error code. */
export const resetFrame = (stream: number, code: number): Buffer =>
  frame({ type: frameType.reset, stream, payload: Buffer.of(0, 0, 0, code) });

/** A connection on which the test writes frames itself. */
export class FrameClient {
  readonly socket: TLSSocket;
  #received: Buffer = Buffer.alloc(0);

  constructor(port: number, authorityPem: string) {
    this.socket = connect({ host: "127.0.0.1", port, ca: authorityPem, ALPNProtocols: ["h2"] });
    this.socket.on("error", () => undefined).on("data", (bytes: Buffer) => void (this.#received = Buffer.concat([this.#received, bytes])));
  }

  /** Sends the preface. */
  async open(): Promise<void> {
    await once(this.socket, "secureConnect");
    this.socket.write(preface);
  }

  /** The complete frames that have arrived. */
  get frames(): readonly Required<Frame>[] {
    const frames: Required<Frame>[] = [];
    for (let at = 0; at + 9 <= this.#received.length;) {
      const length = this.#received.readUIntBE(at, 3);
      const payload = this.#received.subarray(at + 9, at + 9 + length);
      if (payload.length < length) break;
      const [type, flags, stream] = [
        this.#received.readUInt8(at + 3),
        this.#received.readUInt8(at + 4),
        this.#received.readUInt32BE(at + 5),
      ];
      frames.push({ type, flags, stream, payload });
      at += 9 + length;
    }
    return frames;
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, "close");
  }
}
