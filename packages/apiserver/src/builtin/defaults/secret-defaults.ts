/** Defaults of Secret: type Opaque, and stringData. */
import type { Secret } from "@drover/api/core/v1";
import { setOwn } from "@drover/machinery";
import { encodeBinary } from "../strategies/core/binary-data.ts";

export function setSecretDefaults(secret: Secret): void {
  foldStringData(secret);
  secret.type ||= "Opaque";
}

/** Merges `stringData`, which is never stored, into `data`; it wins. */
function foldStringData(secret: Secret): void {
  const { stringData } = secret;
  delete secret.stringData;
  if (stringData === undefined || Object.keys(stringData).length === 0) return;
  const data = (secret.data ??= {});
  for (const [key, text] of Object.entries(stringData)) setOwn(data, key, encodeBinary(text));
}
