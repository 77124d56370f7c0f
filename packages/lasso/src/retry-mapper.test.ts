import { ConfigMap, Pod } from "@drover/api/core/v1";
import { AmbiguousKindError } from "@drover/machinery";
import type { ResourceRow } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { newRetryMapper } from "./retry-mapper.ts";
import type { Mapper } from "./retry-mapper.ts";
import { fixedMapper } from "./testing/fixed-mapper.ts";

/** A server that learns its kinds one after the other. */
function stage() {
  const runtime = testRuntime();
  let [known, asked, mapper] = [[] as ResourceRow[], 0, fixedMapper()];
  const ask = <K extends keyof Mapper>(name: K): Mapper[K] =>
    ((...parameters: Parameters<Mapper[K]>) => (
      asked++,
      (mapper[name] as (...given: typeof parameters) => unknown)(...parameters)
    )) as Mapper[K];
  const growing: Mapper = {
    kindFor: ask("kindFor"),
    kindsFor: ask("kindsFor"),
    resourceFor: ask("resourceFor"),
    resourcesFor: ask("resourcesFor"),
    restMapping: ask("restMapping"),
    restMappings: ask("restMappings"),
    singularFor: ask("singularFor"),
  };
  const learn = (row: ResourceRow): void => {
    known = [...known, row];
    mapper = fixedMapper(...known);
  };
  return { runtime, learn, asked: () => asked, retrying: newRetryMapper(growing, { runtime }) };
}

describe("newRetryMapper", () => {
  it("trap 23: asks until it has an answer, with growing delays, and logs what it waits for", async () => {
    const { runtime, learn, asked, retrying } = stage();
    const answer = retrying.restMapping({ group: "", kind: "Pod" }, { versions: ["v1"] });
    await runtime.clock.advance(60_000);
    expect(asked()).toBeGreaterThan(5);
    expect(asked()).toBeLessThan(12);
    expect(runtime.log.entries.at(-1)).toMatchObject({ level: "warn", fields: { question: "restMapping", about: { kind: "Pod" } } });
    learn(Pod);
    await runtime.clock.advance(40_000);
    expect(await answer).toMatchObject({ resource: { resource: "pods" } });
  });

  it("answers every method from the mapper behind it, immediately if that knows (§3.34)", async () => {
    const { runtime, learn, retrying } = stage();
    learn(Pod);
    learn(ConfigMap);
    const pods = { group: "", version: "v1", resource: "pods" };
    expect(
      await Promise.all([
        retrying.kindFor({ resource: "pods" }),
        retrying.kindsFor({ resource: "pods" }),
        retrying.resourceFor({ resource: "pod" }),
        retrying.resourcesFor({ resource: "pod" }),
        retrying.restMappings({ group: "", kind: "Pod" }),
        retrying.singularFor("pods"),
      ]),
    ).toMatchObject([{ kind: "Pod" }, [{ kind: "Pod" }], pods, [pods], [{ resource: pods }], "pod"]);
    expect(runtime.log.entries).toEqual([]);
  });

  it("rejects with the signal's reason, while it waits and if it aborted before", async () => {
    const { runtime, asked, retrying } = stage();
    const stop = new AbortController();
    const waiting = retrying.kindFor({ resource: "pods" }, { signal: stop.signal });
    const settled = expect(waiting).rejects.toBe("enough");
    await runtime.clock.advance(1000);
    stop.abort("enough");
    await settled;
    const before = asked();
    await expect(retrying.kindFor({ resource: "pods" }, { signal: stop.signal })).rejects.toBe("enough");
    expect(asked()).toBe(before);
  });

  it("does not retry an ambiguous result", async () => {
    const ambiguous = new AmbiguousKindError({ group: "", version: "v1", kind: "Thing" }, []);
    const retrying = newRetryMapper({ ...fixedMapper(), kindFor: () => Promise.reject(ambiguous) }, { runtime: testRuntime() });
    await expect(retrying.kindFor({ resource: "things" })).rejects.toBe(ambiguous);
  });
});
