/**
 * A TCP proxy that breaks connections: resets and closes them, cuts them within a line, or lets them stand still while the kernel keeps
 * acknowledging. A fault counts only if it hit a stream that was in use.
 */
import { connect, createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { createRandom, pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
  isWatch: boolean;
  isFrozen: boolean;
  /** The next chunk is cut at a random byte, and the connection reset. */
  isCondemned: boolean;
}

export class FaultProxy {
  readonly #pairs = new Set<Pair>();
  readonly #random: Random;
  readonly #server: Server;
  #port: number;
  #faults = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(server: Server, port: number, random: Random) {
    this.#server = server;
    this.#port = port;
    this.#random = random;
    server.on("connection", (near) => this.#join(near));
  }

  /** Listens on loopback and forwards to this port there. */
  static async open(port: number, seed: number): Promise<FaultProxy> {
    const server = createServer();
    const proxy = new FaultProxy(server, port, createRandom(seed));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of faults that hit a watch in use. */
  get faults(): number {
    return this.#faults;
  }

  /** Breaks one watch after another at this rate, as far as there are any; 0 ends it. */
  breakWatches(perSecond: number): void {
    clearInterval(this.#timer);
    if (perSecond > 0) this.#timer = setInterval(() => this.#breakOne(), 1000 / perSecond);
  }

  /** Forwards nothing more on the open watches. Returns how many those are. */
  freezeWatches(): number {
    const open = [...this.#pairs].filter(({ isWatch }) => isWatch);
    for (const pair of open) pair.isFrozen = true;
    return open.length;
  }

  async close(): Promise<void> {
    this.breakWatches(0);
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  #join(near: Socket): void {
    const far = connect({ host: "127.0.0.1", port: this.#port, noDelay: true });
    const pair: Pair = { near, far, isWatch: false, isFrozen: false, isCondemned: false };
    near.setNoDelay(true);
    this.#pairs.add(pair);
    near.on("data", (bytes: Buffer) => {
      if (bytes.includes("watch=")) pair.isWatch = true;
      if (!pair.isFrozen && !far.write(bytes)) pause(near, far);
    });
    far.on("data", (bytes: Buffer) => {
      if (pair.isFrozen) return;
      if (pair.isCondemned) return this.#cut(pair, bytes);
      if (!near.write(bytes)) pause(far, near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => undefined);
      one.on("end", () => void (pair.isFrozen || other.end()));
      one.on("close", () => {
        this.#pairs.delete(pair);
        if (!pair.isFrozen) other.destroy();
        else if (one === near) far.destroy();
      });
    }
  }

  #breakOne(): void {
    const open = [...this.#pairs].filter(({ isWatch, isCondemned, near }) => isWatch && !isCondemned && !near.destroyed);
    if (open.length === 0) return;
    const pair = pick(this.#random, open);
    this.#faults++;
    switch (this.#random.int(3)) {
      case 0:
        return void pair.near.resetAndDestroy();
      case 1:
        pair.near.end();
        return void pair.far.destroy();
      default:
        pair.isCondemned = true;
    }
  }

  #cut(pair: Pair, bytes: Buffer): void {
    const part = bytes.subarray(0, this.#random.int(bytes.length));
    pair.near.write(part, () => pair.near.resetAndDestroy());
    pair.far.destroy();
  }
}

function pause(from: Socket, to: Socket): void {
  from.pause();
  to.once("drain", () => from.resume());
}
