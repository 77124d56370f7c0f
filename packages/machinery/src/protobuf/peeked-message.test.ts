import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PeekedIdentity } from "../wire/peeked-object.ts";
import { decodeEnvelope, encodeEnvelope } from "./envelope.ts";
import { encodedTypeMeta, peekMessage, peekMessageIdentity, peekMessageLabels, peekWatchMessage } from "./peeked-message.ts";
import { MessageProjection } from "./projected-message.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";
import { decodeWatchMessage, encodeWatchMessage } from "./watch-message.ts";
import { varintType } from "./wire-type.ts";

interface Written {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** In seconds. */
  readonly deletion: number | undefined;
  readonly labels: readonly (readonly [string, string])[];
  readonly managed: readonly Uint8Array[];
  readonly spec: Uint8Array;
  readonly generation: number;
}

const text = fc.oneof(fc.string(), fc.string({ unit: "binary", maxLength: 5 }), fc.constantFrom("", "x".repeat(200), "é", "\ufeffa"));
const written: fc.Arbitrary<Written> = fc.record({
  name: text.filter((name) => name !== ""),
  namespace: text,
  uid: text,
  resourceVersion: text,
  deletion: fc.option(fc.integer({ min: 0, max: 2 ** 33 }), { nil: undefined }),
  labels: fc.array(fc.tuple(text, text), { maxLength: 4 }),
  managed: fc.oneof(fc.constant([]), fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 3 })),
  spec: fc.uint8Array({ maxLength: 200 }),
  generation: fc.nat(),
});

/** Metadata in the order of its numbers, as Go writes it. */
function writeMetadata(writer: ProtobufWriter, object: Omit<Written, "spec">, { keepsManaged }: { readonly keepsManaged: boolean }): void {
  writer.string(1, object.name);
  writer.string(2, "");
  writer.string(3, object.namespace);
  writer.string(4, "");
  writer.string(5, object.uid);
  writer.string(6, object.resourceVersion);
  writer.int64(7, object.generation);
  writer.message(8, (time) => time.int64(1, 1_700_000_000));
  const { deletion } = object;
  if (deletion !== undefined)
    writer.message(9, (time) => {
      time.int64(1, deletion);
      time.int64(2, 0);
    });
  for (const [key, value] of object.labels)
    writer.message(11, (entry) => {
      entry.string(1, key);
      entry.string(2, value);
    });
  if (keepsManaged) for (const bytes of object.managed) writer.bytes(17, bytes);
}

/** Without a spec, the metadata alone. */
function messageOf(
  object: Omit<Written, "spec"> & { readonly spec: Uint8Array | undefined },
  options = { keepsManaged: true },
): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, (metadata) => writeMetadata(metadata, object, options));
  if (object.spec === undefined) return writer.finish();
  writer.bytes(2, object.spec);
  writer.double(900, 1.5);
  return writer.finish();
}

/** Lone surrogates become U+FFFD in UTF-8. */
const inUtf8 = (value: string): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(value));

const identityOf = ({ name, namespace, uid, resourceVersion, deletion }: Written): PeekedIdentity => ({
  name: inUtf8(name),
  namespace: inUtf8(namespace),
  uid: inUtf8(uid),
  resourceVersion: inUtf8(resourceVersion),
  isTerminating: deletion !== undefined,
});

const none = new Uint8Array();

/** 90 bytes with their length, which is also the tag of a label; the rest looks like that label and an annotation. */
const seemingLabel: readonly number[] = [0x5a, 5, 0x0a, 1, 0x78, 0x12, 0, 0x52, 82, ...new Uint8Array(82)];

const arrays = [
  ["a Buffer", (bytes: Uint8Array): Uint8Array => Buffer.from(bytes)],
  ["a plain array", (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)],
] as const;

describe.each(arrays)("peekMessage on %s", (_, arrayOf) => {
  it("identifies every object, and copies it without managed fields", () => {
    fc.assert(
      fc.property(written, fc.uint8Array({ maxLength: 5 }), fc.uint8Array({ maxLength: 5 }), (object, before, after) => {
        const whole = messageOf(object);
        const source = arrayOf(Uint8Array.from([...before, ...whole, ...after]));
        const [from, to] = [before.length, before.length + whole.length];
        const identity = identityOf(object);
        const { bytes = new Uint8Array(), ...peeked } = peekMessage(source, from, to) ?? {};
        expect(peeked).toEqual(identity);
        expect([...bytes]).toEqual([...messageOf(object, { keepsManaged: false })]);
        expect(peekMessage(source, from, to, { keepManagedFields: true })).toEqual({ ...identity, bytes: new Uint8Array(whole) });
        expect(peekMessageIdentity(source, from, to)).toEqual(identity);
        // Without its spec.
        const declared = new MessageProjection([undefined, "whole"]);
        const { spec: _spec, ...others } = object;
        for (const keepManagedFields of [true, false])
          expect(peekMessage(source, from, to, { keepManagedFields }, declared)).toEqual({
            ...identity,
            bytes: messageOf({ ...others, spec: undefined }, { keepsManaged: keepManagedFields }),
          });
      }),
    );
  });

  it("returns the labels, of any text", () => {
    fc.assert(
      fc.property(written, (object) => {
        const labels = new Map(object.labels.map(([key, value]) => [inUtf8(key), inUtf8(value)]));
        fc.pre(!labels.has("__proto__"));
        expect(new Map(Object.entries(peekMessageLabels(arrayOf(messageOf(object))) ?? {}))).toEqual(labels);
      }),
    );
  });
});

describe("peekMessage", () => {
  it("copies into memory of the caller", () => {
    const shelf = new Uint8Array(100);
    const bytes = message((metadata) => metadata.string(1, "a"));
    const peeked = peekMessage(bytes, 0, bytes.length, { allocate: (length) => shelf.subarray(10, 10 + length) });
    expect(peeked?.bytes.buffer).toBe(shelf.buffer);
    expect([...shelf.subarray(10, 10 + bytes.length)]).toEqual([...bytes]);
  });

  it("makes the length of the metadata shorter where the cut does", () => {
    for (const rest of [1, 0x7d, 0x7e, 0x3ffc, 0x3ffd, 0x3ffe]) {
      const short = message((metadata) => metadata.string(1, "a".repeat(rest)));
      const long = message((metadata) => {
        metadata.string(1, "a".repeat(rest));
        metadata.bytes(17, new Uint8Array(0x4000));
      });
      expect(Buffer.from(peekMessage(long, 0, long.length)?.bytes ?? []).equals(short)).toBe(true);
    }
  });

  it.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["no metadata", Uint8Array.of(0x12, 0)],
    ["metadata that is not first", Uint8Array.of(0x12, 0, ...named("a"))],
    ["metadata twice", Uint8Array.of(...named("a"), ...named("b"))],
    ["metadata of another wire type", Uint8Array.of(0x08, 1)],
    ["an empty name", Uint8Array.of(...named(""))],
    ["no name", Uint8Array.of(0x0a, 0)],
    ["a name that is a number", message((metadata) => metadata.int64(1, 1))],
    ["a name that becomes empty", message((metadata) => ["a", ""].forEach((name) => metadata.string(1, name)))],
    ["managed fields that are a number", message((metadata) => (metadata.string(1, "a"), metadata.int64(17, 1)))],
    [
      "managed fields with something between them",
      message((metadata) => (metadata.bytes(17, none), metadata.string(1, "a"), metadata.bytes(17, none))),
    ],
    ["a group in the metadata", message((metadata) => (metadata.string(1, "a"), metadata.raw(Uint8Array.of(0xa3, 6, 0xa4, 6))))],
    ["a group in the object", Uint8Array.of(...named("a"), 0x13, 0x14)],
    ["the end of a group", Uint8Array.of(...named("a"), 0x14)],
    ["field 0", Uint8Array.of(...named("a"), 0x02, 0)],
    ["field 0 in the metadata", message((metadata) => (metadata.string(1, "a"), metadata.raw(Uint8Array.of(0x02, 0))))],
    ["wire type 7", Uint8Array.of(...named("a"), 0x17, 0)],
    ["a length of 2^35", Uint8Array.of(...named("a"), 0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 1)],
    ["a length of 2^31", Uint8Array.of(0x0a, 0x80, 0x80, 0x80, 0x80, 8)],
    ["a negative length", Uint8Array.of(...named("a"), 0x12, ...Array.from({ length: 9 }, () => 0xff), 1)],
    ["a tag of five bytes", Uint8Array.of(...named("a"), 0x82, 0x80, 0x80, 0x80, 1, 0)],
    ["a number of eleven bytes", Uint8Array.of(...named("a"), 0x10, ...Array.from({ length: 10 }, () => 0x80), 1)],
    ["a name that ends behind the metadata", Uint8Array.of(0x0a, 3, 0x0a, 2, 0x61, 0x62)],
  ])("leaves %s to the decoder", (_, bytes) => {
    expect(peekMessage(bytes, 0, bytes.length)).toBeUndefined();
    expect(peekMessageIdentity(bytes, 0, bytes.length)).toBeUndefined();
  });

  it("takes the last of two names, as decoders do", () => {
    const bytes = message((metadata) => ["a", "b"].forEach((name) => metadata.string(1, name)));
    expect(peekMessageIdentity(bytes, 0, bytes.length)).toMatchObject({ name: "b" });
  });

  it("leaves a deletion timestamp that decodes to null to the decoder", () => {
    const deleted = (...seconds: readonly (bigint | undefined)[]): Uint8Array =>
      message((metadata) => {
        metadata.string(1, "a");
        for (const each of seconds) metadata.message(9, (time) => (each === undefined ? undefined : time.int64(1, each)));
      });
    const isTerminating = (bytes: Uint8Array): boolean | undefined => peekMessageIdentity(bytes, 0, bytes.length)?.isTerminating;
    expect(isTerminating(deleted(1n))).toBe(true);
    expect(isTerminating(deleted(undefined))).toBe(false);
    // The year 1, Go's zero time.
    expect(isTerminating(deleted(-62_135_596_800n))).toBeUndefined();
    // The second one replaces the first.
    expect(isTerminating(deleted(1n, undefined))).not.toBe(true);
  });

  it("never disagrees with a decoder, whatever the bytes are, and does not look beyond them", () => {
    fc.assert(
      fc.property(damaged(written.map((object) => messageOf(object))), fc.nat(255), (bytes, around) => {
        const source = new Uint8Array(bytes.length + 40).fill(around);
        source.set(bytes, 20);
        const peeked = peekMessage(source, 20, 20 + bytes.length);
        expect(peekMessage(bytes, 0, bytes.length)).toEqual(peeked);
        const identity = peekMessageIdentity(source, 20, 20 + bytes.length);
        if (peeked === undefined) {
          expect(identity).toBeUndefined();
          return;
        }
        const { bytes: kept, ...rest } = peeked;
        expect(identity).toEqual(rest);
        expect(rest).toEqual(decoded(bytes).identity);
        expect(decoded(kept)).toEqual({ ...decoded(bytes), managedCount: 0 });
        const labels = peekMessageLabels(kept);
        if (labels !== undefined) expect(Object.entries(labels)).toEqual(Object.entries(decoded(bytes).labels));
      }),
    );
  });
});

describe("peekMessageLabels", () => {
  const entry = (key: string): Uint8Array =>
    message((metadata) => {
      metadata.string(1, "a");
      metadata.message(11, (inner) => (inner.string(1, key), inner.string(2, "x")));
    });

  it("leaves a label __proto__ to the decoder", () => {
    expect(peekMessageLabels(entry("__proto__"))).toBeUndefined();
    expect(peekMessageLabels(entry("constructor"))).toEqual({ constructor: "x" });
  });

  it("reads entries without a key or value, and the last of equal keys", () => {
    const bytes = message((metadata) => {
      metadata.message(11, () => undefined);
      metadata.message(11, (inner) => inner.string(1, "a"));
      for (const value of ["1", "2"]) metadata.message(11, (inner) => (inner.string(2, value), inner.string(1, "b")));
    });
    expect(peekMessageLabels(bytes)).toEqual({ "": "", a: "", b: "2" });
  });

  it.each<[string, Uint8Array]>([
    ["no metadata", Uint8Array.of(0x12, 0)],
    ["labels that are numbers", message((metadata) => metadata.int64(11, 0))],
    ["a key that is a number", message((metadata) => metadata.message(11, (inner) => inner.int64(1, 0)))],
    ["an unknown member of a label", message((metadata) => metadata.message(11, (inner) => inner.string(3, "")))],
    ["a key that ends behind the label", message((metadata) => metadata.bytes(11, Uint8Array.of(0x0a, 3, 0x61)))],
    ["a truncated message", Uint8Array.of(0x0a, 5, 0x5a, 3)],
    ["a tag of five bytes", message((metadata) => metadata.raw(Uint8Array.of(0x82, 0x80, 0x80, 0x80, 1, ...seemingLabel)))],
  ])("leaves %s to the decoder", (_, bytes) => {
    expect(peekMessageLabels(bytes)).toBeUndefined();
  });
});

describe("peekWatchMessage", () => {
  const pod = { apiVersion: "v1", kind: "Pod" } as const;
  const typeMeta = encodedTypeMeta(pod);
  const frameOf = (
    type: Parameters<typeof encodeWatchMessage>[0]["type"],
    bytes: Uint8Array,
    names = pod as typeof pod | object,
  ): Uint8Array => encodeWatchMessage({ type, object: encodeEnvelope({ ...pod, ...names, message: bytes }) }).subarray(4);

  it.each(arrays)("returns type and identity of a change on %s, as peekMessage does", (_, arrayOf) => {
    fc.assert(
      fc.property(fc.constantFrom("ADDED", "MODIFIED", "DELETED"), written, fc.boolean(), (type, object, keepManagedFields) => {
        const bytes = messageOf(object);
        const frame = arrayOf(frameOf(type, bytes));
        expect(peekWatchMessage(frame, typeMeta, { keepManagedFields })).toEqual({
          type,
          object: peekMessage(bytes, 0, bytes.length, { keepManagedFields }),
        });
      }),
    );
  });

  it("accepts an envelope without content encoding and content type", () => {
    const frame = (...tail: readonly number[]): Uint8Array => {
      const writer = new ProtobufWriter();
      writer.string(1, "ADDED");
      writer.message(2, (raw) =>
        raw.message(1, (envelope) => {
          envelope.raw(Uint8Array.of(0x6b, 0x38, 0x73, 0));
          envelope.bytes(1, typeMeta);
          envelope.bytes(2, Uint8Array.of(...named("a")));
          envelope.raw(Uint8Array.from(tail));
        }),
      );
      return writer.finish();
    };
    expect(peekWatchMessage(frame(), typeMeta)).toMatchObject({ type: "ADDED", object: { name: "a" } });
    expect(peekWatchMessage(frame(0x22, 0), typeMeta)).toMatchObject({ object: { name: "a" } });
    for (const tail of [[0x1a, 1, 0x61], [0x1a], [0x12, 0], [0x0a, 0], [0x1a, 0x80, 0]])
      expect(peekWatchMessage(frame(...tail), typeMeta), tail.join(" ")).toBeUndefined();
  });

  it("leaves bookmarks, errors, other kinds and unknown types to the decoder", () => {
    const bytes = Uint8Array.of(...named("a"));
    expect(peekWatchMessage(frameOf("ADDED", bytes), typeMeta)).toBeDefined();
    for (const type of ["BOOKMARK", "ERROR"] as const) expect(peekWatchMessage(frameOf(type, bytes), typeMeta)).toBeUndefined();
    for (const names of [{ kind: "Pods" }, { kind: "Po" }, { apiVersion: "v2" }, { apiVersion: "", kind: "" }])
      expect(peekWatchMessage(frameOf("ADDED", bytes, names), typeMeta)).toBeUndefined();
    expect(peekWatchMessage(Uint8Array.of(0x0a, 3, 0x41, 0x44, 0x44), typeMeta)).toBeUndefined();
    expect(peekWatchMessage(new Uint8Array(), typeMeta)).toBeUndefined();
  });

  it("never disagrees with a decoder, whatever the bytes are", () => {
    fc.assert(
      fc.property(
        damaged(fc.tuple(fc.constantFrom("ADDED", "DELETED"), written).map(([type, object]) => frameOf(type, messageOf(object)))),
        (frame) => {
          const peeked = peekWatchMessage(frame, typeMeta);
          if (peeked === undefined) return;
          const event = decodeWatchMessage(frame);
          const { message: inner, ...names } = decodeEnvelope(event.object);
          expect([peeked.type, names]).toEqual([event.type, pod]);
          expect(peeked.object).toEqual(peekMessage(inner, 0, inner.length));
        },
      ),
    );
  });
});

/** Metadata with a name. */
function named(name: string): readonly number[] {
  return [...message((metadata) => metadata.string(1, name))];
}

function message(write: (metadata: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, write);
  return writer.finish();
}

/** Bytes with a few changes: some cut off, replaced, removed, inserted or repeated. */
function damaged(whole: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 8, 0x0a, 0x12, 0x4a, 0x5a, 0x80, 0x8a, 0xff));
  const change = fc.record({ kind: fc.constantFrom("cut", "set", "remove", "insert", "repeat"), at: fc.nat(), length: fc.nat(40), byte });
  return fc.tuple(whole, fc.array(change, { maxLength: 3 })).map(([bytes, changes]) => {
    let result = [...bytes];
    for (const { kind, at: place, length, byte: value } of changes) {
      const at = place % (result.length + 1);
      if (kind === "cut") result = result.slice(0, at);
      else if (kind === "set") result[Math.min(at, Math.max(0, result.length - 1))] = value;
      else if (kind === "remove") result.splice(at, 1);
      else if (kind === "insert") result.splice(at, 0, value);
      else result.splice(at, 0, ...result.slice(at, at + length));
    }
    return Uint8Array.from(result);
  });
}

interface Decoded {
  readonly identity: PeekedIdentity;
  readonly labels: Readonly<Record<string, string>>;
  readonly managedCount: number;
}

/** What a decoder finds: later values replace earlier ones. */
function decoded(bytes: Uint8Array): Decoded {
  const found: Found = { texts: new Map(), labels: {}, isTerminating: false, managedCount: 0 };
  const reader = new ProtobufReader(bytes);
  while (reader.next("object")) {
    if (reader.field === 1) decodeMetadata(reader, found);
    else reader.skip();
  }
  const [name = "", namespace = "", uid = "", resourceVersion = ""] = [1, 3, 5, 6].map((field) => found.texts.get(field));
  const { labels, managedCount, isTerminating } = found;
  return { identity: { name, namespace, uid, resourceVersion, isTerminating }, labels, managedCount };
}

interface Found {
  readonly texts: Map<number, string>;
  readonly labels: Record<string, string>;
  isTerminating: boolean;
  managedCount: number;
}

function decodeMetadata(reader: ProtobufReader, found: Found): void {
  const outer = reader.enter();
  while (reader.next("metadata")) {
    if ([1, 3, 5, 6].includes(reader.field)) found.texts.set(reader.field, reader.string());
    else if (reader.field === 9) found.isTerminating = isTime(reader.bytes());
    else if (reader.field === 11) addLabel(reader, found.labels);
    else {
      if (reader.field === 17) found.managedCount++;
      reader.skip();
    }
  }
  reader.leave(outer);
}

/** Whether a time is not null in JSON. What is no time counts as one, because the object cannot be decoded. */
function isTime(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  let seconds: number | bigint = 0;
  try {
    const reader = new ProtobufReader(bytes);
    while (reader.next("Time")) {
      if (reader.field === 1 && reader.wireType === varintType) seconds = reader.int64();
      else reader.skip();
    }
  } catch {
    return true;
  }
  return seconds !== -62_135_596_800;
}

function addLabel(reader: ProtobufReader, labels: Record<string, string>): void {
  const outer = reader.enter();
  let [key, value] = ["", ""];
  try {
    while (reader.next("entry")) {
      if (reader.field === 1) key = reader.string();
      else if (reader.field === 2) value = reader.string();
      else reader.skip();
    }
    labels[key] = value;
  } catch {
    // Labels are not checked unless they are read.
  }
  reader.leave(outer);
}
