/**
 * Bodies as clients might send them: an example, printed with random changes, so that every type meets every kind of
 * value, members are duplicated and names are wrong.
 */
import { pick } from "@drover/machinery";
import type { JsonValue, Random } from "@drover/machinery";

const pieces: readonly string[] = [
  "null",
  "true",
  "false",
  "0",
  "5",
  "-1",
  "-0",
  "1.0",
  "1e0",
  "1.5",
  "1.50",
  "255",
  "256",
  "2147483647",
  "2147483648",
  "3000000000",
  "9007199254740993",
  "-9223372036854775808",
  "9223372036854775808",
  "99999999999999999999",
  "1e400",
  '""',
  '"x"',
  '"5"',
  '"1000m"',
  '"1.500Gi"',
  '" 1 "',
  '"1e3"',
  '"0.1"',
  '"-5"',
  '"YQ=="',
  '"YR=="',
  '"YQ"',
  '"YQ=="',
  '"YW\\nI="',
  '"Y"',
  '"===="',
  '"YQ=a"',
  '"!"',
  '"é"',
  '"\\u0041"',
  '"2020-01-01T00:00:00Z"',
  '"2020-01-01T00:00:00.123456Z"',
  '"2020-01-01T01:00:00.5+01:00"',
  '"2020-13-01T00:00:00Z"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[{}]",
  "[1]",
  "[1.0]",
  '["a"]',
  "[true]",
  '{"a":null}',
  '{"a":1}',
  '{"a":"b"}',
  '{"a":{}}',
  '{"a":[]}',
  '{"a":1,"a":2}',
  '{"name":"n","name":5}',
  '{"":""}',
  '{"__proto__":"p"}',
];

/** Prints a value; each piece of it is changed with the given probability. */
export function printChanged(value: JsonValue, random: Random, probability: number): string {
  const happens = (): boolean => random.next() < probability;
  const print = (inner: JsonValue): string => {
    if (happens()) return pick(random, pieces);
    if (Array.isArray(inner)) return `[${inner.map(print).join(pick(random, [",", ", "]))}]`;
    if (typeof inner !== "object" || inner === null) return typeof inner === "bigint" ? String(inner) : JSON.stringify(inner);
    const members = Object.entries(inner).flatMap(([key, member]) => {
      const once = `${JSON.stringify(happens() ? changedName(key, random) : key)}${happens() ? " : " : ":"}${print(member)}`;
      return happens() ? [once, `${JSON.stringify(key)}:${print(member)}`] : [once];
    });
    if (happens())
      members.push(
        pick(random, [
          '"bogus":{"a":1,"a":2}',
          '"kind":"Secret"',
          '"name":"again"',
          '"metadata":null',
          '"spec":{}',
          '"bogus":1',
          '"bogus":2',
        ]),
      );
    return `{${members.join()}}`;
  };
  return print(value);
}

function changedName(name: string, random: Random): string {
  return pick(random, [
    name.toUpperCase(),
    `${name}s`,
    "",
    ":",
    "__proto__",
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    'a"b',
    "ü\\",
  ]);
}
