import { describe, expect, it } from "vitest";
import type { JsonObject } from "@drover/machinery";
import type { Operation, OperationAnswer, Wish } from "./history.ts";
import { statesAfter } from "./object-model.ts";
import type { ObjectState } from "./object-model.ts";
import { answer, content, operation, truthOf, version } from "./small-history.ts";

const truth = truthOf();
const plain = version(11, content("1", { app: "web" }));
const held = version(11, content("1", { finalizers: ["f"] }));
const going = version(12, content("1", { finalizers: ["f"], isBeingDeleted: true }));
const wish = (text: string, others: Partial<Wish> = {}): Wish => ({ data: { text }, labels: undefined, finalizers: undefined, ...others });
const after = (
  state: ObjectState,
  verb: Operation["verb"],
  told: OperationAnswer | undefined,
  facts: Partial<Operation> = {},
): readonly ObjectState[] => statesAfter(state, operation(verb, [1, 2], told, facts), truth);

describe("statesAfter", () => {
  it("get returns the current object", () => {
    expect(after(plain, "get", answer(200, plain))).toEqual([plain]);
    expect(after(plain, "get", answer(200, version(11, content("2"))))).toEqual([]);
    expect(after(plain, "get", answer(200, version(12, plain.content)))).toEqual([]);
    expect(after(undefined, "get", answer(404))).toEqual([undefined]);
    expect(after(plain, "get", answer(404))).toEqual([]);
    expect(after(plain, "get", answer(500))).toEqual([]);
  });

  it("create stores the requested object if absent", () => {
    const made = version(11, content("1"));
    expect(after(undefined, "create", answer(201, made), { wish: wish("1") })).toEqual([made]);
    expect(after(undefined, "create", answer(201, made), { wish: wish("2") })).toEqual([]);
    expect(after(plain, "create", answer(201, made), { wish: wish("1") })).toEqual([]);
    expect(after(plain, "create", answer(409, undefined, "AlreadyExists"), { wish: wish("1") })).toEqual([plain]);
    expect(after(undefined, "create", answer(409, undefined, "AlreadyExists"), { wish: wish("1") })).toEqual([]);
  });

  it("put replaces and patch merges", () => {
    const put = version(12, content("2"));
    const patched = version(12, content("2", { app: "web" }));
    expect(after(plain, "put", answer(200, put), { wish: wish("2") })).toEqual([put]);
    expect(after(plain, "put", answer(200, patched), { wish: wish("2") })).toEqual([]);
    expect(after(plain, "patch", answer(200, patched), { wish: wish("2") })).toEqual([patched]);
    expect(after(plain, "patch", answer(200, put), { wish: wish("2") })).toEqual([]);
    expect(after(plain, "patch", answer(200, put), { wish: wish("2", { labels: { app: null } }) })).toEqual([put]);
    expect(after(plain, "patch", answer(200, version(11, patched.content)), { wish: wish("2") })).toEqual([]);
  });

  it("distinguishes another object of the same name", () => {
    const { data } = plain.content;
    const other: JsonObject = { data: data ?? null, metadata: { uid: "v", labels: { app: "web" } } };
    expect(after(plain, "patch", answer(200, version(12, other)), { wish: wish("1") })).toEqual([]);
  });

  it("writes nothing for a no-op or a dry run", () => {
    expect(after(plain, "patch", answer(200, plain), { wish: wish("1") })).toEqual([plain]);
    expect(after(plain, "patch", answer(200, version(12, plain.content)), { wish: wish("1") })).toEqual([]);
    expect(after(plain, "dry-patch", answer(200, version(11, content("2", { app: "web" }))), { wish: wish("2") })).toEqual([plain]);
  });

  it("requires a resourceVersion only if the request names one", () => {
    const patched = version(12, content("2", { app: "web" }));
    expect(after(plain, "patch", answer(200, patched), { wish: wish("2"), expected: 11 })).toEqual([patched]);
    expect(after(plain, "patch", answer(200, patched), { wish: wish("2"), expected: 10 })).toEqual([]);
    expect(after(plain, "patch", answer(409, undefined, "Conflict"), { wish: wish("2"), expected: 10 })).toEqual([plain]);
    expect(after(plain, "patch", answer(409, undefined, "Conflict"), { wish: wish("2"), expected: 11 })).toEqual([]);
    expect(after(plain, "patch", answer(409, undefined, "Conflict"), { wish: wish("2") })).toEqual([]);
    expect(after(plain, "delete", answer(200), { expected: 10 })).toEqual([]);
  });

  it("delete removes the object, or marks it if it has finalizers", () => {
    expect(after(plain, "delete", answer(200))).toEqual([undefined]);
    expect(after(held, "delete", answer(200))).toEqual([]);
    expect(after(held, "delete", answer(200, going))).toEqual([going]);
    expect(after(going, "delete", answer(200, going))).toEqual([going]);
    expect(after(undefined, "delete", answer(200))).toEqual([]);
  });

  it("removes the object with its last finalizer, and refuses new ones", () => {
    const last = version(12, content("1", { isBeingDeleted: true }));
    expect(after(going, "patch", answer(200, last), { wish: wish("1", { finalizers: [] }) })).toEqual([undefined]);
    expect(after(going, "patch", answer(422), { wish: wish("1", { finalizers: ["g"] }) })).toEqual([going]);
    expect(after(held, "patch", answer(422), { wish: wish("1", { finalizers: ["g"] }) })).toEqual([]);
  });

  it("looks up the effect of a request without a response in the store", () => {
    const stored = truthOf(["a", plain.content], ["a", content("2", { app: "web" })]);
    const lost = operation("patch", [1, Infinity], undefined, { wish: wish("2") });
    expect(statesAfter(plain, lost, stored)).toEqual([version(12, content("2", { app: "web" }))]);
    expect(statesAfter(plain, { ...lost, wish: wish("3") }, stored)).toEqual([]);
    expect(statesAfter(plain, { ...lost, expected: 10 }, stored)).toEqual([]);
    expect(
      statesAfter(undefined, operation("create", [1, Infinity], undefined, { wish: wish("1", { labels: { app: "web" } }) }), stored),
    ).toEqual([plain]);
    expect(statesAfter(plain, operation("delete", [1, Infinity], undefined), stored)).toEqual([undefined]);
    expect(statesAfter(undefined, operation("delete", [1, Infinity], undefined), stored)).toEqual([]);
  });
});
