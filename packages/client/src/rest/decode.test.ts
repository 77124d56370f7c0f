import { MessagePlan, MessageReader, structShape } from "@drover/api/shapes";
import { ApiError, UnknownOutcomeError, encodeJson, newConflict, newTooManyRequests } from "@drover/machinery";
import { ProtobufWriter, decodeEnvelope, encodeEnvelope, protobufMediaType } from "@drover/machinery/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScriptedStream } from "../testing/scripted-stream.ts";
import { jsonResponse, scriptedTransport, statusResponse, textResponse } from "../testing/scripted-transport.ts";
import { decodeResponse, readAnswer, readResponse, readResponseError, responseError } from "./decode.ts";
import { ResponseError } from "./response-error.ts";

const pods = { group: "", resource: "pods" };
const about = { attempt: "get pods/web-0 in shop", method: "GET", resource: pods, name: "web-0" };
const write = { ...about, attempt: "update pods/web-0 in shop", method: "PUT" };

async function* chunked(...chunks: (string | Uint8Array)[]) {
  yield* chunks;
}
const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("decodeResponse", () => {
  it("decodes JSON without loss, from text, bytes and chunks with any boundaries", async () => {
    const text = '{"kind":"Pod","big":9007199254740993,"ü":"🐎","__proto__":1}';
    const bytes = new TextEncoder().encode(text);
    const expected = await decodeResponse(jsonResponse({}, {}), about).then(() =>
      decodeResponse({ status: 200, headers: {}, body: text }, about),
    );
    expect(expected).toMatchObject({ big: 9007199254740993n, ü: "🐎" });
    expect(Object.hasOwn(expected as object, "__proto__")).toBe(true);
    expect(await decodeResponse({ status: 200, headers: {}, body: bytes }, about)).toEqual(expected);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const sorted = cuts.toSorted((a, b) => a - b);
        const chunks = [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length));
        expect(
          await decodeResponse(
            { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: chunked(...chunks) },
            about,
          ),
        ).toEqual(expected);
      }),
    );
    expect(await decodeResponse({ status: 200, headers: {}, body: chunked('{"a":', new TextEncoder().encode('"ü"'), "}") }, about)).toEqual(
      { a: "ü" },
    );
  });

  it("drops managed fields only on request", async () => {
    const object = { kind: "Pod", metadata: { name: "a", managedFields: [{ manager: "m" }] } };
    expect(await decodeResponse(jsonResponse(object), about, { dropManagedFields: true })).toEqual({
      kind: "Pod",
      metadata: { name: "a" },
    });
    expect(await decodeResponse(jsonResponse(object), about)).toEqual(object);
  });

  it("throws the server's error unchanged, with attempt and code", async () => {
    const error = await failureOf(decodeResponse(statusResponse(newConflict(pods, "web-0", "changed")), write));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 409, reason: "Conflict", attempt: "update pods/web-0 in shop" });
  });

  it("creates a Status for an error without one, with 2,048 characters of its text in the cause", async () => {
    const error = (await failureOf(decodeResponse(textResponse("x".repeat(5000), { status: 502 }), about))) as ApiError;
    expect(error).toMatchObject({ code: 502, reason: "InternalError" });
    expect(error.details?.causes).toEqual([{ reason: "UnexpectedServerResponse", message: "x".repeat(2048) }]);
  });

  it("uses Retry-After of the header if the Status has none", async () => {
    const headers = { "retry-after": "7" };
    expect(await responseError(textResponse("busy", { status: 429, headers }), about)).toMatchObject({
      retryAfterSeconds: 7,
      reason: "TooManyRequests",
    });
    expect(await responseError(statusResponse(newTooManyRequests("busy", 3), { headers }), about)).toMatchObject({ retryAfterSeconds: 3 });
    expect(
      await responseError(textResponse("busy", { status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } }), about),
    ).toMatchObject({ retryAfterSeconds: undefined });
  });

  it.each([199, 207, 301, 400, 503])("treats %i as a failure", async (status) => {
    expect(await failureOf(decodeResponse(jsonResponse({ kind: "Pod" }, { status }), about))).toMatchObject({
      name: "ApiError",
      code: status,
    });
  });
  it.each([200, 201, 202, 206])("treats %i as a success", async (status) => {
    expect(await decodeResponse(jsonResponse({ kind: "Pod" }, { status }), about)).toEqual({ kind: "Pod" });
  });
});

describe("C13: decodeResponse throws a typed error for", () => {
  it("200 with a Status of failure", async () => {
    const failure = newConflict(pods, "web-0", "changed");
    expect(await failureOf(decodeResponse(jsonResponse(failure), about))).toMatchObject({
      name: "ApiError",
      reason: "Conflict",
      code: 409,
    });
  });
  it("not for 200 with a Status of success, which is an object like any other", async () => {
    expect(await decodeResponse(jsonResponse({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" }), about)).toMatchObject({
      status: "Success",
    });
  });
  it("200 with a web page", async () => {
    const error = await failureOf(decodeResponse(textResponse("<html>log in</html>", { headers: { "content-type": "text/html" } }), about));
    expect(error).toMatchObject({
      name: "ResponseError",
      reason: "content-type",
      statusCode: 200,
      message: 'get pods/web-0 in shop: the server answered 200 with text/html instead of JSON: "<html>log in</html>"',
    });
  });
  it("200 with a type that is neither JSON nor text, which is not quoted", async () => {
    expect(
      await failureOf(decodeResponse({ status: 200, headers: { "content-type": "application/octet-stream" }, body: "secret" }, about)),
    ).toMatchObject({ reason: "content-type", message: expect.not.stringContaining("secret") as unknown });
  });
  it("200 with an empty body", async () => {
    expect(
      await failureOf(decodeResponse({ status: 200, headers: { "content-type": "application/json" }, body: "" }, about)),
    ).toMatchObject({
      reason: "empty",
      message: "get pods/web-0 in shop: 0-length response with status code: 200 and content type: application/json",
    });
  });
  it("200 with malformed JSON, which is not quoted", async () => {
    const error = (await failureOf(decodeResponse({ status: 200, headers: {}, body: '{"token": canary}' }, about))) as Error;
    expect(error).toMatchObject({ reason: "json", message: expect.stringContaining("column 11") as unknown });
    expect(error.message).not.toContain("canary");
  });
});

describe("C8: a truncated response", () => {
  const broken = () => {
    const stream = new ScriptedStream();
    stream.push('{"a":');
    stream.fail(new Error("socket hang up"));
    return stream.response;
  };
  it("is a lost response for a read", async () => {
    expect(await failureOf(decodeResponse(broken(), about))).toMatchObject({
      name: "ResponseError",
      reason: "lost",
      statusCode: 200,
      message: "get pods/web-0 in shop: the connection was lost while reading the response: socket hang up",
    });
  });
  it("leaves the outcome of a write unknown", async () => {
    const error = await failureOf(decodeResponse(broken(), write));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect((error as Error).message).toContain("update pods/web-0 in shop: it is unknown whether this happened");
  });
  it("counts as lost also after a clean close in the middle", async () => {
    expect(await failureOf(decodeResponse({ status: 200, headers: {}, body: '{"a":' }, about))).toMatchObject({ reason: "lost" });
    expect(await failureOf(decodeResponse({ status: 201, headers: {}, body: '{"a":' }, write))).toBeInstanceOf(UnknownOutcomeError);
  });
  it("keeps the code of an error", async () => {
    const stream = new ScriptedStream({ status: 503, headers: { "content-type": "text/plain" } });
    stream.push("bad gat");
    stream.fail(new Error("reset"));
    expect(await responseError(stream.response, write)).toMatchObject({ code: 503, details: { causes: [{ message: "bad gat" }] } });
  });
});

describe("T11: a response that is too large", () => {
  it("is rejected as soon as the limit is exceeded, and its source is destroyed", async () => {
    const stream = new ScriptedStream();
    for (let index = 0; index < 10; index++) stream.push(new Uint8Array(100));
    expect(await failureOf(decodeResponse(stream.response, about, { maxBodyBytes: 250 }))).toMatchObject({
      reason: "too-large",
      message: expect.stringContaining("larger than 250 bytes; request it in pages, or raise maxBodyBytes") as unknown,
    });
    expect(stream.taken).toBe(3);
    expect(stream.isDestroyed).toBe(true);
  });
  it("is accepted up to the limit, counted in bytes", async () => {
    expect((await readResponse(textResponse("üü"), about, { maxBodyBytes: 4 })).body).toBe("üü");
    expect(await failureOf(readResponse(textResponse("üü"), about, { maxBodyBytes: 3 }))).toBeInstanceOf(ResponseError);
  });
  it("keeps the code of an error, however long its page is", async () => {
    async function* endless() {
      for (;;) yield "x".repeat(100_000);
    }
    expect(await responseError({ status: 502, headers: { "content-type": "text/html" }, body: endless() }, about)).toMatchObject({
      code: 502,
    });
  });
});

describe("C18: an abort while the body is read", () => {
  it.each([200, 500])("rejects with the signal's reason for status %i", async (status) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const stream = new ScriptedStream({ status });
    const reading = failureOf(decodeResponse(stream.response, write, { signal: controller.signal }));
    controller.abort(reason);
    stream.fail(new Error("destroyed"));
    expect(await reading).toBe(reason);
  });
});

describe("readAnswer", () => {
  const request = { method: "GET", path: "/api/v1/namespaces/shop/pods/web-0", headers: {} };
  it("sends the request and reads the body of any type", async () => {
    const server = scriptedTransport([textResponse("hello")]);
    expect(await readAnswer(server, request, about)).toMatchObject({ status: 200, body: "hello" });
    server.assertDone();
  });
  it("throws the server's error, the transport's failure, and the reason of an abort", async () => {
    expect(
      await failureOf(readAnswer(scriptedTransport([statusResponse(newConflict(pods, "web-0", "changed"))]), request, about)),
    ).toBeInstanceOf(ApiError);
    expect(await failureOf(readAnswer(scriptedTransport([new Error("no route")]), request, about))).toMatchObject({
      name: "ResponseError",
      reason: "unanswered",
    });
    const aborted = AbortSignal.abort(new Error("enough"));
    expect(await failureOf(readAnswer(scriptedTransport([]), request, about, { signal: aborted }))).toEqual(new Error("enough"));
  });
});

describe("an error response in protobuf", () => {
  const headers = { "content-type": protobufMediaType, "retry-after": "7" };
  const statusPlan = MessagePlan.of(structShape("meta/v1.Status"));
  const texts = (writer: ProtobufWriter, first: number, values: readonly string[]): void =>
    values.forEach((value, index) => writer.string(first + index, value));
  const three = fc.tuple(fc.string(), fc.string(), fc.string());
  const details = fc.record({
    names: three,
    causes: fc.array(three, { maxLength: 3 }),
    retryAfter: fc.integer({ min: 0, max: 100 }),
    uid: fc.string(),
  });

  /** In its envelope, as Go writes it. */
  const failure = fc
    .record({
      list: three,
      remaining: fc.option(fc.integer({ min: 0, max: 5 })),
      status: fc.constantFrom("Failure", "Success", ""),
      message: fc.string(),
      reason: fc.constantFrom("NotFound", "Expired", "Conflict", "", "Other"),
      details: fc.option(details),
      code: fc.constantFrom(0, 404, 410, 500),
    })
    .map((value) => {
      const writer = new ProtobufWriter();
      writer.message(1, (list) => {
        texts(list, 1, value.list);
        if (value.remaining !== null) list.int64(4, value.remaining);
      });
      texts(writer, 2, [value.status, value.message, value.reason]);
      const more = value.details;
      if (more !== null)
        writer.message(5, (inner) => {
          texts(inner, 1, more.names);
          for (const cause of more.causes) inner.message(4, (each) => texts(each, 1, cause));
          inner.int64(5, more.retryAfter);
          inner.string(6, more.uid);
        });
      writer.int64(6, value.code);
      return encodeEnvelope({ kind: "Status", apiVersion: "v1", message: writer.finish() });
    });

  const asJson = (bytes: Uint8Array): string => {
    const { kind, apiVersion, message } = decodeEnvelope(bytes);
    return encodeJson(new MessageReader().read(message, 0, message.length, statusPlan, { kind, apiVersion }));
  };

  it("becomes the same ApiError as the same Status in JSON", () => {
    fc.assert(
      fc.property(failure, fc.constantFrom(404, 410, 429, 500), (body, status) => {
        const inProtobuf = readResponseError({ status, headers, body }, about);
        const inJson = readResponseError(
          { status, headers: { ...headers, "content-type": "application/json" }, body: asJson(body) },
          about,
        );
        expect(inProtobuf).toBeInstanceOf(ApiError);
        expect(inProtobuf).toEqual(inJson);
        expect(JSON.stringify([inProtobuf.status, inProtobuf])).toBe(JSON.stringify([inJson.status, inJson]));
      }),
    );
  });

  it("is read from chunks, by readAnswer as by decodeResponse", async () => {
    const writer = new ProtobufWriter();
    texts(writer, 2, ["Failure", "pods are forbidden", "Forbidden"]);
    const body = encodeEnvelope({ kind: "Status", apiVersion: "v1", message: writer.finish() });
    const response = () => ({ status: 403, headers, body: chunked(body.subarray(0, 9), body.subarray(9)) });
    const expected = { status: { reason: "Forbidden", message: "pods are forbidden" }, code: 403, attempt: about.attempt };
    expect(await failureOf(decodeResponse(response(), about))).toMatchObject(expected);
    expect(await failureOf(readAnswer(scriptedTransport([response()]), { method: "GET", path: "/", headers: {} }, about))).toMatchObject(
      expected,
    );
  });

  it("has the status code if it is truncated or not a Status", () => {
    const writer = new ProtobufWriter();
    texts(writer, 2, ["Failure", "x".repeat(300), "NotFound"]);
    const message = writer.finish();
    const truncated = encodeEnvelope({ kind: "Status", apiVersion: "v1", message }).subarray(0, 100);
    for (const body of [truncated, encodeEnvelope({ kind: "Pod", apiVersion: "v1", message: new Uint8Array() })]) {
      const error = readResponseError({ status: 503, headers, body }, about);
      expect(error).toMatchObject({ code: 503, status: { reason: "ServiceUnavailable" } });
      // Not a word of the bytes.
      expect(error.message).not.toMatch(/k8s|xxx/);
    }
  });
});
