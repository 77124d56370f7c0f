/** Objects that clients send: read, and judged for fields the kind does not have. */
import { apiVersionOf, newBadRequest, quoteGo } from "@drover/machinery";
import type { FieldValidation, GroupVersionKind, JsonObject } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { Codec, Decoded } from "../codec/codec.ts";
import { bodyMediaType, decodeBody, readWhole } from "../request/read-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import type { Warnings } from "../request/warnings.ts";
import { StatusError } from "../status-error.ts";

/** Reads the body as an object of a kind, the resource's own unless another is named. Throws a 400, 413 or 415. */
export async function readObject(
  { limits }: Backend,
  { request, resource, warnings }: RequestContext,
  fieldValidation: FieldValidation | undefined,
  { codec = resource.codec, kind = resource.kind }: { readonly codec?: Codec; readonly kind?: GroupVersionKind } = {},
): Promise<JsonObject> {
  const mediaType = bodyMediaType(request.headers, codec);
  const body = await readWhole(request, limits.bodyBytesMax);
  const { object, problems } = refusingBadBody(kind, fieldValidation, () => decodeBody(body, mediaType, codec));
  judgeFields(
    problems,
    fieldValidation,
    warnings,
    (why) => new StatusError(newBadRequest(cannotBe(kind, `strict decoding error: ${why}`))),
  );
  const apiVersion = apiVersionOf(kind);
  const { apiVersion: sent } = object;
  if (sent !== apiVersion) {
    throw new StatusError(
      newBadRequest(
        `the API version in the data (${typeof sent === "string" ? sent : ""}) does not match the expected API version (${apiVersion})`,
      ),
    );
  }
  return object;
}

function refusingBadBody(kind: GroupVersionKind, fieldValidation: FieldValidation | undefined, decode: () => Decoded): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (fieldValidation === "Ignore" && error.unvalidated !== undefined)
      throw new StatusError(newBadRequest(cannotBe(kind, error.unvalidated)));
    throw new StatusError(newBadRequest(error.bare ? error.message : cannotBe(kind, error.message)));
  }
}

const cannotBe = ({ kind, version }: GroupVersionKind, why: string): string =>
  `${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${why}`;

/** Warns of fields that are unknown or there twice, refuses them, or lets them pass. */
export function judgeFields(
  problems: readonly string[],
  fieldValidation: FieldValidation | undefined,
  warnings: Warnings,
  refusal: (why: string) => StatusError,
): void {
  if (problems.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") throw refusal(problems.join(", "));
  // The reader of YAML gathers what it has to say under a heading of its own.
  for (const problem of problems.flatMap((text) => text.split("\n"))) if (!problem.endsWith("errors:")) warnings.add(problem.trim());
}
