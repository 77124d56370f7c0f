import { Agent, request as httpRequest } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponseReader } from "./response-reader.ts";
import type { ResponseHead } from "./response-reader.ts";

interface Read {
  readonly heads: ResponseHead[];
  body: string;
  ends: number;
  error: string | undefined;
  isWhole: boolean;
}

const encoder = new TextEncoder();
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Reads one response, then the end of the connection. `cuts` are the places where the bytes are divided. */
function read(bytes: Uint8Array, { method = "GET", cuts = [] as readonly number[], headerBytesMax = 65_536 } = {}): Read {
  const found: Read = { heads: [], body: "", ends: 0, error: undefined, isWhole: false };
  const reader = new ResponseReader({ headerBytesMax });
  reader.begin(method, {
    head: (head) => void found.heads.push(head),
    body: (part) => (found.body += Buffer.from(part).toString("latin1")),
    end: () => found.ends++,
  });
  const places = [0, ...[...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].toSorted((a, b) => a - b), bytes.length];
  try {
    for (const [index, from] of places.entries()) reader.push(bytes.subarray(from, places[index + 1] ?? bytes.length));
    found.isWhole = reader.close();
  } catch (error) {
    found.error = (error as { readonly code: string }).code;
  }
  return found;
}

const respond = (...lines: readonly string[]): Uint8Array => encoder.encode(lines.join("\r\n"));

describe("ResponseReader", () => {
  it("reads status, headers and a body of known length", () => {
    const { heads, body, ends, isWhole } = read(respond("HTTP/1.1 200 OK", "Content-Type:  text/plain ", "Content-Length: 5", "", "hello"));
    expect(heads).toEqual([{ status: 200, headers: { "content-type": "text/plain", "content-length": "5" }, keepsAlive: true }]);
    expect({ body, ends, isWhole }).toEqual({ body: "hello", ends: 1, isWhole: true });
  });

  it("reads repeated headers as a list, in order, and values in UTF-8", () => {
    const { heads } = read(
      respond("HTTP/1.1 200 OK", "Warning: a", "X: ä", "warning: b", "WARNING: c", "__proto__: d", "Content-Length: 0", "", ""),
    );
    expect(heads[0]?.headers["warning"]).toEqual(["a", "b", "c"]);
    expect(heads[0]?.headers["x"]).toBe("ä");
    expect(Object.entries(heads[0]?.headers ?? {})).toContainEqual(["__proto__", "d"]);
  });

  it("reads chunks, ignores their extensions and trailers", () => {
    const { body, ends, isWhole } = read(
      respond("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "5;a=b", "hello", "A", "0123456789", "0", "X-Trailer: 1", "", ""),
    );
    expect({ body, ends, isWhole }).toEqual({ body: "hello0123456789", ends: 1, isWhole: true });
  });

  it("reads a body without a length until the connection is closed, and cannot reuse the connection", () => {
    const { heads, body, ends, isWhole } = read(respond("HTTP/1.1 200 OK", "", "hello"));
    expect(heads[0]?.keepsAlive).toBe(false);
    expect({ body, ends, isWhole }).toEqual({ body: "hello", ends: 1, isWhole: true });
  });

  it("skips interim responses", () => {
    const { heads, body } = read(
      respond("HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/1.1 201 Created", "Content-Length: 1", "", "x"),
    );
    expect(heads.map(({ status }) => status)).toEqual([201]);
    expect(body).toBe("x");
  });

  it.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ] as const)("expects no body after %s and %d, whatever the headers say", (method, status) => {
    const { heads, ends, isWhole } = read(respond(`HTTP/1.1 ${status} X`, "Content-Length: 5", "", ""), { method });
    expect({ ends, isWhole, keeps: heads[0]?.keepsAlive }).toEqual({ ends: 1, isWhole: true, keeps: true });
  });

  it.each([
    [["HTTP/1.1 200 OK"], true],
    [["HTTP/1.1 200 OK", "Connection: close"], false],
    [["HTTP/1.1 200 OK", "Connection: X, Close"], false],
    [["HTTP/1.0 200 OK"], false],
    [["HTTP/1.0 200 OK", "Connection: Keep-Alive"], true],
  ] as const)("knows whether the connection stays open: %j", (lines, keeps) => {
    expect(read(respond(...lines, "Content-Length: 0", "", "")).heads[0]?.keepsAlive).toBe(keeps);
  });

  it.each([
    ["no status line", "hello\r\n\r\n", "HPE_INVALID_CONSTANT"],
    ["another protocol, from its first byte", "\x15", "HPE_INVALID_CONSTANT"],
    ["HTTP/2", "HTTP/2 200\r\n\r\n", "HPE_INVALID_CONSTANT"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", "HPE_INVALID_CONSTANT"],
    ["a change of protocol", "HTTP/1.1 101 X\r\n\r\n", "HPE_INVALID_CONSTANT"],
    ["a header without a colon", "HTTP/1.1 200 OK\r\nbad\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
    ["a header without a name", "HTTP/1.1 200 OK\r\n: bad\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
    ["a space in a header name", "HTTP/1.1 200 OK\r\na b: c\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
    ["a header that goes on in the next line", "HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
    ["a lonely line feed in a header", "HTTP/1.1 200 OK\r\na: b\nc: d\r\n\r\n", "HPE_INVALID_HEADER_TOKEN"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "HPE_UNEXPECTED_CONTENT_LENGTH"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "HPE_INVALID_CONTENT_LENGTH"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HPE_INVALID_CONTENT_LENGTH"],
    ["another transfer encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HPE_INVALID_TRANSFER_ENCODING"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "HPE_INVALID_CHUNK_SIZE"],
    ["a chunk of 4 GiB", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100000000\r\n", "HPE_INVALID_CHUNK_SIZE"],
    ["a chunk that is longer than its size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "HPE_INVALID_CHUNK_SIZE"],
    ["a second response", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "HPE_INVALID_CONSTANT"],
  ])("refuses %s", (_, text, code) => {
    expect(read(latin1(text)).error).toBe(code);
  });

  it.each(["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"])(
    "reads no more than the allowed bytes of headers and of trailers: %j",
    (beginning) => {
      const text = `${beginning}${"a: b\r\n".repeat(1000)}\r\n`;
      for (const cuts of [[], [1], Array.from({ length: 2000 }, (_, index) => index)])
        expect(read(latin1(text), { headerBytesMax: 1000, cuts }).error).toBe("HPE_HEADER_OVERFLOW");
    },
  );

  it.each([
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "HTTP/1.1 200 OK\r\nContent",
    "",
  ])("reports an incomplete response: %j", (text) => {
    expect(read(latin1(text))).toMatchObject({ ends: 0, isWhole: false, error: undefined });
  });
});

/** Parts of responses, correct and not. Two transfer encodings are refused here, but not by Node. */
const lines = fc.uniqueArray(
  fc.constantFrom(
    "Content-Length: 5",
    "Content-Length: 0",
    "Transfer-Encoding: chunked",
    "Connection: close",
    "A: b",
    "A:\t c ",
    "bad",
    "A : b",
    " c",
    "X: é",
  ),
  { maxLength: 4 },
);
const bodies = fc.constantFrom(
  "",
  "hello",
  "hello world",
  "5\r\nhello\r\n0\r\n\r\n",
  "5;x\r\nhello\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
  "0\r\n\r\n",
  "5\r\nhel",
  "x\r\n",
  "5\nhello",
  "5\r\nhelloX",
);
const starts = fc.constantFrom(
  "HTTP/1.1 200 OK",
  "HTTP/1.1 200",
  "HTTP/1.0 200 OK",
  "HTTP/1.1 204 No Content",
  "HTTP/1.1 404 Not Found",
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK",
  "HTTP/1.1  200 OK",
  "HTTP/1.1 99 X",
);
const responses = fc.tuple(starts, lines, bodies).map(([start, headers, body]) => latin1([start, ...headers, "", body].join("\r\n")));

describe("what ResponseReader reports", () => {
  it("does not depend on how the bytes were divided", () => {
    fc.assert(
      fc.property(responses, fc.array(fc.nat(200), { maxLength: 20 }), (bytes, cuts) => {
        expect(read(bytes, { cuts })).toEqual(read(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it("is what Node's parser reports, for complete and correct responses as for others", async () => {
    await fc.assert(
      fc.asyncProperty(responses, async (bytes) => {
        const ours = read(bytes);
        const isFine = ours.error === undefined && ours.isWhole;
        const head = ours.heads[0];
        expect(isFine ? { status: head?.status, body: ours.body } : "refused").toEqual(await nodeReads(bytes));
      }),
      { numRuns: 500 },
    );
  });
});

/** How Node's client reads a response whose connection is closed after it. */
function nodeReads(bytes: Uint8Array): Promise<unknown> {
  return new Promise((resolve) => {
    const connection = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    let isAnswered = false;
    const agent = Object.assign(new Agent(), { createConnection: () => connection });
    const sent = httpRequest({ agent, method: "GET", path: "/" }, (response) => {
      let body = "";
      isAnswered = true;
      response.setEncoding("latin1");
      response.on("data", (part: string) => (body += part));
      response.on("error", () => resolve("refused"));
      response.on("close", () => resolve(response.complete ? { status: response.statusCode, body } : "refused"));
    });
    sent.on("error", () => resolve("refused"));
    sent.on("close", () => {
      if (!isAnswered) resolve("refused");
    });
    sent.on("socket", () => {
      connection.push(bytes);
      connection.push(null);
    });
    sent.end();
  });
}
