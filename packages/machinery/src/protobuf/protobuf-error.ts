/** Bytes that are no protobuf message, in the words of Go's generated readers. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
