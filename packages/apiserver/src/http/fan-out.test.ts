/** One write to many watchers on separate connections: none waits for another, and all receive the same. */
import { connect } from "node:net";
import type { Socket } from "node:net";
import { createMetrics, prometheusText } from "@drover/machinery";
import type { MetricsRegistry } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";
import type { ListenLimits } from "./listen-limits.ts";
import { listen } from "./listener.ts";

interface Served extends TestServer {
  readonly port: number;
  readonly log: RecordingLog;
  readonly metrics: MetricsRegistry;
  readonly end: () => Promise<void>;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(limits: ListenLimits = {}): Promise<Served> {
  const server = await testServer({ anonymous: true, authorizationModes: ["AlwaysAllow"] });
  const log = recordingLog(server.clock);
  const metrics = createMetrics();
  const listener = await listen({ connection: server.connection, tls: "none", clock: server.clock, log, metrics, limits });
  const control = new AbortController();
  const ended = listener.run(control.signal);
  const end = async (): Promise<void> => {
    control.abort();
    await ended;
    server.close();
  };
  ends.push(end);
  return { ...server, port: listener.port, log, metrics, end };
}

const collection = "/api/v1/namespaces/default/configmaps";

/** A watcher that records the names it received, and where the initial events ended. */
class Watcher {
  readonly socket: Socket;
  readonly told: string[] = [];
  #pieces: string[] = [];
  #onTold: () => void = () => undefined;

  constructor(port: number, query = "") {
    this.socket = connect(port, "127.0.0.1")
      .on("error", () => undefined)
      .on("data", (chunk) => this.#read(chunk.toString("latin1")));
    this.socket.write(`GET ${collection}?watch=true${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }

  /** Resolves when this name was received. */
  async until(name: string): Promise<void> {
    while (!this.told.includes(name)) await new Promise<void>((resolve) => void (this.#onTold = resolve));
  }

  #read(text: string): void {
    this.#pieces.push(text);
    if (!text.includes("\n")) return;
    const lines = this.#pieces.join("").split("\n");
    this.#pieces = [lines.pop() ?? ""];
    for (const line of lines) {
      const [, name] = /"name":"(c-\d+)"/.exec(line) ?? [];
      if (name !== undefined) this.told.push(name);
      else if (line.includes("k8s.io/initial-events-end")) this.told.push("bookmark");
      else if (line.startsWith("HTTP/1.1 200 ")) this.told.push("head");
    }
    this.#onTold();
  }
}

async function watchers(port: number, count: number, query = ""): Promise<readonly Watcher[]> {
  const all = Array.from({ length: count }, () => new Watcher(port, query));
  for (const watcher of all) await watcher.until("head");
  return all;
}

const nameOf = (index: number): string => `c-${100 + index}`;

async function create({ call }: TestServer, index: number, sizeBytes = 10): Promise<void> {
  expect((await call("POST", collection, { metadata: { name: nameOf(index) }, data: { key: "x".repeat(sizeBytes) } })).status).toBe(201);
}

const names = (from: number, to: number): readonly string[] => Array.from({ length: to - from }, (_, index) => nameOf(from + index));

describe("one write to many watchers over sockets", () => {
  it("is delivered to each watcher once and in order", async () => {
    const server = await serve();
    const all = await watchers(server.port, 40);
    for (let index = 0; index < 30; index += 3) await Promise.all([0, 1, 2].map((next) => create(server, index + next)));
    for (const watcher of all) {
      for (const name of names(0, 30)) await watcher.until(name);
      expect(watcher.told).toEqual(all[0]?.told);
    }
    expect(all[0]?.told.toSorted()).toEqual([...names(0, 30), "head"]);
  });

  it("reaches other watchers while one does not read, and that one later (X33)", async () => {
    const server = await serve();
    const [first, slow, last] = await watchers(server.port, 3);
    slow?.socket.pause();
    // More than the socket buffers on both sides hold.
    for (let index = 0; index < 25; index++) {
      await create(server, index, 1024 * 1024);
      await Promise.all([first?.until(nameOf(index)), last?.until(nameOf(index))]);
    }
    expect(slow?.told.length).toBeLessThan(25);
    slow?.socket.resume();
    await slow?.until(nameOf(24));
    for (const watcher of [first, slow, last]) expect(watcher?.told).toEqual(["head", ...names(0, 25)]);
  });

  it("reaches the remaining watchers when some disconnect meanwhile", async () => {
    const server = await serve();
    const all = await watchers(server.port, 30);
    const [leaving, staying] = [all.filter((_, index) => index % 3 === 1), all.filter((_, index) => index % 3 !== 1)];
    for (let index = 0; index < 20; index++) {
      const created = create(server, index);
      leaving[index]?.socket.destroy();
      await created;
    }
    for (const watcher of staying) {
      await watcher.until(nameOf(19));
      expect(watcher.told).toEqual(["head", ...names(0, 20)]);
    }
  });

  it("follows the initial events of a watcher that still receives them", async () => {
    const server = await serve();
    for (let index = 0; index < 25; index++) await create(server, index, 1024 * 1024);
    const watcher = new Watcher(
      server.port,
      "&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=",
    );
    await watcher.until(nameOf(0));
    watcher.socket.pause();
    for (let index = 25; index < 30; index++) await create(server, index);
    expect(watcher.told.length).toBeLessThan(20);
    watcher.socket.resume();
    await watcher.until(nameOf(29));
    expect(watcher.told).toEqual(["head", ...names(0, 25), "bookmark", ...names(25, 30)]);
  });

  it("ends the slowest watches when too many bytes wait for all, and the others get every event (S19)", async () => {
    const server = await serve({ watchBytesMax: 3 * 1024 * 1024 });
    const readers = await watchers(server.port, 2);
    const slow = await watchers(server.port, 6);
    for (const { socket } of slow) socket.pause();
    // More than the socket buffers on both sides hold.
    for (let index = 0; index < 20; index++) {
      await create(server, index, 1024 * 1024);
      await Promise.all(readers.map((reader) => reader.until(nameOf(index))));
      await server.clock.advance(1000);
    }
    for (const reader of readers) expect(reader.told).toEqual(["head", ...names(0, 20)]);
    const entries = server.log.entries.filter(({ message }) => message.startsWith("ended the slowest watches"));
    const ended = entries.reduce((sum, { fields }) => sum + Number(fields["streams"]), 0);
    // An event of a megabyte waits for each of the others.
    expect([3, 4, 5]).toContain(ended);
    expect(prometheusText(server.metrics)).toMatch(/apiserver\/watch-waiting"\} [1-9]/);
    for (const { socket } of slow) socket.destroy();
    // A watch that has ended can be resumed.
    const again = new Watcher(server.port, "&resourceVersion=1");
    await again.until(nameOf(19));
    expect(again.told).toEqual(["head", ...names(0, 20)]);
  });
});
