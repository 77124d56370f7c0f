/** Protobuf envelopes: wrong lengths, unknown wire types, groups, fields twice, other kinds than the path. */
import { readCorpus } from "./corpus-texts.ts";
import type { Draw } from "./draw.ts";
import { bytesOf, names } from "./hostile-request.ts";
import type { FramedRequest } from "./hostile-request.ts";
import { subjects } from "./objects.ts";
import { queryText } from "./request-paths.ts";

const magic = Uint8Array.of(0x6b, 0x38, 0x73, 0);
const type = "application/vnd.kubernetes.protobuf";
const corpus = readCorpus("protobuf");
const tokens: readonly string[] = [
  "k8s\0",
  "\n\x02v1",
  "\x12\x03Pod",
  "\x0a\x00",
  "\x12\x00",
  "\x7f",
  "\x08\x01",
  "\x0b\x0c",
  "\x0a\x05ADDED",
  "\0\0\0\x07",
];

export function protobufRequest(draw: Draw): FramedRequest {
  const subject = draw.of(subjects);
  const name = draw.of(names);
  const body = draw.rule<Uint8Array>([
    () => draw.mutated(draw.of(corpus), tokens, draw.of(corpus)),
    () => envelope(draw, subject.apiVersion, subject.kind, message(draw, name)),
    () => envelope(draw, subject.apiVersion, subject.kind, message(draw, name)),
    () => draw.mutated(envelope(draw, subject.apiVersion, subject.kind, message(draw, name)), tokens, draw.of(corpus)),
  ]);
  const isPut = draw.oneIn(3) && subject.isReview !== true;
  return {
    wire: "framed",
    method: isPut ? "PUT" : draw.oneIn(10) ? draw.of(["DELETE", "PATCH"]) : "POST",
    path: subject.path + (isPut ? `/${name}` : "") + (draw.oneIn(4) ? queryText(draw) : ""),
    headers: [["Content-Type", draw.oneIn(10) ? `${type};type=watch` : type], ...(draw.oneIn(2) ? [["Accept", type] as const] : [])],
    body,
  };
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Uint8Array.of(...bytes, left);
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A field of length `payload.length`, or of another length. */
function bytesField(draw: Draw, number: number, payload: Uint8Array): Uint8Array {
  const length = draw.oneIn(25) ? draw.of([0, 1, payload.length + 1, 127, 128, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 62]) : payload.length;
  return join(varint(number * 8 + 2), varint(length), payload);
}

function envelope(draw: Draw, apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const meta = join(
    bytesField(draw, 1, bytesOf(draw.oneIn(20) ? "v9" : apiVersion)),
    bytesField(draw, 2, bytesOf(draw.oneIn(20) ? "Pod" : kind)),
  );
  const parts = [bytesField(draw, 1, meta), bytesField(draw, 2, raw)];
  if (draw.oneIn(10)) parts.push(bytesField(draw, draw.of([3, 4, 1, 2]), bytesOf(draw.of(["gzip", "", "application/json", "\xff"]))));
  return join(draw.oneIn(30) ? Uint8Array.of(0x6b, 0x38, 0x73, 1) : magic, ...parts);
}

/** Object metadata with this name, and fields that no schema decided. */
function message(draw: Draw, name: string): Uint8Array {
  const metadata = bytesField(draw, 1, join(bytesField(draw, 1, bytesOf(name)), ...draw.some(2, () => field(draw, 0))));
  return join(metadata, ...draw.some(6, () => field(draw, 0)));
}

function field(draw: Draw, depth: number): Uint8Array {
  const number = draw.oneIn(10) ? draw.of([0, 15, 16, 2047, 2 ** 29 - 1, 2 ** 29]) : 1 + draw.int(20);
  return draw.rule<Uint8Array>([
    () =>
      join(varint(number * 8), draw.oneIn(10) ? new Uint8Array(draw.int(14)).fill(0xff) : varint(draw.of([0, 1, 127, 2 ** 31, 2 ** 53]))),
    () => join(varint(number * 8 + 1), new Uint8Array(draw.oneIn(6) ? draw.int(8) : 8).fill(0xfe)),
    () => join(varint(number * 8 + 5), new Uint8Array(draw.oneIn(6) ? draw.int(4) : 4).fill(0xfe)),
    () => join(varint(number * 8 + draw.of([3, 4, 6, 7])), new Uint8Array(draw.int(4))),
    () => bytesField(draw, number, bytesOf(draw.of(["", "a", "v1", "\xff", "__proto__", "k".repeat(draw.int(2000))]))),
    () =>
      bytesField(
        draw,
        number,
        Uint8Array.from({ length: draw.int(6) }, () => draw.int(256)),
      ),
    () => (depth > 6 ? new Uint8Array() : bytesField(draw, number, join(...draw.some(5, () => field(draw, depth + 1))))),
    () => nested(draw, number),
  ]);
}

/** The same field in itself, many times. */
function nested(draw: Draw, number: number): Uint8Array {
  let bytes: Uint8Array = new Uint8Array();
  for (let level = draw.int(draw.oneIn(10) ? 300 : 12); level > 0; level--)
    bytes = join(varint(number * 8 + 2), varint(bytes.length), bytes);
  return bytes;
}
