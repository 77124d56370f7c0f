/** The user that a request wants to impersonate, from the headers `Impersonate-User`, `-Group`, `-Uid` and `-Extra-*`. */
import { compareBytes, getOwn, newBadRequest, quoteGo, setOwn } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import { firstHeader } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";
import type { User } from "./user.ts";

/** The user as the headers name it, without added groups. */
export interface WantedUser extends User {
  readonly uid: string;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Returns the wanted user; undefined without impersonation headers. Throws a 400 for groups, a uid or extra without a user. */
export function wantedUser(headers: HttpHeaders): WantedUser | undefined {
  const prefix = "impersonate-extra-";
  const extra: Record<string, readonly string[]> = {};
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(prefix)) continue;
    const key = unescaped(header.slice(prefix.length));
    setOwn(extra, key, [...(getOwn(extra, key) ?? []), ...asList(value)]);
  }
  const wanted: WantedUser = {
    name: firstHeader(headers, "impersonate-user"),
    uid: firstHeader(headers, "impersonate-uid"),
    groups: asList(headers["impersonate-group"]),
    extra,
  };
  if (wanted.name !== "") return wanted;
  if (wanted.uid === "" && wanted.groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw new StatusError(newBadRequest(`requested ${printWanted(wanted)} without impersonating a user name`), {
    "x-content-type-options": "nosniff",
  });
}

const asList = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Prints the value as Go's %#v does. */
function printWanted({ name, uid, groups, extra }: WantedUser): string {
  const list = (items: readonly string[]): string => `[]string{${items.map(quoteGo).join(", ")}}`;
  const entries = Object.entries(extra)
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([key, values]) => `${quoteGo(key)}:${list(values)}`);
  const printedExtra = entries.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:${quoteGo(name)}, UID:${quoteGo(uid)}, Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}, Extra:${printedExtra}}`;
}
