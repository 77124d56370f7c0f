import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { exampleOf } from "@drover/api/testing";
import {
  apiVersionOf,
  createRandom,
  definedOnly,
  encodeJson,
  fieldTree,
  isJsonObject,
  jsonEqual,
  keptFields,
  pick,
} from "@drover/machinery";
import { encodeEnvelope, MessageProjection, peekMessage, ProtobufError, ProtobufWriter } from "@drover/machinery/protobuf";
import type { FieldTree, GroupVersionKind, JsonObject, JsonValue, Random } from "@drover/machinery";
import { jsonOf } from "../typed-object.ts";
import { builtInCodec } from "./built-in-codec.ts";
import { DecodeError } from "./codec.ts";
import { decodeMessage } from "./read-message.ts";
import { checkFields, messageFields, MessagePlan, MessageReader, typedShape } from "@drover/api/shapes";
import type { Shape, StructShape } from "@drover/api/shapes";

const shapeOf = (kind: string): StructShape => typedShape({ group: "", version: "v1", kind }) ?? expect.fail(`no ${kind}`);

const read = (kind: string, write: (writer: ProtobufWriter) => void): JsonObject => {
  const writer = new ProtobufWriter();
  write(writer);
  return decodeMessage(writer.finish(), shapeOf(kind));
};

const someKind = fc.constantFrom(...kinds);
/** An object may have thousands of fields. */
const runs = (): number => 20 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 20);

describe("decodeMessage", () => {
  it("round-trips objects of every kind", () => {
    fc.assert(
      fc.property(someKind, fc.nat(), (kind, seed) => {
        const codec = builtInCodec(kind, () => undefined);
        const object = codec.reshape(codec.decodeValue(jsonOf(exampleOf(kind, createRandom(seed), { density: 0.4 }))).object);
        const message = codec.messages?.encode(object) ?? expect.fail("no protobuf");
        const again = codec.reshape(
          codec.messages?.decodeBody(encodeEnvelope({ apiVersion: "", kind: "", message })).object ?? expect.fail("no protobuf"),
        );
        if (!jsonEqual(again, withoutClaimKinds(object))) expect(again).toEqual(withoutClaimKinds(object));
      }),
      { numRuns: runs() },
    );
  });

  it("decodes or refuses corrupted bytes, and never fails otherwise", () => {
    fc.assert(
      fc.property(
        someKind,
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 5 }),
        (kind, seed, changes) => {
          const codec = builtInCodec(kind, () => undefined);
          const { object } = codec.decodeValue(jsonOf(exampleOf(kind, createRandom(seed), { density: 0.2 })));
          const message = codec.messages?.encode(object) ?? expect.fail("no protobuf");
          for (const [at, byte] of changes) message[at % message.length] = byte;
          try {
            codec.messages?.decodeBody(encodeEnvelope({ apiVersion: "", kind: "", message }));
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        },
      ),
      { numRuns: runs() },
    );
  });

  it("takes the last scalar, merges messages, and appends to lists and maps", () => {
    expect(
      read("ConfigMap", (writer) => {
        writer.message(1, (meta) => meta.string(1, "first"));
        writer.message(1, (meta) => meta.string(3, "space"));
        writer.message(1, (meta) => meta.string(1, "last"));
        for (const key of ["b", "a", "__proto__"]) writer.message(2, (entry) => entry.string(1, key));
      }),
    ).toEqual({ metadata: { name: "last", namespace: "space" }, data: JSON.parse('{"b":null,"a":null,"__proto__":null}') as JsonObject });
  });

  it("reads packed and unpacked numbers", () => {
    const groups = (write: (writer: ProtobufWriter) => void): JsonValue | undefined =>
      (read("Pod", (pod) => pod.message(2, (spec) => spec.message(14, write)))["spec"] as JsonObject)["securityContext"];
    expect(groups((context) => [1, 2].forEach((group) => context.int64(4, group)))).toEqual({ supplementalGroups: [1, 2] });
    expect(groups((context) => context.bytes(4, Uint8Array.of(1, 0x80, 1)))).toEqual({ supplementalGroups: [1, 128] });
  });

  it("reads absent bytes in a map as empty", () => {
    expect(read("Secret", (secret) => secret.message(2, (entry) => entry.string(1, "k")))).toEqual({ data: { k: "" } });
  });

  it("refuses values of the wrong wire type and names the field", () => {
    const wrong = (kind: string, write: (writer: ProtobufWriter) => void) => () => read(kind, write);
    expect(wrong("ConfigMap", (writer) => writer.bool(1, true))).toThrow(
      new ProtobufError("proto: wrong wireType = 0 for field ObjectMeta"),
    );
    expect(wrong("ConfigMap", (writer) => writer.string(4, "x"))).toThrow("proto: wrong wireType = 2 for field Immutable");
    expect(wrong("Pod", (writer) => writer.message(2, (spec) => spec.bool(2, true)))).toThrow(
      "proto: wrong wireType = 0 for field Containers",
    );
  });
});

describe("the client's MessageReader and this package", () => {
  const reader = new MessageReader();
  const client = (kind: GroupVersionKind, message: Uint8Array): JsonObject => {
    const apiVersion = apiVersionOf(kind);
    const plan = MessagePlan.of(typedShape(kind) ?? expect.fail("no shape"));
    return reader.read(message, 0, message.length, plan, { kind: kind.kind, apiVersion });
  };

  it("have the same JSON of every object, to the order of its keys", () => {
    fc.assert(
      fc.property(someKind, fc.nat(), fc.constantFrom(0.05, 0.2, 0.5), fc.boolean(), (kind, seed, density, isBuffer) => {
        const codec = builtInCodec(kind, () => undefined);
        const object = codec.reshape(codec.decodeValue(jsonOf(exampleOf(kind, createRandom(seed), { density }))).object);
        const written = codec.messages?.encode(object) ?? expect.fail("no protobuf");
        const received = client(kind, isBuffer ? Buffer.from(written) : written);
        // The server writes its kind first.
        const sent = { kind: kind.kind, ...withoutClaimKinds(object) };
        const [ours, theirs] = [encodeJson(withoutClaimKinds(received)), encodeJson(sent)];
        if (ours !== theirs) expect(ours).toBe(theirs);
      }),
      { numRuns: runs() * 3 },
    );
  });

  it("read or refuse corrupted bytes alike", () => {
    fc.assert(
      fc.property(
        someKind,
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 }),
        (kind, seed, changes) => {
          const codec = builtInCodec(kind, () => undefined);
          const { object } = codec.decodeValue(jsonOf(exampleOf(kind, createRandom(seed), { density: 0.1 })));
          const message = codec.messages?.encode(object) ?? expect.fail("no protobuf");
          for (const [at, byte] of changes) message[at % message.length] = byte;
          const shape = typedShape(kind) ?? expect.fail("no shape");
          const outcome = (decode: () => JsonObject): unknown => {
            try {
              return encodeJson(withoutClaimKinds(codec.reshape(decode())));
            } catch (error) {
              if (!(error instanceof ProtobufError)) throw error;
              return error.message;
            }
          };
          const [ours, theirs] = [outcome(() => client(kind, message)), outcome(() => decodeMessage(message, shape))];
          // A corrupted quantity is text for the client; the server parses it.
          if (ours !== theirs && !/quantit/.test(String(theirs))) expect(ours).toBe(theirs);
        },
      ),
      { numRuns: runs() * 3 },
    );
  });
});

describe("declared fields", () => {
  const reader = new MessageReader();

  /** Paths that the type has, of any depth. */
  function somePaths(shape: StructShape, random: Random): readonly string[] {
    return Array.from({ length: 1 + random.int(5) }, () => {
      const names: string[] = [];
      for (let at: Shape = shape; at.kind === "struct" && at.fields.length > 0;) {
        const field: StructShape["fields"][number] = pick(random, at.fields);
        names.push(field.name);
        if (random.next() < 0.2) break;
        for (at = field.shape; at.kind === "list";) at = at.item;
      }
      return names.join(".");
    });
  }

  it("are read alike from the whole message and from one that was cut, and are what is kept of the whole object", () => {
    let shrunk = 0;
    fc.assert(
      fc.property(someKind, fc.nat(), fc.constantFrom(0.1, 0.3), (kind, seed, density) => {
        const random = createRandom(seed);
        const shape = typedShape(kind) ?? expect.fail("no shape");
        const codec = builtInCodec(kind, () => undefined);
        const { object } = codec.decodeValue(jsonOf(exampleOf(kind, random, { density })));
        const message = codec.messages?.encode(object) ?? expect.fail("no protobuf");
        const paths = somePaths(shape, random);
        checkFields(kind.kind, shape, paths);
        const tree = fieldTree(["apiVersion", "kind", "metadata", ...paths]);
        const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
        const decoded = (bytes: Uint8Array, wanted?: FieldTree): JsonObject =>
          reader.read(bytes, 0, bytes.length, MessagePlan.of(shape, definedOnly({ wanted })), { ...type });
        const expected = encodeJson(keptFields(decoded(message), tree));
        const projection = new MessageProjection(messageFields(shape, tree));
        const cut = projection.project(message, 0, message.length)?.slice() ?? expect.fail("not cut");
        const peeked = peekMessage(message, 0, message.length, { keepManagedFields: true }, projection) ?? expect.fail("not peeked");
        expect(peeked.bytes).toEqual(cut);
        if (cut.length < message.length) shrunk++;
        const texts = [encodeJson(decoded(message, tree)), encodeJson(decoded(cut, tree))];
        if (texts.some((text) => text !== expected)) expect(texts, paths.join(", ")).toEqual([expected, expected]);
      }),
      { numRuns: runs() * 5 },
    );
    expect(shrunk).toBeGreaterThan(runs());
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
