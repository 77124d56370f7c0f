/**
 * Arguments that name objects, by scope: namespace and name, or only a name. One type serves both scopes, so there are
 * no NonNamespaced twins, and a namespace for a cluster-scoped kind does not compile.
 */
import type { Scope } from "@drover/machinery";

/** Arguments that name one object. */
export type NameArguments<S extends Scope> = S extends "Namespaced" ? [namespace: string, name: string] : [name: string];

/** Arguments that name a collection; for a namespaced kind "" means all namespaces. */
export type NamespaceArguments<S extends Scope> = S extends "Namespaced" ? [namespace: string] : [];

/** Splits the name off a list of arguments. */
export function takeName(
  scope: Scope,
  given: readonly unknown[],
): { readonly namespace: string; readonly name: string; readonly rest: readonly unknown[] } {
  const {
    namespace,
    rest: [name, ...rest],
  } = takeNamespace(scope, given);
  return { namespace, name: String(name), rest };
}

/** Splits the namespace off a list of arguments; "" if there is none. */
export function takeNamespace(scope: Scope, given: readonly unknown[]): { readonly namespace: string; readonly rest: readonly unknown[] } {
  if (scope === "Cluster") return { namespace: "", rest: given };
  const [namespace, ...rest] = given;
  return { namespace: String(namespace), rest };
}
