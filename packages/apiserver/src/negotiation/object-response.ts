/**
 * Answers that are no objects of a resource: discovery documents, Statuses of paths that lead nowhere, plain texts.
 *
 *     JsonObject → objectResponse → JSON, indented for people, YAML or protobuf
 */
import { encodeJson, negotiate, newGenericServerResponse, newNotAcceptable, parseAccept, protobufMediaType } from "@drover/machinery";
import type { AcceptClause, HttpHeaders, HttpResponse, JsonObject, Offer, Representation, Status } from "@drover/machinery";
import { printYaml } from "@drover/yaml";
import { encodeObject } from "../codec/object-message.ts";
import { headerText, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { indentJson } from "./indent-json.ts";

/** The forms of documents and Statuses. */
export const documentForms: readonly Offer[] = [
  { mediaType: "application/json", canStream: true },
  { mediaType: "application/yaml", canStream: false },
  { mediaType: protobufMediaType, canStream: true },
];
const namedForms: readonly string[] = documentForms.map(({ mediaType }) => mediaType);

/** As the server marks every answer that says nothing else. */
export const uncached: HttpHeaders = { "cache-control": "no-cache, private" };

export interface ObjectResponseOptions {
  /** The object as protobuf, in its envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
  /** @default 200 */
  readonly status?: number;
  /** Which conversion the endpoint knows. @default none, the object is answered as it is */
  readonly allowsConversion?: (convert: Representation["convert"]) => boolean;
  /** The content type, of the form that was chosen. @default the form itself */
  readonly contentType?: (mediaType: string) => string;
  /** @default uncached */
  readonly headers?: HttpHeaders;
}

/** The object in the form the client likes most, or 406. */
export function objectResponse(request: PlainRequest, object: JsonObject, options: ObjectResponseOptions): HttpResponse {
  const {
    status = 200,
    allowsConversion = (convert) => convert === undefined,
    contentType = (mediaType) => mediaType,
    headers = uncached,
    encode,
  } = options;
  const form = negotiate(headerText(request, "accept"), documentForms, allowsConversion);
  if (form === undefined) return statusResponse(request, newNotAcceptable(namedForms));
  const { mediaType } = form.offer;
  return {
    status,
    headers: { ...headers, "content-type": contentType(mediaType) },
    body: bodyIn(mediaType, object, encode, form.pretty || wantsPretty(request)),
  };
}

/** A Status; indented JSON if the client takes none of its forms. */
export function statusResponse(request: PlainRequest, status: Status): HttpResponse {
  const form = negotiate(headerText(request, "accept"), documentForms, (convert) => convert === undefined);
  const mediaType = form?.offer.mediaType ?? "application/json";
  const body = bodyIn(mediaType, { ...(status as object) }, encodeObject, form === undefined || wantsPretty(request));
  return { status: status.code ?? 500, headers: { ...uncached, "content-type": mediaType }, body };
}

function bodyIn(mediaType: string, object: JsonObject, encode: ObjectResponseOptions["encode"], isPretty: boolean): string | Uint8Array {
  if (mediaType === protobufMediaType) return encode(object);
  return mediaType === "application/yaml" ? printYaml(object) : jsonText(object, isPretty);
}

/**
 * What endpoints with a fixed list of forms answer before they look closer: 405 for another method than GET, 406 where
 * no clause names a form.
 */
export function refusedByRoute(request: PlainRequest, forms: readonly string[] = namedForms): HttpResponse | undefined {
  const { method } = request;
  if (method !== "GET") return statusResponse(request, newGenericServerResponse({ code: 405, method, isUnexpected: false }));
  const accept = headerText(request, "accept");
  const named = (clause: AcceptClause): boolean =>
    forms.includes(`${clause.type}/${clause.subtype}`) || (clause.type === "*" && clause.subtype === "*");
  if (accept === "" || parseAccept(accept).some(named)) return undefined;
  return statusResponse(
    request,
    newGenericServerResponse({
      code: 406,
      method,
      serverMessage: `406: Not Acceptable\n\nAvailable representations: ${forms.join(", ")}`,
      isUnexpected: false,
    }),
  );
}

/** 404 as a Status: the group is served, but not in this version. */
export function notFoundStatus(request: PlainRequest): HttpResponse {
  return statusResponse(request, newGenericServerResponse({ code: 404, method: request.method, isUnexpected: false }));
}

/** 404 as a text: nothing is there at all. */
export function notFoundPage(): HttpResponse {
  return textResponse(404, "404 page not found\n");
}

/** A text that browsers are not to make anything else of. */
export function textResponse(status: number, body: string): HttpResponse {
  return { status, headers: { ...uncached, "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }, body };
}

/** JSON on one line with an end, or indented for people without one. */
function jsonText(object: JsonObject, pretty: boolean): string {
  const text = encodeJson(object, { escapeHtml: true });
  return pretty ? indentJson(text) : `${text}\n`;
}

/** Whether the answer is for the eyes of somebody: they say so, or use a program for people. */
export function wantsPretty(request: PlainRequest): boolean {
  const [, query] = splitPath(request.path);
  const asked = query.get("pretty")?.[0] ?? "";
  if (asked !== "") return ["1", "t", "T", "TRUE", "true", "True"].includes(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerText(request, "user-agent"));
}
