/** Protobuf bodies that lie about their lengths. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectRefusal } from "../expect-answer.ts";
import { maps } from "./paths.ts";

const type = { "content-type": "application/vnd.kubernetes.protobuf" };
const magic = [0x6b, 0x38, 0x73, 0x00];

const refused = (name: string, bytes: readonly number[]): Attack => ({
  name,
  act: async (arena) => expectRefusal(await arena.post(maps, Uint8Array.from(bytes), type)),
});

/** A message in a message in a message …, each one field 1. */
function nested(levels: number): number[] {
  let bytes: number[] = [];
  for (let level = 0; level < levels; level++) bytes = [0x0a, ...lengthOf(bytes.length), ...bytes];
  return bytes;
}

function lengthOf(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}

export const protobuf: AttackClass = {
  name: "protobuf",
  attacks: [
    refused("an empty body", []),
    refused("a wrong magic number", [0x6b, 0x38, 0x73, 0x01, 0x0a, 0x00]),
    refused("the magic number alone", magic),
    refused("a length of 4 GB", [...magic, 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    refused("a length of 2^63", [...magic, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    refused("a varint that never ends", [...magic, 0x0a, ...Array<number>(10_000).fill(0xff)]),
    refused("a group that never ends", [...magic, ...Array<number>(10_000).fill(0x0b)]),
    refused("field number 0", [...magic, 0x00, 0x01]),
    refused("2,000 nested messages", [...magic, ...nested(2000)]),
    refused("text instead of bytes", [...magic, ...Array<number>(100_000).fill(0x41)]),
    refused("a million empty fields", [...magic, ...Array.from({ length: 1_000_000 }, (_, index) => (index % 2 === 0 ? 0x7a : 0))]),
  ],
};
