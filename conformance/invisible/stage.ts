/**
 * The server of one configuration: reset before each script, so that the same writes give the same names, times and versions.
 *
 *     Stage → transport (in process or over HTTP/2), cutWatches, truth → Program
 *
 * Time for objects stands still and moves with the script; timers follow the manual clock, which each configuration advances as far as it
 * needs.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { MemoryStore, createApiServer } from "@drover/apiserver";
import type { StoreSnapshot } from "@drover/apiserver";
import { listen, nodeHost } from "@drover/apiserver/node";
import { createClient, nodeTransport } from "@drover/client";
import type { NodeTransport } from "@drover/client";
import { nodeCrypto } from "@drover/machinery/node";
import { createMetrics } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Runtime, Transport } from "@drover/machinery";
import { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import { certificateAuthority } from "@drover/machinery/x509";
import { nodeRuntime } from "drover";
import { gadgetDefinition } from "./script-kinds.ts";

interface StageCounts {
  protobuf: number;
  expired: number;
  streams: number;
}

export class Stage {
  readonly clock: ManualClock = new ManualClock();
  readonly #wires: Wires = new Wires();
  readonly #server: Server;
  readonly #socket: Socket | undefined;
  /** Requests of the program that are not watches and have no answer yet. */
  #calls = 0;
  /** Answers in protobuf, watches that were too old, and streams of the current state that the program has asked for. */
  readonly counts: StageCounts = { protobuf: 0, expired: 0, streams: 0 };

  private constructor(server: Server, clock: ManualClock, socket: Socket | undefined) {
    this.#server = server;
    this.clock = clock;
    this.#socket = socket;
  }

  static async start({ http2 }: { readonly http2: boolean }): Promise<Stage> {
    const clock = new ManualClock();
    const server = await Server.start(clock);
    return new Stage(server, clock, http2 ? await Socket.open(server.handle) : undefined);
  }

  /** Of the program: a new one for each of its lives. */
  runtime(): Runtime & { readonly log: RecordingLog } {
    const { random, uid } = testRuntime({ clock: this.clock });
    return { clock: this.clock, random, uid, log: recordingLog(this.clock), metrics: createMetrics() };
  }

  /** Sends requests of the program. */
  readonly transport: Transport = async (request) => {
    const isWatch = request.path.includes("watch=true") || request.path.includes("watch=1");
    if (isWatch || request.path.includes("limit=")) await this.#wires.connected();
    if (!isWatch) this.#calls++;
    const send = this.#socket?.transport ?? this.#server.handle;
    try {
      if (isWatch) return await this.#wires.watch(request, send, this.counts);
      const response = await send(request);
      if (isMessages(response)) this.counts.protobuf++;
      return response;
    } finally {
      if (!isWatch) this.#calls--;
    }
  };

  get isCalling(): boolean {
    return this.#calls > 0;
  }

  async reset(): Promise<void> {
    await this.#server.reset();
    this.#wires.connect();
  }

  /** Ends all watches; lists and watches wait until `connect`. */
  cut(ending: "end" | "error"): void {
    this.#wires.cut(ending);
  }

  connect(): void {
    this.#wires.connect();
  }

  compact(): Promise<void> {
    return this.#server.compact();
  }

  /** Lets a second pass for the objects that are written from now on. */
  tick(): void {
    this.#server.nowMs += 1000;
  }

  /** Version by key of all objects of a resource in the namespace of the scripts. */
  truth(prefix: string): Promise<ReadonlyMap<string, string>> {
    return this.#server.truth(prefix);
  }

  /** Grows with every write. */
  get revision(): number {
    return this.#server.revision;
  }

  /** Lets sockets deliver, where there are any. */
  async turn(): Promise<void> {
    if (this.#socket !== undefined) for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
    await this.clock.settle();
  }

  get hasSockets(): boolean {
    return this.#socket !== undefined;
  }

  async stop(): Promise<void> {
    await this.#socket?.close();
    this.#server.close();
  }
}

/** Open watches of the program. */
class Wires {
  readonly #open = new Set<AbortController>();
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

  async connected(): Promise<void> {
    await this.#gate?.opened;
  }

  connect(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  cut(ending: "end" | "error"): void {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => void (open = resolve));
    this.#gate = { opened, open };
    for (const wire of this.#open) wire.abort(ending);
    this.#open.clear();
  }

  /** Sends a watch, whose request ends when it is cut, as a lost connection would end it. */
  async watch(request: HttpRequest, send: Transport, counts: StageCounts): Promise<HttpResponse> {
    const wire = new AbortController();
    const signals = [wire.signal, ...(request.signal === undefined ? [] : [request.signal])];
    const response = await send({ ...request, signal: AbortSignal.any(signals) });
    if (isMessages(response)) counts.protobuf++;
    if (response.status === 410) counts.expired++;
    if (request.path.includes("sendInitialEvents=true")) counts.streams++;
    const { body } = response;
    if (typeof body === "string" || body instanceof Uint8Array) return response;
    this.#open.add(wire);
    return { ...response, body: untilCut(counted(body, counts), wire.signal, () => void this.#open.delete(wire)) };
  }
}

const isMessages = ({ headers }: HttpResponse): boolean => String(headers["content-type"]).includes("protobuf");

/** Counts watches that end with a 410 in an event, in JSON or protobuf. */
async function* counted<C extends string | Uint8Array>(body: AsyncIterable<C>, counts: StageCounts): AsyncGenerator<C> {
  for await (const chunk of body) {
    if (Buffer.from(chunk as string).includes("Expired")) counts.expired++;
    yield chunk;
  }
}

async function* untilCut<C>(body: AsyncIterable<C>, wire: AbortSignal, onEnd: () => void): AsyncGenerator<C> {
  const iterator = body[Symbol.asyncIterator]();
  const cut = new Promise<"cut">((resolve) => wire.addEventListener("abort", () => resolve("cut")));
  try {
    for (;;) {
      const next = wire.aborted ? "cut" : await Promise.race([iterator.next(), cut]);
      if (next === "cut") {
        if (wire.reason === "error") throw new Error("the connection was reset");
        return;
      }
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    onEnd();
    void iterator.return?.().catch(() => undefined);
  }
}

class Server {
  readonly handle: Transport;
  readonly compact: () => Promise<void>;
  readonly close: () => void;
  readonly #store: MemoryStore;
  readonly #restore: (snapshot: StoreSnapshot) => Promise<void>;
  readonly #empty: StoreSnapshot;
  readonly #time: ScriptTime;

  private constructor(parts: ServerParts) {
    this.#store = parts.store;
    this.#time = parts.time;
    this.#empty = parts.server.snapshot();
    this.#restore = parts.server.restore;
    this.compact = parts.server.compact;
    this.close = parts.server.close;
    this.handle = parts.server.handle;
  }

  static async start(timers: ManualClock): Promise<Server> {
    const time: ScriptTime = { nowMs: start, uids: 0, isScript: false };
    const clock: Clock = {
      now: () => time.nowMs,
      monotonic: () => timers.monotonic(),
      timer: (delayMs, callback) => timers.timer(delayMs, callback),
    };
    const store = new MemoryStore({ clock });
    // Requests have ids as well, and configurations differ in their number.
    const uid = (): string =>
      time.isScript
        ? `00000000-0000-4000-9000-${String(store.snapshot().revision).padStart(12, "0")}`
        : `00000000-0000-4000-8000-${String(++time.uids).padStart(12, "0")}`;
    const runtime = { ...testRuntime({ clock: timers }), clock, uid };
    const server = await createApiServer({ runtime, host: nodeHost, store, authorizationModes: ["AlwaysAllow"] });
    const client = createClient({ transport: server.handle, clock, log: runtime.log, namespace: "default" });
    await client.create(CustomResourceDefinition, gadgetDefinition as unknown as CustomResourceDefinition);
    await timers.advance(1000);
    return new Server({ server, store, time });
  }

  async reset(): Promise<void> {
    await this.#restore(this.#empty);
    this.#time.nowMs = start;
    this.#time.isScript = true;
  }

  get revision(): number {
    return this.#store.snapshot().revision;
  }

  get nowMs(): number {
    return this.#time.nowMs;
  }

  set nowMs(nowMs: number) {
    this.#time.nowMs = nowMs;
  }

  async truth(prefix: string): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#store.list(prefix);
    return new Map(items.map(({ key, modRevision }) => [key.split("/").slice(-2).join("/"), String(modRevision)]));
  }
}

interface ScriptTime {
  nowMs: number;
  /** Number of uids given before the scripts begin; in scripts they follow the revision. */
  uids: number;
  isScript: boolean;
}

interface ServerParts {
  readonly server: Awaited<ReturnType<typeof createApiServer>>;
  readonly store: MemoryStore;
  readonly time: ScriptTime;
}

const start = Date.UTC(2026, 0, 1);

/** HTTP/2 over TLS on loopback, with the clock of the machine. */
class Socket {
  readonly transport: NodeTransport;
  readonly #stop: AbortController;
  readonly #ended: Promise<void>;

  private constructor(transport: NodeTransport, stop: AbortController, ended: Promise<void>) {
    this.transport = transport;
    this.#stop = stop;
    this.#ended = ended;
  }

  static async open(handle: Transport): Promise<Socket> {
    const { clock, log } = nodeRuntime({ write: () => undefined });
    const authority = certificateAuthority({ commonName: "servers", crypto: nodeCrypto, clock });
    const tls = authority.issue({ commonName: "kube-apiserver", ips: ["127.0.0.1"], usage: "server" });
    const listener = await listen({ connection: () => handle, tls, clock, log });
    const stop = new AbortController();
    const ended = listener.run(stop.signal);
    const ca = authority.certificatePem;
    const transport = nodeTransport({
      server: `https://127.0.0.1:${listener.port}`,
      clock,
      log,
      tls: () => Promise.resolve({ generation: 1, insecure: false, ca }),
      http2: true,
    });
    return new Socket(transport, stop, ended);
  }

  async close(): Promise<void> {
    this.transport.close();
    this.#stop.abort();
    await this.#ended;
  }
}
