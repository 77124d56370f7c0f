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

const rest = "The client yields the events of one watch and reports how it ended";

/** Rows that do not concern the client. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["W2", `${rest}; the cache's reflector continues after any error.`],
  ["W3", `${rest}; the cache's reflector has the backoff before the next watch.`],
  ["W5", "Only the cache's reflector remembers earlier versions and so detects that they go back."],
  ["W6", "The cache's reflector chooses the version of a list; the client sends it."],
  ["W7", "The cache's audit compares it with the server."],
  ["W8", "The cache detects missed deletions when it replaces its contents with a list."],
  ["W9", "The cache distinguishes two objects of the same name; the client keeps no objects."],
  ["W11", "The client yields a list page by page; the cache decides how many pages it keeps."],
  ["W18", "The client keeps no objects that a response could roll back."],
  ["W19", "The client shares no objects; each response belongs to its caller."],
]);

/** Rows of which a part does not concern the client, or is not implemented. Their tests show the rest. */
const partly: ReadonlyMap<string, string> = new Map([
  ["W1", "The reflector resumes from the last version; the tests here do it themselves."],
  ["W4", "The reflector relists after three empty watches in ten seconds; the client distinguishes an end from an error."],
  ["W10", "The client has no buffer that could grow; the cache's handlers do."],
  ["W12", "The client yields a repeated event twice; the cache compares versions."],
  ["W13", "The cache's informer has one watch at a time; the client leaves nothing of a watch open."],
  ["W14", "The cache handles exceptions of handlers; a malformed line ends the watch."],
  ["W17", "The cache continues after an object it cannot decode; the client yields it unchanged."],
  ["W21", "The reflector has the backoff after a forbidden watch; the client throws a typed error."],
  ["T5", "HTTP/2 is not implemented, so there is no GOAWAY; over HTTP/1.1 a server sends `connection: close`, or just closes."],
  ["T6", "HTTP/2 is not implemented: HTTP/1.1 with a connection pool and one connection per watch, as the row recommends for the default."],
  ["T8", "The pool learns when idle connections are cut; for a watch that is cut at a regular age the reflector chooses `timeoutSeconds`."],
  ["T9", "Every request backs off on its own; one backoff per server would also stop requests that it would still serve."],
  ["C1", "The caller reads the object to find the outcome of a lost write; the error says so, and the client does not do it."],
  ["C6", "As T5: without HTTP/2 there is no last stream id; a write without a response has an unknown outcome."],
  ["C7", "Without Retry-After the caller gets the error at once: the server did not say that a retry helps."],
  ["C9", "A slow but steady body is not cut: only `timeoutMs` limits a whole call."],
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
