import { ConfigMap, Secret } from "@drover/api/core/v1";
import fc from "fast-check";
import { expect, it } from "vitest";
import { copies } from "../testing/tried-app.ts";
import { harness } from "./harness.ts";
import type { Harness } from "./harness.ts";

type Step = (t: Harness) => unknown;

const name = fc.constantFrom("a", "b", "c");
const value = fc.constantFrom("red", "green", "blue");
const quiet = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** Actions of users, network and machine; each has a name for the failure report. */
const steps: fc.Arbitrary<{ readonly what: string; readonly take: Step }> = fc.oneof(
  fc.tuple(name, value).map(([of, colour]) => ({
    what: `create ${of} ${colour}`,
    take: (t: Harness) => quiet(t.create(ConfigMap, { metadata: { name: of }, data: { colour } })),
  })),
  fc
    .tuple(name, value)
    .map(([of, colour]) => ({ what: `paint ${of} ${colour}`, take: (t: Harness) => quiet(t.patch(ConfigMap, of, { data: { colour } })) })),
  name.map((of) => ({ what: `delete ${of}`, take: (t: Harness) => quiet(t.delete(ConfigMap, of)) })),
  name.map((of) => ({ what: `delete the secret ${of}`, take: (t: Harness) => quiet(t.delete(Secret, of)) })),
  name.map((of) => ({
    what: `spoil the secret ${of}`,
    take: (t: Harness) => quiet(t.patch(Secret, of, { stringData: { colour: "black" } })),
  })),
  fc
    .constantFrom(409 as const, 429 as const, 500 as const, 503 as const, "lost" as const, "refused" as const, "timeout" as const)
    .map((answer) => ({ what: `fault ${answer}`, take: (t: Harness) => t.fault({ answer, times: 2 }) })),
  fc.constant({ what: "cut", take: (t: Harness) => t.cutWatches() }),
  fc.constant({ what: "refuse watches", take: (t: Harness) => t.fault({ answer: 500, verb: "watch", times: 2 }) }),
  fc.integer({ min: 1, max: 8 }).map((requests) => ({ what: `crash after ${requests}`, take: (t: Harness) => t.crashAfter(requests) })),
  fc.constant({ what: "restart", take: (t: Harness) => t.restart() }),
  fc.constant({ what: "advance", take: (t: Harness) => t.advance("7m") }),
  fc.constant({ what: "settle", take: (t: Harness) => t.settled() }),
);

it("settled resolves only when every copy is correct, whatever happened before", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), fc.integer(), async (taken, seed) => {
      await using t = await harness(copies, { seed });
      for (const { take } of taken) await take(t);
      await t.settled();
      const secrets = new Map((await t.list(Secret)).map(({ metadata, data }) => [metadata.name, data]));
      for (const { metadata, data } of await t.list(ConfigMap)) {
        expect([metadata.name, secrets.get(metadata.name)]).toEqual([
          metadata.name,
          data === undefined ? undefined : { colour: Buffer.from(data["colour"] ?? "").toString("base64") },
        ]);
      }
    }),
    { numRuns: Math.min(300, Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20)) },
  );
});
