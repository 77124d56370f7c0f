/**
 * Objects with many optional fields, each value left out or replaced by another: our server and the real one give the same answer, in
 * the same words.
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textAt, valueAt } from "../differential/exchange.ts";
import { ourTarget } from "../differential/our-server.ts";
import { startRealTarget } from "../differential/real-target.ts";
import { ProbeSession } from "../differential/session.ts";
import type { ProbeTarget } from "../differential/session.ts";
import { placesOf, replacements, varied } from "../differential/variations.ts";
import { realServerMissing } from "../servers/real-server.ts";
import { fullObjects } from "./full-objects.ts";
import { bodyOf, kindOf, pathOf } from "./kind-requests.ts";

let real: Awaited<ReturnType<typeof startRealTarget>>;
const ours = ourTarget();

beforeAll(async () => {
  if (realServerMissing === undefined) real = await startRealTarget();
}, 90_000);
afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

/** The status, and the message of a refusal, without what differs between two servers. */
async function answerOf(target: ProbeTarget, path: string, body: JsonObject): Promise<string> {
  const { status, body: answer } = await new ProbeSession(target, "varied").settle({ method: "POST", path, body }, () => true);
  if (valueAt({ body: answer }, "kind") !== "Status") return String(status);
  return (
    `${status} ${textAt({ body: answer }, "message")}`
      // Our server drops an empty map when it reads it.
      .replaceAll(/(labels|capacity)(: (?:Invalid|Unsupported) value: )\{\}/g, "$1$2null")
      .replaceAll(/ in scheme "[^"]+"/g, "")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
  );
}

/** Our server drops an empty list when it reads it, and then sets the default. */
const known: ReadonlySet<string> = new Set([
  "autoscaling/v2/HorizontalPodAutoscaler spec.behavior.scaleDown.policies = []",
  "autoscaling/v2/HorizontalPodAutoscaler spec.behavior.scaleDown.policies.0 = undefined",
]);

interface Variation {
  readonly place: readonly (string | number)[];
  readonly replacement: JsonValue | undefined;
}

function* variationsOf(object: JsonObject): Generator<Variation> {
  for (const place of placesOf(object, 9)) for (const replacement of replacements) yield { place, replacement };
}

describe("variations of objects", () => {
  for (const { kind: key, title, object } of fullObjects) {
    it(`are answered as by the real server: ${key}, ${title}`, async (ctx) => {
      if (realServerMissing !== undefined) ctx.skip(realServerMissing);
      const kind = kindOf(key);
      const path = `${pathOf(kind)}?dryRun=All`;
      const differences: string[] = [];
      for (const { place, replacement } of variationsOf(object)) {
        const changed = varied(object, place, replacement);
        if (!isJsonObject(changed)) continue;
        const body = bodyOf(kind, changed, "varied");
        const [expected, actual] = await Promise.all([answerOf(real, path, body), answerOf(ours, path, body)]);
        const what = `${place.join(".")} = ${JSON.stringify(replacement)}`;
        if (expected !== actual && !known.has(`${key} ${what}`)) differences.push(`${what}\n  real ${expected}\n  ours ${actual}`);
      }
      expect(differences.join("\n")).toBe("");
    }, 120_000);
  }
});
