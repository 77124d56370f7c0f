/**
 * Reads the subject of a PKCS #10 certificate request.
 *
 *     PEM → DER → { commonName, organizations }
 *
 * The signature of the request is not verified.
 */
import type { DistinguishedName } from "./certificate.ts";
import { readDer, readDerAll } from "./der-reader.ts";
import type { DerElement } from "./der-reader.ts";

const commonName: readonly number[] = [0x55, 0x04, 0x03];
const organization: readonly number[] = [0x55, 0x04, 0x0a];
const tags = { sequence: 0x30, set: 0x31, objectId: 0x06, integer: 0x02, bmpText: 0x1e } as const;

/** Throws an Error that says what is wrong with the PEM block or the DER in it. */
export function certificateRequestSubject(pem: string): Required<DistinguishedName> {
  const [, type, text = ""] = /^-----BEGIN ([^\r\n]+?)-----[ \t]*\r?\n([A-Za-z0-9+/=\s]+?)-----END \1-----/m.exec(pem) ?? [];
  if (type !== "CERTIFICATE REQUEST") throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const [info] = parts(readDer(decoded(text.replaceAll(/\s/g, ""))), tags.sequence);
  const [version, subject] = parts(info, tags.sequence);
  if (version?.tag !== tags.integer) throw malformed();
  const names = parts(subject, tags.sequence).flatMap((set) => parts(set, tags.set).map(attribute));
  return {
    commonName: names.findLast(({ id }) => isId(id, commonName))?.text ?? "",
    organizations: names.filter(({ id }) => isId(id, organization)).map(({ text: name }) => name),
  };
}

const decoded = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const malformed = (): Error => new Error("asn1: structure error: malformed certificate request");

function parts(element: DerElement | undefined, tag: number): DerElement[] {
  if (element?.tag !== tag) throw malformed();
  return readDerAll(element.content);
}

function attribute(element: DerElement): { readonly id: Uint8Array; readonly text: string } {
  const [id, value] = parts(element, tags.sequence);
  if (id?.tag !== tags.objectId || value === undefined) throw malformed();
  const decoder = new TextDecoder(value.tag === tags.bmpText ? "utf-16be" : "utf-8");
  return { id: id.content, text: decoder.decode(value.content) };
}

const isId = (id: Uint8Array, wanted: readonly number[]): boolean =>
  id.length === wanted.length && wanted.every((byte, index) => id[index] === byte);
