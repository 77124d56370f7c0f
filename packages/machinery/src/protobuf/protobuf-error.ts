/** Invalid protobuf, in the words of Go's generated decoders. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}
