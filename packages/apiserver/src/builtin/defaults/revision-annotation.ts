/**
 * Numbers that were fields once and live on in annotations of deployments and daemon sets: an annotation that is no
 * number makes the object illegible.
 */
import { getOwn } from "@drover/machinery";
import { DecodeError } from "../../codec/codec.ts";

/** Writes the number plainly. `explain` puts what is wrong with it into the words of its kind. Throws a `DecodeError` where it is none. */
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
