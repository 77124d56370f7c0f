/**
 * The messages of etcd's gRPC interface that the store needs, for etcd 3.5 and 3.6.
 *
 *     request → encode… → bytes;   bytes → decode… → response
 *
 * Zero values are left out, as proto3 does. Field numbers are those of etcd's rpc.proto and kv.proto.
 */
import { ProtobufError, ProtobufReader, ProtobufWriter } from "@drover/machinery/protobuf";
import type { Revision } from "../store.ts";

/** A key with its value. */
export interface EtcdValue {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** Number of writes since the key was created. */
  readonly version: number;
}

export interface RangeRequest {
  readonly key: string;
  /** The first key after the range. @default the key alone */
  readonly end?: string;
  /** @default all */
  readonly limit?: number;
  /** @default the latest */
  readonly revision?: Revision;
  /** @default false */
  readonly isCountOnly?: boolean;
}

export interface RangeResponse {
  /** The newest revision of etcd, whatever was asked for. */
  readonly revision: Revision;
  readonly values: readonly EtcdValue[];
  /** Number of keys in the range, beyond the limit too. */
  readonly count: number;
}

/** What must hold for a transaction to write. */
export interface EtcdCondition {
  readonly key: string;
  readonly field: "modRevision" | "version";
  readonly equals: number;
}

export type EtcdWrite =
  | { readonly kind: "put"; readonly key: string; readonly value: Uint8Array; readonly lease?: EtcdLeaseId }
  | { readonly kind: "delete"; readonly key: string };

/** Writes if the condition holds, and reads the key otherwise. */
export interface TxnRequest {
  readonly condition: EtcdCondition;
  readonly write: EtcdWrite;
}

export interface TxnResponse {
  readonly isWritten: boolean;
  readonly revision: Revision;
  /** The value of the key, if nothing was written and the key exists. */
  readonly found: EtcdValue | undefined;
}

/** A 64-bit number. */
export type EtcdLeaseId = number | bigint;

export interface EtcdEvent {
  readonly isDeletion: boolean;
  /** Of a deletion: the key and the revision of the deletion. */
  readonly value: EtcdValue;
}

export interface WatchResponse {
  /** The newest revision of etcd when the response was made; with no events, the watch is complete up to it. */
  readonly revision: Revision;
  readonly isCreated: boolean;
  readonly isCanceled: boolean;
  readonly cancelReason: string;
  /** The oldest readable revision, if the watch was to start before it; 0 otherwise. */
  readonly compactRevision: Revision;
  /** Whether the rest of this response follows in the next one. */
  readonly isFragment: boolean;
  readonly events: readonly EtcdEvent[];
}

/** A range up to here has no end. */
export const endOfKeys = "\0";

/** Returns the first key after all keys with a prefix. Assumes that its last character is an ASCII one. */
export function endOfPrefix(prefix: string): string {
  return prefix === "" ? endOfKeys : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}

export function encodeRange(request: RangeRequest): Uint8Array {
  const writer = new ProtobufWriter();
  writeRange(writer, request);
  return writer.finish();
}

function writeRange(writer: ProtobufWriter, { key, end, limit = 0, revision = 0, isCountOnly = false }: RangeRequest): void {
  // An empty key means all keys only together with an end.
  writer.string(1, key === "" ? "\0" : key);
  if (end !== undefined) writer.string(2, end);
  if (limit > 0) writer.int64(3, limit);
  if (revision > 0) writer.int64(4, revision);
  if (isCountOnly) writer.bool(9, true);
}

export function encodeTxn({ condition: { key, field, equals }, write }: TxnRequest): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, () => {
    if (field === "modRevision") writer.int64(2, 2);
    writer.string(3, key);
    writer.int64(field === "version" ? 4 : 6, equals);
  });
  writer.message(2, () => {
    if (write.kind === "delete") return writer.message(3, () => writer.string(1, write.key));
    writer.message(2, () => {
      writer.string(1, write.key);
      writer.bytes(2, write.value);
      if (write.lease !== undefined) writer.int64(3, write.lease);
    });
  });
  writer.message(3, () => writer.message(1, () => writeRange(writer, { key })));
  return writer.finish();
}

/** `physical` waits until the history is gone from the disk too; the store never needs that. */
export const encodeCompaction = (revision: Revision): Uint8Array => message((writer) => writer.int64(1, revision));

export const encodeLeaseGrant = (ttlSeconds: number): Uint8Array => message((writer) => writer.int64(1, ttlSeconds));

export const encodeLeaseKeepAlive = (id: EtcdLeaseId): Uint8Array => message((writer) => writer.int64(1, id));

export const encodeAuthenticate = (name: string, password: string): Uint8Array =>
  message((writer) => {
    writer.string(1, name);
    writer.string(2, password);
  });

/** A watch of all keys with a prefix, with progress notifications, whose large responses come in fragments. */
export const encodeWatchCreate = (prefix: string, from: Revision): Uint8Array =>
  message((writer) =>
    writer.message(1, () => {
      writer.string(1, prefix === "" ? "\0" : prefix);
      writer.string(2, endOfPrefix(prefix));
      writer.int64(3, from);
      writer.bool(4, true);
      writer.bool(8, true);
    }),
  );

export const encodeWatchProgress = (): Uint8Array => message((writer) => writer.message(3, () => undefined));

function message(write: (writer: ProtobufWriter) => void): Uint8Array {
  const writer = new ProtobufWriter();
  write(writer);
  return writer.finish();
}

export function decodeRange(bytes: Uint8Array): RangeResponse {
  return readRange(new ProtobufReader(bytes));
}

function readRange(reader: ProtobufReader): RangeResponse {
  const values: EtcdValue[] = [];
  let [revision, count] = [0, 0];
  while (reader.next("RangeResponse")) {
    if (reader.field === 1) revision = inner(reader, readHeader);
    else if (reader.field === 2) values.push(inner(reader, readValue));
    else if (reader.field === 4) count = exact(reader);
    else reader.skip();
  }
  return { revision, values, count };
}

export function decodeTxn(bytes: Uint8Array): TxnResponse {
  const reader = new ProtobufReader(bytes);
  let [isWritten, revision] = [false, 0];
  let found: EtcdValue | undefined;
  while (reader.next("TxnResponse")) {
    if (reader.field === 1) revision = inner(reader, readHeader);
    else if (reader.field === 2) isWritten = reader.bool();
    else if (reader.field === 3) found = inner(reader, readFound) ?? found;
    else reader.skip();
  }
  return { isWritten, revision, found };
}

/** The only read in a transaction is that of one key. */
function readFound(reader: ProtobufReader): EtcdValue | undefined {
  let found: EtcdValue | undefined;
  while (reader.next("ResponseOp")) {
    if (reader.field === 1) found = inner(reader, readRange).values[0];
    else reader.skip();
  }
  return found;
}

/** Returns the id of the lease. */
export function decodeLeaseGrant(bytes: Uint8Array): EtcdLeaseId {
  const reader = new ProtobufReader(bytes);
  let id: EtcdLeaseId = 0;
  while (reader.next("LeaseGrantResponse")) {
    if (reader.field === 2) id = reader.int64();
    else reader.skip();
  }
  return id;
}

/** Returns the remaining seconds of a lease that was kept alive; 0 for one that does not exist. */
export function decodeLeaseKeepAlive(bytes: Uint8Array): number {
  const reader = new ProtobufReader(bytes);
  let seconds = 0;
  while (reader.next("LeaseKeepAliveResponse")) {
    if (reader.field === 3) seconds = exact(reader);
    else reader.skip();
  }
  return seconds;
}

/** Returns the token of a user. */
export function decodeAuthenticate(bytes: Uint8Array): string {
  const reader = new ProtobufReader(bytes);
  let token = "";
  while (reader.next("AuthenticateResponse")) {
    if (reader.field === 2) token = reader.string();
    else reader.skip();
  }
  return token;
}

export function decodeWatch(bytes: Uint8Array): WatchResponse {
  const reader = new ProtobufReader(bytes);
  const events: EtcdEvent[] = [];
  let [revision, compactRevision, cancelReason] = [0, 0, ""];
  let [isCreated, isCanceled, isFragment] = [false, false, false];
  while (reader.next("WatchResponse")) {
    if (reader.field === 1) revision = inner(reader, readHeader);
    else if (reader.field === 3) isCreated = reader.bool();
    else if (reader.field === 4) isCanceled = reader.bool();
    else if (reader.field === 5) compactRevision = exact(reader);
    else if (reader.field === 6) cancelReason = reader.string();
    else if (reader.field === 7) isFragment = reader.bool();
    else if (reader.field === 11) events.push(inner(reader, readEvent));
    else reader.skip();
  }
  return { revision, isCreated, isCanceled, cancelReason, compactRevision, isFragment, events };
}

function readEvent(reader: ProtobufReader): EtcdEvent {
  let isDeletion = false;
  let value: EtcdValue | undefined;
  while (reader.next("Event")) {
    if (reader.field === 1) isDeletion = reader.int32() === 1;
    else if (reader.field === 2) value = inner(reader, readValue);
    else reader.skip();
  }
  if (value === undefined) throw new ProtobufError("an event of etcd has no key");
  return { isDeletion, value };
}

const nothing: Readonly<Uint8Array> = new Uint8Array();

function readValue(reader: ProtobufReader): EtcdValue {
  let [key, value] = ["", nothing];
  let [createRevision, modRevision, version] = [0, 0, 0];
  while (reader.next("KeyValue")) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) createRevision = exact(reader);
    else if (reader.field === 3) modRevision = exact(reader);
    else if (reader.field === 4) version = exact(reader);
    else if (reader.field === 5) value = reader.bytes();
    else reader.skip();
  }
  return { key, value, createRevision, modRevision, version };
}

/** Returns the revision. */
function readHeader(reader: ProtobufReader): Revision {
  let revision = 0;
  while (reader.next("ResponseHeader")) {
    if (reader.field === 3) revision = exact(reader);
    else reader.skip();
  }
  return revision;
}

function inner<T>(reader: ProtobufReader, read: (reader: ProtobufReader) => T): T {
  const outer = reader.enter();
  const value = read(reader);
  reader.leave(outer);
  return value;
}

/** Revisions and counts fit into numbers: at a million writes a second, 2^53 is reached after 285 years. */
function exact(reader: ProtobufReader): number {
  const value = reader.int64();
  if (typeof value === "bigint") throw new ProtobufError(`${value} in an answer of etcd is beyond 2^53`);
  return value;
}
