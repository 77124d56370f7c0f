import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { exampleOf } from "@drover/api/testing";
import { apiVersionOf, createRandom, encodeJson, isJsonObject, jsonEqual } from "@drover/machinery";
import { encodeEnvelope, ProtobufError, ProtobufWriter } from "@drover/machinery/protobuf";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import { jsonOf } from "../typed-object.ts";
import { builtInCodec } from "./built-in-codec.ts";
import type { Codec } from "./codec.ts";
import { MessageBodyReader } from "./message-body-reader.ts";
import { newTally } from "./tally.ts";
import { writeStruct } from "./write-typed.ts";
import { MessagePlan, MessageReader, structShape, typedShape } from "@drover/api/shapes";
import type { StructShape } from "@drover/api/shapes";

const shapeOf = (kind: GroupVersionKind): StructShape => typedShape(kind) ?? expect.fail(`no ${kind.kind}`);

const read = (kind: string, write: (writer: ProtobufWriter) => void): JsonObject => {
  const writer = new ProtobufWriter();
  write(writer);
  const shape = structShape(`core/v1.${kind}`);
  return new MessageBodyReader(shape).read(writer.finish(), shape, {});
};

const someKind = fc.constantFrom(...kinds);
/** An object may have thousands of fields. */
const runs = (): number => 20 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 20);

/** A random object, as the server would store it, and its message. */
function example(kind: (typeof kinds)[number], seed: number, density: number): { codec: Codec; object: JsonObject; message: Uint8Array } {
  const codec = builtInCodec(kind, () => undefined);
  const object = codec.reshape(codec.decodeValue(jsonOf(exampleOf(kind, createRandom(seed), { density }))).object);
  return { codec, object, message: codec.messages?.encode(object) ?? expect.fail("no protobuf") };
}

/** Cuts a message into its fields. Assumes that it is well-formed, with tags of one or two bytes. */
function fieldsOf(message: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  for (let at = 0; at < message.length;) {
    const from = at;
    const varint = (): number => {
      let value = 0;
      for (let shift = 1; ; shift *= 128) {
        const byte = message[at++] ?? expect.fail("a message is cut off");
        value += (byte & 0x7f) * shift;
        if (byte < 0x80) return value;
      }
    };
    const type = varint() & 7;
    if (type === 0) varint();
    else {
      const size = type === 1 ? 8 : varint();
      at += size;
    }
    fields.push(message.subarray(from, at));
  }
  return fields;
}

interface Damage {
  /** Fields to repeat at another place. */
  readonly fields: readonly (readonly [number, number])[];
  /** Bytes to replace. */
  readonly bytes: readonly (readonly [number, number])[];
}

function damaged(message: Uint8Array, { fields, bytes }: Damage): Uint8Array {
  const parts = fieldsOf(message);
  for (const [from, to] of fields) parts.splice(to % (parts.length + 1), 0, parts[from % parts.length] ?? new Uint8Array());
  const result = Uint8Array.from(parts.flatMap((part) => [...part]));
  for (const [at, byte] of bytes) result[at % result.length] = byte;
  return result;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  fields: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  bytes: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 }),
});

describe("MessageBodyReader", () => {
  it("round-trips objects of every kind", () => {
    fc.assert(
      fc.property(someKind, fc.nat(), (kind, seed) => {
        const { codec, object, message } = example(kind, seed, 0.4);
        const again = codec.reshape(
          codec.messages?.decodeBody(encodeEnvelope({ apiVersion: "", kind: "", message })).object ?? expect.fail("no protobuf"),
        );
        if (!jsonEqual(again, withoutClaimKinds(object))) expect(again).toEqual(withoutClaimKinds(object));
      }),
      { numRuns: runs() },
    );
  });

  it("refuses a message, or returns what Go would write for it, whatever its bytes and the order of its fields", () => {
    fc.assert(
      fc.property(someKind, fc.nat(), damage, (kind, seed, changes) => {
        const shape = shapeOf(kind);
        const message = damaged(example(kind, seed, 0.1).message, changes);
        const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
        let object: JsonObject;
        try {
          object = new MessageBodyReader(shape).read(message, shape, { ...type });
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError);
          return;
        }
        const tally = newTally();
        const written = writeStruct(object, shape, tally, { ...type });
        const [ours, theirs] = [encodeJson(object), encodeJson(written)];
        if (ours !== theirs) expect(ours).toBe(theirs);
        expect(tally.surprised).toBe(false);
      }),
      { numRuns: runs() * 5 },
    );
  });

  it("reads quantities in canonical form, and refuses other texts", () => {
    const limits = (...quantities: readonly (string | undefined)[]): JsonValue | undefined =>
      read("ResourceRequirements", (requirements) =>
        quantities.forEach((quantity, at) =>
          requirements.message(1, (entry) => {
            entry.string(1, `q${at}`);
            if (quantity !== undefined) entry.message(2, (value) => value.string(1, quantity));
          }),
        ),
      )["limits"];
    expect(limits("1000m", "0.5", "100m", "", undefined)).toEqual({ q0: "1", q1: "500m", q2: "100m", q3: "0", q4: "0" });
    expect(() => limits("abc")).toThrow(
      new ProtobufError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
    );
    // A space is allowed in JSON only.
    expect(() => limits(" 1")).toThrow("quantities must match the regular expression");
  });

  it("refuses quantities with more digits than the server computes with (SEC22)", () => {
    const limit = (quantity: string) => (): JsonObject =>
      read("ResourceRequirements", (requirements) =>
        requirements.message(1, (entry) => (entry.string(1, "cpu"), entry.message(2, (value) => value.string(1, quantity)))),
      );
    expect(limit("1e999999999")).toThrow(new ProtobufError("unable to parse quantity's suffix"));
    expect(limit("9".repeat(100_000))).toThrow("quantities must match the regular expression");
  });

  it("leaves the type of claims in a StatefulSet to the defaults", () => {
    const shape = structShape("apps/v1.StatefulSetSpec");
    expect(new MessageBodyReader(shape).read(Uint8Array.of(0x22, 0), shape, {})["volumeClaimTemplates"]).toEqual([
      { metadata: {}, spec: { resources: {} }, status: {} },
    ]);
  });

  it("reads messages of another kind as well", () => {
    const reader = new MessageBodyReader(structShape("core/v1.ConfigMap"));
    expect(reader.read(Uint8Array.of(0x1a, 1, 0x78), structShape("core/v1.Secret"), {})).toEqual({ metadata: {}, type: "x" });
  });
});

describe("an informer's MessageReader and the server", () => {
  const reader = new MessageReader();
  const client = (kind: GroupVersionKind, message: Uint8Array): JsonObject => {
    const plan = MessagePlan.of(shapeOf(kind), { setsClaimTypes: true });
    return reader.read(message, 0, message.length, plan, { kind: kind.kind, apiVersion: apiVersionOf(kind) });
  };

  it("have the same JSON of every object, to the order of its keys", () => {
    fc.assert(
      fc.property(someKind, fc.nat(), fc.constantFrom(0.05, 0.2, 0.5), fc.boolean(), (kind, seed, density, isBuffer) => {
        const { object, message } = example(kind, seed, density);
        const received = client(kind, isBuffer ? Buffer.from(message) : message);
        // The server writes its kind first.
        const sent = { kind: kind.kind, ...withoutClaimKinds(object) };
        const [ours, theirs] = [encodeJson(withoutClaimKinds(received)), encodeJson(sent)];
        if (ours !== theirs) expect(ours).toBe(theirs);
      }),
      { numRuns: runs() * 3 },
    );
  });
});

/** Protobuf has no kind for embedded objects. */
function withoutClaimKinds(object: JsonObject): JsonObject {
  const { spec } = object;
  if (!isJsonObject(spec) || !Array.isArray(spec["volumeClaimTemplates"])) return object;
  const volumeClaimTemplates = (spec["volumeClaimTemplates"] as JsonObject[]).map(
    ({ kind: _kind, apiVersion: _apiVersion, ...claim }) => claim,
  );
  return { ...object, spec: { ...spec, volumeClaimTemplates } };
}
