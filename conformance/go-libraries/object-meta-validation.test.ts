/** The rules for metadata, compared with Kubernetes' own. */
import { checkPathSegmentName, checkSubdomainName, printFieldError, validateObjectMeta, validateObjectMetaUpdate } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";

interface Question {
  readonly meta: ObjectMeta;
  readonly old?: ObjectMeta;
  readonly namespaced: boolean;
  readonly subdomain: boolean;
}

const ask = ({ meta, old, namespaced, subdomain }: Question): string[] => {
  const errors =
    old === undefined
      ? validateObjectMeta(meta, { namespaced, checkName: subdomain ? checkSubdomainName : checkPathSegmentName })
      : validateObjectMetaUpdate(meta, old);
  return errors.map(printFieldError);
};

// Labels and annotations come in the order of a Go map, so errors about them are compared as a set, and only the others
// in order.
const settle = (errors: readonly string[]): readonly string[] => {
  const isMap = (error: string): boolean => /^metadata\.(labels|annotations)/.test(error);
  return [...errors.filter((error) => !isMap(error)), ...errors.filter(isMap).toSorted()];
};

const name = fc.constantFrom("", "web", "web-", "Web", "a/b", "..", "é-", "x".repeat(254));
const time = fc.constantFrom("2026-11-15T13:35:46Z", "2026-11-15T14:35:46+01:00", "2026-11-15T13:35:47Z");
const key = fc.constantFrom("app", "App", "a/b", "A/b", "-x", "a/b/c", "", "K", "İ", "k".repeat(64), "__proto__");
const text = fc.constantFrom("", "web", "we b", "-", "v".repeat(64), "<é>");
const bool = fc.option(fc.boolean(), { nil: undefined });
const compact = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
const owner = fc
  .record({
    apiVersion: fc.constantFrom("v1", "apps/v1", "", "/", "/v1", "a/b/c", "apps/"),
    kind: fc.constantFrom("Pod", "Event", ""),
    name: fc.constantFrom("p", "", "<x>"),
    uid: fc.constantFrom("u", "", '"&'),
    controller: bool,
    blockOwnerDeletion: bool,
  })
  .map(compact);
const finalizer = fc.constantFrom("orphan", "foregroundDeletion", "x.io/a", "x.io/b", "bad name", "é", '"q"', "");
const entry = fc.record(
  {
    manager: fc.constantFrom("", "me", "a\u0007é\u0000b", "m".repeat(129)),
    operation: fc.constantFrom("Apply", "Update", "", "<odd>"),
    fieldsType: fc.constantFrom("", "FieldsV1", 'V2"'),
    subresource: fc.constantFrom("", "status", "s".repeat(257)),
    apiVersion: fc.constant("v1"),
  },
  { requiredKeys: [] },
);
const meta = fc.record(
  {
    name,
    generateName: name,
    namespace: fc.constantFrom("", "default", "Default", "a.b"),
    uid: fc.constantFrom("", "u1", "<u>"),
    resourceVersion: fc.constantFrom("", "5"),
    generation: fc.constantFrom(-1, 0, 1, 2),
    creationTimestamp: fc.oneof(time, fc.constant(null)),
    deletionTimestamp: time,
    deletionGracePeriodSeconds: fc.constantFrom(0, 30),
    labels: fc.dictionary(key, text, { maxKeys: 3 }),
    annotations: fc.dictionary(key, text, { maxKeys: 2 }),
    ownerReferences: fc.array(owner, { maxLength: 3 }),
    finalizers: fc.array(finalizer, { maxLength: 3 }),
    managedFields: fc.array(entry, { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<ObjectMeta>;
const question: fc.Arbitrary<Question> = fc.oneof(
  fc.record({ meta, namespaced: fc.boolean(), subdomain: fc.boolean() }),
  fc.record({ meta, old: meta, namespaced: fc.boolean(), subdomain: fc.boolean() }),
);

const good: ObjectMeta = {
  name: "web",
  namespace: "default",
  uid: "u",
  resourceVersion: "5",
  generation: 1,
  creationTimestamp: "2026-11-15T13:35:46Z",
};
const event = { apiVersion: "v1", kind: "Event", name: "e", uid: "u" };
const pod = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u", controller: true };
const create = (change: ObjectMeta, namespaced = true): Question => ({ meta: { ...good, ...change }, namespaced, subdomain: true });
const update = (change: ObjectMeta, old: ObjectMeta = {}): Question => ({
  meta: { ...good, ...change },
  old: { ...good, ...old },
  namespaced: true,
  subdomain: true,
});
const table: readonly Question[] = [
  create({}),
  create({ name: "" }),
  create({ name: "Web" }),
  create({ name: "", generateName: "web-" }),
  create({ generateName: "Web-" }),
  create({ generateName: "a--" }),
  create({ namespace: "" }),
  create({ namespace: "a.b" }),
  create({}, false),
  create({ generation: -1 }),
  create({ labels: { "a/b/c": "-" } }),
  create({ annotations: { "A/B": "anything, 🙂" } }),
  create({ annotations: { "-": "" } }),
  create({ ownerReferences: [event] }),
  create({ ownerReferences: [{ ...event, apiVersion: "v2" }] }),
  create({ ownerReferences: [{ ...event, apiVersion: "/v1", controller: false, blockOwnerDeletion: true }] }),
  create({ ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] }),
  create({ ownerReferences: [pod, pod, { ...pod, name: "q" }] }),
  create({ ownerReferences: [{ ...pod, controller: false }, pod] }),
  create({ finalizers: ["orphan"] }),
  create({ finalizers: ["orphan", "foregroundDeletion"] }),
  create({ finalizers: ["a b", "x.io/y", ""] }),
  create({ managedFields: [{ operation: "Apply" }, { operation: "Delete" }] }),
  create({ managedFields: [{ operation: "Update", manager: "a\u0007b\u200b", fieldsType: "FieldsV2" }] }),
  create({ managedFields: [{ operation: "Update", manager: "m".repeat(129), subresource: "s".repeat(257) }] }),
  update({}),
  update({ resourceVersion: "" }),
  update({ generation: 0 }),
  update({ generation: 2 }),
  update({ name: "other" }),
  update({ namespace: "other" }),
  update({ uid: "<other>" }),
  update({ creationTimestamp: "2026-11-15T14:35:46+01:00" }),
  update({ creationTimestamp: "2026-11-15T13:35:47Z" }),
  update({ creationTimestamp: null }),
  update({ deletionTimestamp: "2026-11-15T13:35:46Z" }),
  update({}, { deletionTimestamp: "2026-11-15T13:35:46Z" }),
  update({ deletionGracePeriodSeconds: 0 }),
  update({}, { deletionGracePeriodSeconds: 30 }),
  update(
    { finalizers: ["x.io/b", "x.io/a", "x.io/b"], deletionTimestamp: "2026-11-15T13:35:46Z" },
    { deletionTimestamp: "2026-11-15T13:35:46Z" },
  ),
  update(
    { finalizers: ["x.io/a"], deletionTimestamp: "2026-11-15T13:35:46Z" },
    { finalizers: ["x.io/a", "x.io/b"], deletionTimestamp: "2026-11-15T13:35:46Z" },
  ),
  update({ finalizers: ["bad name"] }),
  update({ labels: { "-": "" }, ownerReferences: [event], managedFields: [{}] }),
];

describe("metadata validation and Kubernetes' own", () => {
  it("agree on a table of metadata", () => {
    const answers = recordedAnswers("object-meta-validation", table);
    for (const [index, asked] of table.entries()) expect(ask(asked), JSON.stringify(asked)).toEqual(answers[index]?.output);
  });

  it("agree on how much all annotations may take", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = ["x".repeat(262_143), "x".repeat(262_144), "é".repeat(131_071), "é".repeat(131_072)].map((value) =>
      create({ annotations: { a: value } }),
    );
    const answers = askOracle("object-meta-validation", questions);
    expect(questions.map(ask)).toEqual(answers.map((answer) => answer.output));
  });

  it("agree on random metadata", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 50_000 : 3000);
    const answers = askOracle("object-meta-validation", questions);
    for (const [index, asked] of questions.entries()) {
      const theirs = answers[index]?.output as string[];
      expect(settle(ask(asked)), JSON.stringify(asked)).toEqual(settle(theirs));
    }
  });
});
