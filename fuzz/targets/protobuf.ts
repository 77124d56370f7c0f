/** Protobuf: envelopes, watch frames and messages of built-in kinds are read back as they were written, and identified as they are read. */
import { MessagePlan, MessageReader, typedShape } from "@drover/api/shapes";
import { JsonError, encodeJson, isJsonObject, parseGroupVersion } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import {
  ProtobufError,
  decodeEnvelope,
  decodeWatchMessages,
  encodeEnvelope,
  encodeWatchMessage,
  peekMessage,
} from "@drover/machinery/protobuf";
import type { Envelope } from "@drover/machinery/protobuf";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import { DecodeError } from "../../packages/apiserver/src/codec/codec.ts";
import type { Codec } from "../../packages/apiserver/src/codec/codec.ts";
import { attempt, equal, holds, sameData } from "../expect.ts";
import type { FuzzTarget } from "../target.ts";

const kinds: readonly (readonly [apiVersion: string, kind: string])[] = [
  ["v1", "Pod"],
  ["v1", "ConfigMap"],
  ["v1", "Secret"],
  ["v1", "Service"],
  ["v1", "Event"],
  ["v1", "Node"],
  ["apps/v1", "Deployment"],
  ["apiextensions.k8s.io/v1", "CustomResourceDefinition"],
  ["autoscaling/v2", "HorizontalPodAutoscaler"],
  ["batch/v1", "CronJob"],
  ["coordination.k8s.io/v1", "Lease"],
  ["networking.k8s.io/v1", "Ingress"],
];
const codecs: readonly Codec[] = kinds.map(([apiVersion, kind]) => builtInCodec({ ...parseGroupVersion(apiVersion), kind }, () => {}));

/** Reads objects as informers do. */
const reader = new MessageReader();
const plans = new Map(
  kinds.flatMap(([apiVersion, kind]) => {
    const shape = typedShape({ ...parseGroupVersion(apiVersion), kind });
    return shape === undefined ? [] : [[kind, [MessagePlan.of(shape), MessagePlan.of(shape, { sharesParts: true })]] as const];
  }),
);

export const protobufTarget: FuzzTarget = {
  name: "protobuf",
  perSecond: 5000,
  tokens: [
    "k8s\0",
    "\n\x02v1",
    "\x12\x03Pod",
    "\x0a\x00",
    "\x12\x00",
    "\x80\x01",
    "\x7f",
    "\x08\x01",
    "\x0b\x0c",
    "\x0a\x05ADDED",
    "\0\0\0\x07",
  ],
  run(input) {
    watchFrames(input);
    const envelope = attempt(() => decodeEnvelope(input), ProtobufError);
    if ("error" in envelope) {
      // The message of a kind that the first byte chooses.
      const [apiVersion, kind] = kinds[(input[0] ?? 0) % kinds.length] ?? ["v1", "Pod"];
      objectOf({ apiVersion, kind, message: input.subarray(1) });
      return;
    }
    equal(decodeEnvelope(encodeEnvelope(envelope.value)), envelope.value, "decodes the envelope it encodes");
    holds("error" in attempt(() => decodeEnvelope(input.subarray(0, -1)), ProtobufError), "rejects an envelope without its last byte");
    objectOf(envelope.value);
  },
};

function objectOf(envelope: Envelope): void {
  informerReads(envelope);
  const at = kinds.findIndex(([apiVersion, kind]) => apiVersion === envelope.apiVersion && kind === envelope.kind);
  const codec = codecs[at];
  if (codec?.messages === undefined) {
    attempt(() => codecs[0]?.messages?.decodeBody(encodeEnvelope(envelope)), DecodeError);
    return;
  }
  const { messages } = codec;
  const bodyOf = (message: Uint8Array): Uint8Array => encodeEnvelope({ ...envelope, message });
  const decoded = attempt(() => messages.decodeBody(bodyOf(envelope.message)), DecodeError);
  if ("error" in decoded) return;
  if (envelope.message.length > 0) {
    const cut = attempt(() => messages.decodeBody(bodyOf(envelope.message.subarray(0, -1))), DecodeError);
    holds("error" in cut, "rejects a message without its last byte");
  }
  const { object } = decoded.value;
  const message = messages.encode(object);
  const again = messages.decodeBody(bodyOf(message)).object;
  equal(again, object, "decodes the message it encodes");
  equal(messages.encode(again), message, "encodes an object always the same way");
  const text = attempt(() => encodeJson(object), JsonError);
  if ("error" in text) return;
  const fromJson = codec.decodeBody(text.value, "application/json").object;
  holds(sameData(fromJson, object), "reads the same object from JSON", () => `${text.value} gives ${encodeJson(fromJson)}`);
}

function informerReads({ kind, message }: Envelope): void {
  const [plain, sharing] = plans.get(kind) ?? [];
  if (plain === undefined || sharing === undefined) return;
  const read = (bytes: Uint8Array, plan: MessagePlan): JsonObject => reader.read(bytes, 0, bytes.length, plan);
  const textOf = (bytes: Uint8Array, plan: MessagePlan): string => encodeJson(withoutManagers(read(bytes, plan)));
  const whole = attempt(() => read(message, plain), ProtobufError);
  const shared = attempt(() => read(message, sharing), ProtobufError);
  holds("error" in whole === "error" in shared, "refuses a message whether parts are shared or not");
  if ("error" in whole || "error" in shared) return;
  equal(encodeJson(shared.value), encodeJson(whole.value), "shares only equal parts");
  const peeked = peekMessage(message, 0, message.length);
  if (peeked === undefined) return;
  const { metadata = {} } = whole.value as { readonly metadata?: JsonObject };
  const { name, namespace = "", uid = "", resourceVersion = "", deletionTimestamp = null } = metadata;
  equal(
    { name, namespace, uid, resourceVersion, isTerminating: deletionTimestamp !== null },
    { ...peeked, bytes: undefined },
    "identifies an object as it reads it",
  );
  equal(textOf(peeked.bytes, plain), encodeJson(withoutManagers(whole.value)), "cuts nothing but the managed fields");
}

function withoutManagers(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return object;
  const { managedFields: _managers, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function watchFrames(input: Uint8Array): void {
  const decoded = attempt(() => decodeWatchMessages(input), ProtobufError);
  if ("error" in decoded) return;
  const { messages, rest } = decoded.value;
  const frames = messages.map(encodeWatchMessage);
  for (const [index, frame] of frames.entries()) {
    const again = decodeWatchMessages(frame);
    equal(again.messages, [messages[index]], "decodes the watch frame it encodes");
    const cut = decodeWatchMessages(frame.subarray(0, -1));
    holds(cut.messages.length === 0 && cut.rest.length === frame.length - 1, "waits for the rest of a frame");
  }
  holds(rest.length <= input.length, "leaves no more than it got");
}
