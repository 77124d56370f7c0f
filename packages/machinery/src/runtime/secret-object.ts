/** Kubernetes Secrets with their values redacted and everything else kept, for logs, errors and printouts. */
import { getOwn } from "../json/own.ts";
import { redacted } from "./secret.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Where `kubectl apply` keeps a copy of the whole object, values included. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Returns a Secret or SecretList with its values redacted; anything else as it is. */
export function redactSecretObject(object: Fields): Fields {
  const kind = getOwn(object, "kind");
  if (kind === "Secret") return redactedSecret(object);
  const items = kind === "SecretList" ? getOwn(object, "items") : undefined;
  return Array.isArray(items) ? { ...object, items: items.map((item: unknown) => (isFields(item) ? redactedSecret(item) : item)) } : object;
}

function redactedSecret(secret: Fields): Fields {
  const metadata = getOwn(secret, "metadata");
  const annotations = isFields(metadata) ? getOwn(metadata, "annotations") : undefined;
  return {
    ...secret,
    ...hidden(secret, "data"),
    ...hidden(secret, "stringData"),
    ...(isFields(metadata) && isFields(annotations) && Object.hasOwn(annotations, lastApplied)
      ? { metadata: { ...metadata, annotations: { ...annotations, [lastApplied]: redacted } } }
      : {}),
  };
}

function hidden(secret: Fields, field: "data" | "stringData"): Fields {
  const values = getOwn(secret, field);
  return isFields(values) ? { [field]: Object.fromEntries(Object.keys(values).map((key) => [key, redacted])) } : {};
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
