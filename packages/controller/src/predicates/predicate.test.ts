import type { Change } from "@drover/cache";
import { and, not, or } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { objectPredicate } from "./predicate.ts";
import type { Predicate } from "./predicate.ts";

const object = (name: string): KubeObject => ({ metadata: { namespace: "shop", name } });
const changes: readonly Change[] = [
  added(object("a")),
  updated(object("a"), { metadata: { namespace: "shop", name: "a", labels: {} } }),
  deleted(object("a")),
];
const yes: Predicate = () => true;
const no: Predicate = () => false;

describe("and, or, not", () => {
  it("have the usual truth tables, for every type of change", () => {
    for (const change of changes) {
      expect([and(yes, yes), and(yes, no), and(no, yes), and(no, no)].map((holds) => holds(change))).toEqual([true, false, false, false]);
      expect([or(yes, yes), or(yes, no), or(no, yes), or(no, no)].map((holds) => holds(change))).toEqual([true, true, true, false]);
      expect([not(yes), not(no)].map((holds) => holds(change))).toEqual([false, true]);
    }
  });

  it("of nothing are true, and false", () => {
    expect([and()(added(object("a"))), or()(added(object("a")))]).toEqual([true, false]);
  });

  it("short-circuit", () => {
    let asked = 0;
    const counting =
      (answer: boolean): Predicate =>
      () => {
        asked++;
        return answer;
      };
    and(counting(true), counting(false), counting(true))(added(object("a")));
    expect(asked).toBe(2);
    or(counting(false), counting(true), counting(true))(added(object("a")));
    expect(asked).toBe(4);
  });

  it("obey the laws of De Morgan", () => {
    const table = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, (rows) => {
        const predicates = rows.map(
          (row): Predicate =>
            (change) =>
              row[changes.indexOf(change)] === true,
        );
        const answers = (predicate: Predicate): readonly boolean[] => changes.map(predicate);
        expect([not(and(...predicates)), not(or(...predicates))].map(answers)).toEqual(
          [or(...predicates.map(not)), and(...predicates.map(not))].map(answers),
        );
      }),
    );
  });
});

describe("objectPredicate", () => {
  const isB = objectPredicate(({ metadata }) => metadata.labels?.["app"] === "b");
  const isOrWasB = objectPredicate(({ metadata }) => metadata.labels?.["app"] === "b", { orBefore: true });
  const labelled = (app: string): KubeObject => ({ metadata: { namespace: "shop", name: "a", labels: { app } } });

  it("tests the new object, the last known state of a deletion, and the state after an update", () => {
    expect(
      [added(labelled("b")), deleted(labelled("b")), updated(labelled("a"), labelled("b")), updated(labelled("b"), labelled("a"))].map(isB),
    ).toEqual([true, true, true, false]);
  });

  it("tests both states of an update with orBefore, so that an object that stops matching passes once more", () => {
    expect(
      [updated(labelled("b"), labelled("a")), updated(labelled("a"), labelled("a")), added(labelled("a")), deleted(labelled("a"))].map(
        isOrWasB,
      ),
    ).toEqual([true, false, false, false]);
  });
});
