/**
 * CEL rules in schemas, compared with kube-apiserver: which definitions it accepts, and what rules say about objects
 * and changes. recorded/cel.json has its answers, so the comparison also runs without the real server; `DROVER_RECORD=1
 * npm test -- conformance/apiserver/cel` records them again.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema, StatusCause } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ruleCases, schemas } from "./cel-cases.ts";
import { definition, version } from "./custom-definitions.ts";
import { startEmbeddedServer } from "../servers/embedded-server.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const objectsPath = "/apis/ex.io/v1/namespaces/default/ruleds";
const file = join(import.meta.dirname, "..", "recorded", "cel.json");

/** The answer of a server: code, reasons and warnings. The real server returns reasons in random order. */
interface Answer {
  readonly code: number;
  readonly causes: readonly string[];
  readonly warnings: readonly string[];
}

type Answers = Readonly<Record<string, Answer>>;

const ruledDefinition = (schema: Schema): JsonObject => definition("ruleds", "Ruled", [version("v1", schema as unknown as JsonValue)]);
const propertyOf = (index: number): string => `p${index}`;
const whole = (strip: boolean): Schema => ({
  type: "object",
  properties: Object.fromEntries(ruleCases.map(({ schema }, index) => [propertyOf(index), strip ? withoutRules(schema) : schema])),
});

function withoutRules(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === "x-kubernetes-validations" ? undefined : value))) as Schema;
}

/** Sends every case to a server. */
async function interrogate(server: RealServer): Promise<Answers> {
  const send = async (method: string, path: string, body?: JsonObject): Promise<Answer & { readonly body: JsonObject }> => {
    const response = await server.send({
      method,
      path,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: encodeJson(body) }),
    });
    // Until a kind is served, the answer is plain text.
    const parsed = (response.body.startsWith("{") ? decodeJson(response.body) : { message: response.body }) as JsonObject & {
      readonly details?: { readonly causes?: readonly StatusCause[] };
    };
    const causes = (parsed.details?.causes ?? [])
      .map(({ reason, field, message }) => `${reason} ${field}: ${message}`.replaceAll(/selfType\d+/g, "selfType"))
      .toSorted();
    const warnings = [response.headers["warning"] ?? []]
      .flat()
      .flatMap((header) => header.split(/, (?=299 )/))
      .map((line) => JSON.parse(line.replace(/^299 - /, "")) as string)
      .toSorted();
    return { code: response.status, causes, warnings, body: parsed };
  };
  const answers: Record<string, Answer> = {};
  const note = (name: string, { code, causes, warnings, body }: Answer & { readonly body: JsonObject }): void => {
    answers[name] = { code, causes: code === 422 || code < 300 ? causes : [JSON.stringify(body["message"])], warnings };
  };
  for (const [index, schema] of schemas.entries())
    note(`schema ${index}`, await send("POST", `${definitionsPath}?dryRun=All`, ruledDefinition(schema)));
  const created = await send("POST", definitionsPath, ruledDefinition(whole(true)));
  expect([created.code, created.causes]).toEqual([201, []]);
  const object = (name: string, index: number, value: JsonValue): JsonObject => ({
    apiVersion: "ex.io/v1",
    kind: "Ruled",
    metadata: { name },
    [propertyOf(index)]: value,
  });
  await until(
    () => send("GET", objectsPath),
    ({ code }) => code === 200,
  );
  const probe = object("probe", 0, {});
  await until(
    () => send("POST", `${objectsPath}?dryRun=All`, probe),
    ({ code }) => code === 201,
  );
  const before = new Map<string, JsonObject>();
  for (const [index, { changes }] of ruleCases.entries()) {
    for (const [at, [old]] of changes.entries()) {
      const { body, code } = await send("POST", objectsPath, object(`c-${index}-${at}`, index, old));
      expect(code).toBe(201);
      before.set(`${index} ${at}`, body);
    }
  }
  // The server's own controllers write to the definition as well.
  const ruled = await until(
    async () => {
      const { body: crd } = await send("GET", `${definitionsPath}/ruleds.ex.io`);
      return send("PUT", `${definitionsPath}/ruleds.ex.io`, { ...crd, spec: ruledDefinition(whole(false))["spec"] ?? null });
    },
    ({ code }) => code !== 409,
  );
  expect([ruled.code, ruled.causes]).toEqual([200, []]);
  const wrong = object("probe", 0, { i: 2, j: 1 });
  await until(
    () => send("POST", `${objectsPath}?dryRun=All`, wrong),
    ({ code }) => code === 422,
  );
  for (const [index, { values, changes }] of ruleCases.entries()) {
    for (const [at, value] of values.entries())
      note(`create ${index} ${at}`, await send("POST", `${objectsPath}?dryRun=All`, object("new", index, value)));
    for (const [at, [, now]] of changes.entries()) {
      const { metadata = null } = before.get(`${index} ${at}`) ?? {};
      note(
        `update ${index} ${at}`,
        await send("PUT", `${objectsPath}/c-${index}-${at}?dryRun=All`, { ...object("", index, now), metadata }),
      );
    }
  }
  return answers;
}

async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the server did not come to serve what was defined");
}

/** The request, so that a difference can be read. */
function questionOf(name: string): JsonValue {
  const [kind = "", index = "0", at = "0"] = name.split(" ");
  if (kind === "schema")
    return JSON.stringify(schemas[Number(index)], (key, value: unknown) =>
      key === "properties" && JSON.stringify(value).length > 600 ? "…" : value,
    );
  const { schema, values, changes } = ruleCases[Number(index)] ?? { schema: {}, values: [], changes: [] };
  const rules = JSON.stringify(schema).match(/"rule":"(?:[^"\\]|\\.)*"/g) ?? [];
  return [rules.join(" "), encodeJson(kind === "create" ? (values[Number(at)] ?? null) : (changes[Number(at)] ?? null))];
}

/** Of several syntax errors only the first is compared: the server recovers in its own way after it, and our parser stops. */
const compared = (answer: Answer | undefined): string =>
  JSON.stringify(
    answer && {
      ...answer,
      causes: answer.causes.map((cause) => (cause.includes("Syntax error: ") ? cause.split("\nERROR: ", 1)[0] : cause)),
    },
  );

const differences = (ours: Answers, theirs: Answers): unknown[] =>
  Object.keys(theirs)
    .filter((name) => compared(ours[name]) !== compared(theirs[name]))
    .map((name) => ({ name, asked: questionOf(name), ours: ours[name], theirs: theirs[name] }));

describe("CEL rules in schemas", () => {
  it("judge definitions, objects and changes as recorded from the real server", { timeout: 60_000 }, async () => {
    const recorded = JSON.parse(readFileSync(file, "utf8")) as Answers;
    const ours = await askAndStop(await startEmbeddedServer());
    expect(Object.keys(ours)).toEqual(Object.keys(recorded));
    expect(differences(ours, recorded)).toEqual([]);
  });

  it.skipIf(realServerMissing !== undefined)(
    `finds the recording to be what the real server says${realServerMissing === undefined ? "" : ` (${realServerMissing})`}`,
    { timeout: 180_000 },
    async () => {
      const theirs = await askAndStop(await startRealServer());
      if (process.env["DROVER_RECORD"] === "1") writeFileSync(file, `${JSON.stringify(theirs, undefined, 1)}\n`);
      expect(differences(theirs, JSON.parse(readFileSync(file, "utf8")) as Answers)).toEqual([]);
    },
  );
});

async function askAndStop(server: RealServer): Promise<Answers> {
  try {
    return await interrogate(server);
  } finally {
    await server.stop();
  }
}
