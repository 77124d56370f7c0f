/** Pods, lists and watch frames in protobuf, written number by number, for tests of readers. */
import type { Status, WatchEventType } from "@drover/machinery";
import { ProtobufWriter, encodeEnvelope, encodeWatchMessage } from "@drover/machinery/protobuf";

export interface PodMessage {
  /** @default none */
  readonly name?: string;
  /** @default none */
  readonly namespace?: string;
  /** @default "7" */
  readonly resourceVersion?: string;
  /** @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default none */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Manager of a managed field. @default no managed fields */
  readonly manager?: string;
  /** @default none */
  readonly nodeName?: string;
  /** Ends the spec with a length that it does not have. @default false */
  readonly isBroken?: boolean;
}

/** Returns the message of a Pod. */
export function podMessage(pod: PodMessage): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, (metadata) => writeMetadata(metadata, pod));
  writer.message(2, (spec) => {
    if (pod.nodeName !== undefined) spec.string(10, pod.nodeName);
    if (pod.isBroken === true) spec.raw(Uint8Array.of(0x52, 100));
  });
  writer.message(3, () => undefined);
  return writer.finish();
}

function writeMetadata(writer: ProtobufWriter, { name, namespace, resourceVersion = "7", labels, annotations, manager }: PodMessage): void {
  if (name !== undefined) writer.string(1, name);
  if (namespace !== undefined) writer.string(3, namespace);
  writer.string(6, resourceVersion);
  writeMap(writer, 11, labels);
  writeMap(writer, 12, annotations);
  if (manager !== undefined) writer.message(17, (managed) => managed.string(1, manager));
}

function writeMap(writer: ProtobufWriter, field: number, map: Readonly<Record<string, string>> = {}): void {
  for (const [key, value] of Object.entries(map))
    writer.message(field, (entry) => {
      entry.string(1, key);
      entry.string(2, value);
    });
}

export interface TypeNames {
  /** @default that of Pods */
  readonly kind?: string;
  /** @default "v1" */
  readonly apiVersion?: string;
}

/** Returns a PodList at version 9 in its envelope. */
export function podListMessage(
  items: readonly Uint8Array[],
  { kind = "PodList", apiVersion = "v1", token = "" }: TypeNames & { readonly token?: string } = {},
): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, (metadata) => {
    metadata.string(1, "");
    metadata.string(2, "9");
    metadata.string(3, token);
  });
  for (const item of items) writer.bytes(2, item);
  return encodeEnvelope({ kind, apiVersion, message: writer.finish() });
}

/** Returns a watch event without its length. */
export function podFrame(type: WatchEventType, message: Uint8Array, { kind = "Pod", apiVersion = "v1" }: TypeNames = {}): Uint8Array {
  return encodeWatchMessage({ type, object: encodeEnvelope({ kind, apiVersion, message }) }).subarray(4);
}

/** Returns a Status in its envelope. */
export function statusMessage({ status, message = "", reason = "", code = 0 }: Partial<Status>): Uint8Array {
  const writer = new ProtobufWriter();
  writer.string(2, status ?? "");
  writer.string(3, message);
  writer.string(4, reason);
  writer.int64(6, code);
  return encodeEnvelope({ kind: "Status", apiVersion: "v1", message: writer.finish() });
}
