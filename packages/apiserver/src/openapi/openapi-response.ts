/** Serves /openapi/v2, the index /openapi/v3 and its documents. */
import { encodeJson, parseAccept } from "@drover/machinery";
import type { HttpResponse, JsonObject } from "@drover/machinery";
import { uncached } from "../negotiation/object-response.ts";
import { headerText, splitPath } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { contentResponse } from "./content-response.ts";
import type { PublishedResource } from "./custom-definition.ts";
import { formatHttpDate, yearLater } from "./http-date.ts";
import type { OpenApiDocument, OpenApiDocuments, V2Document } from "./openapi-documents.ts";
import { sortedObject } from "./json-order.ts";

export interface OpenApiRequestOptions {
  readonly documents: OpenApiDocuments;
  readonly resources: readonly PublishedResource[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const json = "application/json";
const v2Protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const v2Forms: ReadonlyMap<string, string> = new Map([
  [json, json],
  ["application/com.github.proto-openapi.spec.v2@v1.0+protobuf", v2Protobuf],
  [v2Protobuf, v2Protobuf],
]);
const v3Protobuf = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
const v3Forms: ReadonlyMap<string, string> = new Map([
  [json, json],
  [v3Protobuf, v3Protobuf],
  ["application/com.github.proto-openapi.spec.v3@v1.0+protobuf", v3Protobuf],
]);

/** Returns the response; undefined for paths outside OpenAPI. */
export function openApiResponse(request: PlainRequest, { documents, resources, now }: OpenApiRequestOptions): HttpResponse | undefined {
  const [path, query] = splitPath(request.path);
  if (path === "/openapi/v2") return v2Response(request, () => documents.v2(resources));
  if (path === "/openapi/v3") return indexResponse(request, documents.v3(resources), now);
  if (!path.startsWith("/openapi/v3/")) return undefined;
  const name = path.slice("/openapi/v3/".length);
  const document = documents.v3(resources).get(name);
  return document === undefined
    ? { status: 404, headers: uncached, body: "" }
    : documentResponse(request, { name, document, hash: query.get("hash")?.[0] ?? "", now });
}

function v2Response(request: PlainRequest, load: () => V2Document): HttpResponse {
  const headers = { ...uncached, vary: ["Accept-Encoding", "Accept"] };
  const contentType = chosenForm(request, v2Forms);
  if (contentType === undefined) return { status: 406, headers, body: "" };
  const document = load();
  const bytes = contentType === json ? document.bytes : document.protobuf();
  const isCompressed = takesGzip(request);
  const answer = contentResponse(request, {
    body: isCompressed ? document.compressed(bytes) : bytes,
    contentType,
    tag: document.hash,
    lastModified: document.lastModified,
    headers,
  });
  return isCompressed && answer.status === 200 ? { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" } } : answer;
}

/** The index has no ETag, and the current time as Last-Modified. */
function indexResponse(request: PlainRequest, documents: ReadonlyMap<string, OpenApiDocument>, now: number): HttpResponse {
  const paths: JsonObject = sortedObject(
    [...documents].map(([name, { hash }]) => [name, { serverRelativeURL: addressOf(name, hash) }] as const),
  );
  return contentResponse(request, {
    body: encodeJson({ paths }, { escapeHtml: true }),
    contentType: "text/plain; charset=utf-8",
    lastModified: now,
    headers: uncached,
  });
}

interface Asked {
  readonly name: string;
  readonly document: OpenApiDocument;
  /** "" when the client sends none. */
  readonly hash: string;
  readonly now: number;
}

/** With the current hash the document may be cached for a year; another hash redirects to the current one. */
function documentResponse(request: PlainRequest, { name, document, hash, now }: Asked): HttpResponse {
  const accept = headerText(request, "accept");
  if (accept !== "" && parseAccept(accept).length === 0) return { status: 200, headers: uncached, body: "" };
  const headers = { ...uncached, vary: "Accept" };
  const contentType = chosenForm(request, v3Forms);
  if (contentType === undefined) return { status: 406, headers, body: "" };
  if (hash !== "" && hash !== document.hash) {
    return {
      status: 301,
      headers: { ...headers, "content-type": contentType, etag: `"${document.hash}"`, location: addressOf(name, document.hash) },
      body: "",
    };
  }
  const kept = hash === "" ? {} : { "cache-control": "public, immutable", expires: formatHttpDate(yearLater(now), "UTC") };
  return contentResponse(request, {
    body: contentType === json ? document.bytes : document.protobuf(),
    contentType,
    tag: document.hash,
    lastModified: document.lastModified,
    headers: { ...headers, ...kept },
  });
}

const addressOf = (name: string, hash: string): string => `/openapi/v3/${name}?hash=${hash}`;

/** Returns the content type of the first form that an Accept clause names. */
function chosenForm(request: PlainRequest, forms: ReadonlyMap<string, string>): string | undefined {
  const accept = headerText(request, "accept");
  for (const { type, subtype } of parseAccept(accept === "" ? "*/*" : accept)) {
    for (const [form, contentType] of forms) {
      const [formType, formSubtype] = form.split("/");
      if ((type === "*" || type === formType) && (subtype === "*" || subtype === formSubtype)) return contentType;
    }
  }
  return undefined;
}

function takesGzip(request: PlainRequest): boolean {
  return headerText(request, "accept-encoding")
    .split(",")
    .some((coding) => {
      const [name = "", ...parameters] = coding.split(";").map((part) => part.trim().toLowerCase());
      return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}
