/**
 * Objects with many optional fields, each value left out or replaced by another: our server and the real one give the same answer, in
 * the same words.
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ourTarget } from "../differential/our-server.ts";
import { startRealTarget } from "../differential/real-target.ts";
import type { ProbeTarget } from "../differential/session.ts";
import { placesOf, replacements, varied } from "../differential/variations.ts";
import { realServerMissing } from "../servers/real-server.ts";
import { fullObjects } from "./full-objects.ts";
import { bodyOf, kindOf, pathOf } from "./kind-requests.ts";

const isLong = process.env["DROVER_LONG"] !== undefined;
const why = realServerMissing ?? (isLong ? undefined : "takes minutes: DROVER_LONG=1 npm test -- conformance/apiserver/variations");

let real: Awaited<ReturnType<typeof startRealTarget>>;
const ours = ourTarget();

beforeAll(async () => {
  if (why === undefined) real = await startRealTarget();
}, 90_000);
afterAll(() => (why === undefined ? real.stop() : undefined), 30_000);

/** The status, and the reason and message of a refusal, without what differs between two servers. */
async function answerOf({ handle }: ProbeTarget, path: string, body: JsonObject): Promise<string> {
  const headers = { "content-type": "application/json", accept: "application/json", "user-agent": "variations" };
  const response = await handle({ method: "POST", path, headers, body: JSON.stringify(body) });
  let text = "";
  if (typeof response.body === "string") text = response.body;
  else for await (const chunk of response.body as AsyncIterable<Uint8Array>) text += new TextDecoder().decode(chunk);
  const answer = JSON.parse(text) as JsonObject;
  if (answer["kind"] !== "Status") return String(response.status);
  return `${response.status} ${String(answer["message"])}`
    .replaceAll(/ in scheme "[^"]+"/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

interface Variation {
  readonly place: readonly (string | number)[];
  readonly replacement: JsonValue | undefined;
}

function* variationsOf(object: JsonObject): Generator<Variation> {
  for (const place of placesOf(object, 9)) for (const replacement of replacements) yield { place, replacement };
}

describe.skipIf(why !== undefined)("variations of objects", () => {
  for (const { kind: key, title, object } of fullObjects) {
    it(`are answered as by the real server: ${key}, ${title}`, async () => {
      const kind = kindOf(key);
      const path = `${pathOf(kind)}?dryRun=All`;
      const differences: string[] = [];
      for (const { place, replacement } of variationsOf(object)) {
        const changed = varied(object, place, replacement);
        if (!isJsonObject(changed)) continue;
        const body = bodyOf(kind, changed, "varied");
        const [expected, actual] = await Promise.all([answerOf(real, path, body), answerOf(ours, path, body)]);
        if (expected !== actual)
          differences.push(`${place.join(".")} = ${JSON.stringify(replacement)}\n  real ${expected}\n  ours ${actual}`);
      }
      expect(differences.join("\n")).toBe("");
    }, 120_000);
  }
});
