/**
 * Lists and watches over a transport, in protobuf where the kind and the server have it.
 *
 *     SourceParts (how to ask) → LateSource → versions
 */
import { definedOnly, isApiError } from "@drover/machinery";
import type { Clock, HttpRequest, KubeObject, ListOptions, ObjectKey, Transport } from "@drover/machinery";
import { isEnvelope } from "@drover/machinery/protobuf";
import { ResponseError, readAnswer, watchLineBatches } from "@drover/client";
import type { RequestAbout } from "@drover/client";
import type { ByteShelf } from "./byte-shelf.ts";
import { readWatchEvents } from "./lazy-watch-events.ts";
import { readMessageEvents } from "./message-events.ts";
import type { MessageFormat } from "./message-format.ts";
import { readMessagePage } from "./message-page.ts";
import { jsonFormat } from "./object-format.ts";
import type { ObjectVersion } from "./object-version.ts";
import type { ProtobufSupport } from "./protobuf-support.ts";
import { isObjectMissing, readSingleObject } from "./single-object.ts";
import { readVersionPage } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { LazyWatchEvent, SourceCall, VersionPage, VersionRestorer, VersionSource } from "./version-source.ts";

/** What a source needs to ask its server. */
export interface SourceParts<T extends KubeObject> {
  readonly description: string;
  readonly supportsWatchList: boolean;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly reader: VersionReader<T>;
  /** Returns the request of a verb. `offersMessages` says that the response may be protobuf. */
  readonly prepare: (verb: "list" | "watch", options: ListOptions, offersMessages: boolean) => readonly [HttpRequest, RequestAbout];
  /** Returns the request of one object; throws a `TypeError` for a key that cannot be in the collection. */
  readonly prepareGet: (key: ObjectKey, resourceVersion: string, offersMessages: boolean) => readonly [HttpRequest, RequestAbout];
  /** Whether the collection has objects with these labels. */
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
  /** Resolves with the protobuf format; undefined if there is none. */
  readonly loadFormat: (() => Promise<MessageFormat | undefined>) | undefined;
  readonly supportsProtobuf: ProtobufSupport;
  /** The declared fields, and whether the kind has them. Undefined for whole objects. */
  readonly limit: { readonly fields: readonly string[]; readonly check: () => Promise<void> } | undefined;
  /** See `listWatcher`. */
  readonly silenceMs: number | undefined;
  readonly maxBodyBytes: number | undefined;
}

export class LateSource<T extends KubeObject> implements VersionSource<T> {
  readonly #parts: SourceParts<T>;
  /** Undefined before the first request, and once the server has refused protobuf. */
  #loading: Promise<MessageFormat | undefined> | undefined;
  #offersMessages: boolean;

  constructor(parts: SourceParts<T>) {
    this.#parts = parts;
    this.#offersMessages = parts.loadFormat !== undefined;
  }

  get description(): string {
    return this.#parts.description;
  }

  get supportsWatchList(): boolean {
    return this.#parts.supportsWatchList;
  }

  get shelf(): ByteShelf {
    return this.#parts.reader.shelf;
  }

  get fields(): readonly string[] | undefined {
    return this.#parts.limit?.fields;
  }

  get check(): (() => Promise<void>) | undefined {
    return this.#parts.limit?.check;
  }

  async restorer(): Promise<VersionRestorer<T>> {
    const { reader } = this.#parts;
    const messages = this.#offersMessages ? await (this.#loading ??= this.#parts.loadFormat?.()) : undefined;
    return {
      newestMinor: messages?.newestMinor ?? 0,
      restore: (kept, encoding) => {
        if (encoding === "json") return reader.restored(kept, jsonFormat);
        if (messages === undefined) throw new TypeError(`${kept.key} was kept as protobuf, which this source does not decode`);
        return reader.restored(kept, messages);
      },
    };
  }

  async get(
    key: ObjectKey,
    { resourceVersion = "" }: { readonly resourceVersion?: string },
    { signal }: SourceCall,
  ): Promise<ObjectVersion<T> | undefined> {
    const messages = this.#offersMessages ? await this.#format(signal) : undefined;
    try {
      return await this.#one(key, resourceVersion, messages, signal);
    } catch (error) {
      this.#giveUpMessages(messages, error);
    }
    return this.#one(key, resourceVersion, undefined, signal);
  }

  async list(options: ListOptions, { signal }: SourceCall): Promise<VersionPage<T>> {
    const messages = this.#offersMessages ? await this.#format(signal) : undefined;
    try {
      return await this.#page(options, messages, signal);
    } catch (error) {
      this.#giveUpMessages(messages, error);
    }
    return this.#page(options, undefined, signal);
  }

  async *watch(options: ListOptions, { signal }: SourceCall): AsyncGenerator<readonly LazyWatchEvent<T>[], void, undefined> {
    const { prepare, transport, clock, reader, silenceMs } = this.#parts;
    for (let messages = this.#offersMessages ? await this.#format(signal) : undefined; ; messages = undefined) {
      const acceptsMessages = messages !== undefined;
      const [request, about] = prepare("watch", options, acceptsMessages);
      try {
        for await (const batch of watchLineBatches(transport, request, about, {
          clock,
          signal,
          acceptsMessages,
          ...definedOnly({ silenceMs }),
        })) {
          const { events, failure } =
            messages !== undefined && batch.framing === "messages"
              ? readMessageEvents(batch, about, reader, messages)
              : readWatchEvents(batch, about, reader);
          if (events.length > 0) yield events;
          if (failure !== undefined) throw failure;
          if (events.at(-1)?.type === "ERROR") return;
        }
        return;
      } catch (error) {
        this.#giveUpMessages(messages, error);
      }
    }
  }

  async #page(options: ListOptions, messages: MessageFormat | undefined, signal: AbortSignal): Promise<VersionPage<T>> {
    const { prepare, transport, reader, maxBodyBytes } = this.#parts;
    const [request, about] = prepare("list", options, messages !== undefined);
    const answer = await readAnswer(transport, request, about, { signal, ...definedOnly({ maxBodyBytes }) });
    const { body } = answer;
    return messages !== undefined && typeof body !== "string" && isEnvelope(body)
      ? readMessagePage(body, about, reader, messages)
      : readVersionPage(answer, about, reader);
  }

  async #one(
    key: ObjectKey,
    resourceVersion: string,
    messages: MessageFormat | undefined,
    signal: AbortSignal,
  ): Promise<ObjectVersion<T> | undefined> {
    const { prepareGet, transport, reader, maxBodyBytes, selects } = this.#parts;
    const [request, about] = prepareGet(key, resourceVersion, messages !== undefined);
    try {
      const answer = await readAnswer(transport, request, about, { signal, ...definedOnly({ maxBodyBytes }) });
      const version = readSingleObject(answer, about, reader, messages);
      if (version.key !== key)
        throw new ResponseError(about.attempt, "json", `the server answered with another object, ${version.key}`, { statusCode: 200 });
      return selects(version.labels) ? version : undefined;
    } catch (error) {
      if (isObjectMissing(error, key)) return undefined;
      throw error;
    }
  }

  /** The server is asked again with every request, because it may have been upgraded since the last. */
  async #format(signal: AbortSignal): Promise<MessageFormat | undefined> {
    this.#loading ??= this.#parts.loadFormat?.();
    const format = await this.#loading;
    // Nothing to wait for next time.
    if (format === undefined) this.#offersMessages = false;
    return format !== undefined && (await this.#parts.supportsProtobuf(format.newestMinor, signal)) ? format : undefined;
  }

  /** Some servers refuse protobuf instead of answering in JSON; they are not asked again. Throws any other error. */
  #giveUpMessages(messages: MessageFormat | undefined, error: unknown): void {
    if (messages === undefined || !isApiError(error) || (error.code !== 406 && error.code !== 415)) throw error;
    this.#offersMessages = false;
  }
}
