/**
 * Reads that show what this program has written, although the watch may not have brought it yet.
 *
 *     client → transport(next) → the server's answer → remembered → reader(…).get waits until the informer shows it
 *
 * The cache itself is written by the watch alone, and no event is held back: only readers wait, and not for long.
 */
import { printGroupResource } from "@drover/machinery";
import type {
  DeepReadonly,
  GroupResource,
  HttpBody,
  HttpResponse,
  Kind,
  KubeObject,
  Labels,
  ObjectKey,
  ObjectMeta,
  Runtime,
  Transport,
} from "@drover/machinery";
import type { InformerView } from "../informer/informer.ts";
import type { ListFilter } from "../informer/list-filter.ts";
import { OwnWriteMemory } from "./own-write-memory.ts";
import { answeredWrites, writeRequest } from "./own-write.ts";
import type { OwnWrite, WriteRequest } from "./own-write.ts";

export interface ReadYourWritesOptions {
  readonly runtime: Pick<Runtime, "clock" | "log" | "metrics">;
  /** How long a read waits for the informer at most, counted from the write; after that the write is forgotten. @default 10000 */
  readonly waitMaxMs?: number;
  /** How many writes are remembered for each reader at most; the oldest is forgotten first. @default 10000 */
  readonly writesMax?: number;
  /** Answers beyond this many bytes are not looked at. @default 8 MiB */
  readonly bodyBytesMax?: number;
}

/** A write of ours that the server has confirmed. */
export interface ConfirmedWrite extends GroupResource {
  readonly key: ObjectKey;
  readonly uid: string;
  /** Of the object as it is now; empty when it is gone. */
  readonly resourceVersion: string;
}

export interface OwnWritesReaderOptions {
  /**
   * Whether the informer will show this write: one with a selection need not. `labels`, for which the answer is read as
   * a whole, is undefined when it does not tell. @default it shows all
   */
  readonly shows?: (write: { readonly key: ObjectKey; readonly uid: string; readonly labels: Labels | undefined }) => boolean;
}

/** Reads of one kind. */
export interface OwnWritesReader<T extends KubeObject> {
  /** The object as the cache has it, once the cache shows our last write to it or the time is up. */
  get(key: ObjectKey, call: { readonly signal: AbortSignal }): Promise<DeepReadonly<T> | undefined>;
  /** The same for a list: waits for all our writes to this kind. */
  list(filter: ListFilter, call: { readonly signal: AbortSignal }): Promise<DeepReadonly<T>[]>;
  /** Without waiting: the cached object or, where our write is newer, what the server answered; undefined when we deleted it. */
  peek(key: ObjectKey): DeepReadonly<T> | undefined;
  /** Waits for our writes to one key, or to all; false when the time was up before. */
  caughtUp(key: ObjectKey | undefined, call?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Whether the cache shows our last write to this key, or its time was up; without waiting. */
  isCaughtUp(key: ObjectKey): boolean;
  /** How many writes the cache does not show yet. */
  readonly waiting: number;
  /** Lets the informer go. */
  close(): void;
}

/** Guarantees: never waits longer than `waitMaxMs` after a write; forgets a write when the informer shows it. */
export interface ReadYourWrites {
  /** How long a read waits at most, counted from the write. */
  readonly waitMaxMs: number;
  /**
   * A transport that takes note of what the server confirms, and tells `onWritten` before the sender sees the end of the answer. Put it
   * outside retries, so that each write is noted once.
   */
  transport(next: Transport, onWritten?: (write: ConfirmedWrite) => void): Transport;
  /** Reads of a kind from an informer. Writes are remembered from now on. */
  reader<T extends KubeObject>(kind: Kind<T>, informer: InformerView<T>, options?: OwnWritesReaderOptions): OwnWritesReader<T>;
}

export function createReadYourWrites({
  runtime,
  waitMaxMs = 10_000,
  writesMax = 10_000,
  bodyBytesMax = 8 * 2 ** 20,
}: ReadYourWritesOptions): ReadYourWrites {
  const memories = new Map<string, Set<OwnWriteMemory>>();
  const memoriesOf = (resource: GroupResource): ReadonlySet<OwnWriteMemory> => memories.get(printGroupResource(resource)) ?? none;
  const remember = (request: WriteRequest, text: string, onWritten: ((write: ConfirmedWrite) => void) | undefined): void => {
    for (const write of answeredWrites(request, text)) {
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
        return noted(response, bodyBytesMax, (text) => remember(write, text, onWritten), ended);
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
        shows:
          shows === undefined
            ? () => true
            : (write) =>
                shows({
                  key: write.key,
                  uid: write.uid,
                  get labels() {
                    return write.object === undefined ? undefined : (metadataOf(write)?.labels ?? {});
                  },
                }),
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
          return write === undefined || (write.seen.type !== "gone" && write.object === undefined)
            ? informer.get(key)
            : (write.object as DeepReadonly<T> | undefined);
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

const none: ReadonlySet<OwnWriteMemory> = new Set();

const metadataOf = ({ object }: OwnWrite): ObjectMeta | undefined => (object as unknown as KubeObject | undefined)?.metadata;

/** The same answer; `note` is called with its text before its reader sees the end, `ended` in any case. */
function noted(response: HttpResponse, bytesMax: number, note: (text: string) => void, ended: () => void): HttpResponse {
  const { body } = response;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return { ...response, body: notedStream(body, bytesMax, note, ended) };
  if (body.length <= bytesMax) note(typeof body === "string" ? body : new TextDecoder().decode(body));
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
