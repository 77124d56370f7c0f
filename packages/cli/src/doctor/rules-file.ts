/**
 * Roles in a file as permissions to ask about.
 *
 *     YAML of app.roles() → neededRights → one right per verb
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { CommandError } from "../command-error.ts";

/** One right, as in a SelfSubjectAccessReview. */
export interface NeededRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** @default the object itself */
  readonly subresource?: string;
  /** @default all objects */
  readonly name?: string;
  /** @default all namespaces */
  readonly namespace?: string;
}

/** Each is a request. */
const rightsMax = 1000;

/** Returns the rights of all Roles and ClusterRoles, each once. Throws a `CommandError` for a file without any, or with too many. */
export function neededRights(documents: readonly JsonValue[], file: string): readonly NeededRight[] {
  const roles = documents.flatMap(itemsOf).filter((document) => isRole(fieldOf(document, "kind")));
  const rights = new Map(roles.flatMap(rightsOf).map((right) => [JSON.stringify(right), right]));
  if (rights.size === 0) throw new CommandError(`--rules: ${file} has no Role or ClusterRole with rules; app.roles() prints them`);
  if (rights.size > rightsMax) throw new CommandError(`--rules: ${file} has ${rights.size} rights, more than the limit of ${rightsMax}`);
  return [...rights.values()];
}

function rightsOf(role: JsonValue): readonly NeededRight[] {
  const metadata = fieldOf(role, "metadata");
  const namespace = fieldOf(role, "kind") === "Role" ? textOf(fieldOf(metadata, "namespace")) : undefined;
  return listOf(fieldOf(role, "rules")).flatMap((rule) => {
    const [verbs, groups, resources] = ["verbs", "apiGroups", "resources"].map((name) => textsOf(fieldOf(rule, name)));
    const names = textsOf(fieldOf(rule, "resourceNames"));
    return (groups ?? []).flatMap((group) =>
      (resources ?? []).flatMap((path) => {
        const [resource = "", subresource] = path.split("/");
        return (verbs ?? []).flatMap((verb) =>
          (names.length === 0 ? [undefined] : names).map((name) => ({
            verb,
            group,
            resource,
            ...(subresource === undefined ? {} : { subresource }),
            ...(name === undefined ? {} : { name }),
            ...(namespace === undefined ? {} : { namespace }),
          })),
        );
      }),
    );
  });
}

const isRole = (kind: JsonValue | undefined): boolean => kind === "Role" || kind === "ClusterRole";

/** `kubectl get -o yaml` writes several objects as a list. */
const itemsOf = (document: JsonValue): readonly JsonValue[] =>
  fieldOf(document, "kind") === "List" ? listOf(fieldOf(document, "items")) : [document];

const fieldOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  value !== undefined && isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);
const textsOf = (value: JsonValue | undefined): readonly string[] => listOf(value).filter((item) => typeof item === "string");
