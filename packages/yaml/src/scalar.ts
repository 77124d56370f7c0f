/** The value of a scalar: by its tag, by its text if it is plain, else as a string. */
import { formatGoFloat } from "@drover/machinery";
import type { ScalarNode } from "./node.ts";
import { resolve } from "./resolve.ts";
import type { Resolved, ScalarType } from "./resolve.ts";
import { YamlError } from "./yaml-error.ts";

const tagPrefix = "tag:yaml.org,2002:";
const types: ReadonlySet<string> = new Set<ScalarType>(["str", "bool", "int", "float", "null", "timestamp"]);

/** Returns type and value of a scalar. Throws when the text does not fit the tag. */
export function scalarValue(node: ScalarNode): Resolved {
  if (node.tag === "") return node.plain ? resolve(node.text) : { type: "str", value: node.text };
  const type = node.tag.startsWith(tagPrefix) ? node.tag.slice(tagPrefix.length) : "";
  if (type === "binary") return { type: "str", value: decodeBase64(node) };
  if (!types.has(type) || type === "str") return { type: "str", value: node.text };
  const resolved = resolve(node.text);
  if (resolved.type === type) return resolved;
  if (type === "float" && resolved.type === "int" && Number(resolved.value) < 2 ** 63)
    return { type: "float", value: Number(resolved.value) };
  throw new YamlError(`cannot decode !!${resolved.type} \`${node.text}\` as a !!${type}`, node);
}

/** Returns the JSON key. Throws for keys that JSON cannot hold: null, and integers beyond signed 64 bits. */
export function keyText(node: ScalarNode): string {
  const { type, value } = scalarValue(node);
  if (type === "float") return floatKeyText(Number(value));
  if (value === null) throw new YamlError("null cannot be a key; put it in quotes if you mean text", node);
  if (typeof value === "bigint" && value >= 2n ** 63n)
    throw new YamlError(`${value} cannot be a key; put it in quotes if you mean text`, node);
  return String(value);
}

/** Float keys have 32-bit precision, as in Go. */
function floatKeyText(value: number): string {
  const single = Math.fround(value);
  if (single === 0) return formatGoFloat(single);
  if (Number.isNaN(single)) return ".nan";
  if (!Number.isFinite(single)) return single > 0 ? ".inf" : "-.inf";
  for (let precision = 1; precision < 9; precision++) {
    const short = Number(single.toPrecision(precision));
    if (Math.fround(short) === single) return formatGoFloat(short);
  }
  return formatGoFloat(Number(single.toPrecision(9)));
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function decodeBase64(node: ScalarNode): string {
  const text = node.text.replaceAll(/[\r\n]/g, "");
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new YamlError("!!binary value contains invalid base64 data", node);
  const digits = text.replace(/=+$/, "");
  const bytes = new Uint8Array((digits.length * 3) >> 2);
  let bits = 0;
  for (let index = 0, place = 0; index < digits.length; index++) {
    bits = ((bits << 6) | base64Digits.indexOf(digits.charAt(index))) & 0xffff;
    if (index % 4 !== 0) bytes[place++] = (bits >> (6 - 2 * (index % 4))) & 0xff;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new YamlError("!!binary value is not UTF-8 text, which is all that JSON can hold; keep it as base64 text without the tag", node);
  }
}
