/** The response to an apply that conflicts with other managers. */
import { compareBytes } from "../go/byte-text.ts";
import { quoteGo } from "../go/go-quote.ts";
import { newApplyConflict } from "../errors/status-error.ts";
import type { Status, StatusCause } from "../wire/status.ts";
import { fieldPaths } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import type { ManagerName, Managers } from "./managed-fields.ts";
import { printPath } from "./path-element.ts";
import type { PrintElementOptions } from "./path-element.ts";

/** Returns 409 with one cause per field, sorted by manager. `conflicts` are fields by the identity of their manager. */
export function applyConflictStatus(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers, options: PrintElementOptions): Status {
  const groups = [...conflicts]
    .toSorted(([a], [b]) => compareBytes(a, b))
    .map(([identity, fields]) => {
      const manager = managers.get(identity);
      return {
        name: manager === undefined ? quoteGo(identity) : printManager(manager),
        paths: fieldPaths(fields).map((path) => printPath(path, options)),
      };
    });
  const causes = groups.flatMap(({ name, paths }) =>
    paths.map((field): StatusCause => ({ reason: "FieldManagerConflict", message: `conflict with ${name}`, field })),
  );
  const [only] = causes;
  if (causes.length === 1 && only !== undefined)
    return newApplyConflict(causes, `Apply failed with 1 conflict: ${only.message ?? ""}: ${only.field ?? ""}`);
  const lines = groups.flatMap(({ name, paths }) => [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)]);
  return newApplyConflict(causes, `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`);
}

function printManager({ manager, operation, apiVersion, subresource }: ManagerName): string {
  const name = `${quoteGo(manager)}${subresource === "" ? "" : ` with subresource ${quoteGo(subresource)}`}`;
  return operation === "Update" ? `${name} using ${apiVersion}` : name;
}
