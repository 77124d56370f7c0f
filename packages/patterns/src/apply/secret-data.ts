/** Values of Secrets: encoded as the server stores them, and never shown. */
import { isJsonObject, setOwn } from "@drover/machinery";
import type { GroupKind, JsonObject } from "@drover/machinery";

/** Reports whether the kind is Secret. */
export const isSecretKind = ({ group, kind }: GroupKind): boolean => group === "" && kind === "Secret";

/** Converts `stringData` to `data` as the server does, so that desired and live object can be compared. */
export function withoutStringData(secret: JsonObject): JsonObject {
  const { stringData, ...rest } = secret;
  if (!isJsonObject(stringData)) return secret;
  const data: JsonObject = isJsonObject(rest["data"]) ? { ...rest["data"] } : {};
  for (const key of Object.keys(stringData)) {
    const value = stringData[key];
    setOwn(data, key, typeof value === "string" ? base64(value) : (value ?? null));
  }
  return { ...rest, data };
}

/** Reports whether the value at this path of a Secret must be redacted. Includes annotations that hold a copy of the whole object. */
export const isSecretPath = (kind: GroupKind, path: string): boolean =>
  isSecretKind(kind) && (/^(?:data|stringData)(?:$|[.[])/.test(path) || /^metadata\.annotations(?:$|.*applied)/.test(path));

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}
