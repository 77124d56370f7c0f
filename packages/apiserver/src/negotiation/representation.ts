/** Negotiates the form of a response, before the request is served. */
import { negotiate, newFailure, newNotAcceptable, parseAccept, parseIncludeObject } from "@drover/machinery";
import { protobufMediaType, protobufWatchMediaType } from "@drover/machinery/protobuf";
import type { IncludeObject, Offer, Query, Representation } from "@drover/machinery";
import { wantsPretty } from "./object-response.ts";
import { headerText } from "../plain-request.ts";
import type { PlainRequest } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";

export type Shape = "object" | "table" | "metadata" | "metadata-list";

/** The negotiated form. */
export interface RepresentationChoice {
  readonly mediaType: "application/json" | "application/yaml" | typeof protobufMediaType;
  readonly shape: Shape;
  /** Version of meta.k8s.io for tables and metadata: "v1" or "v1beta1". */
  readonly version: string;
  readonly isPretty: boolean;
  /** As the client wrote it; validated only if a Table is rendered. */
  readonly includeObject: IncludeObject;
}

export interface NegotiationScope {
  readonly isCustom: boolean;
  readonly isWatch: boolean;
  /** Whether the path can be watched. */
  readonly isCollection: boolean;
  /** Whether answers have a form as tables; reviews have none. */
  readonly hasTable: boolean;
}

const json: Offer = { mediaType: "application/json", canStream: true };
const yaml: Offer = { mediaType: "application/yaml", canStream: false };
const protobuf: Offer = { mediaType: protobufMediaType, canStream: true };
const offers: readonly Offer[] = [json, yaml, protobuf];
const streamOffers: readonly Offer[] = [json, protobuf];
const shapes: Readonly<Record<string, Shape>> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadata-list",
};

/** Returns the form to answer in. Throws a 406. */
export function chooseRepresentation(request: PlainRequest, query: Query, scope: NegotiationScope): RepresentationChoice {
  const accept = headerText(request, "accept");
  if (!scope.isCustom && accept !== "") checkRoute(accept, scope);
  const choose = (among: readonly Offer[]): Representation | undefined =>
    negotiate(accept, among, (convert, offer) => isServed(convert, offer, scope));
  const chosen = choose(scope.isWatch ? streamOffers : offers);
  // Lists the streaming types only if the object types would do. Custom resources always list the object types.
  if (chosen === undefined)
    throw new StatusError(newNotAcceptable(scope.isWatch && !scope.isCustom && choose(offers) !== undefined ? streamTypes : mediaTypes));
  return {
    mediaType: chosen.offer.mediaType as RepresentationChoice["mediaType"],
    shape: chosen.convert === undefined ? "object" : (shapes[chosen.convert.kind] ?? "object"),
    version: chosen.convert?.version ?? "v1",
    isPretty: !scope.isWatch && (chosen.pretty || wantsPretty(request)),
    includeObject: parseIncludeObject(query),
  };
}

/** Custom objects have no protobuf form, but their metadata has; Tables have none. */
function isServed(convert: Representation["convert"], offer: Offer, { isCustom, hasTable }: NegotiationScope): boolean {
  if (convert === undefined) return offer !== protobuf || !isCustom;
  return isKnown(convert) && (convert.kind !== "Table" || (hasTable && offer !== protobuf));
}

const isKnown = ({ group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string }): boolean =>
  group === "meta.k8s.io" && Object.hasOwn(shapes, kind) && (version === "v1" || version === "v1beta1");

const mediaTypes: readonly string[] = ["application/json", "application/yaml", protobufMediaType];
const streamTypes: readonly string[] = ["application/json;stream=watch", protobufWatchMediaType];

/** kube-apiserver's router matches the Accept header first, without parameters and partial wildcards. */
function checkRoute(accept: string, { isCollection }: NegotiationScope): void {
  const known = parseAccept(accept).some(
    ({ type, subtype }) => (type === "*" && subtype === "*") || mediaTypes.includes(`${type}/${subtype}`),
  );
  if (known) return;
  const available = [...mediaTypes, ...(isCollection ? streamTypes : [])].join(", ");
  throw new StatusError(newFailure(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${available}`, {}));
}
