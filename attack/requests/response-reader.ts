/** Reads one HTTP/1.1 response, strictly: a server under attack must still write HTTP. */

export interface Response {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** At most the first 4 MB. */
  readonly body: Buffer;
  /** Whether the connection may carry the next request. */
  readonly keepsAlive: boolean;
}

const headMax = 128 * 1024;
const bodyMax = 4 * 2 ** 20;

type State =
  | { readonly kind: "head" }
  | { readonly kind: "length"; readonly left: number }
  | { readonly kind: "chunk" }
  | { readonly kind: "close" }
  | { readonly kind: "done" };

/** Guarantees: `push` throws an error that says what is wrong as soon as bytes cannot be a response. */
export class ResponseReader {
  readonly #method: string;
  #left: Buffer = Buffer.alloc(0);
  #state: State = { kind: "head" };
  #status = 0;
  #headers = new Map<string, string>();
  #keepsAlive = true;
  readonly #body: Buffer[] = [];
  #size = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** The status, as soon as the head has arrived. */
  get status(): number | undefined {
    return this.#state.kind === "head" ? undefined : this.#status;
  }

  get isComplete(): boolean {
    return this.#state.kind === "done";
  }

  push(bytes: Buffer): void {
    this.#left = this.#left.length === 0 ? bytes : Buffer.concat([this.#left, bytes]);
    while (this.#step());
    if (this.isComplete && this.#left.length > 0) throw new Error(`bytes after the response: ${shown(this.#left)}`);
  }

  /** The connection has ended; returns undefined when it ended before a response. */
  end(): Response | undefined {
    if (this.#state.kind === "head") {
      if (this.#left.length > 0) throw new Error(`the connection ended in the head: ${shown(this.#left)}`);
      return undefined;
    }
    this.#keepsAlive = false;
    if (this.#state.kind === "length" || this.#state.kind === "chunk")
      throw new Error(`the connection ended in the body of a ${this.#status}`);
    this.#state = { kind: "done" };
    return this.response();
  }

  response(): Response {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#body), keepsAlive: this.#keepsAlive };
  }

  #step(): boolean {
    const state = this.#state;
    switch (state.kind) {
      case "head":
        return this.#readHead();
      case "length": {
        const part = this.#take(Math.min(state.left, this.#left.length));
        this.#keep(part);
        this.#state = part.length === state.left ? { kind: "done" } : { kind: "length", left: state.left - part.length };
        return false;
      }
      case "chunk":
        return this.#readChunk();
      case "close":
        this.#keep(this.#take(this.#left.length));
        return false;
      case "done":
        return false;
      default:
        return state satisfies never;
    }
  }

  #readHead(): boolean {
    const end = this.#left.indexOf("\r\n\r\n");
    if (end === -1) {
      if (this.#left.length > headMax) throw new Error("a head without end");
      return false;
    }
    const [line = "", ...lines] = this.#take(end + 4)
      .toString("latin1")
      .slice(0, -4)
      .split("\r\n");
    const match = /^HTTP\/1\.[01] ([1-5]\d\d) [^\r\n]*$/.exec(line);
    if (match === null) throw new Error(`no status line: ${shown(Buffer.from(line))}`);
    this.#status = Number(match[1]);
    this.#headers = new Map();
    for (const each of lines) {
      // eslint-disable-next-line no-control-regex
      if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/.test(each)) throw new Error(`no header: ${shown(Buffer.from(each))}`);
      const colon = each.indexOf(":");
      this.#headers.set(each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim());
    }
    if (this.#status < 200 && this.#status !== 101) return true;
    this.#state = this.#bodyState();
    return true;
  }

  #bodyState(): State {
    if (this.#headers.get("connection")?.toLowerCase() === "close") this.#keepsAlive = false;
    const length = this.#headers.get("content-length");
    const coding = this.#headers.get("transfer-encoding");
    if (length !== undefined && coding !== undefined) throw new Error("a response with a length and chunks");
    if (this.#status === 101) return { kind: "close" };
    if (this.#method === "HEAD" || this.#status === 204 || this.#status === 304) return { kind: "done" };
    if (coding === "chunked") return { kind: "chunk" };
    if (length === undefined) return { kind: "close" };
    if (!/^\d+$/.test(length)) throw new Error(`a response of length ${length}`);
    return Number(length) === 0 ? { kind: "done" } : { kind: "length", left: Number(length) };
  }

  #readChunk(): boolean {
    const end = this.#left.indexOf("\r\n");
    if (end === -1) return false;
    const head = this.#left.subarray(0, end).toString("latin1");
    if (!/^[0-9a-f]+$/i.test(head)) throw new Error(`no size of a chunk: ${shown(Buffer.from(head))}`);
    const size = Number.parseInt(head, 16);
    if (this.#left.length < end + 2 + size + 2) return false;
    this.#take(end + 2);
    this.#keep(this.#take(size));
    if (this.#take(2).toString("latin1") !== "\r\n") throw new Error("a chunk longer than its size");
    if (size > 0) return true;
    this.#state = { kind: "done" };
    return false;
  }

  #take(count: number): Buffer {
    const part = this.#left.subarray(0, count);
    this.#left = this.#left.subarray(count);
    return part;
  }

  #keep(part: Buffer): void {
    if (this.#size < bodyMax) this.#body.push(part);
    this.#size += part.length;
  }
}

const shown = (bytes: Buffer): string => JSON.stringify(bytes.subarray(0, 120).toString("latin1"));
