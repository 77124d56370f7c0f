import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { clearanceOf } from "./clearance.ts";
import type { Clearance } from "./clearance.ts";
import { busyName, KeyMoves } from "./key-moves.ts";
import { parseSeen, printSeen } from "./seen-record.ts";
import type { SeenBook } from "./seen-record.ts";

const key = objectKey("web", "shop");
const here = { shard: 1, isPresent: true };
const book = (seen: string, basis = seen, busy: readonly string[] = []): SeenBook => ({
  number: 1,
  records: new Map([["web", { seen, basis, busy }]]),
});
const clear = (own: SeenBook | undefined, holders: readonly (SeenBook | undefined)[], list = 1): Clearance => {
  const others = holders.filter((one) => one !== undefined);
  return clearanceOf({ controller: "web", list, own, holders, members: holders, others });
};

describe("clearanceOf", () => {
  it("covers what was published before the list and what every holder has seen", () => {
    expect(clear(book("9"), []).upTo).toBe("9");
    expect(clear(book("9"), [book("12"), book("7")]).upTo).toBe("7");
    expect(clear(book("9", "5"), [book("12")]).upTo).toBe("5");
  });

  it("covers nothing while a holder has published nothing, in any order", () => {
    expect(clear(book("9"), [book("12"), undefined]).upTo).toBe("");
    expect(clear(book("9"), [undefined, book("12")]).upTo).toBe("");
    expect(clear(undefined, [book("12")]).upTo).toBe("");
  });

  it("needs the newest basis of all others, compared as numbers", () => {
    expect(clear(book("1"), [book("99", "9"), book("99", "10")]).needed).toBe("10");
  });
});

describe("KeyMoves", () => {
  it("holds a moved key back until all have seen the move, and no other", () => {
    const moves = new KeyMoves();
    moves.moved(key, "7");
    moves.settle(clear(book("7"), [book("6")]), "7");
    expect([moves.mayStart(key, here), moves.mayStart(objectKey("other"), here)]).toEqual([false, true]);
    moves.settle(clear(book("7"), [book("7")]), "7");
    expect([moves.mayStart(key, here), moves.size]).toEqual([true, 0]);
  });

  it("holds a key back on which another replica still works", () => {
    const moves = new KeyMoves();
    moves.moved(key, "7");
    moves.settle(clear(book("7"), [book("8", "8", [busyName(key)])]), "7");
    expect(moves.mayStart(key, here)).toBe(false);
  });

  it("lets an acquired shard wait for a list that was sent later, and for the basis of others", () => {
    const moves = new KeyMoves();
    moves.saw("5");
    moves.acquired(1, 3);
    moves.settle(clear(book("5"), [book("9", "5")], 2), "5");
    expect([moves.mayStart(key, here), moves.mayStart(key, { ...here, shard: 0 })]).toEqual([false, true]);
    moves.settle(clear(book("5"), [book("9", "9")], 3), "5");
    expect(moves.mayStart(key, here)).toBe(false);
    moves.settle(clear(book("9"), [book("9", "9")], 3), "9");
    expect(moves.mayStart(key, here)).toBe(true);
  });

  it("stands still over its limit until all have seen the newest move, and forgets no move", () => {
    const moves = new KeyMoves({ limit: 2 });
    for (const version of ["1", "2", "3"]) moves.moved(objectKey(`key-${version}`), version);
    moves.settle(clear(book("3"), [book("2")]), "3");
    expect([moves.size, moves.mayStart(objectKey("any"), here)]).toEqual([0, false]);
    moves.settle(clear(book("3"), [book("3")]), "3");
    expect(moves.mayStart(objectKey("any"), here)).toBe(true);
  });

  it("depends on a list of objects only when all replicas have seen it and a key without an object waits", () => {
    const moves = new KeyMoves();
    const absent = { shard: 1, isPresent: false };
    moves.saw("5");
    moves.removed("8");
    moves.settle(clear(book("8", "5"), [book("8")]), "8");
    expect([moves.read("8", []).basis, moves.mayStart(key, absent), moves.mayStart(key, here)]).toEqual(["5", false, true]);
    moves.settle(clear(book("8", "5"), [book("7")]), "8");
    expect(moves.read("8", []).basis).toBe("5");
    moves.settle(clear(book("8", "5"), [book("8")]), "8");
    expect([moves.read("8", []).basis, moves.mayStart(key, absent)]).toEqual(["8", false]);
    moves.settle(clear(book("8", "8"), [book("8")]), "8");
    expect(moves.mayStart(key, absent)).toBe(true);
  });
});

describe("parseSeen", () => {
  it("reads what printSeen writes, and nothing else", () => {
    expect(parseSeen(printSeen(book("12", "9", ["a"])))).toEqual(book("12", "9", ["a"]));
    const bad = [undefined, "", "{", "[]", "{}", '{"number":1}', '{"number":1,"controllers":{"web":{"seen":"x","basis":"","busy":[]}}}'];
    expect(bad.map((text) => parseSeen(text))).toEqual(bad.map(() => undefined));
  });
});
