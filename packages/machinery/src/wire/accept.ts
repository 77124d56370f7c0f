/**
 * The Accept header: which response formats a client accepts, and which of them the server chooses.
 *
 *     "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" → parseAccept → negotiate → a media type and a conversion
 */

/** One accepted format. */
export interface AcceptClause {
  /** "application", or "*". */
  readonly type: string;
  /** "json", or "*". */
  readonly subtype: string;
  /** Preference, from 0 to 1. */
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the clauses in the order in which the server tries them, without invalid ones. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const part of header.split(",")) {
    const clause = parseClause(trimSpaces(part));
    if (clause === undefined) continue;
    clauses.push(clause);
    // The server's order is not transitive ("*/*;q=0.9" against "a/b;q=0.1"), so only the same sort gives the same result.
    for (let at = clauses.length - 1; at > 0; at--) {
      const [before, after] = [clauses[at - 1], clauses[at]];
      if (before === undefined || after === undefined || !comesFirst(after, before)) break;
      clauses[at - 1] = after;
      clauses[at] = before;
    }
  }
  return clauses;
}

/** Writes a header with the clauses in the given order. */
export function formatAccept(clauses: readonly AcceptClause[]): string {
  return clauses
    .map(({ type, subtype, quality, parameters }) => {
      const tail = [...parameters].map(([name, value]) => `;${name}=${value}`).join("");
      return `${type}/${subtype}${tail}${quality === 1 ? "" : `;q=${quality}`}`;
    })
    .join(",");
}

/** A format that the server can write. */
export interface Offer {
  /** "application/json". */
  readonly mediaType: string;
  /** Whether it can be a stream of watch events. */
  readonly canStream: boolean;
}

/** Conversion of the object that the client requests. */
export interface Representation {
  readonly offer: Offer;
  /** `as`, `g` and `v`: Table, PartialObjectMetadata … */
  readonly convert: { readonly group: string; readonly version: string; readonly kind: string } | undefined;
  /** "watch", or "". */
  readonly stream: string;
  readonly pretty: boolean;
  readonly profile: string;
}

/**
 * Returns the first clause that an offer meets and the endpoint allows; without a header, the first offer. Undefined means 406
 * NotAcceptable. `allowsConversion` gets undefined when the client wants the object as it is.
 */
export function negotiate(
  header: string,
  offers: readonly Offer[],
  allowsConversion: (convert: Representation["convert"], offer: Offer) => boolean,
): Representation | undefined {
  const [first] = offers;
  if (header === "" && first !== undefined) return { offer: first, convert: undefined, stream: "", pretty: false, profile: "" };
  for (const clause of parseAccept(header)) {
    for (const offer of offers) {
      if (!meets(offer, clause)) continue;
      const wanted = representation(offer, clause.parameters);
      if (wanted !== undefined && allowsConversion(wanted.convert, offer)) return wanted;
    }
  }
  return undefined;
}

function representation(offer: Offer, parameters: ReadonlyMap<string, string>): Representation | undefined {
  const stream = parameters.get("stream") ?? "";
  if (stream !== "" && !(offer.canStream && stream === "watch")) return undefined;
  // No endpoint writes another version of the server's own group.
  if ((parameters.get("sv") ?? "") !== "") return undefined;
  const [kind, group, version] = [parameters.get("as"), parameters.get("g"), parameters.get("v")];
  const convert = (kind ?? group ?? version) === undefined ? undefined : { group: group ?? "", version: version ?? "", kind: kind ?? "" };
  return { offer, convert, stream, pretty: parameters.get("pretty") === "1", profile: parameters.get("profile") ?? "" };
}

function meets({ mediaType }: Offer, { type, subtype }: AcceptClause): boolean {
  if (type === "*") return subtype === "*";
  return subtype === "*" ? mediaType.startsWith(`${type}/`) : mediaType === `${type}/${subtype}`;
}

function comesFirst(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== "*" && b.type === "*") || (a.subtype !== "*" && b.subtype === "*");
}

function parseClause(text: string): AcceptClause | undefined {
  const [range, tail] = cutAt(text, ";");
  const [type, rest] = cutAt(range, "/");
  const [subtype, more] = cutAt(rest, "/");
  if (more !== "" || (rest === "" && trimSpaces(type) !== "*")) return undefined;
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const pair of tail === "" ? [] : tail.split(";")) {
    const [name, assigned] = cutAt(pair, "=");
    const [value, excess] = cutAt(assigned, "=");
    if (value === "" || excess !== "") continue;
    if (trimSpaces(name) === "q") quality = parseQuality(value);
    else parameters.set(trimSpaces(name), trimSpaces(value));
  }
  return { type: trimSpaces(type), subtype: rest === "" ? "*" : trimSpaces(subtype), quality, parameters };
}

function cutAt(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

const trimSpaces = (text: string): string => text.replace(/^ +/, "").replace(/(?<! ) +$/, "");

// Anything but a number counts as 0, the lowest preference.
const parseQuality = (text: string): number => (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Math.fround(Number(text)) : 0);
