/** Annotations of Deployment and DaemonSet that hold former integer fields; a malformed one makes the object invalid. */
import { getOwn } from "@drover/machinery";
import { DecodeError } from "../../codec/codec.ts";

/** Normalizes the number. `explain` words the problem as its kind does. Throws a `DecodeError` for a malformed one. */
export function setRevisionAnnotation(
  metadata: { annotations?: Record<string, string> },
  name: string,
  explain: (problem: string, text: string) => string,
): void {
  const text = metadata.annotations === undefined ? undefined : getOwn(metadata.annotations, name);
  if (metadata.annotations === undefined || text === undefined) return;
  metadata.annotations[name] = String(
    parseInt64(text, (problem) => new DecodeError(explain(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`, text))),
  );
}

function parseInt64(text: string, failure: (problem: string) => DecodeError): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw failure("invalid syntax");
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (BigInt.asIntN(64, value) !== value) throw failure("value out of range");
  return value;
}
