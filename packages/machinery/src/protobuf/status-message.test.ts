import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeEnvelope } from "./envelope.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";
import { decodeStatusMessage } from "./status-message.ts";

const statusOf = (
  write: (writer: ProtobufWriter) => void,
  names: { readonly kind?: string; readonly apiVersion?: string } = {},
): Uint8Array => {
  const writer = new ProtobufWriter();
  write(writer);
  return encodeEnvelope({ apiVersion: "v1", kind: "Status", ...names, message: writer.finish() });
};

/** Every field, as Go writes it. */
const full = (writer: ProtobufWriter): void => {
  writer.message(1, (list) => {
    list.string(1, "/self");
    list.string(2, "7");
    list.string(3, "more");
    list.int64(4, 9);
  });
  writer.string(2, "Failure");
  writer.string(3, 'pods "web" not found');
  writer.string(4, "NotFound");
  writer.message(5, (details) => {
    details.string(1, "web");
    details.string(2, "apps");
    details.string(3, "pods");
    for (const field of ["spec.a", "spec.b"])
      details.message(4, (cause) => {
        cause.string(1, "FieldValueInvalid");
        cause.string(2, "is bad");
        cause.string(3, field);
      });
    details.int64(5, 3);
    details.string(6, "u-1");
  });
  writer.int64(6, 404);
};

describe("decodeStatusMessage", () => {
  it("reads every field, in the order of Go's JSON", () => {
    expect(JSON.stringify(decodeStatusMessage(statusOf(full)))).toBe(
      JSON.stringify({
        kind: "Status",
        apiVersion: "v1",
        metadata: { selfLink: "/self", resourceVersion: "7", continue: "more", remainingItemCount: 9 },
        status: "Failure",
        message: 'pods "web" not found',
        reason: "NotFound",
        details: {
          name: "web",
          group: "apps",
          kind: "pods",
          uid: "u-1",
          causes: ["spec.a", "spec.b"].map((field) => ({ reason: "FieldValueInvalid", message: "is bad", field })),
          retryAfterSeconds: 3,
        },
        code: 404,
      }),
    );
  });

  it("omits zero values as Go does, and keeps empty messages", () => {
    const empty = statusOf((writer) => {
      writer.message(1, (list) => ["", "", ""].forEach((text, index) => list.string(index + 1, text)));
      for (const field of [2, 3, 4]) writer.string(field, "");
      writer.message(5, (details) => details.int64(5, 0));
      writer.int64(6, 0);
    });
    expect(decodeStatusMessage(empty)).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, details: {} });
    expect(decodeStatusMessage(statusOf(() => undefined))).toEqual({ kind: "Status", apiVersion: "v1", metadata: {} });
    // A pointer in Go: absent and 0 differ.
    expect(decodeStatusMessage(statusOf((writer) => writer.message(1, (list) => list.int64(4, 0))))).toMatchObject({
      metadata: { remainingItemCount: 0 },
    });
  });

  it("skips unknown fields", () => {
    const more = statusOf((writer) => {
      writer.double(90, 1);
      writer.message(1, (list) => list.string(50, "x"));
      writer.message(5, (details) => (details.string(50, "x"), details.message(4, (cause) => cause.int64(50, 1))));
      writer.int64(6, 500);
    });
    expect(decodeStatusMessage(more)).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, details: { causes: [{}] }, code: 500 });
  });

  it("returns undefined for another kind", () => {
    expect(decodeStatusMessage(statusOf(full, { kind: "Pod" }))).toBeUndefined();
  });

  it("refuses a field of another wire type in Go's words", () => {
    expect(() => decodeStatusMessage(statusOf((writer) => writer.int64(3, 0)))).toThrow("proto: wrong wireType = 0 for field Message");
    expect(() => decodeStatusMessage(statusOf((writer) => writer.string(6, "")))).toThrow("proto: wrong wireType = 2 for field Code");
    expect(() => decodeStatusMessage(statusOf((writer) => writer.int64(5, 0)))).toThrow("proto: wrong wireType = 0 for field Details");
  });

  it("reads damaged bytes or throws a ProtobufError", () => {
    const whole = statusOf(full);
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length), fc.nat(255), (length, at, byte) => {
        const damaged = whole.slice(0, length);
        if (at < length) damaged[at] = byte;
        try {
          decodeStatusMessage(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError);
        }
      }),
    );
  });
});
