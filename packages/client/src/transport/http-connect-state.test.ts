import { describe, expect, it } from "vitest";
import { connectStart, connectStep } from "./http-connect-state.ts";
import type { ConnectStep } from "./http-connect-state.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function feed(...pieces: readonly string[]): ConnectStep {
  let step = connectStart({ authority: "api:6443" }, () => "");
  for (const piece of pieces) if (step.kind === "more") step = connectStep(step.state, bytes(piece));
  return step;
}

describe("HTTP CONNECT", () => {
  const answer = "HTTP/1.0 200 Connection established\r\nvia: proxy\r\n\r\n";
  it("requests the authority, without credentials if there are none", () => {
    const start = connectStart({ authority: "api:6443" }, () => "");
    expect(start.kind === "more" && new TextDecoder().decode(start.send)).toBe("CONNECT api:6443 HTTP/1.1\r\nhost: api:6443\r\n\r\n");
  });
  it("is done at the empty line, for any chunk boundaries", () => {
    for (let cut = 0; cut < answer.length; cut++)
      expect(feed(answer.slice(0, cut), `${answer.slice(cut)}rest`)).toEqual({ kind: "done", rest: bytes("rest") });
    expect(feed(answer.slice(0, -1)).kind).toBe("more");
  });
  it.each([
    ["HTTP/1.1 502 Bad Gateway\r\n\r\n", "it answered 502"],
    ["HTTP/1.1 407 No\r\n\r\n", "check those in proxy-url"],
    ["nonsense\r\n\r\n", "does not respond in HTTP"],
    ["x".repeat(17_000), "too large"],
  ])("fails with %j", (text, why) => {
    expect(feed(text)).toEqual({ kind: "failed", why: expect.stringContaining(why) as string });
  });
});
