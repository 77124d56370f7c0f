/**
 * Protobuf compared with Kubernetes' own serializer: the same bytes for every kind, the same objects from them, and the
 * same errors for malformed bytes.
 */
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { exampleOf } from "@drover/api/testing";
import { apiVersionOf, createRandom, decodeJson, encodeJson, isJsonObject, jsonEqual, setOwn } from "@drover/machinery";
import { decodeEnvelope, encodeEnvelope } from "@drover/machinery/protobuf";
import type { GroupVersionKind, JsonObject, JsonValue, Random } from "@drover/machinery";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import { DecodeError } from "../../packages/apiserver/src/codec/codec.ts";
import type { MessageCodec } from "../../packages/apiserver/src/codec/codec.ts";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";
import { questions } from "./protobuf-questions.ts";
import type { ProtobufQuestion } from "./protobuf-questions.ts";

function messagesOf(kind: GroupVersionKind): MessageCodec {
  return builtInCodec(kind, () => undefined).messages ?? expect.fail(`${kind.kind} has no protobuf form`);
}

/** The bytes that we write for a body, with the envelope. */
function written(kind: GroupVersionKind, json: string): string {
  const { object } = builtInCodec(kind, () => undefined).decodeBody(json, "application/json");
  return base64(encodeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, message: messagesOf(kind).encode(object) }));
}

/** The object that we read from bytes, or the error. */
function read(kind: GroupVersionKind, message: string): { readonly object: JsonObject } | { readonly error: string } {
  try {
    return { object: messagesOf(kind).decodeBody(Buffer.from(message, "base64")).object };
  } catch (error) {
    if (error instanceof DecodeError)
      return {
        error: error.message
          .replace(/^the object provided is unrecognized \(must be of type \w+\): (.*) \([^]*\)$/s, "$1")
          .replace(/^.*? in version ".*?" cannot be handled as a \w+: /s, ""),
      };
    throw error;
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

function expectSame(question: ProtobufQuestion, { output, error }: Answer): void {
  const about = `${question.group}/${question.version} ${question.kind}: ${question.json ?? question.message ?? ""}`;
  if (question.json !== undefined) {
    expect(written(question, question.json), about).toBe((output as { readonly message: string }).message);
    return;
  }
  const mine = read(question, question.message ?? "");
  if (error !== undefined || "error" in mine) {
    expect("error" in mine ? mine.error : undefined, about).toBe(error);
    return;
  }
  const theirs = decodeJson((output as { readonly json: string }).json);
  if (!jsonEqual(mine.object, theirs)) expect(mine.object, about).toEqual(theirs);
}

/**
 * Known to differ: `items: []` in a schema is a choice without a value for Go's serializer, and absent for us. No
 * client of a server sees it: definitions are stored as JSON, where such a choice is null, and null is read as absent
 * (protobuf-server.test.ts).
 */
function withoutEmptyItems(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyItems);
  if (!isJsonObject(value)) return value;
  const rest: JsonObject = {};
  for (const [key, each] of Object.entries(value))
    if (key !== "items" || !Array.isArray(each) || each.length > 0) setOwn(rest, key, withoutEmptyItems(each));
  return rest;
}

/** Changes or removes some bytes of the message. */
function changeBytes(whole: string, random: Random): string {
  const { message, ...names } = decodeEnvelope(Buffer.from(whole, "base64"));
  const bytes = [...message];
  const upTo = (count: number): number => Math.floor(random.next() * count);
  for (let changes = 1 + upTo(3); changes > 0; changes--) {
    const at = upTo(bytes.length);
    if (upTo(3) === 0) bytes.splice(at, 1);
    else bytes[at] = upTo(2) === 0 ? (bytes[at] ?? 0) ^ (1 << upTo(8)) : upTo(256);
  }
  return base64(encodeEnvelope({ ...names, message: Uint8Array.from(bytes) }));
}

/** As {@link expectSame}, except for known differences. */
function expectAlike(question: ProtobufQuestion, answer: Answer): void {
  const mine = read(question, question.message ?? "");
  // Go notices only later, and with another message, that a value cannot be written as JSON.
  const isUnwritable = (text: string): boolean => /^json: |MarshalJSON|impossible IntOrString/.test(text);
  if ("error" in mine && isUnwritable(mine.error)) return;
  // Go reads beyond the end of a map entry. So it accepts some messages that we refuse, and reports other errors.
  if ("error" in mine && (answer.error !== undefined || mine.error === "unexpected EOF" || mine.error.startsWith("proto: map entry: ")))
    return;
  // The number of U+FFFD for invalid UTF-8 differs.
  if ("object" in mine && encodeJson(mine.object).includes("\ufffd")) return expect(answer.error).toBeUndefined();
  const { output } = answer as { readonly output?: { readonly json: string } };
  if (output === undefined || "error" in mine) return expectSame(question, answer);
  // Go writes null for a pointer to an empty value, which decodes as absent; ours is absent at once.
  const [ours, theirs] = [withoutNulls(mine.object), withoutNulls(decodeJson(output.json))];
  if (!jsonEqual(ours, theirs)) expect(ours, question.message).toEqual(theirs);
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (member !== null) setOwn(result, key, withoutNulls(member));
  return result;
}

const example = (kind: (typeof kinds)[number], random: Random, density: number): string => encodeJson(exampleOf(kind, random, { density }));

describe("protobuf, as recorded", () => {
  const answers = recordedAnswers("protobuf", questions);
  it.each(questions.map(({ title }, index) => [title, index] as const))("%s", (_title, index) => {
    expectSame(questions[index] as ProtobufQuestion, answers[index] as Answer);
  });
});

describe("protobuf of every kind", () => {
  const rounds = process.env["DROVER_LONG"] === "1" ? 200 : 10;
  const examples = (): ProtobufQuestion[] =>
    Array.from({ length: rounds }, (_, round) =>
      kinds.map((kind, index): ProtobufQuestion => {
        const random = createRandom(1000 * round + index);
        // Go keeps the bytes of JSON within a message unchanged; we keep its value, so nothing is escaped
        // unnecessarily.
        return {
          title: "",
          group: kind.group,
          version: kind.version,
          kind: kind.kind,
          json: encodeJson(withoutEmptyItems(decodeJson(example(kind, random, round === 0 ? 1 : random.next() / 2)))),
        };
      }),
    ).flat();

  it("is written with Go's bytes, and read as Go reads it", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const asked = examples();
    const bytes = askOracle("protobuf", asked);
    for (const [index, answer] of bytes.entries()) expectSame(asked[index] as ProtobufQuestion, answer);
    const back = asked.map(({ json: _json, ...question }, index): ProtobufQuestion => ({
      ...question,
      message: ((bytes[index] as Answer).output as { readonly message: string }).message,
    }));
    for (const [index, answer] of askOracle("protobuf", back).entries()) expectSame(back[index] as ProtobufQuestion, answer);
  });

  it("is read as Go reads it when a few of its bytes are changed", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const changed = examples().map(({ json = "", ...question }, index): ProtobufQuestion => ({
      ...question,
      message: changeBytes(written(question, json), createRandom(index)),
    }));
    for (const [index, answer] of askOracle("protobuf", changed).entries()) expectAlike(changed[index] as ProtobufQuestion, answer);
  });
});
