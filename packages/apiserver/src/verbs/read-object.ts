/** Reads objects that clients send and checks for unknown and duplicate fields. */
import { apiVersionOf, newBadRequest, quoteGo } from "@drover/machinery";
import type { FieldPath, FieldValidation, GroupVersionKind, JsonObject } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import type { Codec, Decoded } from "../codec/codec.ts";
import { pauseFor } from "../request/pause.ts";
import { bodyMediaType, decodeBody, readWhole } from "../request/read-body.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import type { Warnings } from "../request/warnings.ts";
import { StatusError } from "../status-error.ts";

interface ReadAs {
  readonly codec?: Codec;
  readonly kind?: GroupVersionKind;
  /** What is said of any body that cannot be decoded. @default what is wrong with it */
  readonly unreadable?: string;
  /** Receives the paths of maps that were sent empty. @default nobody does */
  readonly emptyMaps?: Set<FieldPath>;
}

/** Decodes the body as the resource's kind, or as another that is given. Throws a 400, 413 or 415. */
export async function readObject(
  { limits }: Backend,
  context: RequestContext,
  fieldValidation: FieldValidation | undefined,
  { codec = context.resource.codec, kind = context.resource.kind, unreadable, emptyMaps }: ReadAs = {},
): Promise<JsonObject> {
  const { request, warnings, audit } = context;
  const mediaType = bodyMediaType(request.headers, codec);
  const body = await readWhole(request, limits.bodyBytesMax);
  const {
    object,
    problems,
    emptyMaps: emptied = [],
  } = refusingBadBody({ kind, unreadable }, fieldValidation, () => decodeBody(body, mediaType, codec));
  judgeFields(
    problems,
    fieldValidation,
    warnings,
    (why) => new StatusError(newBadRequest(unreadable ?? cannotBe(kind, `strict decoding error: ${why}`))),
  );
  await pauseFor(context);
  const apiVersion = apiVersionOf(kind);
  const { apiVersion: sent } = object;
  if (sent !== apiVersion) {
    throw new StatusError(
      newBadRequest(
        `the API version in the data (${typeof sent === "string" ? sent : ""}) does not match the expected API version (${apiVersion})`,
      ),
    );
  }
  audit?.requestObject(object);
  for (const path of emptied) emptyMaps?.add(path);
  return object;
}

function refusingBadBody(
  { kind, unreadable }: { readonly kind: GroupVersionKind; readonly unreadable: string | undefined },
  fieldValidation: FieldValidation | undefined,
  decode: () => Decoded,
): Decoded {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (unreadable !== undefined) throw new StatusError(newBadRequest(unreadable));
    if (fieldValidation === "Ignore" && error.unvalidated !== undefined)
      throw new StatusError(newBadRequest(cannotBe(kind, error.unvalidated)));
    throw new StatusError(newBadRequest(error.bare ? error.message : cannotBe(kind, error.message)));
  }
}

const cannotBe = ({ kind, version }: GroupVersionKind, why: string): string =>
  `${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${why}`;

/** Applies `fieldValidation` to unknown and duplicate fields: warns, refuses or ignores. */
export function judgeFields(
  problems: readonly string[],
  fieldValidation: FieldValidation | undefined,
  warnings: Warnings,
  refusal: (why: string) => StatusError,
): void {
  if (problems.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Strict") throw refusal(problems.join(", "));
  // The YAML parser reports its problems as one text under a heading.
  for (const text of problems) for (const problem of text.split("\n")) if (!problem.endsWith("errors:")) warnings.add(problem.trim());
}
