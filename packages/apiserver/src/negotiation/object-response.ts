/**
 * Responses other than objects of a resource: discovery documents, Statuses, plain texts.
 *
 *     JsonObject → objectResponse → JSON, indented JSON, YAML or protobuf
 */
import { encodeJson, negotiate, newGenericServerResponse, newNotAcceptable, parseAccept } from "@drover/machinery";
import { protobufMediaType } from "@drover/machinery/protobuf";
import type { AcceptClause, HttpHeaders, HttpResponse, JsonObject, Offer, Representation, Status } from "@drover/machinery";
import { printYaml } from "@drover/yaml";
import { encodeObject } from "../codec/object-message.ts";
import { headerText, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { indentJson } from "./indent-json.ts";

/** The media types of documents and Statuses. */
export const documentForms: readonly Offer[] = [
  { mediaType: "application/json", canStream: true },
  { mediaType: "application/yaml", canStream: false },
  { mediaType: protobufMediaType, canStream: true },
];
const namedForms: readonly string[] = documentForms.map(({ mediaType }) => mediaType);

/** The default cache-control of kube-apiserver's responses. */
export const uncached: HttpHeaders = { "cache-control": "no-cache, private" };

export interface ObjectResponseOptions {
  /** Encodes the object as protobuf, in its envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
  /** @default 200 */
  readonly status?: number;
  /** Whether the endpoint supports a conversion. @default none; the object is sent as it is */
  readonly allowsConversion?: (convert: Representation["convert"]) => boolean;
  /** Returns the content type for the negotiated media type. @default the media type */
  readonly contentType?: (mediaType: string) => string;
  /** @default uncached */
  readonly headers?: HttpHeaders;
}

/** Returns the object in the form the client prefers, or a 406. */
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

/** Returns a Status; indented JSON if the client accepts none of its media types. */
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

/** Returns what endpoints with a fixed list of media types refuse: 405 for methods other than GET, 406 if no clause names one of them. */
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

/** The 404 of a served group that lacks this version, as a Status. */
export function notFoundStatus(request: PlainRequest): HttpResponse {
  return statusResponse(request, newGenericServerResponse({ code: 404, method: request.method, isUnexpected: false }));
}

/** The 404 of an unknown path, as plain text. */
export function notFoundPage(): HttpResponse {
  return textResponse(404, "404 page not found\n");
}

/** Returns plain text that browsers must not interpret. */
export function textResponse(status: number, body: string): HttpResponse {
  return { status, headers: { ...uncached, "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" }, body };
}

/** One line of JSON with a newline, or indented JSON without one. */
function jsonText(object: JsonObject, pretty: boolean): string {
  const text = encodeJson(object, { escapeHtml: true });
  return pretty ? indentJson(text) : `${text}\n`;
}

/** Whether to indent JSON: the query asks for it, or the client is curl, wget or a browser. */
export function wantsPretty(request: PlainRequest): boolean {
  const [, query] = splitPath(request.path);
  const asked = query.get("pretty")?.[0] ?? "";
  if (asked !== "") return ["1", "t", "T", "TRUE", "true", "True"].includes(asked);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerText(request, "user-agent"));
}
