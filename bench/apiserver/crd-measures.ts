/** Measurements of a server that gets many CustomResourceDefinitions. */
import { setTimeout as delay } from "node:timers/promises";
import { percentile } from "./measures.ts";
import type { Target } from "./target.ts";

export interface CrdTimes {
  /** From the first request until every definition is established. */
  readonly allMs: number;
  /** Median response time of the first and of the last tenth of the creates. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Of a GET of a ConfigMap, on a connection of its own, meanwhile. */
  readonly getP50Ms: number;
  readonly getP99Ms: number;
  /** From the response to the last create until discovery, and OpenAPI, name it. */
  readonly discoveryMs: number;
  readonly openApiMs: number;
}

export interface CrdRun {
  readonly count: number;
  /** Creates at the same time. */
  readonly atOnce: number;
  /** Of the group, which each run has for itself. */
  readonly group: string;
}

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const patterned = 64;

export async function measureCrds(target: Target, { count, atOnce, group }: CrdRun): Promise<CrdTimes> {
  const answers: number[] = [];
  const gets: number[] = [];
  const over = new AbortController();
  const asking = (async () => {
    for (; !over.signal.aborted; await delay(5)) {
      const start = performance.now();
      await target.send("GET", "/api/v1/namespaces/default");
      gets.push(performance.now() - start);
    }
  })();
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < count; index = next++) {
        const began = performance.now();
        const { status, text } = await target.send("POST", definitions, crdText(index, group));
        if (status !== 201) throw new Error(`a definition was answered with ${status}: ${text.slice(0, 300)}`);
        answers[index] = performance.now() - began;
      }
    }),
  );
  const answered = performance.now();
  const until = async (isTrue: () => Promise<boolean>): Promise<number> => {
    while (!(await isTrue())) await delay(20);
    return performance.now();
  };
  const [established, discovered, described] = await Promise.all([
    until(async () => (await target.send("GET", definitions)).text.split('"type":"Established"').length > count),
    until(async () => (await target.send("GET", `/apis/${group}/v1`)).text.includes(`"${pluralOf(count - 1)}"`)),
    until(async () => (await target.send("GET", `/openapi/v3/apis/${group}/v1`)).text.includes(`/${pluralOf(count - 1)}"`)),
  ]);
  over.abort();
  await asking;
  const tenth = Math.ceil(count / 10);
  return {
    allMs: established - start,
    firstMs: percentile(sorted(answers.slice(0, tenth)), 0.5),
    lastMs: percentile(sorted(answers.slice(-tenth)), 0.5),
    getP50Ms: percentile(sorted(gets), 0.5),
    getP99Ms: percentile(sorted(gets), 0.99),
    discoveryMs: discovered - answered,
    openApiMs: described - answered,
  };
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const pluralOf = (index: number): string => `things${index}`;

/** A definition with patterns that differ from those of all others. */
function crdText(index: number, group: string): string {
  const plural = pluralOf(index);
  const properties = Object.fromEntries(
    Array.from({ length: patterned }, (_, number) => [
      `property${number}`,
      { type: "string", pattern: `^[a-z]{1,${number + 1}}([-a-z0-9]*[a-z0-9])?(\\.k${index})?$` },
    ]),
  );
  const openAPIV3Schema = { type: "object", properties: { spec: { type: "object", properties } } };
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: `thing${index}`, kind: `Thing${index}`, listKind: `Thing${index}List` },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
}
