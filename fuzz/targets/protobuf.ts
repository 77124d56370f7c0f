/** Protobuf: envelopes, watch frames and messages of built-in kinds are read back as they were written. */
import { JsonError, encodeJson, parseGroupVersion } from "@drover/machinery";
import { ProtobufError, decodeEnvelope, decodeWatchMessages, encodeEnvelope, encodeWatchMessage } from "@drover/machinery/protobuf";
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
