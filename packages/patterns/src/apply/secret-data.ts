/** The values of Secrets: written in the way the server keeps them, and never shown. */
import { isJsonObject, setOwn } from "@drover/machinery";
import type { GroupKind, JsonObject } from "@drover/machinery";

/** Whether the objects of a kind are Secrets. */
export const isSecretKind = ({ group, kind }: GroupKind): boolean => group === "" && kind === "Secret";

/** `stringData` as the `data` it becomes at the server, so that what is wanted and what is there can be compared. */
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

/**
 * Whether what stands at this path of a Secret must not be seen. The copy of the whole object that some keep in
 * annotations is one of them.
 */
export const isSecretPath = (kind: GroupKind, path: string): boolean =>
  isSecretKind(kind) && (/^(?:data|stringData)(?:$|[.[])/.test(path) || /^metadata\.annotations(?:$|.*applied)/.test(path));

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}
