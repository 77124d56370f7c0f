/** Guesses the resource of a kind: the lower-cased kind with an English plural. Right for most kinds. */

/** Plural and singular of a resource. */
export interface ResourceNames {
  readonly plural: string;
  readonly singular: string;
}

/** Guesses as Kubernetes does: "Ingress" → "ingresses", "NetworkPolicy" → "networkpolicies", "Endpoints" → "endpoints". */
export function guessResource(kind: string): ResourceNames {
  const singular = kind.toLowerCase();
  if (singular === "" || singular.endsWith("endpoints")) return { plural: singular, singular };
  if (singular.endsWith("s")) return { plural: `${singular}es`, singular };
  if (singular.endsWith("y")) return { plural: `${singular.slice(0, -1)}ies`, singular };
  return { plural: `${singular}s`, singular };
}
