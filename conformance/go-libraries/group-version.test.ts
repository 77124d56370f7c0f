import {
  apiVersionOf,
  compareKubeVersions,
  groupVersionKindFrom,
  parseGroupVersion,
  parseKindArg,
  parseResourceArg,
  printGroupKind,
  printGroupResource,
  printGroupVersionKind,
  printGroupVersionResource,
} from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";

const random = process.env["DROVER_LONG"] === "1" ? 50_000 : 3_000;

function ours(text: string): Record<string, unknown> {
  const resource = parseResourceArg(text);
  const kind = parseKindArg(text);
  const answer: Record<string, unknown> = {
    groupResource: printGroupResource(resource.unversioned),
    groupKind: printGroupKind(kind.unversioned),
    from: printGroupVersionKind(groupVersionKindFrom(text, "Pod")),
    resource: resource.unversioned.resource,
    group: resource.unversioned.group,
    kind: kind.unversioned.kind,
  };
  try {
    const groupVersion = parseGroupVersion(text);
    answer["groupVersion"] = [groupVersion.group, groupVersion.version, apiVersionOf(groupVersion)];
  } catch (error) {
    answer["error"] = (error as Error).message;
  }
  if (resource.versioned !== undefined) answer["versionedResource"] = printGroupVersionResource(resource.versioned);
  if (kind.versioned !== undefined) answer["versionedKind"] = printGroupVersionKind(kind.versioned);
  return answer;
}

const texts = [
  "",
  "/",
  "//",
  "v1",
  "apps/v1",
  "apps/",
  "/v1",
  "a/b/c",
  "deployments",
  "deployments.apps",
  "deployments.v1.apps",
  "pods.v1.",
  "Pod.v1.core",
  "a.b.c.d.e",
  ".",
  "..",
  "...",
  ".apps",
  "storageclasses.storage.k8s.io",
  "CronJob.v1.batch/x",
];
const versions = [
  "v1",
  "v2",
  "v10",
  "v1beta1",
  "v1beta2",
  "v2alpha1",
  "v1alpha10",
  "foo",
  "foo1",
  "foo10",
  "V1",
  "v1beta",
  "v",
  "v0",
  "v01",
  "v99999999999999999999",
  "",
];
const pairs = versions.flatMap((a) => versions.map((b) => [a, b] as const));

describe("names of kinds and resources", () => {
  it("are read and printed as apimachinery does", () => {
    const answers = recordedAnswers("group-version", [...texts.map((text) => ({ text })), ...pairs.map((pair) => ({ versions: pair }))]);
    for (const [index, text] of texts.entries()) expect(ours(text), text).toEqual(answers[index]?.output);
    for (const [index, [a, b]] of pairs.entries()) {
      // Theirs returns which has the higher priority, ours which comes first in a sorted list.
      expect(Math.sign(compareKubeVersions(a, b)) + Math.sign(Number(answers[texts.length + index]?.output)), `${a} ${b}`).toBe(0);
    }
  });

  it("are read and printed as apimachinery does, whatever the text", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const questions = fc.sample(fc.string({ unit: fc.constantFrom("a", "v", "1", ".", "/", "B"), maxLength: 9 }), random);
    const answers = askOracle(
      "group-version",
      questions.map((text) => ({ text })),
    );
    for (const [index, text] of questions.entries()) expect(ours(text), text).toEqual(answers[index]?.output);
  });
});
