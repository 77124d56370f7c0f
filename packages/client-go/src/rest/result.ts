/**
 * Result of `do()`: an object or an error response. Reading the object throws the error.
 *
 *     const pod = (await request.do()).into<Pod>();
 */
import { findApiError } from "@drover/machinery";
import type { ApiError, JsonValue } from "@drover/machinery";
import { bytesOf, decodeBody, firstHeader, isFailure, readResponseError } from "@drover/client";
import type { DecodeOptions, ReadResponse, RequestAbout, Warning } from "@drover/client";

/** A response with its body. The JSON is decoded once, on first access. */
export class Result {
  /** The status code. */
  readonly statusCode: number;
  /** The `content-type` header; "" if there was none. */
  readonly contentType: string;
  /** Warnings of the server. */
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

  /** Reports whether the status code is 201, which means that the object was created. */
  get wasCreated(): boolean {
    return this.statusCode === 201;
  }

  /** Returns the error of an error response, also of a failure Status with code 200. */
  get error(): ApiError | undefined {
    if (isFailure(this.statusCode)) return readResponseError(this.#response, this.#about);
    try {
      this.#value();
      return undefined;
    } catch (error) {
      // A body that is not JSON is not an error response: `get` throws, `raw` returns the bytes.
      return findApiError(error);
    }
  }

  /** Returns the JSON of the body. Throws the error of an error response, or a `ResponseError` if the body is not JSON. */
  get(): JsonValue {
    if (isFailure(this.statusCode)) throw readResponseError(this.#response, this.#about);
    return this.#value();
  }

  /** Returns the object without checking that it is a `T`. Throws as `get` does. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type: the builder's `.Into(obj)`
  into<T>(): T {
    return this.get() as T;
  }

  /** Returns the body as bytes. Throws the error of an error response. */
  raw(): Uint8Array {
    if (isFailure(this.statusCode)) throw readResponseError(this.#response, this.#about);
    return bytesOf(this.#response.body);
  }

  #value(): JsonValue {
    this.#decoded ??= { value: decodeBody(this.#response, this.#about, this.#options) };
    return this.#decoded.value;
  }
}
