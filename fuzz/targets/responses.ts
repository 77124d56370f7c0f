/** HTTP responses as the client reads them: what is read does not depend on how the bytes were divided, and is bounded. */
import { ResponseReader, ResponseSyntaxError } from "../../packages/client/src/transport/response-reader.ts";
import { attempt, equal, holds } from "../expect.ts";
import type { FuzzTarget } from "../target.ts";

const headerBytesMax = 512;

export const responsesTarget: FuzzTarget = {
  name: "responses",
  perSecond: 3000,
  tokens: [
    ["HTTP/1.1 200 OK\r\n", "HTTP/1.0 404 Not Found\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 \r\n", "HTTP/1.1 101 \r\n"],
    ["Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "a: b\r\n", "\r\n", "\n", "\r", "hello"],
    ["5\r\nhello\r\n", "0\r\n\r\n", "0\r\na: b\r\n\r\n", "A;x=y\r\n0123456789\r\n", "ffffffff\r\n", "fffffffff\r\n"],
  ].flat(),
  run(input) {
    const whole = read([input]);
    equal(read(Array.from({ length: input.length }, (_, at) => input.subarray(at, at + 1))), whole, "single bytes read the same");
    const cuts: Uint8Array[] = [];
    for (let at = 0; at < input.length;) {
      const size = 1 + ((input[at] ?? 0) % 29);
      cuts.push(input.subarray(at, at + size));
      at += size;
    }
    equal(read(cuts), whole, "chunks read the same");
    holds(whole.bodyBytes <= input.length, "invents no bytes");
    holds(whole.ends <= whole.heads.length && whole.heads.length <= 1, "reads one response for one request");
  },
};

interface Read {
  readonly heads: unknown[];
  body: number[];
  bodyBytes: number;
  ends: number;
  isWhole: boolean | undefined;
  failure: string | undefined;
}

function read(chunks: readonly Uint8Array[]): Read {
  const found: Read = { heads: [], body: [], bodyBytes: 0, ends: 0, isWhole: undefined, failure: undefined };
  const reader = new ResponseReader({ headerBytesMax });
  reader.begin("GET", {
    head: (head) => void found.heads.push(head),
    body: (bytes) => {
      found.body.push(...bytes);
      found.bodyBytes += bytes.length;
    },
    end: () => void found.ends++,
  });
  const outcome = attempt(() => {
    for (const chunk of chunks) reader.push(chunk);
    return reader.close();
  }, ResponseSyntaxError);
  if ("error" in outcome) found.failure = (outcome.error as ResponseSyntaxError).code;
  else found.isWhole = outcome.value;
  return found;
}
