/**
 * How objects are named, by the scope of their kind: a namespace and a name, or a name alone. This is why there are no NonNamespaced twins
 * here: one type serves both scopes, and a namespace for a kind that is in none does not compile.
 */
import type { Scope } from "@drover/machinery";

/** What names one object. */
export type NameArguments<S extends Scope> = S extends "Namespaced" ? [namespace: string, name: string] : [name: string];

/** What names a collection; for a namespaced kind "" is all namespaces. */
export type NamespaceArguments<S extends Scope> = S extends "Namespaced" ? [namespace: string] : [];

/** Takes the name off a list of arguments. */
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

/** Takes the namespace off a list of arguments; "" where there is none. */
export function takeNamespace(scope: Scope, given: readonly unknown[]): { readonly namespace: string; readonly rest: readonly unknown[] } {
  if (scope === "Cluster") return { namespace: "", rest: given };
  const [namespace, ...rest] = given;
  return { namespace: String(namespace), rest };
}
