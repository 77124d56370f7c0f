/** CustomResourceDefinitions that are not served, are being deleted, or have objects in versions that are gone. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { summed, unchecked } from "./finding.ts";
import type { Finding, Findings } from "./finding.ts";
import { firstObjects } from "./first-objects.ts";

const check = "definitions";

/** The findings, and the definitions for further checks. */
export interface CheckedDefinitions {
  readonly findings: Findings;
  readonly definitions: readonly CustomResourceDefinition[];
}

export async function checkDefinitions({ client }: ExaminedCluster, signal: AbortSignal): Promise<CheckedDefinitions> {
  try {
    const definitions = await firstObjects(client, CustomResourceDefinition, signal);
    const fine = `${definitions.length} custom resource ${definitions.length === 1 ? "definition is" : "definitions are"} served`;
    return { definitions, findings: summed(check, definitions.flatMap(definitionProblems), fine) };
  } catch (error) {
    signal.throwIfAborted();
    return { definitions: [], findings: [unchecked(check, "list CustomResourceDefinitions", error)] };
  }
}

/** Returns what is wrong with one definition. */
export function definitionProblems({ metadata, spec, status }: CustomResourceDefinition): readonly Finding[] {
  const name = metadata.name ?? "";
  const { conditions = [], storedVersions = [] } = status ?? {};
  const messageOf = (type: string, bad: string): string | undefined =>
    conditions.find((condition) => condition.type === type && condition.status === bad)?.message;
  const conflict = messageOf("NamesAccepted", "False");
  if (conflict !== undefined)
    return [
      { check, verdict: "fail", says: `${name}: its names conflict with another definition: ${conflict}`, fix: "rename or delete one" },
    ];
  if (metadata.deletionTimestamp !== undefined)
    return [
      {
        check,
        verdict: "warn",
        says: `${name}: is being deleted, and waits for its objects`,
        fix: `look for finalizers: kubectl get ${name} -A -o yaml`,
      },
    ];
  if (!conditions.some(({ type, status: value }) => type === "Established" && value === "True"))
    return [{ check, verdict: "fail", says: `${name}: is not established, so it is not served`, fix: `kubectl describe crd ${name}` }];
  const schema = messageOf("NonStructuralSchema", "True");
  const problems: Finding[] = [];
  if (schema !== undefined)
    problems.push({ check, verdict: "warn", says: `${name}: its schema is not structural: ${schema}`, fix: "correct its schema" });
  const versions = new Map(spec.versions.map((version) => [version.name, version]));
  const lost = storedVersions.filter((version) => !versions.has(version));
  if (lost.length > 0)
    problems.push({
      check,
      verdict: "fail",
      says: `${name}: objects may be stored in ${lost.join(", ")}, which it does not have any more`,
      fix: "add the version again with served: false, then migrate",
    });
  else if (storedVersions.length > 1)
    problems.push({
      check,
      verdict: "warn",
      says: `${name}: objects may be stored in ${storedVersions.join(" and ")}, so none of these versions can be removed`,
      fix: `drover migrate ${name}`,
    });
  return problems;
}
