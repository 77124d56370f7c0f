/**
 * What the server answered to `do()`: an object, or a refusal. Reading it is where a refusal is thrown.
 *
 *     const pod = (await request.do()).into<Pod>();
 */
import { findApiError } from "@drover/machinery";
import type { ApiError, JsonValue } from "@drover/machinery";
import { bytesOf, decodeBody, firstHeader, isFailure, readResponseError } from "@drover/client";
import type { DecodeOptions, ReadResponse, RequestAbout, Warning } from "@drover/client";

/** One answer, its body read. The JSON in it is decoded once, when it is first asked for. */
export class Result {
  /** The code of the answer. */
  readonly statusCode: number;
  /** The `content-type` header, "" when there was none. */
  readonly contentType: string;
  /** What the server had to say besides. */
  readonly warnings: readonly Warning[];
  readonly #response: ReadResponse;
  readonly #about: RequestAbout;
  readonly #options: DecodeOptions;
  #decoded: { readonly value: JsonValue } | undefined;

  constructor(
    response: ReadResponse,
    about: RequestAbout,
    { warnings = [], ...options }: DecodeOptions & { readonly warnings?: readonly Warning[] } = {},
  ) {
    this.statusCode = response.status;
    this.contentType = firstHeader(response.headers, "content-type");
    this.warnings = warnings;
    this.#response = response;
    this.#about = about;
    this.#options = options;
  }

  /** Whether the server said 201: the object was not there before. */
  get wasCreated(): boolean {
    return this.statusCode === 201;
  }

  /** The refusal, if it is one: also a Status of failure that came with code 200. */
  get error(): ApiError | undefined {
    if (isFailure(this.statusCode)) return readResponseError(this.#response, this.#about);
    try {
      this.#value();
      return undefined;
    } catch (error) {
      // An answer that is no JSON is no refusal: whoever wants JSON from it is told, and whoever wants its bytes gets them.
      return findApiError(error);
    }
  }

  /** The JSON of the answer. Throws the refusal, or a `ResponseError` when there is no JSON in it. */
  get(): JsonValue {
    if (isFailure(this.statusCode)) throw readResponseError(this.#response, this.#about);
    return this.#value();
  }

  /** The object in the answer. That it is a `T` is the server's word. Throws as `get` does. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type: the builder's `.Into(obj)`
  into<T>(): T {
    return this.get() as T;
  }

  /** The bytes of the answer, whatever they are. Throws the refusal. */
  raw(): Uint8Array {
    if (isFailure(this.statusCode)) throw readResponseError(this.#response, this.#about);
    return bytesOf(this.#response.body);
  }

  #value(): JsonValue {
    this.#decoded ??= { value: decodeBody(this.#response, this.#about, this.#options) };
    return this.#decoded.value;
  }
}
