/** In which form a client wants its answer, settled before anything is done. */
import { negotiate, newBadRequest, newFailure, newNotAcceptable, parseAccept, parseIncludeObject, printFieldErrors, validateIncludeObject } from "@drover/machinery";
import type { HttpHeaders, IncludeObject, Offer, Query } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

export type Shape = "object" | "table" | "metadata" | "metadata-list";

/** What becomes of an answer. */
export interface RepresentationChoice {
  readonly mediaType: "application/json" | "application/yaml";
  readonly shape: Shape;
  /** Of the group meta.k8s.io, for tables and metadata: "v1" or "v1beta1". */
  readonly version: string;
  readonly isPretty: boolean;
  readonly includeObject: IncludeObject;
}

export interface NegotiationScope {
  readonly isCustom: boolean;
  readonly isWatch: boolean;
  /** Whether the path is one at which a watch can be asked for. */
  readonly isCollection: boolean;
}

const json: Offer = { mediaType: "application/json", canStream: true };
const yaml: Offer = { mediaType: "application/yaml", canStream: false };
const shapes: Readonly<Record<string, Shape>> = { Table: "table", PartialObjectMetadata: "metadata", PartialObjectMetadataList: "metadata-list" };

/** Throws a 406. */
export function chooseRepresentation(headers: HttpHeaders, query: Query, scope: NegotiationScope): RepresentationChoice {
  const accept = textOf(headers["accept"]);
  if (!scope.isCustom && accept !== "") checkRoute(accept, scope);
  const offers = scope.isWatch ? [json] : [json, yaml];
  const chosen = negotiate(accept, offers, (convert) => convert === undefined || isKnown(convert));
  if (chosen === undefined) throw new StatusError(newNotAcceptable(acceptedList(scope)));
  const includeObject = parseIncludeObject(query);
  const shape = chosen.convert === undefined ? "object" : shapes[chosen.convert.kind] ?? "object";
  if (shape === "table") {
    const errors = validateIncludeObject(includeObject);
    if (errors.length > 0) throw new StatusError(newBadRequest(`Unable to convert to Table as requested: ${printFieldErrors(errors)}`));
  }
  return {
    mediaType: chosen.offer.mediaType as RepresentationChoice["mediaType"], shape, version: chosen.convert?.version ?? "v1",
    isPretty: !scope.isWatch && (chosen.pretty || isPretty(headers, query)), includeObject,
  };
}

const isKnown = ({ group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string }): boolean =>
  group === "meta.k8s.io" && Object.hasOwn(shapes, kind) && (version === "v1" || version === "v1beta1");

const mediaTypes: readonly string[] = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const streamTypes: readonly string[] = ["application/json;stream=watch", "application/vnd.kubernetes.protobuf;stream=watch"];

const acceptedList = ({ isWatch }: NegotiationScope): readonly string[] => (isWatch ? streamTypes : mediaTypes);

/** The first look at the header knows no parameters and no half wildcards. */
function checkRoute(accept: string, { isCollection }: NegotiationScope): void {
  const known = parseAccept(accept).some(({ type, subtype }) => (type === "*" && subtype === "*") || mediaTypes.includes(`${type}/${subtype}`));
  if (known) return;
  const available = [...mediaTypes, ...(isCollection ? streamTypes : [])].join(", ");
  throw new StatusError(newFailure(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${available}`, {}));
}

function isPretty(headers: HttpHeaders, query: Query): boolean {
  const asked = query.get("pretty")?.[0];
  if (asked !== undefined) return asked === "true" || asked === "1";
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(textOf(headers["user-agent"]));
}

const textOf = (header: string | readonly string[] | undefined): string => (typeof header === "string" ? header : header?.join(",") ?? "");
