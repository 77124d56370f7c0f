/**
 * Read-your-writes: reads wait until the cache has observed the program's own writes.
 *
 *     client → transport(next) → response → remembered → reader(…).get waits until the informer has observed it
 *
 * Only the watch writes to the cache, and no event is delayed: only readers wait, at most `waitMaxMs`.
 */
import { deepFreeze, printGroupResource } from "@drover/machinery";
import type {
  DeepReadonly,
  GroupResource,
  HttpBody,
  HttpResponse,
  JsonObject,
  Kind,
  KubeObject,
  Labels,
  ObjectKey,
  Runtime,
  Transport,
} from "@drover/machinery";
import type { InformerView } from "../informer/informer.ts";
import type { ListFilter } from "../informer/list-filter.ts";
import { FieldLimit } from "../source/field-limit.ts";
import { labelsOf } from "../source/parsed-version.ts";
import { OwnWriteMemory } from "./own-write-memory.ts";
import { answeredWrites, writeRequest } from "./own-write.ts";
import type { OwnWrite, WriteRequest } from "./own-write.ts";

/** Options of `createReadYourWrites`. */
export interface ReadYourWritesOptions {
  readonly runtime: Pick<Runtime, "clock" | "log" | "metrics">;
  /** Maximum time in milliseconds that a read waits, counted from the write; after it, the write is forgotten. @default 10000 */
  readonly waitMaxMs?: number;
  /** Maximum number of remembered writes per reader; the oldest is forgotten first. @default 10000 */
  readonly writesMax?: number;
  /** Larger responses, in bytes, are ignored. @default 8 MiB */
  readonly bodyBytesMax?: number;
}

/** An own write that the server has confirmed. */
export interface ConfirmedWrite extends GroupResource {
  readonly key: ObjectKey;
  readonly uid: string;
  /** Resource version of the object after the write; empty if it is deleted. */
  readonly resourceVersion: string;
}

/** Options of one reader. */
export interface OwnWritesReaderOptions {
  /**
   * Reports whether the informer will observe this write; an informer with a selector may not. `labels` is undefined if the
   * response has none; reading it parses the response. @default the informer observes all writes
   */
  readonly shows?: (write: { readonly key: ObjectKey; readonly uid: string; readonly labels: Labels | undefined }) => boolean;
}

/** Reads of one kind that include own writes. */
export interface OwnWritesReader<T extends KubeObject> {
  /** Returns the cached object after the cache has observed our last write to it, or after the timeout. */
  get(key: ObjectKey, call: { readonly signal: AbortSignal }): Promise<DeepReadonly<T> | undefined>;
  /** Returns a list after the cache has observed all our writes to this kind, or after the timeout. */
  list(filter: ListFilter, call: { readonly signal: AbortSignal }): Promise<DeepReadonly<T>[]>;
  /** Returns the cached object or, if our write is newer, the object in the response, without waiting; undefined if we deleted it. */
  peek(key: ObjectKey): DeepReadonly<T> | undefined;
  /** Waits for our writes to one key, or for all. Resolves with false on timeout. */
  caughtUp(key: ObjectKey | undefined, call?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Reports, without waiting, whether the cache has observed our last write to this key, or the write timed out. */
  isCaughtUp(key: ObjectKey): boolean;
  /** Number of writes that the cache has not observed yet. */
  readonly waiting: number;
  /** Releases the informer. */
  close(): void;
}

/** Guarantees: never waits longer than `waitMaxMs` after a write; forgets a write when the informer has observed it. */
export interface ReadYourWrites {
  /** Maximum time in milliseconds that a read waits, counted from the write. */
  readonly waitMaxMs: number;
  /**
   * Returns a transport that records confirmed writes, and calls `onWritten` before the sender sees the end of the response. Put it
   * outside of retries, so that each write is recorded once.
   */
  transport(next: Transport, onWritten?: (write: ConfirmedWrite) => void): Transport;
  /** Returns reads of a kind from an informer. Writes are remembered from now on. */
  reader<T extends KubeObject>(kind: Kind<T>, informer: InformerView<T>, options?: OwnWritesReaderOptions): OwnWritesReader<T>;
}

/** Creates read-your-writes for one server: a transport that records writes, and readers that wait for them. */
export function createReadYourWrites({
  runtime,
  waitMaxMs = 10_000,
  writesMax = 10_000,
  bodyBytesMax = 8 * 2 ** 20,
}: ReadYourWritesOptions): ReadYourWrites {
  const memories = new Map<string, Set<OwnWriteMemory>>();
  const memoriesOf = (resource: GroupResource): ReadonlySet<OwnWriteMemory> => memories.get(printGroupResource(resource)) ?? none;
  const remember = (request: WriteRequest, body: string | Uint8Array, onWritten: ((write: ConfirmedWrite) => void) | undefined): void => {
    for (const write of answeredWrites(request, body)) {
      for (const memory of memoriesOf(request)) memory.remember(write);
      onWritten?.({
        group: request.group,
        resource: request.resource,
        key: write.key,
        uid: write.uid,
        resourceVersion: write.resourceVersion,
      });
    }
  };
  return {
    waitMaxMs,
    transport: (next, onWritten) => async (request) => {
      const write = writeRequest(request.method, request.path);
      if (write === undefined) return next(request);
      const told = [...memoriesOf(write)];
      if (told.length === 0 && onWritten === undefined) return next(request);
      for (const memory of told) memory.writeBegins();
      const ended = once(() => {
        for (const memory of told) memory.writeEnds();
      });
      let response: HttpResponse;
      try {
        response = await next(request);
      } catch (error) {
        ended();
        throw error;
      }
      if (response.status >= 200 && response.status < 300)
        return noted(response, bodyBytesMax, (body) => remember(write, body, onWritten), ended);
      ended();
      return response;
    },
    reader: <T extends KubeObject>(
      kind: Kind<T>,
      informer: InformerView<T>,
      { shows }: OwnWritesReaderOptions = {},
    ): OwnWritesReader<T> => {
      const name = printGroupResource({ group: kind.group, resource: kind.plural });
      const memory = new OwnWriteMemory({
        runtime,
        name,
        informer,
        waitMaxMs,
        writesMax,
        shows: shows === undefined ? () => true : (write) => shows(new LabelledWrite(write)),
      });
      const ofKind = memories.get(name) ?? new Set();
      memories.set(name, ofKind.add(memory));
      return {
        get: async (key, { signal }) => {
          await memory.caughtUp(key, signal);
          return informer.get(key);
        },
        list: async (filter, { signal }) => {
          await memory.caughtUp(undefined, signal);
          return informer.list(filter);
        },
        peek: (key) => {
          const write = memory.get(key);
          if (write === undefined || (write.seen.type !== "gone" && write.object === undefined)) return informer.get(key);
          return limited(write.object, informer) as DeepReadonly<T> | undefined;
        },
        caughtUp: (key, { signal } = {}) => memory.caughtUp(key, signal),
        isCaughtUp: (key) => memory.isCaughtUp(key),
        get waiting() {
          return memory.size;
        },
        close: () => {
          ofKind.delete(memory);
          memory.close();
        },
      };
    },
  };
}

/** Returns what the informer would have of an object. */
function limited(object: OwnWrite["object"], { fields }: Pick<InformerView<KubeObject>, "fields">): OwnWrite["object"] {
  if (object === undefined || fields === undefined) return object;
  const limit = new FieldLimit(fields);
  return deepFreeze(limit.marked(limit.kept(object as JsonObject)));
}

const none: ReadonlySet<OwnWriteMemory> = new Set();

/** A write whose response is parsed when its labels are read. */
class LabelledWrite {
  readonly key: ObjectKey;
  readonly uid: string;
  readonly #write: OwnWrite;

  constructor(write: OwnWrite) {
    this.key = write.key;
    this.uid = write.uid;
    this.#write = write;
  }

  get labels(): Labels | undefined {
    const { object } = this.#write;
    return object === undefined ? undefined : labelsOf(object);
  }
}

/** Returns the same response; calls `note` with its body before the reader sees the end, and `ended` in any case. */
function noted(response: HttpResponse, bytesMax: number, note: (body: string | Uint8Array) => void, ended: () => void): HttpResponse {
  const { body } = response;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { ...response, body: notedStream(body, bytesMax, note, ended) };
  if (body.length <= bytesMax) note(body);
  ended();
  return response;
}

async function* notedStream(
  body: Exclude<HttpBody, string | Uint8Array>,
  bytesMax: number,
  note: (text: string) => void,
  ended: () => void,
): AsyncGenerator<string | Uint8Array> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size <= bytesMax) pieces.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
      yield chunk;
    }
    if (size <= bytesMax) note(pieces.join("") + decoder.decode());
  } finally {
    ended();
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
