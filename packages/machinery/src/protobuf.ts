/** Protobuf as Kubernetes uses it: the wire format, the envelope of objects, watch frames, and what can be found by skipping lengths. */
export { decodeEnvelope, encodeEnvelope, isEnvelope, protobufMediaType } from "./protobuf/envelope.ts";
export type { Envelope } from "./protobuf/envelope.ts";
export { MessageFrameSplitter } from "./protobuf/message-frames.ts";
export { encodedTypeMeta, peekMessage, peekMessageIdentity, peekMessageLabels, peekWatchMessage } from "./protobuf/peeked-message.ts";
export { MessageProjection } from "./protobuf/projected-message.ts";
export type { MessageFields } from "./protobuf/projected-message.ts";
export { ProtobufError } from "./protobuf/protobuf-error.ts";
export { ProtobufReader } from "./protobuf/protobuf-reader.ts";
export { ProtobufWriter } from "./protobuf/protobuf-writer.ts";
export { decodeStatusMessage } from "./protobuf/status-message.ts";
export { decodeWatchMessage, decodeWatchMessages, encodeWatchMessage, protobufWatchMediaType } from "./protobuf/watch-message.ts";
export type { WatchMessage } from "./protobuf/watch-message.ts";
export { bytesType, endGroupType, fixed32Type, fixed64Type, startGroupType, varintType } from "./protobuf/wire-type.ts";
