import { printGroupResource, printGroupVersionKind, printGroupVersionResource, RestMapper } from "@drover/machinery";
import type { ResourceRow, RestMapping } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

type Ask = readonly [method: string, group: string, version: string, name: string];
interface Question {
  readonly rows: readonly ResourceRow[];
  readonly preferred: Readonly<Record<string, string>>;
  readonly ask: readonly Ask[];
}

const groups = ["", "apps", "apps.example.com", "batch"];
const versions = ["v1", "v1beta1", "v2"];
const kinds = ["Pod", "Deployment", "Policy", "Endpoints", "Class"];
const plurals = ["pods", "deployments", "policies", "endpoints", "classes"];
const singulars = ["pod", "deployment", "", "endpoints", "class"];
const shortNames = ["po", "deploy", "ep", "pods"];

const row: fc.Arbitrary<ResourceRow> = fc
  .record({
    group: fc.constantFrom(...groups),
    version: fc.constantFrom(...versions),
    index: fc.nat(kinds.length - 1),
    plural: fc.constantFrom(...plurals, undefined),
    shortNames: fc.uniqueArray(fc.constantFrom(...shortNames), { maxLength: 2 }),
    categories: fc.uniqueArray(fc.constantFrom("all", "api"), { maxLength: 2 }),
    scope: fc.constantFrom("Namespaced", "Cluster"),
  })
  .map(({ index, plural, ...rest }) => ({
    ...rest,
    kind: kinds[index] ?? "",
    singular: singulars[index] ?? "",
    plural: plural ?? plurals[index] ?? "",
  }));
const ask: fc.Arbitrary<Ask> = fc.oneof(
  fc.tuple(
    fc.constantFrom("kindFor", "kindsFor", "resourceFor", "resourcesFor"),
    fc.constantFrom(...groups, "app", "x"),
    fc.constantFrom("", "", ...versions, "__internal"),
    fc.constantFrom(...plurals, ...singulars, ...shortNames, "Pods", "ghosts"),
  ),
  fc.tuple(
    fc.constantFrom("restMapping", "restMappings"),
    fc.constantFrom(...groups),
    fc.constantFrom("", "v1", "v2,v1", "v9", "v9,v2"),
    fc.constantFrom(...kinds, "Ghost"),
  ),
  fc.tuple(fc.constant("singularFor"), fc.constant(""), fc.constant(""), fc.constantFrom(...plurals, "pod", "deploy", "ghosts")),
  fc.tuple(fc.constant("expandCategory"), fc.constant(""), fc.constant(""), fc.constantFrom("all", "none")),
);
const question: fc.Arbitrary<Question> = fc.record({
  rows: fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: ({ group, version, plural }) => `${group}/${version}/${plural}` }),
  preferred: fc.dictionary(fc.constantFrom(...groups), fc.constantFrom(...versions), { maxKeys: 2 }),
  ask: fc.array(ask, { minLength: 8, maxLength: 8 }),
});

const printMapping = ({ resource, kind, scope }: RestMapping): string =>
  `${printGroupVersionResource(resource)} ${printGroupVersionKind(kind)} ${scope === "Namespaced" ? "namespace" : "root"}`;

function answer(mapper: RestMapper, [method, group, version, name]: Ask): unknown {
  const partial = { group, version, resource: name };
  const named = version.split(",").filter((part) => part !== "");
  switch (method) {
    case "kindFor":
      return printGroupVersionKind(mapper.kindFor(partial));
    case "kindsFor":
      return mapper.kindsFor(partial).map(printGroupVersionKind);
    case "resourceFor":
      return printGroupVersionResource(mapper.resourceFor(partial));
    case "resourcesFor":
      return mapper.resourcesFor(partial).map(printGroupVersionResource);
    case "restMapping":
      return printMapping(mapper.restMapping({ group, kind: name }, ...named));
    case "restMappings":
      return mapper.restMappings({ group, kind: name }, ...named).map(printMapping);
    case "singularFor":
      return mapper.singularFor(name);
    default:
      return mapper.expandCategory(name).map(printGroupResource);
  }
}

/** Where one group version has two resources of one name, theirs returns a random one. */
function isAnswerRandom({ rows }: Question, [method, group, version]: Ask): boolean {
  if (method !== "singularFor" && !(method.startsWith("resource") && group !== "" && version !== "")) return false;
  const names = rows.flatMap((one) =>
    [...new Set([one.plural, one.singular || one.kind.toLowerCase()])].map((name) => `${one.group}/${one.version}/${name}`),
  );
  return new Set(names).size < names.length;
}

function compare(questions: readonly Question[], answers: readonly Answer[]): void {
  for (const [index, one] of questions.entries()) {
    let heard: string[] = [];
    const mapper = new RestMapper(one.rows, {
      preferredVersions: new Map(Object.entries(one.preferred)),
      warn: (message) => heard.push(message),
    });
    const theirs = answers[index]?.output as { answer: unknown; warnings: string[] }[];
    for (const [position, each] of one.ask.entries()) {
      if (isAnswerRandom(one, each)) continue;
      heard = [];
      let ours: unknown;
      try {
        ours = answer(mapper, each);
      } catch (error) {
        ours = `error: ${(error as Error).message}`;
      }
      const expected = theirs[position];
      // Theirs lists a resource of a category once per version, and warns at every lookup.
      const settled = each[0] === "expandCategory" ? [...new Set(expected?.answer as string[])] : expected?.answer;
      expect({ answer: ours, warnings: [...new Set(heard)] }, JSON.stringify({ ...one, ask: each })).toEqual({
        answer: settled,
        warnings: [...new Set(expected?.warnings)],
      });
    }
  }
}

describe("the REST mapper", () => {
  it("answers as client-go's discovery mapper with short names does, errors included", () => {
    const questions = fc
      .sample(question, { numRuns: 60, seed: 7 })
      .map((one) => ({ ...one, ask: one.ask.filter((each) => !isAnswerRandom(one, each)) }));
    compare(questions, recordedAnswers("rest-mapper", questions));
  });

  it("answers as client-go does, whatever the server offers", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 20_000 : 1_000);
    compare(questions, askOracle("rest-mapper", questions));
  });
});
