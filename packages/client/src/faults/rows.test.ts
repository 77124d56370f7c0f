import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// The catalogue of failures seen in practice: W for watches and informers, T for transport and credentials, C for scenarios of
// the client. Every row is the name of a test in this package or in conformance/, or has a reason here why it is not.

const catalogue: readonly string[] = [
  ...Array.from({ length: 21 }, (_, index) => `W${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `T${index + 1}`),
  // There is no row C14.
  ...Array.from({ length: 20 }, (_, index) => `C${index + 1}`).filter((row) => row !== "C14"),
];

const rest = "The client hands out the events of one watch and says how it ended";

/** Rows that do not concern the client. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["W2", `${rest}; going on for ever after any error is what the reflector of the cache does.`],
  ["W3", `${rest}; how soon the next watch begins is decided by the reflector of the cache, which has the back-off.`],
  ["W5", "Versions that go back can be seen only by whoever remembers earlier ones: the reflector of the cache."],
  ["W6", "Which version a list must have is asked for by the reflector of the cache; the client sends what it is told."],
  ["W7", "Comparing a cache with the server is the anti-entropy of the cache."],
  ["W8", "Deletions that nobody saw are found by the cache when it replaces its contents with a list."],
  ["W9", "Two objects of one name are told apart by whoever keeps objects: the cache."],
  ["W11", "The client hands out a list page by page; how many pages are kept at a time is up to the cache."],
  ["W18", "The client keeps no objects that an answer could roll back."],
  ["W19", "The client keeps no objects that somebody could change; each answer belongs to whoever asked."],
]);

/** Rows of which a part does not concern the client, or is not implemented. Their tests show the rest. */
const partly: ReadonlyMap<string, string> = new Map([
  ["W1", "Going on from the last version is the reflector's; the tests here do it by hand."],
  ["W4", "That three empty ends in ten seconds mean a new list is the reflector's rule; the client tells an end from an error."],
  ["W10", "There is no buffer in the client that could grow; what handlers do with changes is the cache's."],
  ["W12", "The client hands out what is sent twice twice; whoever keeps objects compares versions."],
  ["W13", "That an informer has one watch at a time is the cache's; the client leaves nothing of a watch behind."],
  ["W14", "What handlers throw is the cache's; a line that cannot be read ends the watch."],
  ["W17", "Going on after an object that cannot be understood is the cache's; the client hands it out as it is."],
  ["W21", "How often a forbidden watch is tried is the reflector's; the client gives it a typed error."],
  ["T5", "HTTP/2 is not built, so there is no GOAWAY; over HTTP/1.1 a server says the same with `connection: close`, or just closes."],
  ["T6", "HTTP/2 is not built: HTTP/1.1 with a few kept connections and one per watch, as the row recommends for the default."],
  [
    "T8",
    "The pool learns after how long idle connections are cut; for a watch that is cut at a regular age the reflector chooses `timeoutSeconds`.",
  ],
  ["T9", "Every request waits by itself; one pause for all requests to a server would also stop those that it would still serve."],
  ["C1", "What a lost write has done is found out by reading the object; the error says so, and does not do it by itself."],
  ["C6", "As T5: without HTTP/2 there is no last stream id; a write whose answer is missing has an unknown outcome."],
  ["C7", "Without Retry-After the refusal is the caller's at once: the server did not say that trying again will help."],
  ["C9", "A body that comes slowly but steadily is not cut by itself: only `timeoutMs` bounds the whole of a call."],
]);

const here = fileURLToPath(new URL("..", import.meta.url));
const conformance = fileURLToPath(new URL("../../../../conformance", import.meta.url));

function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join(folder, path));
}

/** Returns the rows at the start of test names: `it("T5, C6: …")`, `describe("W1: …")`, `["W4: 410", …]`. */
function namedRows(): Map<string, string> {
  const files = [...testFiles(here), ...testFiles(join(conformance, "client"))].filter((path) => !path.endsWith("rows.test.ts"));
  const found = new Map<string, string>();
  for (const file of files) {
    for (const [, rows = ""] of readFileSync(file, "utf8").matchAll(/["`]((?:[A-Z]\d+, )*[A-Z]\d+): /g))
      for (const row of rows.split(", ")) found.set(row, file);
  }
  return found;
}

describe("the catalogue of failures", () => {
  const named = namedRows();

  it.each(catalogue.filter((row) => !elsewhere.has(row)))("has a test named after %s", (row) => {
    expect([...named.keys()]).toContain(row);
  });

  it("contains every row that a test is named after", () => {
    expect([...named.keys()].filter((row) => /^[WTC]/.test(row) && !catalogue.includes(row))).toEqual([]);
  });

  it("has reasons only for existing rows, and one for each", () => {
    const excused = [...elsewhere.keys(), ...partly.keys()];
    expect(excused.filter((row) => !catalogue.includes(row))).toEqual([]);
    expect(new Set(excused).size).toBe(excused.length);
  });
});
