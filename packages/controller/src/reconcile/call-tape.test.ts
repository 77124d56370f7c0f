import { objectKey } from "@drover/machinery";
import type { HttpBody } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "../tape/run-record.ts";
import { CallTape } from "./call-tape.ts";

function stage(
  path = "/api/v1/pods?limit=5&fieldManager=web%20operator",
  method = "PATCH",
): {
  readonly calls: CallRecord[];
  readonly call: CallTape;
  readonly time: { now: number };
} {
  const calls: CallRecord[] = [];
  const time = { now: 10 };
  const tape = { call: (record: CallRecord) => void calls.push(record), end: () => undefined };
  return { calls, time, call: new CallTape({ tape, request: { method, path }, atMs: 10, sinceStart: () => time.now }) };
}

async function* chunks(...all: readonly (string | Error)[]): AsyncGenerator<string | Uint8Array> {
  for (const chunk of all) {
    if (chunk instanceof Error) throw chunk;
    yield await Promise.resolve(new TextEncoder().encode(chunk));
  }
}

async function readAll(body: HttpBody): Promise<string> {
  let text = "";
  for await (const chunk of body as AsyncIterable<Uint8Array>) text += new TextDecoder().decode(chunk);
  return text;
}

describe("CallTape", () => {
  it("records a call with a complete response: what it wrote, and the field manager", () => {
    const { calls, call, time } = stage();
    time.now = 25;
    call.wrote({ uid: "u1", resourceVersion: "7" });
    const response = { status: 200, headers: {}, body: "{}" };
    expect(call.answered(response)).toBe(response);
    expect(calls).toEqual([
      {
        method: "PATCH",
        path: "/api/v1/pods",
        atMs: 10,
        tookMs: 15,
        status: 200,
        wrote: { uid: "u1", resourceVersion: "7", manager: "web operator" },
      },
    ]);
  });

  it("records the key of an object that the path does not name, because the call created it", () => {
    const key = objectKey("web-x", "shop");
    const wroteBy = (method: string): CallRecord["wrote"] => {
      const { calls, call } = stage("/api/v1/namespaces/shop/pods", method);
      call.wrote({ uid: "u1", resourceVersion: "7", key });
      call.answered({ status: 201, headers: {}, body: "{}" });
      return calls[0]?.wrote;
    };
    expect(wroteBy("POST")).toEqual({ uid: "u1", resourceVersion: "7", key });
    expect(wroteBy("PUT")).toEqual({ uid: "u1", resourceVersion: "7" });
  });

  it("records a call with a streamed response at its end, and passes the chunks unchanged", async () => {
    const { calls, call, time } = stage("/api/v1/pods");
    const { body } = call.answered({ status: 201, headers: {}, body: chunks('{"a":', "1}") });
    expect(calls).toEqual([]);
    call.wrote({ uid: "u1", resourceVersion: "7" });
    time.now = 40;
    expect(await readAll(body)).toBe('{"a":1}');
    expect(calls).toEqual([
      { method: "PATCH", path: "/api/v1/pods", atMs: 10, tookMs: 30, status: 201, wrote: { uid: "u1", resourceVersion: "7" } },
    ]);
  });

  it("records the server's error message, complete or streamed, also if it is not a Status", async () => {
    for (const [body, error] of [
      ['{"kind":"Status","message":"no such pod"}', "no such pod"],
      ["<html>busy", "<html>busy"],
      ["", undefined],
      ['{"message":7}', undefined],
    ] as const) {
      const { calls, call } = stage();
      call.answered({ status: 404, headers: {}, body });
      await readAll(call.answered({ status: 404, headers: {}, body: chunks(body) }).body);
      call.answered({ status: 404, headers: {}, body: new TextEncoder().encode(body) });
      expect(calls.map((record) => [record.status, record.error])).toEqual([
        [404, error],
        [404, error],
        [404, error],
      ]);
    }
  });

  it("records the error if there was no response, or only part of one", async () => {
    const { calls, call } = stage();
    call.failed(new Error("refused"));
    await expect(readAll(call.answered({ status: 200, headers: {}, body: chunks("{", new Error("cut off")) }).body)).rejects.toThrow(
      "cut off",
    );
    expect(calls.map(({ status, error }) => [status, error])).toEqual([
      [undefined, "refused"],
      [200, "cut off"],
    ]);
  });
});
