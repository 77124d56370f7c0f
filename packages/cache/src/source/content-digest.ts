/**
 * A short digest of the content of a version, for caches that keep the digest longer than the bytes. Equal content has an equal digest, in
 * a list, in a watch and as a single object; other content has another digest, except for one pair in four thousand million.
 */
import { encodeJson } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import type { ObjectEncoding, ObjectVersion } from "./object-version.ts";
import { afterTypeMeta } from "./type-meta-bytes.ts";

/** The bytes of a version, and how they are encoded. */
export interface EncodedObject {
  readonly bytes: Uint8Array;
  readonly encoding: ObjectEncoding;
}

/** Returns the bytes of a version; an object that was parsed on arrival is encoded again. */
export function encodedObject<T extends KubeObject>(version: ObjectVersion<T>): EncodedObject {
  const { encoded: bytes, encoding = "json" } = version;
  if (bytes !== undefined) return { bytes, encoding };
  return { bytes: new TextEncoder().encode(encodeJson(version.object)), encoding: "json" };
}

const [first, second] = [0x9e3779b1, 0x85ebca77] as const;

/** Returns the digest as an integer of 32 bits with a sign, which the engine stores without an allocation. */
export function contentDigest({ bytes, encoding }: EncodedObject): number {
  const from = encoding === "json" ? afterTypeMeta(bytes) : 0;
  let sum: number = encoding === "json" ? first : second;
  let at = from;
  for (; at + 4 <= bytes.length; at += 4) {
    const word =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
    sum = Math.imul(rotated((sum + Math.imul(word, second)) | 0, 13), first);
  }
  for (; at < bytes.length; at++) sum = Math.imul(rotated((sum + Math.imul(bytes[at] as number, second)) | 0, 13), first);
  sum = (sum + (bytes.length - from)) | 0;
  const folded = Math.imul(sum ^ (sum >>> 15), second);
  return folded ^ (folded >>> 13);
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
